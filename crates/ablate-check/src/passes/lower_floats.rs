//! Replaces a floating-point number by a simpler one near it: without its sign, without some of
//! the digits after the point, nearer to zero with the same digits after it, or finite. Integers are
//! lowered like other numbers.
//!
//! `-3.1415926` becomes `3.0`, or `3.25`; or all of its digits a whole number, where only how many there
//! are matters: what an `f32` can't hold then becomes `16777217.0`.
//!
//! Costs up to twenty tests for each number that is no integer, and for all that are equal. What was halved is
//! halved as often as that succeeds, by adaptive search: `1e300` comes down to a number that can be counted
//! down in thirty tests. What was lowered by one is lowered by powers of two besides.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_floats", 0.0..10.0f64, "1.r400c000000000000");
//! assert_eq!(tried, ["0.0", "1.0", "3.0", "4.0", "1.5", "1.75", "2.0", "7.0", "2.5"]);
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, WHOLE, float};
use crate::choice::{Choice, Constraint, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerFloats;

/// Up to so many binary digits after the point one of them is left out.
const MOST_DIGITS: u32 = 20;
/// So many bits of a number stand behind its first digit.
const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;

/// What a number may become, the most wanted first.
fn simpler(value: f64) -> Vec<f64> {
    if !value.is_finite() {
        return vec![
            0.0,
            1.0,
            -1.0,
            f64::from(f32::MAX),
            f64::from(f32::MIN),
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NAN,
        ];
    }
    let mut values = vec![
        0.0,
        1.0,
        value.abs(),
        value.trunc(),
        value.trunc() + value.signum(),
    ];
    // With one binary digit after the point, with two, …
    let with_digits = |digits: u32| {
        let scale = f64::from(1u32 << digits);
        let scaled = (value * scale).trunc();
        [scaled / scale, (scaled + value.signum()) / scale]
    };
    values.extend([1, 2, 3, 5, 8, 12, 20].into_iter().flat_map(with_digits));
    // With one digit less.
    let digits =
        (0..=MOST_DIGITS).find(|digits| (value * f64::from(1u32 << digits)).fract() == 0.0);
    if let Some(digits @ 2..) = digits {
        values.extend(with_digits(digits - 1));
    }
    // Between 1 and 2 they are simpler than below 1.
    values.push(1.0 + value.fract().abs());
    let exponent = value.abs().log2().floor();
    if value.abs() < 1.0 {
        // With half of the exponent, a quarter, an eighth less.
        let nearer = [2.0, 4.0, 8.0].map(|part| value * (-exponent / part).floor().exp2());
        values.extend(nearer);
    } else if value.abs() >= WHOLE || value.fract() != 0.0 {
        // Half of it: there are too many to count down.
        values.push(value / 2.0);
    }
    // With fewer digits in front.
    values.push(exponent.exp2().copysign(value));
    // With the same digits, and no point.
    values.extend(whole_digits(value));
    // With the same digits after the point. Below 1 they are less simple.
    if value.abs() >= 2.0 && value.fract() != 0.0 {
        values.push(value - value.signum());
    }
    values
}

/// The binary digits of a number as a whole number, unless it is too small for full precision.
fn whole_digits(value: f64) -> Option<f64> {
    let fraction = value.to_bits() & ((1 << FRACTION_BITS) - 1);
    let digits = fraction | 1 << FRACTION_BITS;
    value
        .is_normal()
        .then(|| (digits >> digits.trailing_zeros()) as f64)
}

/// The direction in which what was halved is halved again. In each of the others what was lowered by one
/// is lowered by a power of two besides, the greatest first.
const HALVES: usize = 0;
/// Where a number has digits after the point, what is before it is less than two to this power.
const POWERS: usize = 52;

/// What a number becomes that has been lowered to another one, and is to be lowered further.
fn further(value: f64, lowered: f64, direction: usize, amount: usize) -> Option<f64> {
    if direction == HALVES {
        // Below, halves are not always simpler, and whole numbers are lowered like other numbers.
        let halves = lowered / 2f64.powi(i32::try_from(amount).ok()?);
        return (lowered == value / 2.0 && halves.abs() >= WHOLE).then_some(halves);
    }
    let has_same_digits = value.fract() != 0.0 && value.fract() == lowered.fract();
    let power = 2f64.powi((POWERS - direction) as i32);
    let is_left = has_same_digits && amount == 1 && lowered.abs() - power >= 1.0;
    is_left.then(|| lowered - power.copysign(value))
}

/// The patch that makes the choices at these places, equal floating-point numbers, this one.
fn lowered(target: &Target<Choice>, places: &[usize], value: f64) -> Option<Patch<Choice>> {
    let elements = target.elements();
    let lowered = elements[*places.first()?].with(Value::Float(value.to_bits()))?;
    Some(Patch::change_each(elements, places, |choice| {
        choice.clone_from(&lowered);
    }))
}

/// Where floating-point numbers are that could be simpler.
struct Places {
    places: Vec<usize>,
    /// For each of them where all are that are equal.
    equals: Vec<Rc<Vec<usize>>>,
}

impl Places {
    fn found(target: &Target<Choice>) -> Places {
        let elements = target.elements();
        let can_be = |at: &usize| {
            matches!(elements[*at].value(), Value::Float(_)) && !elements[*at].is_simplest()
        };
        let places: Vec<usize> = (0..elements.len()).filter(can_be).collect();
        let key = |at: usize| (elements[at].constraint(), elements[at].value());
        let mut equals: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for &at in &places {
            equals.entry(key(at)).or_default().push(at);
        }
        let equals: BTreeMap<_, Rc<Vec<usize>>> = equals
            .into_iter()
            .map(|(key, places)| (key, Rc::new(places)))
            .collect();
        let equals = places.iter().map(|at| Rc::clone(&equals[&key(*at)]));
        Places {
            equals: equals.collect(),
            places,
        }
    }
}

impl Pass<Choice> for LowerFloats {
    fn name(&self) -> &'static str {
        "lower_floats"
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
        let places = target.analysis(Places::found);
        let chosen = chooser.any(0..places.places.len())?;
        let (at, equals) = (places.places[chosen], &places.equals[chosen]);
        // Equal ones all together first, by the last of them.
        let are_together = match equals.len() {
            1 => false,
            _ if equals.last() == Some(&at) => chooser.prefer(2)? == 0,
            _ => false,
        };
        let changed = match are_together {
            true => equals.as_slice(),
            false => std::slice::from_ref(&places.places[chosen]),
        };
        let choice = &elements[at];
        let (Constraint::Float(range), Value::Float(bits)) = (choice.constraint(), choice.value())
        else {
            return Err(DeadBranch);
        };
        let value = f64::from_bits(bits);
        let mut values = simpler(value);
        values.insert(0, range.simplest());
        values.retain(|other| range.contains(*other) && range.index(*other) < range.index(value));
        lowered(target, changed, values[chooser.prefer(values.len())?]).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1 + POWERS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let edit = patch.edits().first()?;
        let value = float(&target.elements()[edit.start])?;
        let to = float(edit.insert.as_deref()?.first()?)?;
        let places: Vec<usize> = patch.edits().iter().map(|edit| edit.start).collect();
        lowered(target, &places, further(value, to, direction, amount)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }
}
