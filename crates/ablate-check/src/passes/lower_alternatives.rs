//! Takes an earlier alternative, and the simplest there is in it.
//!
//! What was drawn for one alternative means nothing to another, which may need more or less of it:
//! `a / (b / 1)` becomes `a / (0 + 0)`, where `a / (b + 1)` would not do.
//!
//! Costs a test for each alternative that is not the first, and each earlier one.

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::with_number;
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
        let span = target.spans().iter().rev().find(|span| span.start == at);
        let span = span.ok_or(DeadBranch)?;
        let content = [
            Choice::mark(Value::Open(span.label)),
            with_number(&elements[at], lower as i128),
            Choice::mark(Value::Close),
        ];
        Ok(Patch::replace(at, span.end, &content))
    }

    fn pumps(&self) -> bool {
        true
    }
}
