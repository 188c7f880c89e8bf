//! Lowers a number by one, and puts the greatest there is in the places of the simplest numbers
//! that follow it.
//!
//! `(1, 0)` becomes `(0, 255)` when the two are the digits of one number, be it one of seconds and
//! nanoseconds; the first of January becomes the last of December, a year before; and the text `"200"`
//! becomes `"199"`. It is the step of "improve and clone" (D. R. MacIver, "Conjecture") that takes an
//! interval for a number and subtracts one: what
//! comes of it is larger but for its first place, and the other passes go on from there.
//!
//! Costs a test for each number that a simplest one follows, and each such digit of bytes and of texts that
//! are made of few letters.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("borrow_from_numbers", vec(0..100u8), "1.t.7.t.0.t.0.t.5.f");
//! assert_eq!(tried, ["[6, 99, 99, 5]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::letters::{Text, Texts, rewritten};
use super::shape::{Numbers, bounds, distance, is_record, number, with_number};
use super::slide::inward;
use crate::choice::{Choice, Constraint};

/// So many spans before a number are looked at for one that holds it together with others.
const AROUND: usize = 4;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct BorrowFromNumbers;

/// The greatest number of a choice that is the simplest now.
fn greatest(choice: &Choice) -> Option<i128> {
    let range = bounds(choice)?;
    let is_upwards = range.max != range.origin;
    let greatest = if is_upwards { range.max } else { range.min };
    (greatest != range.origin).then_some(greatest)
}

/// Whether there is a digit at a place that can be borrowed for, for another one before it: an integer
/// that is the simplest, of the same range, or drawn together with it and only integers.
fn is_zero_behind(target: &Target<Choice>, digit: usize, at: usize) -> bool {
    let elements = target.elements();
    let choice = &elements[at];
    if !choice.is_integer() || distance(choice) != Some(0) {
        return false;
    }
    let is_together = || {
        // They come in order: one that holds both begins shortly before the digit.
        let spans = target.spans();
        let to = spans.partition_point(|span| span.start <= digit);
        let mut around = (to.saturating_sub(AROUND)..to).rev();
        around.any(|place| spans[place].end > at && is_record(target, place))
    };
    choice.has_constraint_of(&elements[digit]) || is_together()
}

/// Texts of more different letters than these are hardly numbers.
const LETTERS: u32 = 64;

/// The greatest letter of a text that is made of few.
fn greatest_letter(choice: &Choice) -> Option<u32> {
    match choice.constraint() {
        Constraint::Bytes(_) => Some(u32::from(u8::MAX)),
        Constraint::Text(alphabet, _) if (2..=LETTERS).contains(&alphabet.len()) => {
            Some(alphabet.len() - 1)
        }
        _ => None,
    }
}

/// The same with the letters of a text.
fn of_letters(
    target: &Target<Choice>,
    chooser: &mut Chooser<'_>,
) -> Result<Patch<Choice>, DeadBranch> {
    let (elements, texts) = (target.elements(), Texts::of(target));
    let greatest = |text: &Text| greatest_letter(&elements[*text.places.first()?]);
    let (text, places) = texts.chosen(chooser, |text| greatest(text).is_some())?;
    let greatest = greatest(text).ok_or(DeadBranch)?;
    let mut letters = text.letters.clone();
    let at = chooser.choose(0..letters.len(), |at| {
        letters[at] > 0 && letters.get(at + 1) == Some(&0)
    })?;
    letters[at] -= 1;
    let zeros = letters[at + 1..].iter_mut();
    let zeros = zeros.take_while(|letter| **letter == 0);
    zeros.for_each(|letter| *letter = greatest);
    rewritten(target, &places, &letters).ok_or(DeadBranch)
}

impl Pass<Choice> for BorrowFromNumbers {
    fn name(&self) -> &'static str {
        "borrow_from_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        if chooser.prefer(2)? == 1 {
            return of_letters(target, chooser);
        }
        let place = chooser.choose(0..numbers.all.len(), |place| {
            let next = numbers.all.get(place + 1);
            let lowered = &elements[numbers.all[place]];
            distance(lowered).is_some_and(|distance| distance > 0)
                && next.is_some_and(|&next| is_zero_behind(target, numbers.all[place], next))
        })?;
        let put = |at: usize, value| Edit {
            start: at,
            end: at + 1,
            insert: Some([with_number(&elements[at], value)].into()),
        };
        let at = numbers.all[place];
        let value = number(&elements[at]).ok_or(DeadBranch)?;
        let lowered = put(at, value + inward(&elements[at]));
        let zeros = numbers.all[place + 1..].iter();
        let zeros = zeros.take_while(|&&zero| is_zero_behind(target, at, zero));
        let raised = zeros.filter_map(|&at| Some(put(at, greatest(&elements[at])?)));
        Patch::edits_of([lowered].into_iter().chain(raised)).map_err(|_| DeadBranch)
    }
}
