//! Generators for the types of the standard library, by the names that Rust people expect.

#[cfg(feature = "arbitrary")]
mod adapter;
mod alternatives;
mod collections;
mod dates;
mod keyed;
mod lengths;
mod network;
mod numbers;
mod orderings;
mod paths;
mod recursive;
mod regex;
mod strings;
mod times;

#[cfg(feature = "arbitrary")]
pub use adapter::{FromArbitrary, from_arbitrary};
pub use alternatives::{
    OneOf, Options, Results, Sampled, Weighted, option, result, sample, sample_weighted,
};
pub(crate) use collections::draw_elements;
pub use collections::{Arrays, Lists, UniqueLists, array, vec};
pub use dates::{Date, Dates, dates};
pub use keyed::{Maps, Sets, btree_map, btree_set, hash_map, hash_set};
pub use lengths::Lengths;
pub use network::{ip_addrs, ipv4_addrs, ipv6_addrs, socket_addrs};
pub use numbers::{Bools, Floats, Integer, Integers, bools, f32s, f64s, integers};
pub use orderings::{Permutations, Subsets, permutation, subset};
pub use paths::paths;
pub use recursive::{Inner, Recursive, recursive};
pub use regex::{Regexes, regex};
pub use strings::{Bytes, Chars, Strings, bytes, chars, string};
pub use times::{Durations, SystemTimes, durations, system_times};
