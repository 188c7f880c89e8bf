//! One member of a choice sequence, in little room: whole sequences of them are copied and gone
//! through, thousands of times.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use ablate_engine::identity::Element;

use super::constraint::{digest_boolean, digest_integer};
use super::float::Halves;
use super::{Constraint, FloatRange, IntegerRange, Toss, Value};

/// One member of a choice sequence: what was chosen, and what it might have been.
///
/// Equal are those with equal value *and* constraint; the digest is that of the value alone, since
/// nothing but the values decides what a replay does.
#[derive(Clone, Eq)]
pub struct Choice {
    /// What was chosen, as far as it is not held.
    word: u64,
    bounds: Bounds,
    /// Whatever has no room here.
    held: Option<Arc<Held>>,
}

/// What a choice might have been, as far as that is not held: its [`Kind`] and three numbers of 32 bits,
/// in two of 64, which are sooner copied and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The first number, and the second in the upper half.
    front: u64,
    /// The third number, and the kind in the upper half.
    back: u64,
}

/// How a word is to be read, and the numbers of its bounds. What is a number comes first, in an order
/// that is made use of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
struct Kind(u32);

impl Kind {
    /// A number, which is the word as an `i64`: the least that there can be, as an `i32`, how many lie
    /// above it, and how many between it and the origin.
    const SHORT: Kind = Kind(0);
    /// The same of all that an `i64` can be, towards 0: the numbers are 0.
    const SIGNED: Kind = Kind(1);
    /// One of so many alternatives, by its place as an `i64`: the second number is that of all.
    const INDEX: Kind = Kind(2);
    /// The same, where an earlier one may be able to make what a later one does.
    const BRANCH: Kind = Kind(3);
    /// A number from 0 to a `u64`, towards 0; the word is that, the first two numbers are the greatest.
    const UNSIGNED: Kind = Kind(4);
    /// A boolean: the word is 0 or 1. The first number is which answers it can have.
    const BOOLEAN: Kind = Kind(5);
    /// A floating-point number, by its bits; of a range, by its halves.
    const FLOAT: Kind = Kind(6);
    /// Anything; the numbers are 0.
    const HELD: Kind = Kind(7);
}

/// A choice as it is made.
#[derive(PartialEq, Eq)]
struct Held {
    value: Value,
    constraint: Constraint,
}

const ALL_SIGNED: IntegerRange = IntegerRange {
    min: i64::MIN as i128,
    max: i64::MAX as i128,
    origin: 0,
};

impl Bounds {
    /// Of what has no room in them.
    pub const HELD: Bounds = Bounds::new(Kind::HELD, [0; 3]);

    #[inline]
    const fn new(Kind(kind): Kind, [first, second, third]: [u32; 3]) -> Bounds {
        Bounds {
            front: first as u64 | (second as u64) << 32,
            back: third as u64 | (kind as u64) << 32,
        }
    }

    #[inline]
    fn kind(self) -> Kind {
        Kind((self.back >> 32) as u32)
    }

    #[inline]
    fn numbers(self) -> [u32; 3] {
        [
            self.front as u32,
            (self.front >> 32) as u32,
            self.back as u32,
        ]
    }

    /// Those of a range of integers; [`Bounds::HELD`] where it has no room.
    #[inline]
    pub fn of(range: &IntegerRange) -> Bounds {
        let distance = |to: i128| u32::try_from(to.wrapping_sub(range.min)).ok();
        let short = || {
            let min = i32::try_from(range.min).ok()?;
            let words = [min as u32, distance(range.max)?, distance(range.origin)?];
            Some(Bounds::new(Kind::SHORT, words))
        };
        let all = || match range {
            range if *range == ALL_SIGNED => Some(Bounds::new(Kind::SIGNED, [0; 3])),
            IntegerRange {
                min: 0,
                max,
                origin: 0,
            } => Some(Bounds {
                front: u64::try_from(*max).ok()?,
                ..Bounds::new(Kind::UNSIGNED, [0; 3])
            }),
            _ => None,
        };
        short().or_else(all).unwrap_or(Bounds::HELD)
    }

    #[inline]
    fn of_any(constraint: &Constraint) -> Bounds {
        match constraint {
            Constraint::Boolean(toss) => {
                let toss = match toss {
                    Toss::Free => 0,
                    Toss::More => 1,
                    Toss::Forced(false) => 2,
                    Toss::Forced(true) => 3,
                };
                Bounds::new(Kind::BOOLEAN, [toss, 0, 0])
            }
            Constraint::Integer(range) => Bounds::of(range),
            Constraint::Index(count) => Bounds::new(Kind::INDEX, [0, *count, 0]),
            Constraint::Branch(count) => Bounds::new(Kind::BRANCH, [0, *count, 0]),
            Constraint::Float(range) => {
                Halves::of(*range).map_or(Bounds::HELD, |halves| Bounds::new(Kind::FLOAT, halves.0))
            }
            Constraint::Bytes(_) | Constraint::Text(..) => Bounds::HELD,
        }
    }

