//! Bytes and texts as letters: numbers, the simplest being 0.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::insert::Insert;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::Numbers;
use crate::choice::{Choice, Constraint, Value};

/// The letters of a choice of bytes or text.
pub(super) fn letters(choice: &Choice) -> Option<Vec<u32>> {
    match (choice.constraint(), choice.value()) {
        (_, Value::Bytes(bytes)) => Some(bytes.iter().map(|byte| u32::from(*byte)).collect()),
        (Constraint::Text(alphabet, _), Value::Text(text)) => {
            text.chars().map(|letter| alphabet.rank(letter)).collect()
        }
        _ => None,
    }
}

/// The same place with other letters; `None` where that is not permitted.
pub(super) fn with_letters(choice: &Choice, letters: &[u32]) -> Option<Choice> {
    let value = match choice.constraint() {
        Constraint::Text(alphabet, _) => {
            let text: Option<String> = letters.iter().map(|rank| alphabet.at(*rank)).collect();
            Value::Text(text?.into())
        }
        _ => {
            let bytes = letters.iter().map(|byte| u8::try_from(*byte).ok());
            Value::Bytes(bytes.collect::<Option<Vec<u8>>>()?.into())
        }
    };
    choice.with(value)
}

/// A text, or bytes, that could be simpler.
#[derive(Debug)]
pub(super) struct Text {
    /// Where it stands.
    pub places: Vec<usize>,
    pub letters: Vec<u32>,
    /// How many letters it has to have.
    pub min: usize,
}

/// All texts of a target that could be simpler.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// Each once.
    pub texts: Vec<Text>,
    /// For each place of the target the text that stands there.
    of: Vec<Option<u32>>,
    /// The letters that are used, without the simplest, in order.
    pub used: Vec<u32>,
}

impl Texts {
    /// The texts of a target; found once for each: to read a long one takes long.
    pub fn of(target: &Target<Choice>) -> Rc<Texts> {
        target.analysis(Texts::found)
    }

    fn found(target: &Target<Choice>) -> Texts {
        if !Numbers::of(target).kinds.has_letters {
            return Texts::default();
        }
        let mut known: BTreeMap<(Value, Constraint), u32> = BTreeMap::new();
        let mut texts: Vec<Text> = Vec::new();
        let of = target.elements().iter().enumerate().map(|(at, choice)| {
            let (Constraint::Text(_, sizes) | Constraint::Bytes(sizes)) = choice.constraint()
            else {
                return None;
            };
            let name = (choice.value(), choice.constraint());
            if !known.contains_key(&name) && !choice.is_simplest() {
                known.insert(name.clone(), texts.len() as u32);
                texts.push(Text {
                    places: Vec::new(),
                    letters: letters(choice)?,
                    min: sizes.min as usize,
                });
            }
            let text = *known.get(&name)?;
            texts[text as usize].places.push(at);
            Some(text)
        });
        let of = of.collect();
        let used: BTreeSet<u32> = texts
            .iter()
            .flat_map(|text| &text.letters)
            .copied()
            .collect();
        let used = used.into_iter().filter(|letter| *letter > 0).collect();
        Texts { texts, of, used }
    }

    /// Chooses a text with its places: all of them, or only one.
    pub fn chosen(
        &self,
        chooser: &mut Chooser<'_>,
        fits: impl Fn(&Text) -> bool,
    ) -> Result<(&Text, Vec<usize>), DeadBranch> {
        let text = |at: usize| self.of[at].map(|text| &self.texts[text as usize]);
        let at = chooser.choose(0..self.of.len(), |at| text(at).is_some_and(&fits))?;
        let text = text(at).ok_or(DeadBranch)?;
        let is_shared = text.places.len() > 1;
        match is_shared && chooser.prefer(2)? == 1 {
            true => Ok((text, vec![at])),
            false => Ok((text, text.places.clone())),
        }
    }
}

/// Replaces the choices at these places, which are equal, by one with these letters.
pub(super) fn rewritten(
    target: &Target<Choice>,
    places: &[usize],
    letters: &[u32],
) -> Option<Patch<Choice>> {
    let first = with_letters(&target.elements()[*places.first()?], letters)?;
    let insert = Insert::from([first]);
    let edits = places.iter().map(|&at| Edit {
        start: at,
        end: at + 1,
        insert: Some(insert.clone()),
    });
    Patch::edits_of(edits).ok()
}

/// The letters before and after an edit that rewrites texts.
pub(super) fn rewriting(
    target: &Target<Choice>,
    patch: &Patch<Choice>,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let first = patch.edits().first()?;
    let old = letters(&target.elements()[first.start])?;
    Some((old, letters(first.insert.as_ref()?.first()?)?))
}
