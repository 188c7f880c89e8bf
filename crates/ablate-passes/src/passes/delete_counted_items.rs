//! Deletes an item and sets right the number that counts the items, or adds up what is in them.
//!
//! Of `{"count": 2, "items": [a, b]}` neither `a` nor the `2` can go alone where the number has to be
//! true. Nothing is known about formats here: any integer that happens to be the number of the items
//! or lines of a list near it, or the sum of a column of integers in them, is taken for what it looks
//! like, and so are integers in the first lines that add up to the number of all lines behind them. What
//! is chance mostly fails, and was cheap.
//!
//! Costs one test for each item of each list that a number fits. A success is grown over the items
//! before and after it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteCountedItems;
//!
//! assert_eq!(reductions(&DeleteCountedItems, "2: [x, y]"), ["1: [x]", "1: [y]"]);
//! assert_eq!(reductions(&DeleteCountedItems, "a 3\na 4\nsum 7\n"), ["a 3\nsum 3\n", "a 4\nsum 4\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::couplings::Couplings;

/// Deletes an item and sets right the number that counts it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteCountedItems;

impl Pass<u8> for DeleteCountedItems {
    fn name(&self) -> &'static str {
        "delete_counted_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let couplings = Couplings::of(target);
        let (coupling, member) = couplings.member(chooser.any(0..couplings.members())?);
        let (start, end) = coupling.cut(member, member).ok_or(DeadBranch)?;
        let cut = Patch::cut(start, end);
        Couplings::edit(target.elements(), coupling, &cut).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let text = target.elements();
        let couplings = Couplings::of(target);
        let (about, wanted) = couplings.split(text, patch);
        let coupling = about.first()?;
        let edit: &Edit<u8> = wanted.edits().first()?;
        let (mut first, mut last) = coupling.removed_by(edit.start, edit.end)?;
        if direction == 0 {
            first = first.checked_sub(amount)?;
        } else {
            last = last.checked_add(amount)?;
        }
        let (start, end) = coupling.cut(first, last)?;
        // Nothing is left of an empty first member when all behind it go.
        if direction == 0 && coupling.cut(first + 1, last) == Some((start, end)) {
            return None;
        }
        Couplings::edit(text, coupling, &Patch::cut(start, end))
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        Couplings::of(target).combined(target.elements(), one, other)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        6
    }
}