    /// The number that a word stands for, of any kind of numbers.
    #[inline]
    pub fn number(self, word: u64) -> i128 {
        match self.kind() {
            Kind::UNSIGNED => i128::from(word),
            _ => i128::from(word as i64),
        }
    }

    /// Whether a word stands for one of the numbers of a range.
    #[inline]
    fn permits(self, word: u64) -> bool {
        let [min, width, _] = self.numbers();
        match self.kind() {
            Kind::SHORT => word.wrapping_sub(min as i32 as u64) <= u64::from(width),
            Kind::UNSIGNED => word <= self.front,
            kind => kind == Kind::SIGNED,
        }
    }

    /// The word that stands for a value beside these bounds, if there is one.
    #[inline]
    fn word(self, value: &Value) -> Option<u64> {
        match (self.kind(), value) {
            (Kind::BOOLEAN, Value::Boolean(value)) => Some(u64::from(*value)),
            (Kind::FLOAT, Value::Float(bits)) => Some(*bits),
            (kind, Value::Integer(value)) => kind.word(*value),
            _ => None,
        }
    }

    /// The simplest number, of any kind of numbers.
    #[inline]
    fn origin(self) -> i64 {
        let [min, _, origin] = self.numbers();
        match self.kind() {
            Kind::UNSIGNED => 0,
            _ => i64::from(min as i32) + i64::from(origin),
        }
    }

    /// Which answers there are, of a [`Kind::BOOLEAN`].
    #[inline]
    fn toss(self) -> Toss {
        match self.numbers()[0] {
            0 => Toss::Free,
            1 => Toss::More,
            forced => Toss::Forced(forced == 3),
        }
    }
}

impl Kind {
    /// The word that stands for a number, if there is one.
    #[inline]
    fn word(self, value: i128) -> Option<u64> {
        match self {
            Kind::SHORT | Kind::SIGNED | Kind::INDEX | Kind::BRANCH => {
                i64::try_from(value).ok().map(|value| value as u64)
            }
            Kind::UNSIGNED => u64::try_from(value).ok(),
            _ => None,
        }
    }
}

impl Choice {
    /// A choice of `value` where `constraint` holds.
    #[inline]
    pub fn new(value: Value, constraint: Constraint) -> Choice {
        let bounds = Bounds::of_any(&constraint);
        match bounds.word(&value) {
            Some(word) => Choice {
                word,
                bounds,
                held: None,
            },
            None => Choice::held(value, constraint),
        }
    }

    #[inline(never)]
    fn held(value: Value, constraint: Constraint) -> Choice {
        Choice {
            word: 0,
            bounds: Bounds::HELD,
            held: Some(Arc::new(Held { value, constraint })),
        }
    }

    /// A choice of the number that a word stands for.
    #[inline]
    pub(crate) fn of_word(word: u64, bounds: Bounds) -> Choice {
        Choice {
            word,
            bounds,
            held: None,
        }
    }

    /// The word that stands for the same number in other bounds, if that is permitted there and needs
    /// little room.
    #[inline]
    pub(crate) fn word_in(&self, bounds: Bounds) -> Option<u64> {
        let word = match self.bounds.kind() == bounds.kind() {
            true => self.word,
            false => bounds.kind().word(self.small()?.0.into())?,
        };
        bounds.permits(word).then_some(word)
    }

    /// A choice of a boolean.
    #[inline]
    pub(crate) fn boolean(value: bool, toss: Toss) -> Choice {
        Choice {
            word: u64::from(value),
            bounds: Bounds::of_any(&Constraint::Boolean(toss)),
            held: None,
        }
    }

    /// A choice of `value` wherever that may be chosen.
    pub(crate) fn of_value(value: Value) -> Choice {
        let constraint = match &value {
            Value::Integer(_) => Constraint::Integer(ALL_SIGNED),
            Value::Float(_) => Constraint::Float(FloatRange::ALL),
            _ => Constraint::Boolean(Toss::Free),
        };
        Choice::new(value, constraint)
    }

    /// A mark in a candidate: [`Value::Open`] or [`Value::Close`].
    pub(crate) fn mark(value: Value) -> Choice {
        Choice::new(value, Constraint::Boolean(Toss::Forced(false)))
    }

