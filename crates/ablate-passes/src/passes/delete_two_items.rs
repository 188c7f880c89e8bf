//! Deletes two statements, or two members of a list, at once.
//!
//! Some only go together, wherever they stand: what opens something and what closes it, a name and
//! its only use, in a language of which nothing is known.
//!
//! Costs one test for each two of up to ten that stand side by side: it is for what is nearly
//! reduced.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteTwoItems;
//!
//! assert_eq!(reductions(&DeleteTwoItems, "f(a, b, c)"), ["f(a)", "f(b)", "f(c)"]);
//! assert_eq!(reductions(&DeleteTwoItems, "on\nwork\noff\n"), ["on\n", "work\n", "off\n"]);
//! ```

use alloc::vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::items::Items;

/// Deletes two items at once; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTwoItems;

/// Where more items than this stand side by side, it would take too many tests.
const FEW: usize = 10;

impl Pass<u8> for DeleteTwoItems {
    fn name(&self) -> &'static str {
        "delete_two_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let items = Items::of(target);
        let level = chooser.prefer(items.levels())?;
        let is_among_few = |item: usize| {
            let (first, last) = items.siblings(item);
            (2..FEW).contains(&(last - first))
        };
        let one = chooser.choose(items.on_level(level), is_among_few)?;
        let (_, last) = items.siblings(one);
        let other = chooser.any(one + 1..last + 1)?;
        Ok(Patch::cuts(match other - one {
            // A comma stands between them, that each would have for its own.
            1 => vec![items.cut(one, other)],
            _ => vec![items.cut(one, one), items.cut(other, other)],
        }))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        0
    }
}
