//! Deletes large nodes that the grammar can do without, or runs of them, the largest first.
//!
//! What a test takes off is what counts: of `int a; void f() { b; c; }`, the function goes before
//! any of what is in it is looked at, and where not all members of a list can go, its halves may,
//! and their halves: delta debugging weighted by size (X. Zhou et al., "WDD: Weighted Delta
//! Debugging", 2025) and on all levels of the tree (G. Misherghi and Z. Su, "HDD: Hierarchical Delta
//! Debugging", 2006) at the same time.
//!
//! Costs one test for each part that is at least a 256th of the text. A success is grown over the
//! members before and after it.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_large_nodes", "c", "int a; void f() { b; c; }");
//! assert_eq!(seen[..2], ["int a;", ""]);
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::passes::{DeleteNodes, add_runs, sort_largest_last};
use crate::tree::Syntax;

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 256;

/// Deletes large nodes, or runs of them; see the module.
#[derive(Clone, Debug)]
pub struct DeleteLargeNodes(pub Rc<Syntax>);

/// What to cut, the largest part last.
struct LargeParts(Vec<(u32, u32)>);

impl LargeParts {
    fn of(target: &Target<u8>, members: &Members) -> LargeParts {
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut parts = Vec::new();
        for list in members.lists() {
            add_runs(
                list.first as usize,
                list.last as usize,
                &mut |first, last| {
                    let (start, end) = members.cut(first, last);
                    let is_large = end - start >= smallest;
                    if is_large {
                        parts.push((start as u32, end as u32));
                    }
                    is_large
                },
            );
        }
        sort_largest_last(&mut parts, |&(start, end)| {
            ((end - start) as usize, start as usize)
        });
        parts.dedup();
        LargeParts(parts)
    }
}

impl Pass<u8> for DeleteLargeNodes {
    fn name(&self) -> &'static str {
        "delete_large_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let parts = target.analysis(|target| LargeParts::of(target, &members));
        let (start, end) = parts.0[chooser.any(0..parts.0.len())?];
        Ok(Patch::cut(start as usize, end as usize))
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
        DeleteNodes(Rc::clone(&self.0)).grow(target, patch, direction, amount)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
