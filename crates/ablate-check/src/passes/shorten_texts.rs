//! Deletes letters of texts and bytes: all but the first few, or one and what stands before it; in
//! all equal ones together, or in one.
//!
//! `"a long word"` becomes `"or"` when only that matters.
//!
//! Costs a test for each letter, and for each power of two below their number.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("shorten_texts", string(), "1.s6162636465");
//! assert_eq!(tried, ["\"\"", "\"a\"", "\"ab\"", "\"abcd\"", "\"abce\"", "\"abde\"", "\"acde\"", "\"bcde\""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::letters::{Texts, rewriting, rewritten};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ShortenTexts;

impl Pass<Choice> for ShortenTexts {
    fn name(&self) -> &'static str {
        "shorten_texts"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let texts = Texts::of(target);
        let (text, places) = texts.chosen(chooser, |text| text.letters.len() > text.min)?;
        let count = text.letters.len();
        let powers = count.ilog2() as usize + 2;
        let kept = |power: usize| match power {
            0 => 0,
            _ => 1 << (power - 1),
        };
        // The fewest first; single ones from the last one on.
        let last = powers + count - 1;
        let chosen = chooser.choose(0..powers + count, |chosen| {
            let way = last - chosen;
            way >= powers || (text.min..count).contains(&kept(way))
        })?;
        let way = last - chosen;
        let mut letters = text.letters.clone();
        match way.checked_sub(powers) {
            None => letters.truncate(kept(way)),
            Some(single) => drop(letters.remove(count - 1 - single)),
        }
        rewritten(target, &places, &letters).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let (mut old, new) = rewriting(target, patch)?;
        // A run of letters is gone; more of those before it are to go.
        let same = old
            .iter()
            .zip(&new)
            .take_while(|(old, new)| old == new)
            .count();
        let gone = old.len() - new.len();
        old.drain(same.checked_sub(amount)?..(same + gone).min(old.len()));
        let places: Vec<usize> = patch.edits().iter().map(|edit| edit.start).collect();
        rewritten(target, &places, &old)
    }
}
