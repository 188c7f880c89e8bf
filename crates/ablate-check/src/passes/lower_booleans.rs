//! Makes a boolean `false`, alone or together with the rest of the span that begins with it.
//!
//! What is drawn only when something holds is gone when it does not.
//!
//! Costs up to two tests for each `true` that does not hold a collection together.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_booleans", (any::<bool>(), any::<bool>()), "1.t.t");
//! assert_eq!(tried, ["(true, false)", "(false, true)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, simplest};
use crate::choice::{Choice, Constraint, Toss, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerBooleans;

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
        let elements = target.elements();
        let at = chooser.choose(0..elements.len(), |at| {
            elements[at].constraint == Constraint::Boolean(Toss::Free)
                && elements[at].value == Value::Boolean(true)
        })?;
        let end = if chooser.prefer(2)? == 0 {
            let spans = target.spans().iter().filter(|span| span.start == at);
            spans.map(|span| span.end).max().ok_or(DeadBranch)?
        } else {
            at + 1
        };
        Ok(Patch::replace(at, end, &[simplest(&elements[at])]))
    }
}
