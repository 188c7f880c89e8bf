//! Lowers a number that a filter has accepted to each of the simplest, and by each of the smallest
//! amounts.
//!
//! Of the even numbers, 8 can't be lowered by one: it becomes 2, or 6.
//!
//! Costs up to 24 tests for each number that is filtered by itself; there is none elsewhere.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let even = integers(0..100u8).filter(|x| x % 2 == 0);
//! assert_eq!(reductions("lower_filtered", even, "1.8"), ["2", "4", "6"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{distance, number};
use super::slide::{inward, slide};
use crate::choice::Choice;
use crate::combinators::FILTERED;

/// So many of the simplest numbers are tried.
const SIMPLEST: u128 = 12;
/// The greatest amount by which a number is lowered.
const AMOUNT: u128 = 8;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerFiltered;

/// The places of the numbers in filters.
struct Filtered(Vec<usize>);

impl Filtered {
    fn found(target: &Target<Choice>) -> Filtered {
        let filters = target.spans().iter();
        let filters = filters.filter(|span| span.label == FILTERED && span.len() == 1);
        let is_number = |at: &usize| number(&target.elements()[*at]).is_some();
        let mut places: Vec<usize> = filters.map(|span| span.start).filter(is_number).collect();
        // A filter may be in a filter.
        places.dedup();
        Filtered(places)
    }
}

/// By how much a number that far from the simplest is lowered, the most first.
fn amounts(distance: u128) -> Vec<u128> {
    let simplest = (2..SIMPLEST.min(distance)).map(|left| distance - left);
    let halves = [distance / 2, distance / 4];
    let least = (2..=AMOUNT.min(distance.saturating_sub(1))).rev();
    let mut amounts: Vec<u128> = simplest.chain(halves).chain(least).collect();
    amounts.sort_unstable_by(|a, b| b.cmp(a));
    amounts.dedup();
    amounts.retain(|amount| *amount > 0);
    amounts
}

impl Pass<Choice> for LowerFiltered {
    fn name(&self) -> &'static str {
        "lower_filtered"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let places = &target.analysis(Filtered::found).0;
        let at = places[chooser.prefer(places.len())?];
        let choice = &target.elements()[at];
        let amounts = amounts(distance(choice).ok_or(DeadBranch)?);
        let amount = amounts[chooser.prefer(amounts.len())?];
        slide(target, &[(at, inward(choice))], amount).ok_or(DeadBranch)
    }
}
