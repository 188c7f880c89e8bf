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
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::letters::{letters, with_letters};
use super::shape::{Families, Numbers, is_more, number, with_number};
use super::slide::inward;
use crate::choice::{Choice, Constraint, Toss};

/// There may be so many numbers outside of lists.
const NUMBERS: usize = 4;
/// And so many pairs of one of them with an element or a letter.
const PAIRS: usize = 32;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAndDelete;

/// What can be deleted.
#[derive(Clone, Copy)]
enum Part {
    /// An element of a list, from one place to another.
    Element(usize, usize),
    /// A letter of the text, or of the bytes, at a place.
    Letter(usize, usize),
}

/// The numbers outside of lists that can be lowered, and the parts of what there is; none where there are
/// many.
#[derive(Default)]
struct Found {
    numbers: Vec<usize>,
    parts: Vec<Part>,
}

impl Found {
    fn of(target: &Target<Choice>) -> Found {
        let (elements, choices) = (elements_of_lists(target), target.elements());
        if elements.len() > PAIRS {
            return Found::default();
        }
        let is_outside = |at: &usize| {
            let mut around = elements.iter();
            !around.any(|(start, end)| (start..end).contains(&at))
        };
        let is_integer = |at: &usize| choices[*at].is_integer();
        let known = Numbers::of(target);
        let numbers: Vec<usize> = (known.lowerable.iter().copied())
            .filter(|at| is_integer(at) && is_outside(at))
            .take(NUMBERS + 1)
            .collect();
        if !(1..=NUMBERS).contains(&numbers.len()) {
            return Found::default();
        }
        let whole = elements
            .iter()
            .map(|&(start, end)| Part::Element(start, end));
        let single = (0..choices.len()).flat_map(|at| {
            let count = letters(&choices[at]).map_or(0, |letters| letters.len());
            (0..count).map(move |letter| Part::Letter(at, letter))
        });
        let parts: Vec<Part> = whole.chain(single).take(PAIRS + 1).collect();
        if parts.len() * numbers.len() > PAIRS {
            return Found::default();
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
            |first: &Choice| matches!(first.constraint(), Constraint::Boolean(Toss::Forced(_)));
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
    let mut letters = letters(choice)?;
    letters.remove(letter);
    with_letters(choice, &letters)
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
        let replaced = |at: usize, choice: Choice| Patch::replace(at, at + 1, &[choice]);
        let deleted = match part {
            Part::Element(start, end) => Patch::cuts([(start, end)]),
            Part::Letter(at, letter) => {
                replaced(at, without_letter(&choices[at], letter).ok_or(DeadBranch)?)
            }
        };
        let lowered = replaced(at, with_number(choice, lowered.ok_or(DeadBranch)?));
        deleted.combined(&lowered).map_err(|_| DeadBranch)
    }
}
