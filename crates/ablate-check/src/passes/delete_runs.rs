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

/// How far spans reach from each place: what a span holds only a part of is the business of other
/// passes.
struct Bounds {
    /// The end of the longest span that begins at a place; 0 for none.
    ends: Vec<usize>,
    /// The start of the longest span that ends at a place; `usize::MAX` for none.
    starts: Vec<usize>,
    /// Whether the boolean at a place says that there is an element behind it.
    is_element: Vec<bool>,
    /// Whether that element is a single choice.
    is_short: Vec<bool>,
}

/// Whether a choice says that a collection has one more element, freely or because it has to.
fn says_more(choice: &Choice) -> bool {
    matches!(
        choice.constraint(),
        Constraint::Boolean(Toss::More | Toss::Forced(true))
    )
}

impl Bounds {
    fn found(target: &Target<Choice>) -> Bounds {
        let (elements, places) = (target.elements(), target.len() + 1);
        let mut bounds = Bounds {
            ends: vec![0; places],
            starts: vec![usize::MAX; places],
            is_element: elements.iter().map(says_more).collect(),
            is_short: vec![false; places],
        };
        for span in target.spans().iter().filter(|span| !span.is_empty()) {
            bounds.ends[span.start] = bounds.ends[span.start].max(span.end);
            bounds.starts[span.end] = bounds.starts[span.end].min(span.start);
            bounds.is_short[span.start] |= span.len() == 2;
        }
        bounds
    }

    /// Whether the target is the same without a run that begins a little further on.
    fn are_moved(&self, elements: &[Choice], start: usize, len: usize) -> bool {
        let is_same = |at: &usize| elements[*at] == elements[at + len];
        let last = (start + LONGEST).min(elements.len() - len);
        let further = (start..last).take_while(is_same);
        further
            .map(|at| at + 1)
            .any(|at| self.are_respected(at, at + len))
    }

    fn are_respected(&self, start: usize, end: usize) -> bool {
        let crosses = |at: usize| {
            self.ends[at] > end || (self.starts[at] < start && self.starts[at] != usize::MAX)
        };
        if (start + 1..end).any(crosses) {
            return false;
        }
        // Without what says that there is an element, what it holds makes no sense; nor does that
        // without the only choice that it holds.
        let loses_head = self.is_element[start] && self.ends[start] > end;
        let before = start.wrapping_sub(1);
        let loses_body =
            end == start + 1 && start > 0 && self.is_element[before] && self.is_short[before];
        !loses_head && !loses_body
    }
}

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
        let bounds = target.analysis(Bounds::found);
        let start = chooser.choose(0..target.len() + 1 - len, |start| {
            bounds.are_respected(start, start + len)
                && !bounds.are_moved(target.elements(), start, len)
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
