//! Replaces a large number by what divisions leave of it, and by each of the smallest.
//!
//! When a property fails for every seventh number, or for those that end in certain digits or bits, no
//! search by halves comes down: most of what it asks for passes. The last digits and bits of a number
//! are tried, what another number leaves of it, and what is left then is one of the smallest. A number
//! above a million that a bound holds besides, as that it is odd and no `f32`, is lowered by two, four and
//! sixteen, and as far as that goes by powers of two; a smaller one by two alone.
//!
//! Costs a test for some powers of two and of ten below the number, one for each of its digits unless
//! there are many, two for each of a few other numbers, and one for each of the smallest: some 30, and
//! 45 for a number above a million, but six for one below a thousand. None for a number at the end of
//! its range, which is held by that, nor where there are many.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("sift_numbers", any::<u16>(), "1.12345");
//! assert_eq!(tried[..7], ["57", "4153", "45", "345", "2345", "12343", "10345"]);
//! assert_eq!((tried[9].as_str(), tried[10].as_str()), ("12340", "0"));
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, distance, number, with_number};
use crate::choice::Choice;

/// From so far from the simplest value on a number is divided.
const FAR: u128 = 1 << 4;
/// From so far on all else is tried.
const LARGE: u128 = 1 << 10;
/// So many of the smallest are tried in place of it.
const SMALLEST: u128 = 16;
/// From so far on more of them are: hardly any counterexample needs such a number.
const HUGE: u128 = 1 << 20;
/// So many.
const MORE: u128 = 32;
/// And by so much it is lowered.
const STEPS: [u128; 3] = [2, 4, 16];
/// The powers of two by which it may be lowered further.
const POWERS: usize = 127;
/// There may be no more numbers that are not the simplest.
const FEW: usize = 4;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct SiftNumbers;

/// The powers of `base` that leave a half of the digits of `number`, a half of the rest, and so on.
fn powers(base: u128, number: u128) -> Vec<u128> {
    let (mut kept, mut powers) = (0, Vec::new());
    let digits = number.ilog(base) + 1;
    while digits - kept > 1 {
        kept += (digits - kept) / 2;
        powers.push(base.pow(kept));
    }
    powers
}

/// How far from the simplest value a number may be instead of so far, the most wanted first.
fn instead_of(far: u128, others: &[u128]) -> Vec<u128> {
    let left = |power: u128| far % power;
    let bits = powers(2, far).into_iter().map(left);
    let digits = powers(10, far).into_iter().map(left);
    let remainders = others
        .iter()
        .filter(|other| (2..far).contains(*other))
        .flat_map(|other| [far % other, far % other + other]);
    let divided = bits.chain(digits);
    let mut all: Vec<u128> = Vec::new();
    let mut add = |candidate: u128| {
        if candidate < far && !all.contains(&candidate) {
            all.push(candidate);
        }
    };
    divided.for_each(&mut add);
    // Of several, each is held by a bound more often than not.
    if far < HUGE && others.iter().all(|other| *other < FAR) {
        add(far - 2);
    }
    if far >= LARGE {
        if far < HUGE {
            lower_digits(far).for_each(&mut add);
        }
        remainders.for_each(&mut add);
        (0..if far < HUGE { SMALLEST } else { MORE }).for_each(&mut add);
        if far >= HUGE {
            STEPS.map(|step| far - step).into_iter().for_each(&mut add);
        }
    }
    all
}

/// The number with its first digit made 1, and with each of the others made 0.
fn lower_digits(number: u128) -> impl Iterator<Item = u128> {
    let highest = number.ilog10();
    (0..=highest).rev().map(move |place| {
        let power = 10u128.pow(place);
        let digit = number / power % 10;
        number - power * (digit - u128::from(place == highest))
    })
}

/// Where the numbers stand that are divided, in order, each with how far from the simplest value it may
/// be instead.
struct Sifted(Vec<(usize, Vec<u128>)>);

impl Sifted {
    fn found(target: &Target<Choice>) -> Sifted {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        if numbers.lowerable.len() > FEW {
            return Sifted(Vec::new());
        }
        let is_at_end = |choice: &Choice| {
            let ends = bounds(choice).map(|range| [range.min, range.max]);
            ends.zip(number(choice))
                .is_some_and(|(ends, number)| ends.contains(&number))
        };
        let sifted = numbers.lowerable.iter().filter_map(|&at| {
            let far = distance(&elements[at]).filter(|far| *far >= FAR)?;
            if is_at_end(&elements[at]) {
                return None;
            }
            let others = numbers.lowerable.iter().filter(|other| **other != at);
            let others: Vec<u128> = others
                .filter_map(|&other| distance(&elements[other]))
                .collect();
            Some((at, instead_of(far, &others)))
        });
        Sifted(sifted.collect())
    }
}

/// The patch that puts a number so far from the simplest value, on the side on which it is.
fn lowered(target: &Target<Choice>, at: usize, far: u128) -> Option<Patch<Choice>> {
    let choice = &target.elements()[at];
    let (value, range) = (number(choice)?, bounds(choice)?);
    let lowered = match value < range.origin {
        true => range.origin.checked_sub_unsigned(far),
        false => range.origin.checked_add_unsigned(far),
    };
    Some(Patch::replace(at, at + 1, &[with_number(choice, lowered?)]))
}

impl Pass<Choice> for SiftNumbers {
    fn name(&self) -> &'static str {
        "sift_numbers"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let sifted = target.analysis(Sifted::found);
        let chosen = chooser.any(0..sifted.0.len())?;
        let (at, instead) = &sifted.0[chosen];
        let far = instead[chooser.prefer(instead.len())?];
        lowered(target, *at, far).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        POWERS
    }

    /// Lowers it by a power of two besides, in each direction by another one, the greatest first. What a
    /// division leaves is far below half of it, and stays.
    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let edit = patch.edits().first()?;
        let before = distance(&target.elements()[edit.start])?;
        let far = distance(edit.insert.as_deref()?.first()?)?;
        let further = far.checked_sub(1 << (POWERS - direction))?;
        let is_grown = amount == 1 && far > before / 2 && further >= HUGE;
        is_grown.then(|| lowered(target, edit.start, further))?
    }
}
