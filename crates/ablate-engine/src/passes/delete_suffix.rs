//! Deletes everything from some place on.
//!
//! What comes after the failure does not matter: in `d! a b c`, where only `d!` matters, much of
//! the text goes at once, and growing the cut finds the place where it has to stop.
//!
//! Costs as many tests as `delete_prefix`: one for each power of two from eight to half the length.
//! Other suffixes are reached by growing in the same steps.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeleteSuffix;
//! use ablate_engine::patch::Patch;
//!
//! let text = b"what stays and what goes";
//! assert_eq!(reductions(&DeleteSuffix, text), [&b"what stays and w"[..]]);
//! let larger = grown(&DeleteSuffix, b"abcdef", &Patch::cut(3, 6), 0);
//! assert_eq!(larger, [&b"ab"[..], b"a", b""]);
//! ```

use super::delete_prefix::{choose_length, more};
use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// Deletes everything from some place on; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSuffix;

impl<E: Element> Pass<E> for DeleteSuffix {
    fn name(&self) -> &'static str {
        "delete_suffix"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let cut = choose_length(target.len(), chooser)?;
        Ok(Patch::cut(target.len() - cut, target.len()))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        _: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let (start, end) = patch.single_cut()?;
        let start = start.checked_sub(more(end - start, direction, amount)?)?;
        Some(Patch::cut(start, end))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
