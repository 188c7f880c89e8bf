//! Deletes from one occurrence of some tokens to the next occurrence of the same tokens.
//!
//! Parts that start alike stand one after the other: in `case 1: a case 2: b` the cut from the
//! first `case` to the second takes away one whole part, and `a + b + c` becomes `a + c`.
//!
//! Costs about one test for each repetition of one, two or four tokens, wherever it starts. A cut
//! that succeeds is grown past more occurrences to both sides. Texts above 128 Ki tokens are left
//! to other passes; spans of one or two tokens are left to `delete_tokens`.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteBetweenTokens;
//!
//! let text = "case 1: case 2: case 3:";
//! let seen = reductions(&DeleteBetweenTokens, text);
//! assert_eq!(seen, ["case 1: case 2:", "case 1: case 3:", "case 2: case 3:"]);
//! assert_eq!(grown(&DeleteBetweenTokens, text, "case 1: ", 1), ["case 3:"]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::passes::{past_repetitions, repetitions};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::tokens::Tokens;
use crate::passes::one_of;

/// Texts with more tokens are left alone.
const MOST_TOKENS: usize = 128 << 10;
/// How many tokens have to be the same.
const SIZES: &[usize] = &[1, 2, 4];

/// Deletes from some tokens to the next occurrence of the same; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteBetweenTokens;

struct Cuts {
    /// The first and the last token of each cut.
    cuts: Vec<(u32, u32)>,
    /// For each token a number that it shares with equal tokens.
    symbols: Vec<u32>,
}

impl Cuts {
    fn of(target: &Target<u8>) -> Rc<Cuts> {
        let tokens = Tokens::of(target);
        target.analysis(|target| {
            let text = |token: u32| tokens.all()[token as usize].text(target.elements());
            let count = tokens.all().len();
            let mut order: Vec<u32> = (0..count as u32).collect();
            if count > MOST_TOKENS {
                order.clear();
            }
            order.sort_by_cached_key(|&token| (text(token), token));
            let mut symbols = alloc::vec![0; order.len()];
            for same in order.chunk_by(|a, b| text(*a) == text(*b)) {
                for &token in same {
                    symbols[token as usize] = same[0];
                }
            }
            let mut cuts = repetitions(&symbols, SIZES);
            cuts.retain(|(i, j)| j - i > 2);
            Cuts { cuts, symbols }
        })
    }
}

impl Pass<u8> for DeleteBetweenTokens {
    fn name(&self) -> &'static str {
        "delete_between_tokens"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (tokens, cuts) = (Tokens::of(target), Cuts::of(target));
        let &(i, j) = one_of(chooser, &cuts.cuts)?;
        let start = |token: u32| tokens.all()[token as usize].range().0;
        Ok(Patch::cut(start(i), start(j)))
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
        let (tokens, cuts) = (Tokens::of(target), Cuts::of(target));
        let cut = (tokens.from(start), tokens.from(end));
        let (i, j) = past_repetitions(&cuts.symbols, SIZES, cut, direction, amount)?;
        let start = |token: usize| tokens.all()[token].range().0;
        Some(Patch::cut(start(i), start(j)))
    }

    fn rank(&self) -> u8 {
        5
    }
}
