//! What the passes know of a target's shape: spans, families of sibling spans, and numbers, each of
//! which is found when it is first asked for; and what they make of single choices.

mod choices;
mod edits;
mod families;
mod numbers;
mod spans;

pub(crate) use choices::{
    WHOLE, bounds, compare, distance, float, is_more, kinds, number, order_numbers, set_number,
    simplest, with_number,
};
pub(crate) use edits::{delete_and_put, marked, with_more_before};
pub(crate) use families::{Families, Family};
pub(crate) use numbers::{Amounts, ByValue, Numbers};
pub(crate) use spans::{DISCARDED, Place, Spans, SpansBackwards, is_record};
