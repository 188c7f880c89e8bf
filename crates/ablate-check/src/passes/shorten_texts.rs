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

use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::letters::{letters, with_letters};
use super::shape::Numbers;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ShortenTexts;

/// Replaces the choices at these places, which are equal, by one with these letters.
pub(super) fn rewritten(
    target: &Target<Choice>,
    places: &[usize],
    letters: &[u32],
) -> Option<Patch<Choice>> {
    let edits = places.iter().map(|&at| {
        let choice = with_letters(&target.elements()[at], letters)?;
        Some(Edit {
            start: at,
            end: at + 1,
            insert: Some(Arc::from([choice])),
        })
    });
    Patch::edits_of(edits.collect::<Option<Vec<_>>>()?).ok()
}

/// A choice of letters, and either all that are equal to it or only itself.
pub(super) fn chosen_places(
    target: &Target<Choice>,
    chooser: &mut Chooser<'_>,
) -> Result<(Vec<usize>, Vec<u32>), DeadBranch> {
    let elements = target.elements();
    let at = chooser.choose(0..elements.len(), |at| {
        letters(&elements[at]).is_some() && !elements[at].is_simplest()
    })?;
    let equal = (0..elements.len()).filter(|&other| elements[other].value == elements[at].value);
    let mut places: Vec<usize> = equal.collect();
    let is_shared = places.len() > 1;
    if is_shared && chooser.prefer(2)? == 1 {
        places = vec![at];
    }
    let letters = letters(&elements[at]).ok_or(DeadBranch)?;
    Ok((places, letters))
}

impl Pass<Choice> for ShortenTexts {
    fn name(&self) -> &'static str {
        "shorten_texts"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if !Numbers::of(target).kinds.has_letters {
            return Err(DeadBranch);
        }
        let (places, mut letters) = chosen_places(target, chooser)?;
        let count = letters.len();
        let powers = count.checked_ilog2().map_or(0, |log| log as usize + 2);
        let way = chooser.prefer(powers + count)?;
        match way {
            0 => letters.clear(),
            power if power < powers => letters.truncate(1 << (power - 1)),
            // From the last one on.
            other => {
                letters.remove(count - 1 - (other - powers));
            }
        }
        if letters.len() == count {
            return Err(DeadBranch);
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
        let first = patch.edits().first()?;
        let mut old = letters(&target.elements()[first.start])?;
        let new = letters(first.insert.as_ref()?.first()?)?;
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
