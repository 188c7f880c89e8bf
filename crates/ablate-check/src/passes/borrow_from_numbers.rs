//! Lowers a number by one, and puts the greatest there is in the places of the simplest numbers of
//! the same range that follow it.
//!
//! `(1, 0)` becomes `(0, 255)` when the two are the digits of one number. It is the step of "improve and
//! clone" (D. R. MacIver, "Conjecture") that takes an interval for a number and subtracts one: what
//! comes of it is larger but for its first place, and the other passes go on from there.
//!
//! Costs a test for each number that a simplest one of its range follows.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("borrow_from_numbers", vec(0..100u8), "1.t.7.t.0.t.0.t.5.f");
//! assert_eq!(tried, ["[6, 99, 99, 5]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, distance, number, with_number};
use super::slide::inward;
use crate::choice::{Choice, Constraint};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct BorrowFromNumbers;

/// The greatest number of a choice that is the simplest now.
fn greatest(choice: &Choice) -> Option<i128> {
    let range = bounds(choice)?;
    let is_upwards = range.max != range.origin;
    let greatest = if is_upwards { range.max } else { range.min };
    (greatest != range.origin).then_some(greatest)
}

/// Whether a choice is a digit like this one that can be borrowed for: an integer of the same range
/// that is the simplest.
fn is_zero_like(digit: &Choice, choice: &Choice) -> bool {
    matches!(choice.constraint, Constraint::Integer(_))
        && choice.constraint == digit.constraint
        && distance(choice) == Some(0)
}

impl Pass<Choice> for BorrowFromNumbers {
    fn name(&self) -> &'static str {
        "borrow_from_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        let place = chooser.choose(0..numbers.all.len(), |place| {
            let next = numbers.all.get(place + 1);
            let lowered = &elements[numbers.all[place]];
            distance(lowered).is_some_and(|distance| distance > 0)
                && next.is_some_and(|&next| is_zero_like(lowered, &elements[next]))
        })?;
        let put = |at: usize, value| Edit {
            start: at,
            end: at + 1,
            insert: Some([with_number(&elements[at], value)].into()),
        };
        let at = numbers.all[place];
        let value = number(&elements[at]).ok_or(DeadBranch)?;
        let lowered = put(at, value + inward(&elements[at]));
        let zeros = numbers.all[place + 1..].iter();
        let zeros = zeros.take_while(|&&zero| is_zero_like(&elements[at], &elements[zero]));
        let raised = zeros.filter_map(|&at| Some(put(at, greatest(&elements[at])?)));
        Patch::edits_of([lowered].into_iter().chain(raised)).map_err(|_| DeadBranch)
    }
}
