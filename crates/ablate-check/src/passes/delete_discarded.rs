//! Deletes everything that was drawn and not used: rejected attempts of filters, elements that a
//! set had already.
//!
//! Costs one test.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let values = integers(0..100u8).filter(|x| x % 2 == 0);
//! let tried = reductions("delete_discarded", values, "1.3.8");
//! assert_eq!(tried, ["8 as 1.8"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::DISCARDED;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteDiscarded;

impl Pass<Choice> for DeleteDiscarded {
    fn name(&self) -> &'static str {
        "delete_discarded"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        _: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let spans = target.spans().iter();
        let discarded = spans.filter(|span| span.label == DISCARDED);
        Ok(Patch::cuts(discarded.map(|span| (span.start, span.end))))
    }
}
