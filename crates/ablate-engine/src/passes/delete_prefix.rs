//! Deletes everything before some place.
//!
//! What a test needs often stands near the end, after a long set-up that does not matter. In
//! `a b c d!`, where only `d!` matters, half of the text goes at once, and growing the cut finds
//! the place where it has to stop.
//!
//! Costs one test for each power of two between eight and the length: the first half, quarter,
//! eighth, … Other prefixes are reached by growing one of these, in steps of a quarter of it, so
//! proving that nothing is left costs 3 tests at 100 elements. Shorter ones are left to the passes
//! that delete a few elements anywhere.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeletePrefix;
//! use ablate_engine::patch::Patch;
//!
//! let text = b"what goes and what stays";
//! assert_eq!(reductions(&DeletePrefix, text), [&b"d what stays"[..]]);
//! let larger = grown(&DeletePrefix, b"abcdef", &Patch::cut(0, 3), 0);
//! assert_eq!(larger, [&b"ef"[..], b"f", b""]);
//! ```

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// The length of the shortest prefix or suffix that is deleted.
const SHORTEST: usize = 8;

/// How often a length can be halved until it is that of the shortest cut.
pub(super) fn halvings(len: usize) -> usize {
    (len / SHORTEST).checked_ilog2().unwrap_or(0) as usize
}

/// Deletes everything before some place; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePrefix;

impl<E: Element> Pass<E> for DeletePrefix {
    fn name(&self) -> &'static str {
        "delete_prefix"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let halvings = halvings(target.len());
        let halvings = 1 + chooser.prefer(halvings)?;
        Ok(Patch::cut(0, target.len() >> halvings))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let (start, end) = patch.single_cut()?;
        let end = end.checked_add(amount.checked_mul(((end - start) / 4).max(1))?)?;
        (end <= target.len()).then(|| Patch::cut(start, end))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
