//! Deletes a span.
//!
//! What a generator drew as a whole can often go as a whole: an element of a list, a step of a
//! program. The longest first, as they hold most, and each deletion is grown over its siblings.
//!
//! Costs a test for each span. After "Conjecture interval simplification" (D. R. MacIver).

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::Shape;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum DeleteSpans {
    /// The long ones, and those with many siblings: what makes a target small soon.
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
        let shape = Shape::of(target);
        let chosen = chooser.choose(0..shape.spans.len(), |at| {
            let (start, end, _) = shape.spans[at];
            matches!(self, DeleteSpans::All)
                || end - start >= LONG
                || (shape.run_of(start, end))
                    .is_some_and(|(family, ..)| family.members.len() >= MANY)
        })?;
        let (start, end, _) = shape.spans[chosen];
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        4
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let shape = Shape::of(target);
        let (start, end) = patch.extent()?;
        let (family, first, last) = shape.run_of(start, end)?;
        let (first, last) = grown_run(first, last, family.members.len(), direction, amount)?;
        Some(Patch::cuts(family.members[first..=last].iter().copied()))
    }
}

/// A run of siblings made longer: in directions 0 and 2 by all that are left of it or right of it,
/// which is tried first; in directions 1 and 3 by so many.
pub(super) fn grown_run(
    first: usize,
    last: usize,
    count: usize,
    direction: usize,
    amount: usize,
) -> Option<(usize, usize)> {
    let behind = count - 1 - last;
    match direction {
        // All of a few is soon found by counting.
        0 if amount == 1 && first > 2 => Some((0, last)),
        1 => Some((first.checked_sub(amount)?, last)),
        2 if amount == 1 && behind > 2 => Some((first, count - 1)),
        3 if amount <= behind => Some((first, last + amount)),
        _ => None,
    }
}
