//! Deletes the items of a list that no number refers to, and sets the numbers of those behind them right.
//!
//! Of the vertices of a mesh, the nodes of a graph or the entries of a table that others name by their numbers
//! none can go alone: all numbers behind it would mean another one. Nothing is known about formats here:
//! integers that stand in places of one kind and would all fit are taken for references to items that stand
//! between commas, to lines that begin with the same word, or to a section of lines whose number stands above
//! it. The number of the items is set right too. What is chance mostly fails.
//!
//! Costs one test for each guess what refers to what, a few for each list, and as many for the halves of what
//! nothing refers to, down to eighths.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteUnreferencedItems;
//!
//! let seen = reductions(&DeleteUnreferencedItems, "v 1.5\nv 2.5\nv 3.5\nv 4.5\nf 2\nf 4\n");
//! assert_eq!(seen[0], "v 2.5\nv 4.5\nf 1\nf 2\n");
//! let seen = reductions(&DeleteUnreferencedItems, "{nodes: [a, b, c, d], edges: [[3, 1], [1, 3]]}");
//! assert_eq!(seen[0], "{nodes: [b, d], edges: [[1, 0], [0, 1]]}");
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::ordinals::Ordinals;

/// Deletes items that nothing refers to; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteUnreferencedItems;

impl Pass<u8> for DeleteUnreferencedItems {
    fn name(&self) -> &'static str {
        "delete_unreferenced_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let ordinals = Ordinals::of(target);
        let run = chooser.prefer(ordinals.runs())?;
        ordinals.without(run).ok_or(DeadBranch)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
