//! Replaces a pair of brackets by a pair within it.
//!
//! What matters often sits deep inside: `{A{B}C}` becomes `{B}`, so `f(1, g(x))` becomes `f(x)`,
//! or `g(x)` where names are lifted with their brackets.
//!
//! Costs up to two tests for each pair of brackets that is within another. A success is grown to
//! the pairs further around.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::LiftBrackets;
//!
//! assert_eq!(reductions(&LiftBrackets, "f(1, g(x))"), ["f(x)", "g(x)"]);
//! let patch = Patch::cuts([(2, 4), (7, 9)]);
//! assert_eq!(grown_patch(&LiftBrackets, "{a{b{c}d}e}", &patch, 0), ["{c}"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::{Brackets, Pair};
use crate::passes::choose_place;

/// Replaces a pair of brackets by a pair within it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiftBrackets;

/// A pair of the same kind is not looked for further out than this.
const MOST_LEVELS: usize = 4096;

/// The pair of the same kind that is `levels` such pairs around `pair`.
fn alike<'a>(
    brackets: &'a Brackets,
    text: &[u8],
    pair: &'a Pair,
    levels: usize,
) -> Option<&'a Pair> {
    let kind = text[pair.open as usize];
    core::iter::successors(Some(pair), |pair| brackets.parent(pair))
        .take(MOST_LEVELS)
        .filter(|around| text[around.open as usize] == kind)
        .nth(levels)
}

impl Pass<u8> for LiftBrackets {
    fn name(&self) -> &'static str {
        "lift_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let brackets = Brackets::of(target);
        let (pairs, text) = (brackets.all(), target.elements());
        let inner = choose_place::<Self>(target, chooser, pairs.len(), |&number| {
            pairs[number].depth > 0 && !brackets.is_within_chain(text, &pairs[number])
        })?;
        let inner = &pairs[inner];
        let (outer, starts) = if chooser.prefer(2)? == 0 {
            let outer = alike(&brackets, text, inner, 1).ok_or(DeadBranch)?;
            (outer, (outer.range().0, inner.range().0))
        } else {
            let outer = brackets.parent(inner).ok_or(DeadBranch)?;
            let starts = (brackets.head(text, outer), brackets.head(text, inner));
            (outer, starts)
        };
        // The head of a block may be the very bracket around it.
        if starts.0 >= starts.1 {
            return Err(DeadBranch);
        }
        Ok(Patch::cuts([starts, (inner.range().1, outer.range().1)]))
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
        let [before, after] = patch.edits() else {
            return None;
        };
        let (brackets, text) = (Brackets::of(target), target.elements());
        let outer = brackets.closing_at(after.end.checked_sub(1)?)?;
        let has_heads = before.end
            != brackets.closing_at(after.start.checked_sub(1)?)?.open as usize
            || before.start != outer.open as usize;
        let (start, outer) = if has_heads {
            let outer = brackets.enclosing(outer, amount)?;
            (brackets.head(text, outer), outer)
        } else {
            let outer = alike(&brackets, text, outer, amount)?;
            (outer.range().0, outer)
        };
        let start = start.min(before.start);
        Some(Patch::cuts([
            (start, before.end),
            (after.start, outer.range().1),
        ]))
    }

    fn rank(&self) -> u8 {
        7
    }
}
