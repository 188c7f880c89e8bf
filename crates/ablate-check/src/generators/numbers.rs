//! Integers, floating-point numbers, booleans; ranges are generators themselves.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use crate::choice::{Bounds, Constraint, FloatRange, IntegerRange, Value, permitted};
use crate::generator::Generator;
use crate::test_case::TestCase;

/// The integer types of the language.
pub trait Integer: Copy + PartialOrd + Display {
    /// The smallest value.
    const LEAST: Self;
    /// The greatest value.
    const GREATEST: Self;
    /// Zero.
    const ZERO: Self;

    /// As the number that is chosen; keeps the order.
    fn widened(self) -> i128;

    /// The inverse of [`Integer::widened`].
    fn narrowed(value: i128) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Integer for $type {
            const LEAST: Self = <$type>::MIN;
            const GREATEST: Self = <$type>::MAX;
            const ZERO: Self = 0;

            fn widened(self) -> i128 {
                self as i128
            }

            fn narrowed(value: i128) -> Self {
                value as $type
            }
        }

        ranges!($type);
    )*};
}

/// Makes ranges of a type generators.
macro_rules! ranges {
    ($type:ty) => {
        ranges!($type: Range, RangeInclusive, RangeFrom, RangeTo, RangeToInclusive);
    };
    ($type:ty: $($range:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Generator for $range<$type> {
            type Value = $type;

            #[track_caller]
            fn draw(&self, tc: &mut TestCase) -> $type {
                integers(self.clone()).draw(tc)
            }

            fn invert(&self, value: &$type) -> Option<Vec<Value>> {
                integers(self.clone()).invert(value)
            }
        }
    )*};
}
integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize i128);
ranges!(u128);

impl Integer for u128 {
    const LEAST: Self = u128::MIN;
    const GREATEST: Self = u128::MAX;
    const ZERO: Self = 0;

    fn widened(self) -> i128 {
        (self ^ (1 << 127)) as i128
    }

    fn narrowed(value: i128) -> Self {
        value as u128 ^ (1 << 127)
    }
}

/// See [`integers`].
#[derive(Clone, Copy, Debug)]
pub struct Integers<T> {
    range: IntegerRange,
    bounds: Bounds,
    types: PhantomData<fn() -> T>,
}

/// The integers of a range; nearer to zero is simpler, unless [`Integers::origin`] says otherwise.
///
/// # Panics
/// When the range is empty.
#[track_caller]
pub fn integers<T: Integer>(range: impl RangeBounds<T>) -> Integers<T> {
    let min = match range.start_bound() {
        Bound::Included(min) => min.widened(),
        Bound::Excluded(below) => match below.widened().checked_add(1) {
            Some(min) => min,
            None => empty(&range, T::to_string),
        },
        Bound::Unbounded => T::LEAST.widened(),
    };
    let max = match range.end_bound() {
        Bound::Included(max) => max.widened(),
        Bound::Excluded(above) => match above.widened().checked_sub(1) {
            Some(max) => max,
            None => empty(&range, T::to_string),
        },
        Bound::Unbounded => T::GREATEST.widened(),
    };
    if min > max {
        empty(&range, T::to_string);
    }
    let range = IntegerRange::new(min, max, T::ZERO.widened());
    Integers {
        range,
        bounds: Bounds::of(&range),
        types: PhantomData,
    }
}

/// Complains of a range, as it was written.
#[track_caller]
pub(super) fn empty<T>(range: &impl RangeBounds<T>, shown: impl Fn(&T) -> String) -> ! {
    let start = match range.start_bound() {
        Bound::Included(min) => shown(min),
        Bound::Excluded(below) => format!("above {}, ", shown(below)),
        Bound::Unbounded => String::new(),
    };
    let end = match range.end_bound() {
        Bound::Included(max) => format!("={}", shown(max)),
        Bound::Excluded(above) => shown(above),
        Bound::Unbounded => String::new(),
    };
    panic!("ablate-check: the range {start}..{end} is empty")
}

impl<T: Integer> Integers<T> {
    /// The simplest value is the one nearest to `origin`.
    pub fn origin(mut self, origin: T) -> Integers<T> {
        let IntegerRange { min, max, .. } = self.range;
        self.range = IntegerRange::new(min, max, origin.widened());
        self.bounds = Bounds::of(&self.range);
        self
    }
}

