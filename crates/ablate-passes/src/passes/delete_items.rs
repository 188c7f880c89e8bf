//! Deletes a statement, or a member of a list with one of its commas.
//!
//! Where lines are not what belongs together, punctuation often shows it: of `f(a, b)` remains
//! `f(b)` or `f(a)` without a comma too many, and a block goes with its head.
//!
//! Costs one test for each statement and for each member of a list, the outermost first. A success
//! is grown over the items before and after it.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteItems;
//!
//! assert_eq!(reductions(&DeleteItems, "f(a, b)"), ["f(a)", "f(b)"]);
//! assert_eq!(reductions(&DeleteItems, "a;g(){b}c;"), ["a;g(){b}", "a;c;", "g(){b}c;"]);
//! assert_eq!(grown(&DeleteItems, "f(a, b, c)", ", c", 0), ["f(a)", "f()"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::items::Items;

/// Deletes a statement or a member of a list; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteItems;

impl Pass<u8> for DeleteItems {
    fn name(&self) -> &'static str {
        "delete_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let items = Items::of(target);
        let level = chooser.prefer(items.levels())?;
        let item = chooser.any(items.on_level(level))?;
        let (start, end) = items.cut(item, item);
        Ok(Patch::cut(start, end))
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
        let (start, end) = patch.single_cut()?;
        let items = Items::of(target);
        let removed = items.removed_by(start, end)?;
        let (mut first, mut last) = (removed.first, removed.last);
        if direction == 0 {
            first = first.checked_sub(amount)?;
        } else {
            last = last.checked_add(amount)?;
        }
        if first < removed.group_first || removed.group_last < last {
            return None;
        }
        let (start, end) = items.cut(first, last);
        // Nothing is left of an empty first item when all behind it go, so nothing more goes with it.
        let is_nothing_more = direction == 0 && items.cut(first + 1, last) == (start, end);
        (!is_nothing_more).then(|| Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::grown;

    #[test]
    fn an_empty_first_item_is_nothing_to_grow_over() {
        assert_eq!(grown(&DeleteItems, "f(,a,b)", ",b", 0), ["f()"]);
        assert_eq!(grown(&DeleteItems, "f(,a,b)", ",a", 0), ["f(b)"]);
    }
}
