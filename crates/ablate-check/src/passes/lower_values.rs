//! Lowers one number towards the simplest.
//!
//! Costs two to five tests for each number that is not the simplest; a success is taken as far
//! as it goes. The earlier of two numbers that are near each other, and all there is, comes last: as
//! far as both go together they have gone already, and what holds the earlier one is mostly the bound
//! of both.
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

use super::amid::Amid;
use super::move_amounts::are_near;
use super::shape::{Numbers, bounds, distance, number, with_number};
use super::slide::{DIRECTIONS, amounts, distinct, grown, inward, slide};
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

/// Two numbers that are near each other, if they are all there is.
fn near_pair(target: &Target<Choice>) -> Option<(usize, usize)> {
    let (elements, numbers) = (target.elements(), Numbers::of(target));
    let &[a, b] = numbers.all.as_slice() else {
        return None;
    };
    are_near(&numbers, &elements[a], &elements[b]).then_some((a, b))
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
        // The first one first, as that it is low counts more; but one that is near the other has gone
        // with it as far as both could go.
        let near = near_pair(target);
        let place = |chosen: usize| match near {
            Some((a, b)) if last - chosen == a => b,
            Some((a, b)) if last - chosen == b => a,
            _ => last - chosen,
        };
        let chosen = chooser.choose(0..elements.len(), |chosen| {
            distance(&elements[place(chosen)]).is_some_and(|distance| distance > 0)
        })?;
        let at = place(chosen);
        let choice = &elements[at];
        let distance = distance(choice).ok_or(DeadBranch)?;
        let mirrored = mirrored(choice);
        let amounts = match Amid::of(target).is_amid(at) {
            // What is held by a bound of its own can be lowered by one as well.
            true => distinct([Some(distance), Some(1)]),
            false => amounts(&Numbers::of(target), distance),
        };
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
