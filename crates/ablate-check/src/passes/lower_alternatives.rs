//! Takes an earlier alternative, and the simplest there is in it.
//!
//! What was drawn for one alternative means nothing to another, which may need more or less of it:
//! `a / (b / 1)` becomes `a / (0 + 0)`, where `a / (b + 1)` would not do.
//!
//! Costs a test for each alternative that is not the first, and each earlier one; also for each
//! `true` that a span begins with.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_alternatives", one_of![0..9u32, 100..200u32], "1.1.150");
//! assert_eq!(tried, ["0"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{simplest, with_number};
use crate::choice::{Choice, Constraint, Toss, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAlternatives;

/// Whether there may be other choices behind a simpler one here.
fn is_alternative(choice: &Choice) -> bool {
    matches!(
        choice.constraint(),
        Constraint::Index(_) | Constraint::Branch(_) | Constraint::Boolean(Toss::Free)
    )
}

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
            is_alternative(&elements[at]) && !elements[at].is_simplest()
        })?;
        let lowered = match elements[at].value() {
            Value::Integer(index) => {
                let lower = chooser.prefer(usize::try_from(index).unwrap_or(0))?;
                with_number(&elements[at], lower as i128)
            }
            _ => simplest(&elements[at]),
        };
        // What the alternative consists of: the rest of the span that begins with it.
        let span = target.spans().iter().rev().find(|span| span.start == at);
        let span = span.ok_or(DeadBranch)?;
        let content = [
            Choice::mark(Value::Open(span.label)),
            lowered,
            Choice::mark(Value::Close),
        ];
        Ok(Patch::replace(at, span.end, &content))
    }

    fn pumps(&self) -> bool {
        true
    }
}
