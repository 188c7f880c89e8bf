//! Keeps only the first of some sibling spans.
//!
//! When two elements of a hundred matter, the first four are often enough, and `log n` tests find
//! that out.
//!
//! Costs a test for each power of two below the number of siblings; the first time only one where they
//! may name each other by their places, and none for so few, but for none of them, that the next
//! number behind them would not name one any more.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("keep_first_of_many", vec(0..99u8), "1.t.11.t.12.t.13.t.14.t.15.f");
//! assert_eq!(tried, ["[]", "[11]", "[11, 12]", "[11, 12, 13, 14]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::delete_and_renumber::has_names;
use super::shape::{Families, Family, Numbers, number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum KeepFirstSiblings {
    /// Where there are many.
    OfMany,
    /// Wherever there are any.
    OfAny,
}

/// So many siblings are many.
const MANY: usize = 4;

/// How many members there have to be for the next number behind them to name one, if it can.
fn named_behind(target: &Target<Choice>, family: &Family) -> usize {
    let numbers = Numbers::of(target);
    let end = family.members.last().map_or(0, |member| member.1);
    let behind = numbers.all.partition_point(|&at| at < end);
    let next = numbers.all.get(behind);
    let value = next.and_then(|&at| usize::try_from(number(&target.elements()[at])?).ok());
    let named = value.filter(|value| *value < family.members.len());
    named.map_or(0, |value| value + 1)
}

impl Pass<Choice> for KeepFirstSiblings {
    fn name(&self) -> &'static str {
        match self {
            KeepFirstSiblings::OfMany => "keep_first_of_many",
            KeepFirstSiblings::OfAny => "keep_first_siblings",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let families = Families::of(target);
        let family = chooser.choose(0..families.len(), |at| {
            let count = families[at].members.len();
            match self {
                KeepFirstSiblings::OfMany => count > MANY,
                KeepFirstSiblings::OfAny => count > 1,
            }
        })?;
        let family = &families[family];
        let members = &family.members;
        let count = family.count_in(target);
        // Where they may name each other, the first ones hardly stand by themselves, unless what they
        // may name is bounded by their number, and set right with that.
        let is_bound = matches!(self, KeepFirstSiblings::OfMany)
            && count.is_none()
            && has_names(target, family);
        // 0, 1, 2, 4, …
        let powers = match is_bound {
            true => 1,
            false => (members.len() - 1).ilog2() as usize + 2,
        };
        // One that a number behind them names has to stay, but for the proof.
        let named = match self {
            KeepFirstSiblings::OfMany => named_behind(target, family),
            KeepFirstSiblings::OfAny => 0,
        };
        let kept = |power: usize| match power {
            0 => 0,
            _ => 1 << (power - 1),
        };
        let last = powers - 1;
        let chosen = chooser.choose(0..powers, |chosen| {
            chosen == last || kept(last - chosen) >= named
        })?;
        let kept = kept(last - chosen);
        // Where a number says how many there are, it has to be lowered too.
        let lowered = count.map(|at| (at, kept as i128));
        let patch = family.without(target, kept..members.len(), lowered);
        patch.ok_or(DeadBranch)
    }
}
