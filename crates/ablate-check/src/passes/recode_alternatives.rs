//! Has an earlier alternative make what a later one made, where a generator can invert it.
//!
//! Of `one_of![0..10, 0..1000]`, a 7 that the second alternative made can be made by the first as
//! well: it is the same value, and simpler choices.
//!
//! Costs a test for each alternative of `one_of!` that is not the first.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("recode_alternatives", one_of![0..9u32, 0..200u32], "1.1.7");
//! assert_eq!(tried, ["7 as 1.0.7"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::choice::{Choice, Constraint, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct RecodeAlternatives;

impl Pass<Choice> for RecodeAlternatives {
    fn name(&self) -> &'static str {
        "recode_alternatives"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let elements = target.elements();
        let at = chooser.choose(0..elements.len(), |at| {
            matches!(elements[at].constraint(), Constraint::Branch(_))
                && !elements[at].is_simplest()
        })?;
        Ok(Patch::replace(at, at, &[Choice::mark(Value::Recode)]))
    }

    fn pumps(&self) -> bool {
        true
    }
}
