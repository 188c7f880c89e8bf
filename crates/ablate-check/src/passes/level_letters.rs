//! Makes all letters of a text that are less simple than a certain one of them like that one.
//!
//! When each of them has to be a capital letter, `"QXBRT"` becomes `"BBBBB"` in one test, and then
//! all are lowered together. Which one that is comes as in `level_values`.
//!
//! Costs up to three tests for each text; none where all letters are equal, or there are but few, or
//! they are hardly less simple than they have to be to differ.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let text = string().range('a'..='z');
//! let tried = reductions("level_letters", text, "1.s717861627263");
//! assert_eq!(tried, ["\"bbabbb\""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::letters::{Text, Texts, rewritten};
use super::level_values::{MANY, are_ranks, sources};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LevelLetters;

/// The different letters of a text but for the simplest that there can be, in order; none where these
/// are few, or not worth while.
fn different(text: &Text) -> Vec<u32> {
    let mut letters: Vec<u32> = text.letters.iter().copied().filter(|l| *l > 0).collect();
    if letters.len() < MANY {
        return Vec::new();
    }
    letters.sort_unstable();
    letters.dedup();
    let last = letters.last().map_or(0, |last| u128::from(*last));
    if are_ranks(letters.len(), last) {
        letters.clear();
    }
    letters
}

impl Pass<Choice> for LevelLetters {
    fn name(&self) -> &'static str {
        "level_letters"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let texts = Texts::of(target);
        let text = &texts.texts[chooser.prefer(texts.texts.len())?];
        let different = different(text);
        let sources = sources(different.len());
        let level = different[sources[chooser.prefer(sources.len())?]];
        let letters: Vec<u32> = text.letters.iter().map(|l| level.min(*l)).collect();
        rewritten(target, &text.places, &letters).ok_or(DeadBranch)
    }
}
