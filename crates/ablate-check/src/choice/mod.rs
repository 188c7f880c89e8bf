//! Choices: what a test case is made of, what each may be, and which is the simpler one.

mod alphabet;
mod constraint;
mod encode;
mod float;
mod integer;
mod order;
mod packed;

pub use alphabet::Alphabet;
pub use constraint::{Constraint, Sizes, Toss, Value};
pub(crate) use constraint::{mix, permitted};
pub use encode::{decode, encode};
pub use float::{FloatRange, float_index};
pub use integer::IntegerRange;
pub use order::Simplicity;
pub use packed::Choice;
pub(crate) use packed::{Bounds, drop_all};
