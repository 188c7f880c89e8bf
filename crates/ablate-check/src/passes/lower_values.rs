//! Lowers one number towards the simplest.
//!
//! Costs two to five tests for each number that is not the simplest; a success is taken as far
//! as it goes.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_values", any::<i8>(), "1.-7");
//! assert_eq!(tried, ["0", "-6", "7"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, distance, number, with_number};
use super::slide::{DIRECTIONS, amounts, grown, inward, slide};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerValues;

/// The greatest number on the other side of the simplest that is simpler than this one.
fn mirrored(choice: &Choice) -> Option<i128> {
    let (range, value) = (bounds(choice)?, number(choice)?);
    let mirrored = range.origin.checked_sub(value)?.checked_add(range.origin)?;
    // Above the simplest value is simpler than below it.
    let mirrored = mirrored + i128::from(value > range.origin);
    (mirrored != range.origin && range.contains(mirrored)).then_some(mirrored)
}

impl Pass<Choice> for LowerValues {
    fn name(&self) -> &'static str {
        "lower_values"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let elements = target.elements();
        let last = elements.len().checked_sub(1).ok_or(DeadBranch)?;
        // The first one first: that it is low counts more.
        let chosen = chooser.choose(0..elements.len(), |chosen| {
            distance(&elements[last - chosen]).is_some_and(|distance| distance > 0)
        })?;
        let at = last - chosen;
        let choice = &elements[at];
        let distance = distance(choice).ok_or(DeadBranch)?;
        let mirrored = mirrored(choice);
        let amounts = amounts(&Numbers::of(target), distance);
        let way = chooser.prefer(amounts.len() + usize::from(mirrored.is_some()))?;
        let Some(&amount) = amounts.get(way) else {
            let value = mirrored.ok_or(DeadBranch)?;
            return Ok(Patch::replace(at, at + 1, &[with_number(choice, value)]));
        };
        slide(target, &[(at, inward(choice))], amount).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        grown(target, patch, direction, amount)
    }
}
