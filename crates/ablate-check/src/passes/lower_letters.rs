//! Makes letters simpler: all of a text, all that are equal in every text, or one; and puts the
//! letters of a text in order. What one byte loses the next one can get.
//!
//! `"Zürich"` becomes `"000000"` when only its length counts.
//!
//! Costs up to four tests for each letter that is not the simplest.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_letters", string().alphabet("abc"), "1.s6362");
//! assert_eq!(tried, ["\"aa\"", "\"bc\"", "\"ab\"", "\"bb\"", "\"ca\""]);
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::letters::{letters, with_letters};
use super::shape::Numbers;
use super::shorten_texts::{chosen_places, rewritten};
use crate::choice::{Choice, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum LowerLetters {
    /// All letters of a text, or one of them.
    Here,
    /// All letters that are equal, in every text.
    Everywhere,
}

/// What a letter may become, the most wanted first. Distances double, so that whatever it has to
/// be is found in as many steps as its number has binary digits.
fn lower(letter: u32, way: usize) -> Option<u32> {
    let by = match way {
        0 => letter,
        way => 1 << (20usize.checked_sub(way - 1)?),
    };
    letter
        .checked_sub(by)
        .filter(|lowered| *lowered < letter && (way == 0 || *lowered > 0))
}

/// How many ways there are to lower a letter.
const WAYS: usize = 22;

impl Pass<Choice> for LowerLetters {
    fn name(&self) -> &'static str {
        match self {
            LowerLetters::Here => "lower_letters",
            LowerLetters::Everywhere => "lower_letters_everywhere",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if !Numbers::of(target).kinds.has_letters {
            return Err(DeadBranch);
        }
        match self {
            LowerLetters::Here => here(target, chooser),
            LowerLetters::Everywhere => everywhere(target, chooser),
        }
    }
}

fn here(target: &Target<Choice>, chooser: &mut Chooser<'_>) -> Result<Patch<Choice>, DeadBranch> {
    let (places, mut letters) = chosen_places(target, chooser)?;
    let count = letters.len();
    match chooser.prefer(2 * count + 2)? {
        0 => letters.fill(0),
        1 if !letters.is_sorted() => letters.sort_unstable(),
        1 => return Err(DeadBranch),
        at if at >= count + 2 => {
            // To the next byte, as much as fits.
            let from = at - count - 2;
            let is_text = matches!(target.elements()[places[0]].value, Value::Text(_));
            let next = letters
                .get(from + 1)
                .filter(|_| !is_text)
                .ok_or(DeadBranch)?;
            let amount = letters[from].min(255u32.saturating_sub(*next));
            if amount == 0 {
                return Err(DeadBranch);
            }
            letters[from] -= amount;
            letters[from + 1] += amount;
        }
        at => {
            let letter = letters[at - 2];
            let chosen = chooser.choose(0..WAYS, |way| lower(letter, WAYS - 1 - way).is_some())?;
            letters[at - 2] = lower(letter, WAYS - 1 - chosen).ok_or(DeadBranch)?;
        }
    }
    rewritten(target, &places, &letters).ok_or(DeadBranch)
}

fn everywhere(
    target: &Target<Choice>,
    chooser: &mut Chooser<'_>,
) -> Result<Patch<Choice>, DeadBranch> {
    let texts = target.elements().iter().enumerate();
    let texts: Vec<(usize, Vec<u32>)> = texts
        .filter_map(|(at, choice)| Some((at, letters(choice)?)))
        .collect();
    let used: BTreeSet<u32> = texts
        .iter()
        .flat_map(|(_, letters)| letters)
        .copied()
        .collect();
    let used: Vec<u32> = used.into_iter().filter(|letter| *letter > 0).collect();
    let letter = used[chooser.any(0..used.len())?];
    let chosen = chooser.choose(0..WAYS, |way| lower(letter, WAYS - 1 - way).is_some())?;
    let lowered = lower(letter, WAYS - 1 - chosen).ok_or(DeadBranch)?;
    let edits = texts
        .iter()
        .filter(|(_, letters)| letters.contains(&letter));
    let edits = edits.map(|(at, letters)| {
        let replace = |other: &u32| if *other == letter { lowered } else { *other };
        let letters: Vec<u32> = letters.iter().map(replace).collect();
        Some(Edit {
            start: *at,
            end: at + 1,
            insert: Some(Arc::from([with_letters(
                &target.elements()[*at],
                &letters,
            )?])),
        })
    });
    let edits: Option<Vec<_>> = edits.collect();
    Patch::edits_of(edits.ok_or(DeadBranch)?).map_err(|_| DeadBranch)
}
