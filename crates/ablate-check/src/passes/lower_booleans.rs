//! Makes a boolean `false`, alone or together with the rest of the span that begins with it.
//!
//! What is drawn only when something holds is gone when it does not.
//!
//! Costs up to two tests for each `true` that does not hold a collection together; one that becomes
//! `false` alone takes as many that stand before it with it as it can.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_booleans", (any::<bool>(), any::<bool>()), "1.t.t");
//! assert_eq!(tried, ["(true, false)", "(false, true)"]);
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, simplest, with_more_before};
use crate::choice::{Choice, Toss};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerBooleans;

/// Where booleans stand that can be lowered alone, in order.
struct Tosses(Vec<usize>);

impl Tosses {
    fn of(target: &Target<Choice>) -> Rc<Tosses> {
        target.analysis(|target| {
            let can_be =
                |choice: &Choice| choice.toss() == Some(Toss::Free) && choice.truth() == Some(true);
            let elements = target.elements();
            Tosses(
                (0..elements.len())
                    .filter(|at| can_be(&elements[*at]))
                    .collect(),
            )
        })
    }
}

impl Pass<Choice> for LowerBooleans {
    fn name(&self) -> &'static str {
        "lower_booleans"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if !Numbers::of(target).kinds.has_tosses {
            return Err(DeadBranch);
        }
        let tosses = Tosses::of(target);
        let at = tosses.0[chooser.any(0..tosses.0.len())?];
        let end = if chooser.prefer(2)? == 0 {
            let spans = target.spans().iter().filter(|span| span.start == at);
            spans.map(|span| span.end).max().ok_or(DeadBranch)?
        } else {
            at + 1
        };
        let lowered = simplest(&target.elements()[at]);
        Ok(Patch::replace(at, end, &[lowered]))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        with_more_before(target, patch, &Tosses::of(target).0, amount)
    }
}
