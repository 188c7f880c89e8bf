//! Deletes everything before some place.
//!
//! What a test needs often stands near the end, after a long set-up that does not matter. In
//! `a b c d!`, where only `d!` matters, much of the text goes at once, and growing the cut finds
//! the place where it has to stop.
//!
//! Costs one test for each power of two from eight to half the length, the largest first: so the cuts
//! are the same when the text has become a little shorter. Other prefixes are reached by growing one of
//! these, in steps of a quarter of it and then by up to 32 single elements: `2024-05-01T17:30:05Z ERROR`
//! becomes `Z ERROR`. So proving that nothing is left costs 3 tests at 100 elements.
//! Shorter ones are left to the passes that delete a few elements anywhere.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeletePrefix;
//! use ablate_engine::patch::Patch;
//!
//! let text = b"what goes and what stays";
//! assert_eq!(reductions(&DeletePrefix, text), [&b"s and what stays"[..]]);
//! let larger = grown(&DeletePrefix, b"abcdef", &Patch::cut(0, 3), 0);
//! assert_eq!(larger, [&b"ef"[..], b"f", b""]);
//! let larger = grown(&DeletePrefix, b"what goes: it", &Patch::cut(0, 8), 1);
//! assert_eq!(larger, [b": it"]);
//! ```

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// The length of the shortest prefix or suffix that is deleted, as a power of two.
const SHORTEST: u32 = 3;
/// How many single elements a cut grows by at most: where there is more to delete, a pass that knows
/// lines or tokens finds the place in fewer tests.
const SINGLE_MAX: usize = 32;

/// The length of one of the cuts, the longest first, that are tried at an end of `len` elements.
pub(super) fn choose_length(len: usize, chooser: &mut Chooser<'_>) -> Result<usize, DeadBranch> {
    let longest = (len / 2).checked_ilog2().unwrap_or(0);
    let count = (longest + 1).saturating_sub(SHORTEST);
    let shorter = chooser.prefer(count as usize)?;
    Ok(1 << (longest as usize - shorter))
}

/// How much longer a cut of `len` elements becomes: in the first direction by quarters of it, in the
/// second by single elements, fewer than a quarter has.
pub(super) fn more(len: usize, direction: usize, amount: usize) -> Option<usize> {
    let quarter = (len / 4).max(1);
    match direction {
        0 => amount.checked_mul(quarter),
        _ => (amount < quarter && amount <= SINGLE_MAX).then_some(amount),
    }
}

/// Deletes everything before some place; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePrefix;

impl<E: Element> Pass<E> for DeletePrefix {
    fn name(&self) -> &'static str {
        "delete_prefix"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let cut = choose_length(target.len(), chooser)?;
        Ok(Patch::cut(0, cut))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let (start, end) = patch.single_cut()?;
        let end = end.checked_add(more(end - start, direction, amount)?)?;
        (end <= target.len()).then(|| Patch::cut(start, end))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
