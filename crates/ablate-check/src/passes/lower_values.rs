//! Lowers one number towards the simplest.
//!
//! Costs two to five tests for each number that is not the simplest; a success is taken as far
//! as it goes. The earlier of two numbers that are near each other comes last: as far as both go
//! together they have gone already, and what holds the earlier one is mostly the bound of both.
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

use super::move_amounts::are_near;
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

/// In what order numbers are lowered: the first one first, as that it is low counts more, but for
/// those that stand before one that is near; `None` where there is none of these.
struct Order(Option<Vec<usize>>);

impl Order {
    fn found(target: &Target<Choice>) -> Order {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        let pairs = numbers.lowerable.windows(2);
        let near = pairs.filter(|pair| are_near(&numbers, &elements[pair[0]], &elements[pair[1]]));
        let late: Vec<usize> = near.map(|pair| pair[0]).collect();
        Order((!late.is_empty()).then(|| {
            let early = (0..elements.len()).filter(|at| late.binary_search(at).is_err());
            early.chain(late.iter().copied()).collect()
        }))
    }

    fn place(&self, at: usize) -> usize {
        self.0.as_ref().map_or(at, |order| order[at])
    }
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
        let order = target.analysis(Order::found);
        let chosen = chooser.choose(0..elements.len(), |chosen| {
            distance(&elements[order.place(last - chosen)]).is_some_and(|distance| distance > 0)
        })?;
        let at = order.place(last - chosen);
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
