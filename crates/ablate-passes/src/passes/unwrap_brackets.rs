//! Deletes a pair of brackets, and what it belongs to, but keeps what is in it.
//!
//! Much of a test case is only wrapped around what matters: `f(g(x))` becomes `g(x)` or `f(x)`, and
//! `if (a) { b; }` becomes ` b; `.
//!
//! Costs two tests for each pair of brackets, one where nothing stands before it. A success is
//! grown to the pairs around it and to those in it, so that hundreds of levels go in some ten
//! tests.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::UnwrapBrackets;
//!
//! assert_eq!(reductions(&UnwrapBrackets, "f([x])"), ["f(x)", "f[x]", "[x]"]);
//! let patch = Patch::cuts([(4, 6), (7, 8)]);
//! assert_eq!(grown_patch(&UnwrapBrackets, "f(g(h(x)))", &patch, 0), ["f(x)", "x"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::{Brackets, Pair};
use crate::passes::choose_place;

/// Deletes a pair of brackets but keeps what is in it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnwrapBrackets;

fn wrapping(brackets: &Brackets, text: &[u8], pair: &Pair, has_head: bool) -> [(usize, usize); 2] {
    let (open, end) = pair.range();
    let start = if has_head {
        brackets.head(text, pair)
    } else {
        open
    };
    [(start, open + 1), (end - 1, end)]
}

impl Pass<u8> for UnwrapBrackets {
    fn name(&self) -> &'static str {
        "unwrap_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let brackets = Brackets::of(target);
        let (pairs, text) = (brackets.all(), target.elements());
        let pair = choose_place::<Self>(target, chooser, pairs.len(), |&number| {
            !brackets.is_within_chain(text, &pairs[number])
        })?;
        let pair = &pairs[pair];
        let can_have_head = brackets.head(text, pair) < pair.open as usize;
        let variant = chooser.choose(0..2, |variant| variant == 1 || can_have_head)?;
        Ok(Patch::cuts(wrapping(&brackets, text, pair, variant == 0)))
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
        let brackets = Brackets::of(target);
        let (start, end) = patch.extent()?;
        let outermost = brackets.closing_at(end.checked_sub(1)?)?;
        let has_head = start < outermost.open as usize;
        let mut cuts: Vec<(usize, usize)> =
            patch.edits().iter().map(|e| (e.start, e.end)).collect();
        let mut pair = outermost;
        if direction == 1 {
            // The innermost pair that the patch unwraps already.
            while let Some(child) = brackets
                .only_child(pair)
                .filter(|child| patch.covers(&Patch::cuts(wrapping(&brackets, &[], child, false))))
            {
                pair = child;
            }
        }
        for _ in 0..amount {
            pair = if direction == 0 {
                brackets.parent(pair)?
            } else {
                brackets.only_child(pair)?
            };
            cuts.extend(wrapping(&brackets, target.elements(), pair, has_head));
        }
        Some(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        7
    }
}
