//! Deletes what is between quotes.
//!
//! That there is a string matters more often than what it says: `f("hello")` becomes `f("")`.
//!
//! Costs one test for each quoted string that is not empty.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::HollowQuoted;
//!
//! assert_eq!(reductions(&HollowQuoted, "f(\"hello\", '')"), ["f(\"\", '')"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::quotes::Quotes;
use crate::passes::choose_place;

/// Deletes what is between quotes; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct HollowQuoted;

impl Pass<u8> for HollowQuoted {
    fn name(&self) -> &'static str {
        "hollow_quoted"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let quotes = Quotes::of(target);
        let all = quotes.all();
        let number = choose_place::<Self>(target, chooser, all.len(), |&number| {
            let (start, end) = all[number].interior();
            start < end
        })?;
        let (start, end) = all[number].interior();
        Ok(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        7
    }
}