    /// What was chosen.
    #[inline]
    pub fn value(&self) -> Value {
        match self.bounds.kind() {
            Kind::BOOLEAN => Value::Boolean(self.word != 0),
            Kind::SHORT | Kind::SIGNED | Kind::INDEX | Kind::BRANCH | Kind::UNSIGNED => {
                Value::Integer(self.bounds.number(self.word))
            }
            Kind::FLOAT => Value::Float(self.word),
            _ => self.held_value(),
        }
    }

    #[inline(never)]
    fn held_value(&self) -> Value {
        match &self.held {
            Some(held) => held.value.clone(),
            None => Value::Close,
        }
    }

    /// What it might have been.
    #[inline]
    pub fn constraint(&self) -> Constraint {
        let numbers = self.bounds.numbers();
        match self.bounds.kind() {
            Kind::BOOLEAN => Constraint::Boolean(self.bounds.toss()),
            Kind::SHORT => {
                let min = i128::from(numbers[0] as i32);
                Constraint::Integer(IntegerRange {
                    min,
                    max: min + i128::from(numbers[1]),
                    origin: min + i128::from(numbers[2]),
                })
            }
            Kind::SIGNED => Constraint::Integer(ALL_SIGNED),
            Kind::UNSIGNED => Constraint::Integer(IntegerRange {
                min: 0,
                max: i128::from(self.bounds.front),
                origin: 0,
            }),
            Kind::INDEX => Constraint::Index(numbers[1]),
            Kind::BRANCH => Constraint::Branch(numbers[1]),
            Kind::FLOAT => Constraint::Float(Halves(numbers).range()),
            _ => self.held_constraint(),
        }
    }

    #[inline(never)]
    fn held_constraint(&self) -> Constraint {
        match &self.held {
            Some(held) => held.constraint.clone(),
            None => Constraint::Index(0),
        }
    }

    /// Chooses something else, whether or not that is permitted.
    pub fn set(&mut self, value: Value) {
        match self.bounds.word(&value) {
            Some(word) => self.word = word,
            None => *self = Choice::new(value, self.constraint()),
        }
    }

    /// Chooses another number, where there is room for it and one was chosen.
    #[inline]
    pub(crate) fn set_small(&mut self, value: i128) -> bool {
        let word = self.bounds.kind().word(value);
        word.map(|word| self.word = word).is_some()
    }

