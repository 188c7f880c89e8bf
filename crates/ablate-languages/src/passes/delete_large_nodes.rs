//! Deletes large nodes that the grammar can do without, or runs of them, the largest first.
//!
//! What a test takes off is what counts: of `int a; void f() { b; c; }`, the function goes before
//! any of what is in it is looked at, and where not all members of a list can go, its halves may,
//! and their halves: delta debugging weighted by size (X. Zhou et al., "WDD: Weighted Delta
//! Debugging", 2025) and on all levels of the tree (G. Misherghi and Z. Su, "HDD: Hierarchical Delta
//! Debugging", 2006) at the same time. Of parts in each other that hardly differ in size only the
//! innermost is as large as it is; what is wrapped around it comes later, with smaller ones.
//!
//! Costs one test for each part that is at least a 256th of the text, but for those without which the
//! grammar can't read what is around them, such as bodies that only a semicolon could stand for. A success with a small one is
//! grown over the members before and after it; when much has gone, the largest come first again.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_large_nodes", "c", "int a; void f() { b; c; }");
//! assert_eq!(seen[..2], ["int a;", ""]);
//! ```

use std::cmp::Reverse;
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
/// Parts of more than this share are not grown: what stands beside them is tried next by itself.
const SMALLEST_ALONE: usize = 16;
/// A part of which no more than one in so many bytes is outside of another one is a wrapper of that.
const HARDLY: u32 = 16;
/// Wrappers stand among the parts of this share of their size.
const WRAPPERS_BEHIND: usize = 8;
/// How many parts are looked at for each.
const LOOKS: usize = 16;

/// Deletes large nodes, or runs of them; see the module.
#[derive(Clone, Debug)]
pub struct DeleteLargeNodes(pub Rc<Syntax>);

/// What to cut, the largest part last; with what stands around it, where it is alone there.
struct LargeParts(Vec<LargePart>);

#[derive(Clone, Copy, PartialEq, Eq)]
struct LargePart {
    start: u32,
    end: u32,
    around: Option<(u32, u32)>,
}

impl LargeParts {
    fn of(target: &Target<u8>, members: &Members) -> LargeParts {
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut parts = Vec::new();
        for list in members.lists() {
            let around = members.node(list.first as usize).parent as usize;
            let around = &members.tree().nodes()[around];
            let around = (list.first == list.last).then_some((around.start, around.end));
            add_runs(
                list.first as usize,
                list.last as usize,
                &mut |first, last| {
                    let (start, end) = members.cut(first, last);
                    let is_large = end - start >= smallest;
                    if is_large {
                        let (start, end) = (start as u32, end as u32);
                        parts.push(LargePart { start, end, around });
                    }
                    is_large
                },
            );
        }
        parts.sort_by_cached_key(|part| (part.start, Reverse(part.end)));
        parts.dedup_by_key(|part| (part.start, part.end));
        let sized = (0..parts.len()).map(|at| (parts[at], is_wrapper(&parts[at..])));
        let mut sized: Vec<(LargePart, bool)> = sized.collect();
        sort_largest_last(&mut sized, |&(LargePart { start, end, .. }, is_wrapper)| {
            let len = (end - start) as usize;
            let len = if is_wrapper {
                len / WRAPPERS_BEHIND
            } else {
                len
            };
            (len, start as usize)
        });
        LargeParts(sized.into_iter().map(|(part, _)| part).collect())
    }
}

/// Whether the first of these parts, which are in the order of the text, has hardly more in it than
/// another one: then that other one is tried first. If it can't go, this one mostly can't either.
fn is_wrapper(parts: &[LargePart]) -> bool {
    let LargePart { start, end, .. } = parts[0];
    let rest = (end - start) / HARDLY;
    let inside = parts[1..].iter().take(LOOKS);
    let mut inside = inside.take_while(|part| part.start - start <= rest);
    inside.any(|part| part.end <= end && (part.start - start) + (end - part.end) <= rest)
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
        let LargePart { start, end, around } = parts.0[chooser.any(0..parts.0.len())?];
        let (start, end) = (start as usize, end as usize);
        // Where a definition can do without a body if a semicolon takes its place, the grammar calls the
        // body optional.
        let is_needed = around.is_some_and(|around| {
            let around = (around.0 as usize).min(start)..(around.1 as usize).max(end);
            let reread = self.0.reread(target);
            reread.and_then(|it| it.reads_without(around, start..end)) == Some(false)
        });
        if is_needed {
            return Err(DeadBranch);
        }
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
        if patch.growth().unsigned_abs() > target.len() / SMALLEST_ALONE {
            return None;
        }
        DeleteNodes(Rc::clone(&self.0)).grow(target, patch, direction, amount)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn what_is_wrapped_comes_before_its_wrapper() {
        let text = format!("{{\"a\":{{\"b\":\"{}\"}}}}", "c".repeat(200));
        let seen = reductions("delete_large_nodes", "json", &text);
        let expected = ["{\"a\":{\"b\":\"\"}}", "{\"a\":{}}", "{}", ""];
        assert_eq!(seen[..4], expected);
    }
}
