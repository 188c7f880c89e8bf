//! Takes an earlier alternative, and the simplest there is in it.
//!
//! What was drawn for one alternative means nothing to another, which may need more or less of it:
//! `a / (b / 1)` becomes `a / (0 + 0)`, where `a / (b + 1)` would not do.
//!
//! Costs up to four tests for each alternative that is not the first, and each earlier one.

use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{simplest, with_number};
use crate::choice::{Choice, Constraint, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAlternatives;

impl Pass<Choice> for LowerAlternatives {
    fn name(&self) -> &'static str {
        "lower_alternatives"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let elements = target.elements();
        let at = chooser.choose(0..elements.len(), |at| {
            matches!(elements[at].constraint, Constraint::Index(_)) && !elements[at].is_simplest()
        })?;
        let Value::Integer(index) = elements[at].value else {
            return Err(DeadBranch);
        };
        let lower = chooser.prefer(usize::try_from(index).unwrap_or(0))?;
        // What the alternative consists of: the rest of the span that begins with it.
        let spans = target.spans().iter();
        let end = spans
            .filter(|span| span.start == at)
            .map(|span| span.end)
            .max()
            .unwrap_or(at + 1);
        let size = end - at - 1;
        let way = chooser.prefer(4)?;
        // As much of the simplest as there is of what was there, or nothing, or little.
        let kept = match way {
            0 => size,
            way if way - 1 < size => way - 1,
            _ => return Err(DeadBranch),
        };
        let content = elements[at + 1..at + 1 + kept].iter().map(simplest);
        let index = with_number(&elements[at], lower as i128);
        let insert: Arc<[Choice]> = std::iter::once(index).chain(content).collect();
        let edit = Edit {
            start: at,
            end,
            insert: Some(insert),
        };
        Patch::edits_of([edit]).map_err(|_| DeadBranch)
    }
}
