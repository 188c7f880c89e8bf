//! Moves two floating-point numbers that are near each other towards zero, both as far.
//!
//! `(99.0, 99.5)` becomes `(35.0, 35.5)` when only how far apart the two are counts, and a bound. Whole
//! numbers are moved like others.
//!
//! Costs as many tests for each such pair as the number has binary digits in front of the point.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let pair = (f64s().between(0.0, 99.0), f64s().between(0.0, 99.0));
//! let tried = reductions("move_floats", pair, "1.r4014000000000000.r4016000000000000");
//! assert_eq!(tried, ["(1.0, 1.5)", "(3.0, 3.5)", "(4.0, 4.5)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Numbers, WHOLE, float};
use crate::choice::{Choice, Value};

/// How many floating-point numbers further the second of a pair may stand.
const REACH: usize = 2;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct MoveFloats;

/// The number, where it is not so great that it has no digits after the point.
fn small(choice: &Choice) -> Option<f64> {
    float(choice).filter(|value| value.abs() < WHOLE)
}

/// Whether two numbers are near each other, and not both whole.
fn are_near(a: f64, b: f64) -> bool {
    let is_fractional = a.fract() != 0.0 || b.fract() != 0.0;
    is_fractional && a.abs() >= 1.0 && (a - b).abs() <= (a.abs() / 64.0).max(1.0)
}

/// By how much a number is lowered, the most first: to a whole one, and by powers of two.
fn amounts(value: f64) -> Vec<f64> {
    let value = value.abs();
    let powers = (0..=value.log2() as i32)
        .rev()
        .map(|power| 2f64.powi(power));
    let rest = Some(value.fract()).filter(|rest| *rest > 0.0);
    // A whole number has to be left.
    powers
        .map(|power| power + value.fract())
        .filter(|amount| *amount <= value)
        .chain(rest)
        .collect()
}

impl Pass<Choice> for MoveFloats {
    fn name(&self) -> &'static str {
        "move_floats"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if !Numbers::of(target).kinds.has_floats {
            return Err(DeadBranch);
        }
        let elements = target.elements();
        let places = target.analysis(Floats::found);
        let places = &places.0;
        let first = chooser.prefer(places.len())?;
        let second = first + 1 + chooser.prefer(REACH.min(places.len() - 1 - first))?;
        let (at, other) = (places[first], places[second]);
        let numbers = small(&elements[at]).zip(small(&elements[other]));
        let (a, b) = numbers
            .filter(|(a, b)| are_near(*a, *b))
            .ok_or(DeadBranch)?;
        let amounts = amounts(a);
        let amount = amounts[chooser.prefer(amounts.len())?].copysign(a);
        let moved = |at: usize, value: f64| {
            let choice = elements[at].with(Value::Float((value - amount).to_bits()))?;
            Some(Edit {
                start: at,
                end: at + 1,
                insert: Some([choice].into()),
            })
        };
        let edits = moved(at, a).zip(moved(other, b)).ok_or(DeadBranch)?;
        Patch::edits_of([edits.0, edits.1]).map_err(|_| DeadBranch)
    }
}

/// Where floating-point numbers stand.
struct Floats(Vec<usize>);

impl Floats {
    fn found(target: &Target<Choice>) -> Floats {
        let elements = target.elements().iter().enumerate();
        let floats = elements.filter(|(_, choice)| small(choice).is_some());
        Floats(floats.map(|(at, _)| at).collect())
    }
}