impl<T: Integer> Generator for Integers<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        T::narrowed(tc.integer_in(&self.range, self.bounds))
    }

    fn invert(&self, value: &T) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Integer(self.range),
            Value::Integer(value.widened()),
        )
    }
}

/// See [`bools`].
#[derive(Clone, Copy, Debug)]
pub struct Bools {
    probability: f64,
}

/// Booleans; `false` is simpler.
pub fn bools() -> Bools {
    Bools { probability: 0.5 }
}

impl Bools {
    /// How likely `true` is, from 0 to 1.
    pub fn probability(self, probability: f64) -> Bools {
        Bools { probability }
    }
}

impl Generator for Bools {
    type Value = bool;

    fn draw(&self, tc: &mut TestCase) -> bool {
        tc.toss(self.probability)
    }

    fn invert(&self, value: &bool) -> Option<Vec<Value>> {
        Some(vec![Value::Boolean(*value)])
    }
}

/// See [`f64s`] and [`f32s`].
#[derive(Clone, Copy, Debug)]
pub struct Floats<T> {
    range: FloatRange,
    types: PhantomData<fn() -> T>,
}

/// All `f64`s, NaN and infinities too.
pub fn f64s() -> Floats<f64> {
    Floats {
        range: FloatRange::ALL,
        types: PhantomData,
    }
}

/// All `f32`s, NaN and infinities too.
pub fn f32s() -> Floats<f32> {
    let mut range = FloatRange::ALL;
    range.is_single = true;
    Floats {
        range,
        types: PhantomData,
    }
}

impl<T> Floats<T> {
    /// Whether NaN may come.
    pub fn nan(mut self, nan: bool) -> Self {
        self.range.nan = nan;
        self
    }

    /// Whether infinities may come.
    pub fn infinite(mut self, infinite: bool) -> Self {
        self.range.infinite = infinite;
        self
    }

    /// Whether numbers too small for full precision may come.
    pub fn subnormal(mut self, subnormal: bool) -> Self {
        self.range.subnormal = subnormal;
        self
    }

    /// Neither NaN nor infinities.
    pub fn finite(self) -> Self {
        self.nan(false).infinite(false)
    }

    /// Only from `min` to `max`, both included, and not NaN.
    ///
    /// # Panics
    /// When there is no such number.
    #[track_caller]
    pub fn between(mut self, min: T, max: T) -> Self
    where
        f64: From<T>,
    {
        let mut range = FloatRange::between(f64::from(min), f64::from(max));
        range.subnormal = self.range.subnormal;
        range.is_single = self.range.is_single;
        self.range = range;
        self
    }
}

impl Generator for Floats<f64> {
    type Value = f64;

    fn draw(&self, tc: &mut TestCase) -> f64 {
        tc.float(self.range)
    }

    fn invert(&self, value: &f64) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Float(self.range),
            Value::Float(value.to_bits()),
        )
    }
}

impl Generator for Floats<f32> {
    type Value = f32;

    fn draw(&self, tc: &mut TestCase) -> f32 {
        tc.float(self.range) as f32
    }

    fn invert(&self, value: &f32) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Float(self.range),
            Value::Float(f64::from(*value).to_bits()),
        )
    }
}

macro_rules! float_ranges {
    ($($type:ty, $all:ident);*) => {$(
        impl Generator for Range<$type> {
            type Value = $type;

            #[track_caller]
            fn draw(&self, tc: &mut TestCase) -> $type {
                $all().between(self.start, self.end.next_down()).draw(tc)
            }

            fn invert(&self, value: &$type) -> Option<Vec<Value>> {
                $all().between(self.start, self.end.next_down()).invert(value)
            }
        }

        impl Generator for RangeInclusive<$type> {
            type Value = $type;

            #[track_caller]
            fn draw(&self, tc: &mut TestCase) -> $type {
                $all().between(*self.start(), *self.end()).draw(tc)
            }

            fn invert(&self, value: &$type) -> Option<Vec<Value>> {
                $all().between(*self.start(), *self.end()).invert(value)
            }
        }
    )*};
}
float_ranges!(f64, f64s; f32, f32s);
