//! Sections of lines up to the end of a text, whose numbers of lines stand in its first lines: how many
//! constraints follow, how many inputs, outputs and gates.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use super::find::{LONGEST_TEXT, numbers};
use super::{Coupling, Member, Range};
use crate::formats::lines::Lines;

/// The numbers stand in the first lines, so many at most.
const HEAD_LINES: usize = 16;
/// So many of the last integers before the sections may be such numbers.
const HEAD_NUMBERS: usize = 8;
/// So many ways to tell sections are looked at, those behind the fewest lines first: in a short text many
/// small integers add up to the lines that are left.
const WAYS: usize = 4;
/// Texts with more lines are not looked at.
const LINES_MAX: usize = 1 << 16;

/// Ways to tell sections, each with the counts of its sections.
#[derive(Debug, Default)]
pub struct Sections(Vec<Vec<Coupling>>);

impl Sections {
    /// The ways to tell sections of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Sections> {
        target.analysis(Sections::found)
    }

    fn found(target: &Target<u8>) -> Sections {
        if target.len() > LONGEST_TEXT {
            return Sections::default();
        }
        let (text, lines) = (target.elements(), Lines::of(target));
        let range = |line: usize| {
            let (start, end) = lines.range(line);
            (start as u32, end as u32)
        };
        let is_blank = |line: &usize| {
            let (start, end) = lines.range(*line);
            text[start..end].trim_ascii().is_empty()
        };
        let last = (0..lines.len()).rev().find(|line| !is_blank(line));
        let end = last.map_or(0, |last| last + 1);
        if end > LINES_MAX {
            return Sections::default();
        }
        let mut found = Vec::new();
        for first in 1..end.min(HEAD_LINES + 1) {
            let numbers = numbers(target, lines.start(first));
            let numbers = &numbers[numbers.len().saturating_sub(HEAD_NUMBERS)..];
            for way in ways(numbers, end - first).take(WAYS - found.len()) {
                let mut line = first;
                let counts = way.into_iter().map(|(number, count)| {
                    let section = line..line + count;
                    line = section.end;
                    let members = section.map(|line| Member {
                        range: range(line),
                        addend: None,
                    });
                    Coupling {
                        number,
                        members: members.collect(),
                        is_separated: false,
                    }
                });
                found.push(counts.collect());
            }
        }
        Sections(found)
    }

    /// All ways, those behind the fewest lines first.
    pub fn ways(&self) -> &[Vec<Coupling>] {
        &self.0
    }

    /// The edit `wanted` with the counts of all sections of one way set right.
    pub fn recounted(text: &[u8], way: &[Coupling], wanted: Patch<u8>) -> Option<Patch<u8>> {
        let mut whole = wanted.clone();
        for coupling in way {
            if coupling.value(text, &wanted)? != coupling.members.len() as u128 {
                whole = whole.combined(&coupling.set_right(text, &wanted)?).ok()?;
            }
        }
        Some(whole)
    }

    /// What two edits with counts set right do together.
    ///
    /// # Errors
    /// When they want different things of the same place.
    pub fn combined(
        text: &[u8],
        way: &[Coupling],
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let is_count = |edit: &&Edit<u8>| {
            let range = (edit.start as u32, edit.end as u32);
            way.iter().any(|coupling| coupling.number == range)
        };
        let wanted = |patch: &Patch<u8>| {
            let edits = patch.edits().iter().filter(|edit| !is_count(edit));
            Patch::edits_of(edits.cloned())
        };
        let wanted = wanted(one)?.combined(&wanted(other)?)?;
        Sections::recounted(text, way, wanted).ok_or(Conflict)
    }
}

/// The rows of some of these integers, in order, that add up to so many lines.
fn ways(
    numbers: &[(Range, u128)],
    lines: usize,
) -> impl Iterator<Item = Vec<(Range, usize)>> + use<> {
    let may_count = |&(range, value): &(Range, u128)| {
        let value = usize::try_from(value).ok()?;
        (0 < value && value <= lines).then_some((range, value))
    };
    let numbers: Vec<(Range, usize)> = numbers.iter().filter_map(may_count).collect();
    (1..1_u32 << numbers.len()).filter_map(move |way| {
        let chosen = numbers.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| way & (1 << at) != 0);
        let chosen: Vec<(Range, usize)> = chosen.map(|(_, number)| *number).collect();
        let sum: usize = chosen.iter().map(|(_, count)| count).sum();
        (sum == lines).then_some(chosen)
    })
}
