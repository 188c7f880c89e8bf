//! Replaces a term of an SMT-LIB script by a term of the same sort within it.
//!
//! What matters often sits deep inside: of `(not (and p q))` remains `(and p q)` or `p`. A part of
//! another sort would make the script meaningless, and is not tried.
//!
//! Costs up to two tests for each term: in place of the nearest term around it that has its sort, and
//! of the one after that; what makes the text shortest is tried first. A success is grown to the terms
//! further around.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ReplaceTermsByParts;
//!
//! let text = "(assert (not (< (str.len \"a\") (+ 1 2))))";
//! assert_eq!(reductions(&ReplaceTermsByParts, text), [
//!     "(assert (not (< (str.len \"a\") 2)))",
//!     "(assert (not (< (str.len \"a\") 1)))",
//!     "(assert (< (str.len \"a\") (+ 1 2)))",
//! ]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::sexpr::Node;
use crate::formats::smt::Smt;

/// Replaces terms by their parts; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceTermsByParts;

/// Terms of the same sort are not looked for further out than this.
const MOST_LEVELS: usize = 256;

/// The terms around a term, the nearest first.
fn around(smt: &Smt, term: u32) -> impl Iterator<Item = u32> + '_ {
    let parent = |&node: &u32| {
        let parent = smt.sexprs().node(node).parent;
        (parent != Node::NONE).then_some(parent)
    };
    let parents = core::iter::successors(Some(term), parent);
    let parents = parents.skip(1).take(MOST_LEVELS);
    parents.filter(|&parent| smt.sort(parent).is_some())
}

/// Terms with terms within them that can stand for them, those that remove most first.
struct Pairs(Vec<(u32, u32)>);

impl Pairs {
    fn of(target: &Target<u8>) -> Rc<Pairs> {
        let smt = Smt::of(target);
        target.analysis(|_| {
            let nodes = smt.sexprs().all();
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            for inner in 0..nodes.len() as u32 {
                if smt.sort(inner).is_some() {
                    let outer = around(&smt, inner).filter(|&o| smt.is_plausible(o, inner));
                    pairs.extend(outer.take(2).map(|outer| (outer, inner)));
                }
            }
            pairs.sort_by_cached_key(|&(outer, inner)| {
                let removed = nodes[outer as usize].len() - nodes[inner as usize].len();
                (removed.leading_zeros(), core::cmp::Reverse((outer, inner)))
            });
            Pairs(pairs)
        })
    }
}

/// The patch that leaves `inner` of `outer`.
fn lifted(smt: &Smt, target: &Target<u8>, outer: u32, inner: u32) -> Option<Patch<u8>> {
    let inner = smt.sexprs().node(inner).range();
    Patch::edits_of(smt.unwrapped(target.elements(), outer, inner)).ok()
}

impl Pass<u8> for ReplaceTermsByParts {
    fn name(&self) -> &'static str {
        "replace_terms_by_parts"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let smt = Smt::of(target);
        let pairs = Pairs::of(target);
        let (outer, inner) = pairs.0[chooser.prefer(pairs.0.len())?];
        lifted(&smt, target, outer, inner).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let smt = Smt::of(target);
        let outer = smt.sexprs().starting_at(patch.edits().first()?.start)?;
        let inner = smt.sexprs().starting_at(patch.edits().first()?.end)?;
        let mut around = around(&smt, outer).filter(|&outer| smt.is_plausible(outer, inner));
        lifted(&smt, target, around.nth(amount.checked_sub(1)?)?, inner)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
