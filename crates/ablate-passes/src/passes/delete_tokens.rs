//! Deletes a word, a number, an operator or a mark, or two of these that stand side by side.
//!
//! `a + b` becomes `a` and `unsigned x` becomes `x`, with no blanks left over.
//!
//! Costs two tests for each token. A cut that succeeds is grown over the tokens before and after.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteTokens;
//!
//! assert_eq!(
//!     reductions(&DeleteTokens, "a + b"),
//!     ["a +", "a b", "a", "+ b", "b"],
//! );
//! assert_eq!(grown(&DeleteTokens, "a + b", " b", 0), ["a ", ""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::with_blanks;
use crate::formats::tokens::Tokens;

/// Deletes one or two tokens; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTokens;

impl Pass<u8> for DeleteTokens {
    fn name(&self) -> &'static str {
        "delete_tokens"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tokens = Tokens::of(target);
        let all = tokens.all();
        let first = chooser.any(0..all.len())?;
        let last = first + chooser.prefer(2)?;
        let (_, end) = all.get(last).ok_or(DeadBranch)?.range();
        let (start, end) = with_blanks(target.elements(), all[first].range().0, end);
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
        let (start, end) = patch.single_cut()?;
        let tokens = Tokens::of(target);
        let (first, after) = (tokens.from(start), tokens.from(end));
        if direction == 0 {
            let (from, _) = tokens.all()[first.checked_sub(amount)?].range();
            return Some(Patch::cut(from, end));
        }
        let last = after.checked_add(amount)?.checked_sub(1)?;
        let (_, to) = tokens.all().get(last)?.range();
        Some(Patch::cut(start, to))
    }

    fn rank(&self) -> u8 {
        3
    }
}
