//! Deletes one element, or a few that stand side by side, at any place.
//!
//! Whatever no other pass has a notion of, this one still finds: of `a+-b` can remain `ab`, even
//! where neither `+` nor `-` can go alone.
//!
//! Costs up to `longest` tests for each element, and fewer where the same element is repeated; a
//! filter can name those cuts that make no sense for what the elements stand for. A cut that
//! succeeds is grown to both sides.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeleteShortRuns;
//! use ablate_engine::patch::Patch;
//!
//! let pass = DeleteShortRuns::up_to(2);
//! assert_eq!(reductions(&pass, b"abc"), [&b"ab"[..], b"ac", b"a", b"bc", b"c"]);
//! assert_eq!(grown(&pass, b"abc", &Patch::cut(1, 2), 0), [b"c"]);
//! assert_eq!(grown(&pass, b"abc", &Patch::cut(1, 2), 1), [b"a"]);
//! ```

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// Deletes a few elements that stand side by side; see the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteShortRuns<E> {
    /// The length of the longest run that is proposed; growing goes on from there.
    pub longest: usize,
    /// Whether the cut `t[..start] + t[end..]` of `t` makes sense.
    pub makes_sense: fn(t: &[E], start: usize, end: usize) -> bool,
}

impl<E> DeleteShortRuns<E> {
    /// Every run of up to `longest` elements.
    pub fn up_to(longest: usize) -> DeleteShortRuns<E> {
        DeleteShortRuns {
            longest,
            makes_sense: |_, _, _| true,
        }
    }
}

impl<E: Element> Pass<E> for DeleteShortRuns<E> {
    fn name(&self) -> &'static str {
        "delete_short_runs"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let elements = target.elements();
        let start = chooser.any(0..elements.len())?;
        let longest = self.longest.min(elements.len() - start);
        // A sweep tries the last value first, so the number chosen is what the run falls short of.
        let short_of = chooser.choose(0..longest, |short_of| {
            let end = start + longest - short_of;
            // Cutting any one of several equal neighbours has the same effect: take the first.
            let repeats = end - start == 1 && start > 0 && elements[start - 1] == elements[start];
            !repeats && (self.makes_sense)(elements, start, end)
        });
        let short_of = short_of?;
        Ok(Patch::cut(start, start + longest - short_of))
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
        if direction == 0 {
            return Some(Patch::cut(start.checked_sub(amount)?, end));
        }
        (amount <= target.len() - end).then(|| Patch::cut(start, end + amount))
    }

    fn rank(&self) -> u8 {
        3
    }
}
