//! Deletes a span.
//!
//! What a generator drew as a whole can often go as a whole: an element of a list, a step of a
//! program. The longest first, as they hold most, and each deletion is grown over its siblings.
//!
//! Costs a test for each span that holds something else than the next of its siblings. After
//! "Conjecture interval simplification" (D. R. MacIver).
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("delete_spans", vec(0..9u8), "1.t.7.t.8.f");
//! assert_eq!(tried, ["[7]", "[8]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::Spans;
use super::siblings;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum DeleteSpans {
    /// The long ones that have siblings, and those with many: what makes a target small soon.
    Large,
    /// All of them.
    All,
}

/// From so many choices on a span is large.
const LONG: usize = 8;
/// With so many siblings a span is worth a test early.
const MANY: usize = 8;

impl Pass<Choice> for DeleteSpans {
    fn name(&self) -> &'static str {
        match self {
            DeleteSpans::Large => "delete_large_spans",
            DeleteSpans::All => "delete_spans",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let spans = Spans::of(target);
        let chosen = chooser.choose(0..spans.len(), |at| {
            let is_large = || {
                let ((start, end, _), siblings) = (spans.at(at), spans.siblings(at));
                // The only one of its kind will be wanted.
                end - start >= LONG && siblings > 1 || siblings >= MANY
            };
            (matches!(self, DeleteSpans::All) || is_large()) && !spans.is_repeated(target, at)
        })?;
        let (start, end, _) = spans.at(chosen);
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        siblings::DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let run = patch.extent()?;
        siblings::grown(target, run, direction, amount, |family, (first, last)| {
            family.without(target, first..last + 1, [])
        })
    }
}