    /// Whether there is nothing to be freed.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.held.is_none()
    }

    /// What was chosen, and the simplest that could have been, where both are numbers that need
    /// little room, as most are.
    #[inline]
    pub(crate) fn small(&self) -> Option<(i64, i64)> {
        let value = self.word as i64;
        let kind = self.bounds.kind();
        let is_small = kind <= Kind::BRANCH || (kind == Kind::UNSIGNED && value >= 0);
        is_small.then(|| (value, self.bounds.origin()))
    }

    /// The word of the simplest number, where all of these are numbers of one range that need little room.
    pub(crate) fn simplest_of_all(choices: &[Choice]) -> Option<u64> {
        let bounds = choices.first()?.bounds;
        let is_one_range =
            bounds.kind() <= Kind::UNSIGNED && choices.iter().all(|choice| choice.bounds == bounds);
        is_one_range.then(|| bounds.origin() as u64)
    }

    /// Whether a number is the one with this word, of its range.
    #[inline]
    pub(crate) fn is_word(&self, word: u64) -> bool {
        self.word == word
    }

    /// The same where that number of a range is permitted.
    #[inline]
    pub(crate) fn small_permitted(&self) -> Option<(i64, i64)> {
        self.small().filter(|_| self.bounds.permits(self.word))
    }

    /// Whether it is a choice of an integer of a range.
    #[inline]
    pub(crate) fn is_integer(&self) -> bool {
        match self.bounds.kind() {
            Kind::SHORT | Kind::SIGNED | Kind::UNSIGNED => true,
            Kind::HELD => {
                let held = self.held.as_deref();
                held.is_some_and(|held| matches!(held.constraint, Constraint::Integer(_)))
            }
            _ => false,
        }
    }

    /// The integer that was chosen.
    #[inline]
    pub(crate) fn integer(&self) -> Option<i128> {
        match self.bounds.kind() {
            kind if kind <= Kind::UNSIGNED => Some(self.bounds.number(self.word)),
            _ => self.held_integer(),
        }
    }

    #[inline(never)]
    fn held_integer(&self) -> Option<i128> {
        match self.held.as_deref()?.value {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// The boolean that was chosen.
    #[inline]
    pub(crate) fn truth(&self) -> Option<bool> {
        match self.bounds.kind() {
            Kind::BOOLEAN => Some(self.word != 0),
            Kind::HELD => match self.held.as_deref()?.value {
                Value::Boolean(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Which answers there were, where it is a choice of a boolean.
    #[inline]
    pub(crate) fn toss(&self) -> Option<Toss> {
        match self.bounds.kind() {
            Kind::BOOLEAN => Some(self.bounds.toss()),
            Kind::HELD => match self.held.as_deref()?.constraint {
                Constraint::Boolean(toss) => Some(toss),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether no value was chosen: it is a mark in a candidate.
    #[inline]
    pub(crate) fn is_mark(&self) -> bool {
        let held = self.held.as_deref();
        held.is_some_and(|held| held.value.is_mark())
    }

    /// Whether the same was chosen.
    #[inline]
    pub(crate) fn has_value_of(&self, other: &Choice) -> bool {
        if self.is_plain() && self.bounds.kind() == other.bounds.kind() {
            return self.word == other.word;
        }
        self.value() == other.value()
    }

    /// Whether the same could have been chosen.
    #[inline]
    pub(crate) fn has_constraint_of(&self, other: &Choice) -> bool {
        if self.is_plain() && other.is_plain() {
            return self.bounds == other.bounds;
        }
        self.constraint() == other.constraint()
    }

    /// The place in the order of simplicity, 0 being the simplest.
    pub fn index(&self) -> u128 {
        self.constraint().index(&self.value())
    }

    /// Which is the simpler one of two numbers of the same range: that which is nearer to the origin,
    /// of two that are equally near the greater. `None` where that takes longer to find out.
    #[inline]
    pub(super) fn compare_small(&self, other: &Choice) -> Option<Ordering> {
        if self.bounds != other.bounds {
            return None;
        }
        let (a, b) = (self.word as i64, other.word as i64);
        let origin = match self.bounds.kind() {
            _ if !self.bounds.permits(self.word) || !self.bounds.permits(other.word) => {
                return None;
            }
            Kind::UNSIGNED => return Some(self.word.cmp(&other.word)),
            _ => self.bounds.origin(),
        };
        let by_distance = a.abs_diff(origin).cmp(&b.abs_diff(origin));
        Some(by_distance.then_with(|| b.cmp(&a)))
    }

    /// Whether no simpler value is permitted.
    #[inline]
    pub fn is_simplest(&self) -> bool {
        let above = self.bounds.numbers()[1];
        match self.bounds.kind() {
            Kind::SHORT => self.word as i64 == self.bounds.origin() || above == 0,
            Kind::SIGNED | Kind::UNSIGNED => self.word == 0,
            Kind::INDEX | Kind::BRANCH => self.word == 0 || above <= 1,
            Kind::BOOLEAN => self.word == 0 || matches!(self.bounds.toss(), Toss::Forced(_)),
            _ => self.constraint().has_simplest(&self.value()),
        }
    }

    /// Gives the choice its simplest value.
    #[inline]
    pub(crate) fn simplify(&mut self) {
        if self.bounds.kind() <= Kind::UNSIGNED {
            self.word = self.bounds.origin() as u64;
        } else {
            self.set(self.constraint().simplest());
        }
    }

    /// The same place with another value, where that is permitted.
    pub fn with(&self, value: Value) -> Option<Choice> {
        let constraint = self.constraint();
        constraint
            .permits(&value)
            .then(|| Choice::new(value, constraint))
    }
}

/// Drops all choices. Where it is known that they are plain there is no need to look at them.
pub(crate) fn drop_all(choices: &mut Vec<Choice>, are_plain: bool) {
    if are_plain {
        std::mem::forget(choices.drain(..));
    }
    choices.clear();
}

impl PartialEq for Choice {
    #[inline]
    fn eq(&self, other: &Choice) -> bool {
        self.word == other.word
            && self.bounds == other.bounds
            && match (&self.held, &other.held) {
                (None, None) => true,
                (one, other) => one == other,
            }
    }
}

impl Element for Choice {
    #[inline]
    fn digest(&self) -> u64 {
        match self.small() {
            Some((value, _)) => digest_integer(value.into()),
            None if self.bounds.kind() == Kind::BOOLEAN => digest_boolean(self.word != 0),
            None => self.value().digest(),
        }
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice")
            .field("value", &self.value())
            .field("constraint", &self.constraint())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Alphabet, Sizes};
    use super::*;

    #[test]
    fn two_choices_take_one_line_of_a_cache() {
        assert_eq!(size_of::<Choice>(), 32);
    }

    /// Values and constraints of all kinds, that go together and that don't.
    fn parts() -> (Vec<Value>, Vec<Constraint>) {
        let bounds = [
            i128::MIN,
            i64::MIN.into(),
            i32::MIN.into(),
            -1,
            0,
            7,
            u32::MAX.into(),
            1 << 40,
            u64::MAX.into(),
            i128::MAX,
        ];
        let mut values: Vec<Value> = bounds.map(Value::Integer).into();
        values.extend([
            Value::Boolean(false),
            Value::Boolean(true),
            Value::Float(0),
            Value::Float(1.5f64.to_bits()),
            Value::Bytes([0].into()),
            Value::Text("a".into()),
            Value::Open(0),
            Value::Close,
            Value::Recode,
        ]);
        let mut constraints = vec![
            Constraint::Index(0),
            Constraint::Index(9),
            Constraint::Branch(9),
            Constraint::Float(FloatRange::ALL),
            Constraint::Float(FloatRange::between(0.0, 0.1)),
            Constraint::Bytes(Sizes { min: 0, max: 9 }),
            Constraint::Text(Arc::new(Alphabet::of("ab")), Sizes { min: 0, max: 9 }),
        ];
        let tosses = [
            Toss::Free,
            Toss::More,
            Toss::Forced(false),
            Toss::Forced(true),
        ];
        constraints.extend(tosses.map(Constraint::Boolean));
        for min in bounds {
            for max in bounds.into_iter().filter(|max| min <= *max) {
                let origins = bounds.into_iter().filter(|o| min <= *o && *o <= max);
                let range = |origin| IntegerRange::new(min, max, origin);
                constraints.extend(origins.map(|origin| Constraint::Integer(range(origin))));
            }
        }
        (values, constraints)
    }

    #[test]
    fn a_choice_is_its_value_and_its_constraint() {
        let (values, constraints) = parts();
        for constraint in &constraints {
            for value in &values {
                let choice = Choice::new(value.clone(), constraint.clone());
                assert_eq!(choice.value(), *value, "{choice:?}");
                assert_eq!(choice.constraint(), *constraint, "{choice:?}");
                assert_eq!(choice.digest(), value.digest(), "{choice:?}");
                let is_simplest = constraint.has_simplest(value);
                assert_eq!(choice.is_simplest(), is_simplest, "{choice:?}");
                let is_integer = matches!(constraint, Constraint::Integer(_));
                assert_eq!(choice.is_integer(), is_integer, "{choice:?}");
                let mut simple = choice.clone();
                simple.simplify();
                assert_eq!(simple.value(), constraint.simplest(), "{choice:?}");
                for other in &values {
                    let mut set = choice.clone();
                    set.set(other.clone());
                    assert_eq!(set, Choice::new(other.clone(), constraint.clone()));
                    assert_eq!(set == choice, value == other);
                    assert_eq!(choice.has_value_of(&set), value == other);
                    assert!(choice.has_constraint_of(&set));
                    let is_ordered = constraint.permits(value) && constraint.permits(other);
                    if let Some(order) = choice.compare_small(&set).filter(|_| is_ordered) {
                        assert_eq!(
                            order,
                            choice.index().cmp(&set.index()),
                            "{choice:?} {set:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn choices_of_different_constraints_are_told_apart() {
        let (values, constraints) = parts();
        for value in &values {
            for one in &constraints {
                for other in &constraints {
                    let choice = Choice::new(value.clone(), one.clone());
                    let another = Choice::new(value.clone(), other.clone());
                    assert_eq!(choice.has_constraint_of(&another), one == other);
                    assert_eq!(choice == another, one == other);
                    assert!(choice.has_value_of(&another));
                }
            }
        }
    }

    #[test]
    fn different_values_have_different_digests() {
        let choice = |value| Choice::new(value, Constraint::Index(1)).digest();
        let mut digests = vec![
            choice(Value::Boolean(false)),
            choice(Value::Boolean(true)),
            choice(Value::Integer(0)),
            choice(Value::Integer(1)),
            choice(Value::Integer(-1)),
            choice(Value::Integer(i64::MIN.into())),
            choice(Value::Integer(1 << 63)),
            choice(Value::Integer(1 << 64)),
            choice(Value::Float(0)),
            choice(Value::Bytes([0].into())),
            choice(Value::Bytes([0, 0].into())),
            choice(Value::Text("".into())),
        ];
        let count = digests.len();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), count);
    }
}
