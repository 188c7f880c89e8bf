//! Makes letters simpler: all of a text, all that are equal in every text, or one; and puts the
//! letters of a text in order. What one byte loses the next one can get.
//!
//! `"Zürich"` becomes `"000000"` when only its length counts.
//!
//! Costs up to four tests for each letter that is not the simplest; what has become the simplest takes
//! as many more with it as it can.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_letters", string().alphabet("abc"), "1.s6362");
//! assert_eq!(tried, ["\"aa\"", "\"bc\"", "\"ab\"", "\"bb\"", "\"ca\""]);
//! ```

use std::collections::BTreeSet;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::letters::{Texts, letters, rewriting, rewritten};
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
        match self {
            LowerLetters::Here => here(target, chooser),
            LowerLetters::Everywhere => everywhere(target, chooser),
        }
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
        match self {
            LowerLetters::Here => {
                let (mut old, new) = rewriting(target, patch)?;
                let changed = |at: &usize| old[*at] != new[*at];
                let changed: Vec<usize> = (0..old.len().min(new.len())).filter(changed).collect();
                if changed.iter().any(|at| new[*at] > 0) {
                    return None;
                }
                // So many more of those behind them become the simplest too.
                let wanted = changed.len().checked_add(amount)?;
                let rest = old[*changed.first()?..].iter_mut();
                let lowered = rest.filter(|letter| **letter > 0).take(wanted);
                let count = lowered.map(|letter| *letter = 0).count();
                let places: Vec<usize> = patch.edits().iter().map(|edit| edit.start).collect();
                (count == wanted).then(|| rewritten(target, &places, &old))?
            }
            LowerLetters::Everywhere => {
                let mut lowered = BTreeSet::new();
                for edit in patch.edits() {
                    let old = letters(&target.elements()[edit.start])?;
                    let new = letters(edit.insert.as_ref()?.first()?)?;
                    let changed = old.iter().zip(&new).filter(|(old, new)| old != new);
                    for (old, new) in changed {
                        if *new > 0 {
                            return None;
                        }
                        lowered.insert(*old);
                    }
                }
                // So many more that come before them in their order.
                let texts = Texts::of(target);
                let first = texts.used.binary_search(lowered.first()?).ok()?;
                let more = &texts.used[first.checked_sub(amount)?..first];
                lowered.extend(more);
                replaced(target, &texts, |letter| {
                    if lowered.contains(&letter) { 0 } else { letter }
                })
            }
        }
    }
}

fn here(target: &Target<Choice>, chooser: &mut Chooser<'_>) -> Result<Patch<Choice>, DeadBranch> {
    let texts = Texts::of(target);
    let (text, places) = texts.chosen(chooser, |_| true)?;
    let letters = &text.letters;
    let count = letters.len();
    let is_bytes = matches!(target.elements()[places[0]].value(), Value::Bytes(_));
    // To the next byte, as much as fits.
    let amount = |from: usize| match letters.get(from + 1) {
        Some(next) if is_bytes => letters[from].min(255u32.saturating_sub(*next)),
        _ => 0,
    };
    let last = 2 * count + 1;
    let chosen = chooser.choose(0..2 * count + 2, |chosen| match last - chosen {
        0 => true,
        1 => !letters.is_sorted(),
        at => match (at - 2).checked_sub(count) {
            None => letters[at - 2] > 0,
            Some(from) => amount(from) > 0,
        },
    })?;
    let mut changed = letters.clone();
    match last - chosen {
        0 => changed.fill(0),
        1 => changed.sort_unstable(),
        at => match (at - 2).checked_sub(count) {
            Some(from) => {
                let amount = amount(from);
                changed[from] -= amount;
                changed[from + 1] += amount;
            }
            None => changed[at - 2] = lowered(changed[at - 2], chooser)?,
        },
    }
    rewritten(target, &places, &changed).ok_or(DeadBranch)
}

fn everywhere(
    target: &Target<Choice>,
    chooser: &mut Chooser<'_>,
) -> Result<Patch<Choice>, DeadBranch> {
    let texts = Texts::of(target);
    let letter = texts.used[chooser.any(0..texts.used.len())?];
    let lowered = lowered(letter, chooser)?;
    let replace = |other| if other == letter { lowered } else { other };
    replaced(target, &texts, replace).ok_or(DeadBranch)
}

/// What a letter becomes: it chooses a way.
fn lowered(letter: u32, chooser: &mut Chooser<'_>) -> Result<u32, DeadBranch> {
    let chosen = chooser.choose(0..WAYS, |way| lower(letter, WAYS - 1 - way).is_some())?;
    lower(letter, WAYS - 1 - chosen).ok_or(DeadBranch)
}

/// Puts other letters in the place of some, in every text that has any of them.
fn replaced(
    target: &Target<Choice>,
    texts: &Texts,
    replace: impl Fn(u32) -> u32,
) -> Option<Patch<Choice>> {
    let mut edits = Vec::new();
    for text in &texts.texts {
        let letters: Vec<u32> = text.letters.iter().map(|letter| replace(*letter)).collect();
        if letters != text.letters {
            edits.extend_from_slice(rewritten(target, &text.places, &letters)?.edits());
        }
    }
    Patch::edits_of(edits).ok()
}
