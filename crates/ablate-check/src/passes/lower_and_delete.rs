//! Lowers a number by one and deletes an element of a list, or a letter of a text, at the same time.
//!
//! How many steps it takes may depend on a number: a cache of three has to be filled with three entries
//! before it forgets one. With one less of both it fails as well, with one less of either it doesn't. A
//! number that is a place in a text goes with what stands before it.
//!
//! Costs a test for each element and letter, and each number that stands in no list, where these are at
//! most 32; a last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_and_delete", (1..9u8, vec(0..9u8)), "1.3.t.5.t.6.f");
//! assert_eq!(tried, ["(2, [5])", "(2, [6])"]);
//! let tried = reductions("lower_and_delete", (string(), 0..9u8), "1.s41c3a9.2");
//! assert_eq!(tried, ["(\"A\", 1)", "(\"é\", 1)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Families, Numbers, is_more, number, with_number};
use super::slide::inward;
use crate::choice::{Choice, Constraint, Toss, Value};

/// There may be so many numbers outside of lists.
const NUMBERS: usize = 4;
/// And so many pairs of one of them with an element or a letter.
const PAIRS: usize = 32;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAndDelete;

/// What can be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// An element of a list, from one place to another.
    Element(usize, usize),
    /// A letter of the text, or of the bytes, at a place.
    Letter(usize, usize),
}

/// The numbers outside of lists that can be lowered, and the parts of what there is.
struct Found {
    numbers: Vec<usize>,
    parts: Vec<Part>,
}

impl Found {
    fn of(target: &Target<Choice>) -> Found {
        let elements = elements_of_lists(target);
        let choices = target.elements();
        let is_outside = |at: usize| {
            let mut around = elements.iter();
            !around.any(|&(start, end)| (start..end).contains(&at))
        };
        let mut numbers: Vec<usize> = Numbers::of(target)
            .lowerable
            .iter()
            .copied()
            .filter(|&at| matches!(choices[at].constraint, Constraint::Integer(_)))
            .filter(|&at| is_outside(at))
            .collect();
        let mut parts = Vec::new();
        if (1..=NUMBERS).contains(&numbers.len()) {
            parts.extend(
                elements
                    .iter()
                    .map(|&(start, end)| Part::Element(start, end)),
            );
            for (at, choice) in choices.iter().enumerate() {
                let count = match &choice.value {
                    Value::Text(text) => text.chars().take(PAIRS + 1).count(),
                    Value::Bytes(bytes) => bytes.len(),
                    _ => continue,
                };
                parts.extend((0..count.min(PAIRS + 1)).map(|letter| Part::Letter(at, letter)));
            }
        }
        if parts.len() * numbers.len() > PAIRS {
            numbers.clear();
        }
        Found { numbers, parts }
    }
}

/// The elements of lists that say before each whether there is one more.
fn elements_of_lists(target: &Target<Choice>) -> Vec<(usize, usize)> {
    let says_more = |member: &(usize, usize)| {
        // One that holds nothing may stand behind the last choice.
        let first = target.elements()[member.0..member.1].first();
        let is_forced =
            |first: &Choice| matches!(first.constraint, Constraint::Boolean(Toss::Forced(_)));
        first.is_some_and(|first| is_more(first) || is_forced(first))
    };
    let mut elements: Vec<(usize, usize)> = Vec::new();
    for family in Families::of(target).iter() {
        if family.members.iter().all(says_more) {
            elements.extend(&family.members);
        }
    }
    elements.sort_unstable();
    elements.dedup();
    elements
}

/// The same place without one of the letters, if so few are permitted.
fn without_letter(choice: &Choice, letter: usize) -> Option<Choice> {
    let value = match &choice.value {
        Value::Text(text) => {
            let letters = text.chars().enumerate();
            let kept = letters.filter_map(|(at, c)| (at != letter).then_some(c));
            Value::Text(kept.collect::<String>().into())
        }
        Value::Bytes(bytes) => {
            let (before, behind) = bytes.split_at_checked(letter)?;
            Value::Bytes([before, behind.get(1..)?].concat().into())
        }
        _ => return None,
    };
    choice.with(value)
}

impl Pass<Choice> for LowerAndDelete {
    fn name(&self) -> &'static str {
        "lower_and_delete"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (found, choices) = (target.analysis(Found::of), target.elements());
        let at = found.numbers[chooser.prefer(found.numbers.len())?];
        let part = found.parts[chooser.any(0..found.parts.len())?];
        let choice = &choices[at];
        let lowered = number(choice).and_then(|number| number.checked_add(inward(choice)));
        let put = |at: usize, choice: Choice| Edit {
            start: at,
            end: at + 1,
            insert: Some([choice].into()),
        };
        let deleted = match part {
            Part::Element(start, end) => Edit {
                start,
                end,
                insert: None,
            },
            Part::Letter(at, letter) => {
                put(at, without_letter(&choices[at], letter).ok_or(DeadBranch)?)
            }
        };
        let lowered = put(at, with_number(choice, lowered.ok_or(DeadBranch)?));
        Patch::edits_of([deleted, lowered]).map_err(|_| DeadBranch)
    }
}
