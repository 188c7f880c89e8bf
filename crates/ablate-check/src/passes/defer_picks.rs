//! Lowers one pick of a permutation, and raises one of those behind it.
//!
//! A permutation chooses for each place which of the values that are left stands there. When the last
//! value has to come early, `[0, 3, 1, 2]` becomes `[0, 1, 3, 2]`: what is fetched from far is fetched
//! later.
//!
//! Costs up to two tests for each pick that is not the first value, and each of the next three that can be
//! raised. There is none but in permutations.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("defer_picks", permutation([0, 1, 2, 3]), "1.0.2.0");
//! assert_eq!(tried, ["[0, 2, 3, 1]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::distance;
use super::slide::{DIRECTIONS, grown, room, slide};
use crate::choice::{Choice, Constraint};

/// How many of the picks behind one that can be raised are.
const REACH: usize = 3;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeferPicks;

/// The picks that are not the first value, each with those behind it that can be raised.
struct Picks(Vec<(usize, Vec<usize>)>);

impl Picks {
    fn found(target: &Target<Choice>) -> Picks {
        let elements = target.elements();
        let count = |at: usize| match elements.get(at)?.constraint() {
            Constraint::Index(count) => Some(count),
            _ => None,
        };
        // Each has one value less to choose from.
        let is_next = |at: &usize| {
            let counts = count(at - 1).zip(count(*at));
            counts.is_some_and(|(before, count)| before == count + 1)
        };
        let is_lowerable = |at: &usize| distance(&elements[*at]).is_some_and(|d| d > 0);
        let picks = (0..elements.len()).filter(is_lowerable).map(|at| {
            let behind = (at + 1..elements.len()).take_while(is_next);
            let raised = behind.filter(|at| room(&elements[*at], 1) > 0);
            (at, raised.take(REACH).collect())
        });
        Picks(
            picks
                .filter(|(_, raised): &(_, Vec<_>)| !raised.is_empty())
                .collect(),
        )
    }
}

impl Pass<Choice> for DeferPicks {
    fn name(&self) -> &'static str {
        "defer_picks"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let picks = target.analysis(Picks::found);
        let (lowered, raised) = &picks.0[chooser.prefer(picks.0.len())?];
        let raised = raised[chooser.prefer(raised.len())?];
        let elements = target.elements();
        let most = room(&elements[*lowered], -1).min(room(&elements[raised], 1));
        let amount = [most, 1][chooser.prefer(if most > 1 { 2 } else { 1 })?];
        slide(target, &[(*lowered, -1), (raised, 1)], amount).ok_or(DeadBranch)
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
