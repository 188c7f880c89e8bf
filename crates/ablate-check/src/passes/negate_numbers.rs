//! Moves all numbers below the simplest one to its other side, as far as their ranges go.
//!
//! `(-1, -128)` becomes `(1, 127)` when only how far they go together matters: with one alone on the
//! other side they don't.
//!
//! Costs a test where there are two such numbers or more; a last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("negate_numbers", any::<(i8, i8)>(), "1.-1.-128");
//! assert_eq!(tried, ["(1, 127)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, number, set_number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct NegateNumbers;

/// A number on the other side of the simplest one, if it is below that.
fn negated(choice: &Choice) -> Option<i128> {
    let (value, range) = (number(choice)?, bounds(choice)?);
    let is_below = value < range.origin && range.origin < range.max;
    let other = range.origin.checked_mul(2)?.checked_sub(value)?;
    is_below.then(|| other.min(range.max))
}

impl Pass<Choice> for NegateNumbers {
    fn name(&self) -> &'static str {
        "negate_numbers"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        _: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        let is_below = |at: &usize| negated(&elements[*at]).is_some();
        let below: Vec<usize> = numbers.lowerable.iter().copied().filter(is_below).collect();
        if below.len() < 2 {
            return Err(DeadBranch);
        }
        Ok(Patch::change(elements, &below, |choice| {
            if let Some(other) = negated(choice) {
                set_number(choice, other);
            }
        }))
    }
}
