//! Deletes a pair of brackets with what is in it, and with what it belongs to.
//!
//! `g(x)` of `f() + g(x)` goes as a whole, as does the block `if (a) { b; }`, and an index such as
//! `[i]` goes alone.
//!
//! Costs two tests for each pair of brackets, one where nothing stands before it. A success is
//! grown to the pairs around it.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteBrackets;
//!
//! assert_eq!(reductions(&DeleteBrackets, "x = a[i];"), ["x = ;", "x = a;"]);
//! assert_eq!(grown(&DeleteBrackets, "x = f(g(1));", "g(1)", 0), ["x = ;"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::passes::choose_place;

/// Deletes a pair of brackets with what is in it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteBrackets;

impl Pass<u8> for DeleteBrackets {
    fn name(&self) -> &'static str {
        "delete_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (brackets, text) = (Brackets::of(target), target.elements());
        let pairs = brackets.all();
        let pair = choose_place::<Self>(target, chooser, pairs.len(), |&number| {
            !brackets.is_within_chain(text, &pairs[number])
        })?;
        let pair = &pairs[pair];
        let head = brackets.head(text, pair);
        let (open, end) = pair.range();
        // A sweep tries the last variant first: with the head.
        let variant = chooser.choose(0..2, |variant| variant == 0 || head < open)?;
        Ok(Patch::cut(if variant == 0 { open } else { head }, end))
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
        let (start, end) = patch.single_cut()?;
        let brackets = Brackets::of(target);
        let pair = brackets.closing_at(end.checked_sub(1)?)?;
        let outer = brackets.enclosing(pair, amount)?;
        let (open, end) = outer.range();
        let has_head = start < pair.open as usize;
        let start = if has_head {
            brackets.head(target.elements(), outer)
        } else {
            open
        };
        Some(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        8
    }
}
