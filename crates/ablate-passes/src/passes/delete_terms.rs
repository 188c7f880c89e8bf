//! Deletes commands of an SMT-LIB script, or arguments that a function can do without, the largest
//! first.
//!
//! Of `(and p q r)` remains `(and p r)`; a comparison or a conjunction keeps two arguments, as with one
//! it would be no term any more. Only what is left for `replace_terms_by_parts` is one.
//!
//! Costs one test for each command and each such argument, and fewer where halves of them go at once. A
//! success is grown over the commands or arguments before and after it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteTerms;
//!
//! assert_eq!(reductions(&DeleteTerms, "(assert (or a b c))(check-sat)"), [
//!     "",
//!     "(check-sat)",
//!     "(assert (or a b c))",
//!     "(assert (or a b))(check-sat)",
//!     "(assert (or a c))(check-sat)",
//!     "(assert (or b c))(check-sat)",
//! ]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::sexpr::Node;
use crate::formats::smt::{Smt, is_variadic};
use crate::passes::runs_by_halves;

/// Deletes commands and arguments; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTerms;

/// How many siblings have to stay: of commands none, of arguments two.
fn kept(parent: u32) -> usize {
    if parent == Node::NONE { 0 } else { 2 }
}

/// The commands, or the arguments of a term that can have any number of them.
fn siblings(smt: &Smt, target: &Target<u8>, parent: u32) -> Option<Vec<u32>> {
    if parent == Node::NONE {
        return Some(smt.sexprs().top().collect());
    }
    smt.sort(parent)?;
    let head = smt.sexprs().head(target.elements(), parent)?;
    is_variadic(head).then(|| smt.sexprs().children(parent).skip(1).collect())
}

/// Cuts the siblings `first..=last`.
fn deleted(smt: &Smt, target: &Target<u8>, first: u32, last: u32) -> Patch<u8> {
    let (start, end) = (smt.sexprs().node(first).start, smt.sexprs().node(last).end);
    let (start, end) = smt.cut(target.elements(), (start as usize, end as usize));
    Patch::cut(start, end)
}

/// The first and the last node of each run of siblings, the longest in bytes first.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of(target: &Target<u8>) -> Rc<Runs> {
        let smt = Smt::of(target);
        target.analysis(|target| {
            let mut runs = Vec::new();
            let lists = (0..smt.sexprs().all().len() as u32).filter(|&n| smt.sort(n).is_some());
            for parent in lists.chain([Node::NONE]) {
                let Some(siblings) = siblings(&smt, target, parent) else {
                    continue;
                };
                let of_many = runs_by_halves(siblings.len(), usize::MAX);
                let single = (0..siblings.len()).map(|number| (number, number));
                for (first, last) in of_many.into_iter().chain(single) {
                    if last - first + kept(parent) < siblings.len() {
                        runs.push((siblings[first], siblings[last]));
                    }
                }
            }
            runs.sort_by_cached_key(|&(first, last)| {
                let nodes = smt.sexprs();
                let length = nodes.node(last).end - nodes.node(first).start;
                (length.leading_zeros(), core::cmp::Reverse((first, last)))
            });
            Runs(runs)
        })
    }
}

impl Pass<u8> for DeleteTerms {
    fn name(&self) -> &'static str {
        "delete_terms"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let smt = Smt::of(target);
        let runs = Runs::of(target);
        let (first, last) = runs.0[chooser.prefer(runs.0.len())?];
        Ok(deleted(&smt, target, first, last))
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
        let smt = Smt::of(target);
        let (start, end) = patch.single_cut()?;
        let sexprs = smt.sexprs();
        // The blanks before or behind the run went with it.
        let first = sexprs
            .all()
            .partition_point(|node| (node.start as usize) < start);
        let parent = sexprs.all().get(first)?.parent;
        let siblings = siblings(&smt, target, parent)?;
        let from = siblings
            .iter()
            .position(|&sibling| sibling as usize == first)?;
        let is_within = |&&sibling: &&u32| sexprs.node(sibling).range().1 <= end;
        let count = siblings[from..].iter().take_while(is_within).count();
        let (mut from, mut to) = (from, from + count.checked_sub(1)?);
        if direction == 0 {
            from = from.checked_sub(amount)?;
        } else {
            to = to.checked_add(amount)?;
        }
        let is_enough = siblings.len() - kept(parent) > to - from;
        (to < siblings.len() && is_enough)
            .then(|| deleted(&smt, target, siblings[from], siblings[to]))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
