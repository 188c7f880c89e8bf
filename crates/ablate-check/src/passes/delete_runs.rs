//! Deletes a short run of choices.
//!
//! What generators don't mark as a span can still be superfluous.
//!
//! Costs up to a test for each run of up to five choices, most of which are known not to be enough
//! without a run; grown over equally long runs before it.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("delete_runs", (0..9u8, vec(0..9u8)), "1.5.t.7.f");
//! assert_eq!(tried, ["(0, [])"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::choice::{Choice, Constraint, Toss};

/// The longest run.
const LONGEST: usize = 5;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteRuns;

impl Pass<Choice> for DeleteRuns {
    fn name(&self) -> &'static str {
        "delete_runs"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let len = 1 + chooser.any(0..LONGEST.min(target.len()))?;
        // What a span holds only a part of is the business of other passes.
        let spans = target.spans();
        let is_element =
            |at: usize| target.elements()[at].constraint == Constraint::Boolean(Toss::More);
        let start = chooser.choose(0..target.len() + 1 - len, |start| {
            let end = start + len;
            spans.iter().all(|span| {
                let is_apart = span.end <= start || end <= span.start;
                let is_inside = span.start <= start && end <= span.end;
                let is_part = is_inside && (end - start) < span.len();
                // Without what says that there is an element, what it holds makes no sense; nor
                // does that without the only choice that it holds.
                let is_torn =
                    is_part && is_element(span.start) && (start == span.start || span.len() == 2);
                let is_whole = is_apart || (start <= span.start && span.end <= end) || is_inside;
                is_whole && !is_torn
            })
        })?;
        Ok(Patch::cut(start, start + len))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        _: &Target<Choice>,
        patch: &Patch<Choice>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let (start, end) = patch.extent()?;
        let more = amount.checked_mul(end - start)?;
        Some(Patch::cut(start.checked_sub(more)?, end))
    }
}
