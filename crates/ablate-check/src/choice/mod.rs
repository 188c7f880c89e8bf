//! Choices: what a test case is made of, what each may be, and which is the simpler one.

mod alphabet;
mod constraint;
mod encode;
mod float;
mod integer;
mod order;

pub use alphabet::Alphabet;
pub use constraint::{Choice, Constraint, Sizes, Toss, Value};
pub(crate) use constraint::{drop_all, mix, permitted};
pub use encode::{decode, encode};
pub use float::{FloatRange, float_index};
pub(crate) use integer::Words;
pub use integer::{IntegerRange, Interval};
pub use order::Simplicity;
