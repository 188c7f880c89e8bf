//! Deletes large statements and members, or runs of them, the largest first.
//!
//! What a test takes off is what counts: of `a;{b;c;d;e;f}g;`, the block goes before any of what is
//! in it is looked at. Where neither half of a long list can go at once, its quarters may, as in
//! delta debugging weighted by size (X. Zhou et al., "WDD: Weighted Delta Debugging", 2025), here
//! on all levels of nesting at the same time.
//!
//! Costs one test for each part that is at least a 256th of the text, from the end to the start
//! among parts of about the same size: no more than some hundred tests on each level of nesting.
//! After a success the largest parts of what is left come first again: one line is found among four
//! thousand in 25 tests. Nothing here is left for the proof that `delete_items` does not try
//! anyway, but for the runs.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLargeItems;
//!
//! let seen = reductions(&DeleteLargeItems, "a;{bbb;cc}d;");
//! assert_eq!(seen[..2], ["a;d;", "d;"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::items::Items;
use crate::formats::runs::{add_runs, sort_largest_first};

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 256;

/// Deletes large statements and members, or runs of them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLargeItems;

/// What to cut, the largest part first.
struct LargeParts(Vec<(u32, u32)>);

impl LargeParts {
    fn of(target: &Target<u8>) -> LargeParts {
        let items = Items::of(target);
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut parts = Vec::new();
        for (first, last) in items.groups() {
            add_runs(first, last, &mut |first, last| {
                let (start, end) = items.cut(first, last);
                let is_large = end - start >= smallest;
                if is_large {
                    parts.push((start as u32, end as u32));
                }
                is_large
            });
        }
        sort_largest_first(&mut parts);
        LargeParts(parts)
    }
}

impl Pass<u8> for DeleteLargeItems {
    fn name(&self) -> &'static str {
        "delete_large_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let parts = target.analysis(LargeParts::of);
        let (start, end) = parts.0[chooser.prefer(parts.0.len())?];
        Ok(Patch::cut(start as usize, end as usize))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
