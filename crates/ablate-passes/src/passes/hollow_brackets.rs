//! Deletes what is between a pair of brackets.
//!
//! A block, a list or arguments often only have to be there: `f(a + b)` becomes `f()`.
//!
//! Costs one test for each pair of brackets that holds something. A success is grown to the pairs
//! around it.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::HollowBrackets;
//!
//! assert_eq!(reductions(&HollowBrackets, "f([a, b])"), ["f([])", "f()"]);
//! assert_eq!(grown(&HollowBrackets, "f([a, b])", "a, b", 0), ["f()"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::passes::choose_place;

/// Deletes what is between a pair of brackets; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct HollowBrackets;

impl Pass<u8> for HollowBrackets {
    fn name(&self) -> &'static str {
        "hollow_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (brackets, text) = (Brackets::of(target), target.elements());
        let pairs = brackets.all();
        let pair = choose_place::<Self>(target, chooser, pairs.len(), |&number| {
            let (start, end) = pairs[number].interior();
            start < end && !brackets.is_within_chain(text, &pairs[number])
        })?;
        let (start, end) = pairs[pair].interior();
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let (_, end) = patch.single_cut()?;
        let brackets = Brackets::of(target);
        let outer = brackets.enclosing(brackets.closing_at(end)?, amount)?;
        let (start, end) = outer.interior();
        Some(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        8
    }
}
