//! Single choices and runs of them: the number that one holds, its bounds, the same with another one.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use ablate_engine::order::ElementOrder;

use crate::choice::{Choice, Constraint, IntegerRange, Simplicity, Toss, Value};

/// The places of the choices of each kind, as far as they are wanted; in the order of their constraints.
pub(crate) fn kinds(elements: &[Choice], is_wanted: impl Fn(&Choice) -> bool) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<Constraint, usize> = BTreeMap::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<(&Choice, usize)> = None;
    for (at, choice) in elements.iter().enumerate() {
        if !is_wanted(choice) {
            continue;
        }
        // Mostly it is of the kind of the one before it.
        let same = last.filter(|(last, _)| last.has_constraint_of(choice));
        let kind = same.map_or_else(
            || *known.entry(choice.constraint()).or_insert(places.len()),
            |(_, kind)| kind,
        );
        if kind == places.len() {
            places.push(Vec::new());
        }
        places[kind].push(at);
        last = Some((choice, kind));
    }
    let kinds = known.into_values();
    kinds
        .map(|kind| std::mem::take(&mut places[kind]))
        .collect()
}

/// Which of two runs of choices is the simpler one.
pub(crate) fn compare(a: &[Choice], b: &[Choice]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| {
        let pairs = a.iter().zip(b).filter(|(a, b)| a != b);
        let mut ordered = pairs.map(|(a, b)| Simplicity.compare(a, b));
        ordered
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

/// How far a number is from the simplest; `None` for what is no number.
#[inline]
pub(crate) fn distance(choice: &Choice) -> Option<u128> {
    match choice.small() {
        Some((value, origin)) => Some(value.abs_diff(origin).into()),
        None => Some(number(choice)?.abs_diff(bounds(choice)?.origin)),
    }
}

/// The numbers that a choice of a number can be.
pub(crate) fn bounds(choice: &Choice) -> Option<IntegerRange> {
    match choice.constraint() {
        Constraint::Integer(range) => Some(range),
        Constraint::Index(count) | Constraint::Branch(count) => {
            Some(IntegerRange::new(0, i128::from(count).max(1) - 1, 0))
        }
        Constraint::Float(range) => {
            let origin = whole(range.simplest())?;
            let (least, greatest) = (range.least().ceil(), range.greatest().floor());
            let clamped = |bound: f64| bound.clamp(-WHOLE, WHOLE) as i128;
            Some(IntegerRange::new(
                clamped(least).min(origin),
                clamped(greatest).max(origin),
                origin,
            ))
        }
        _ => None,
    }
}

/// The number that was chosen, if it was a whole one.
#[inline]
pub(crate) fn number(choice: &Choice) -> Option<i128> {
    match choice.small() {
        Some((value, _)) => Some(value.into()),
        None => other_number(choice),
    }
}

#[inline(never)]
fn other_number(choice: &Choice) -> Option<i128> {
    choice.integer().or_else(|| whole(float(choice)?))
}

/// The floating-point number that was chosen.
pub(crate) fn float(choice: &Choice) -> Option<f64> {
    match choice.value() {
        Value::Float(bits) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// Up to here every whole number is a float.
pub(crate) const WHOLE: f64 = (1u64 << 53) as f64;

fn whole(float: f64) -> Option<i128> {
    (float.fract() == 0.0 && float.abs() <= WHOLE).then_some(float as i128)
}

/// The same place with another number, whether or not that is permitted: a replay repairs it.
pub(crate) fn with_number(choice: &Choice, value: i128) -> Choice {
    let mut with = choice.clone();
    set_number(&mut with, value);
    with
}

/// Makes of a choice one of another number, as [`with_number`] does.
#[inline]
pub(crate) fn set_number(choice: &mut Choice, value: i128) {
    // By far the most.
    if !choice.set_small(value) {
        set_other_number(choice, value);
    }
}

#[inline(never)]
fn set_other_number(choice: &mut Choice, value: i128) {
    choice.set(match choice.constraint() {
        Constraint::Float(_) => Value::Float((value as f64).to_bits()),
        _ => Value::Integer(value),
    });
}

/// Whether a choice says that a collection has one more element, or that it has no more.
pub(crate) fn is_more(choice: &Choice) -> bool {
    choice.toss() == Some(Toss::More)
}

/// The same place with its simplest value.
pub(crate) fn simplest(choice: &Choice) -> Choice {
    let mut simplest = choice.clone();
    simplest.simplify();
    simplest
}

/// Puts the numbers in order, the simplest first, each where another was.
pub(crate) fn order_numbers(content: &mut [Choice]) {
    let places: Vec<usize> = (0..content.len())
        .filter(|&at| distance(&content[at]).is_some())
        .collect();
    let mut numbers: Vec<Choice> = places.iter().map(|&at| content[at].clone()).collect();
    numbers.sort_by_key(distance);
    for (at, number) in places.into_iter().zip(numbers) {
        content[at].set(number.value());
    }
}
