//! Floating-point numbers: which are permitted, and which is the simpler one.
//!
//! The order is the one of Hypothesis ("Test-Case Reduction via Test-Case Generation", MacIver and
//! Donaldson, 2020): integers below 2⁵⁶ by size, then all others, with few binary digits after the
//! point first; then the negative numbers likewise. But for what is no number: any number is simpler than
//! an infinity, which is simpler than NaN.

/// Which floating-point numbers are permitted. `f32` values are kept as the `f64` they equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatRange {
    min: Ordered,
    max: Ordered,
    /// Whether NaN is permitted.
    pub nan: bool,
    /// Whether infinities are permitted (where the bounds don't exclude them).
    pub infinite: bool,
    /// Whether numbers too small for full precision are permitted.
    pub subnormal: bool,
    /// Whether only what an `f32` can hold is permitted.
    pub is_single: bool,
}

/// A number that is not NaN, as an integer with the same order (−0 before +0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ordered(i64);

impl Ordered {
    fn new(value: f64) -> Ordered {
        let bits = value.to_bits() as i64;
        Ordered(if bits < 0 { i64::MIN ^ !bits } else { bits })
    }

    fn float(self) -> f64 {
        let bits = if self.0 < 0 {
            !(self.0 ^ i64::MIN)
        } else {
            self.0
        };
        f64::from_bits(bits as u64)
    }
}

impl FloatRange {
    /// All numbers there are, NaN and infinities too.
    pub const ALL: FloatRange = FloatRange {
        min: Ordered(i64::MIN ^ !(f64::NEG_INFINITY.to_bits() as i64)),
        max: Ordered(f64::INFINITY.to_bits() as i64),
        nan: true,
        infinite: true,
        subnormal: true,
        is_single: false,
    };

    /// The finite numbers from `min` to `max`, both included.
    ///
    /// # Panics
    /// When there is none, or when a bound is NaN.
    pub fn between(min: f64, max: f64) -> FloatRange {
        // A bound of zero means both zeros.
        let min = if min == 0.0 { -0.0 } else { min };
        let max = if max == 0.0 { 0.0 } else { max };
        assert!(
            min <= max,
            "ablate-check: the range {min:?}..={max:?} is empty"
        );
        FloatRange {
            min: Ordered::new(min),
            max: Ordered::new(max),
            nan: false,
            infinite: min.is_infinite() || max.is_infinite(),
            subnormal: true,
            is_single: false,
        }
    }

    /// The smallest number, NaN aside.
    pub fn least(&self) -> f64 {
        self.min.float()
    }

    /// The greatest number, NaN aside.
    pub fn greatest(&self) -> f64 {
        self.max.float()
    }

    /// Whether `value` is permitted.
    pub fn contains(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        let place = Ordered::new(value);
        let is_subnormal = if self.is_single {
            (value as f32).is_subnormal()
        } else {
            value.is_subnormal()
        };
        self.min <= place
            && place <= self.max
            && (self.infinite || value.is_finite())
            && (self.subnormal || !is_subnormal)
            && (!self.is_single || f64::from(value as f32).to_bits() == value.to_bits())
    }

    /// The permitted number nearest to `value`, or the simplest where that says nothing.
    pub fn nearest(&self, value: f64) -> f64 {
        let value = if self.is_single && !value.is_nan() {
            f64::from(value as f32)
        } else {
            value
        };
        if self.contains(value) {
            return value;
        }
        if !value.is_nan() {
            let clamped = Ordered::new(value).clamp(self.min, self.max).float();
            if self.contains(clamped) {
                return clamped;
            }
        }
        self.simplest()
    }

    /// The simplest permitted number.
    pub fn simplest(&self) -> f64 {
        let (min, max) = (self.least(), self.greatest());
        if self.contains(0.0) {
            return 0.0;
        }
        let (low, high) = if max > 0.0 {
            (min.max(0.0), max)
        } else {
            (-max, -min)
        };
        let found = simplest_between(low, high);
        let found = if max > 0.0 { found } else { -found };
        if self.contains(found) { found } else { min }
    }

    /// The place of `value` in the order of simplicity.
    pub fn index(&self, value: f64) -> u128 {
        float_index(value)
    }
}

/// A range in three words: the upper halves of its bounds, and all else that there is to say, a bit for
/// each.
#[derive(Clone, Copy)]
pub(super) struct Halves(pub [u32; 3]);

impl Halves {
    /// Those of a range of which the lower half of each bound is all zeros or all ones, as it mostly is.
    pub fn of(range: FloatRange) -> Option<Halves> {
        let half = |bound: Ordered| match bound.0 as u32 {
            0 => Some(((bound.0 >> 32) as u32, false)),
            u32::MAX => Some(((bound.0 >> 32) as u32, true)),
            _ => None,
        };
        let ((min, min_is_ones), (max, max_is_ones)) = (half(range.min)?, half(range.max)?);
        let bits = [
            min_is_ones,
            max_is_ones,
            range.nan,
            range.infinite,
            range.subnormal,
            range.is_single,
        ];
        let rest = bits.into_iter().rev();
        let rest = rest.fold(0, |rest, bit| rest << 1 | u32::from(bit));
        Some(Halves([min, max, rest]))
    }

    /// The range.
    pub fn range(self) -> FloatRange {
        let Halves([min, max, rest]) = self;
        let bit = |at: u32| rest >> at & 1 == 1;
        let bound = |half: u32, is_ones: bool| {
            let low = if is_ones { u32::MAX } else { 0 };
            Ordered((u64::from(half) << 32 | u64::from(low)) as i64)
        };
        FloatRange {
            min: bound(min, bit(0)),
            max: bound(max, bit(1)),
            nan: bit(2),
            infinite: bit(3),
            subnormal: bit(4),
            is_single: bit(5),
        }
    }
}

/// The simplest number in `low..=high`, both positive: the smallest integer, or the number with
/// the fewest binary digits after the point (there is only one with that many).
fn simplest_between(low: f64, high: f64) -> f64 {
    let mut scale = 1.0;
    for _ in 0..1100 {
        let scaled = low * scale;
        if !scaled.is_finite() {
            break;
        }
        let found = scaled.ceil() / scale;
        if found <= high {
            return found;
        }
        scale *= 2.0;
        if f64::is_infinite(scale) {
            break;
        }
    }
    low
}

/// The place of `value` among all floating-point numbers, the simplest first.
pub fn float_index(value: f64) -> u128 {
    let class = u128::from(value.is_nan()) << 66 | u128::from(value.is_infinite()) << 65;
    let sign = u128::from(value.is_sign_negative()) << 64;
    class | sign | u128::from(lex(value.abs()))
}

fn lex(value: f64) -> u64 {
    const SIMPLE: f64 = (1u64 << 56) as f64;
    if value < SIMPLE && value.fract() == 0.0 {
        return value as u64;
    }
    let bits = value.to_bits();
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let unbiased = exponent as i64 - 1023;
    // Exponents from 0 up come first, then from −1 down.
    let rank = match unbiased {
        1024 => 2047,
        0.. => unbiased as u64,
        _ => 1023 + unbiased.unsigned_abs(),
    };
    // Reversed, digits after the point weigh the more the further behind they stand.
    let fraction_bits = (52 - unbiased).clamp(0, 52) as u32;
    let mantissa = if unbiased > 51 || fraction_bits == 0 {
        mantissa
    } else {
        let fraction = mantissa & ((1 << fraction_bits) - 1);
        (mantissa - fraction) | (fraction.reverse_bits() >> (64 - fraction_bits))
    };
    (1 << 63) | (rank << 52) | mantissa
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_integers_come_first_then_few_digits_then_negatives_then_infinities_then_nan() {
        let ordered = [
            0.0,
            1.0,
            2.0,
            1e15,
            1.5,
            1.25,
            1.75,
            2.5,
            1e300,
            0.5,
            0.75,
            0.25,
            f64::MIN_POSITIVE,
            -0.0,
            -1.0,
            f64::MIN,
            -0.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for pair in ordered.windows(2) {
            assert!(float_index(pair[0]) < float_index(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn the_simplest_of_a_range_is_its_first() {
        let check = |min, max, expected: f64| {
            let range = FloatRange::between(min, max);
            assert_eq!(
                range.simplest().to_bits(),
                expected.to_bits(),
                "{min} {max}"
            );
        };
        check(-5.0, 5.0, 0.0);
        check(1.5, 9.0, 2.0);
        check(1.3, 1.8, 1.5);
        check(0.26, 0.4, 0.375);
        check(0.1, 0.24, 0.125);
        check(-9.0, -2.5, -3.0);
        check(1e200, 1e201, 1e200);
        check(f64::from_bits(1), f64::from_bits(1), f64::from_bits(1));
    }

    #[test]
    fn the_halves_of_a_range_are_the_range() {
        let bounds = [
            (f64::NEG_INFINITY, true),
            (f64::MIN, true),
            (-0.1, false),
            (-0.0, true),
            (0.0, true),
            (f64::from_bits(1), false),
            (f64::MAX, true),
            (f64::INFINITY, true),
        ];
        for (min, min_fits) in bounds {
            for (max, max_fits) in bounds.into_iter().filter(|(max, _)| min <= *max) {
                for rest in 0..16 {
                    let range = FloatRange {
                        nan: rest & 1 == 1,
                        infinite: rest & 2 == 2,
                        subnormal: rest & 4 == 4,
                        is_single: rest & 8 == 8,
                        ..FloatRange::between(min, max)
                    };
                    let halves = Halves::of(range);
                    assert_eq!(halves.is_some(), min_fits && max_fits, "{range:?}");
                    assert!(halves.is_none_or(|halves| halves.range() == range));
                }
            }
        }
    }

    #[test]
    fn what_is_not_permitted_becomes_the_nearest() {
        let range = FloatRange::between(1.0, 2.0);
        assert_eq!(range.nearest(9.0), 2.0);
        assert_eq!(range.nearest(f64::NEG_INFINITY), 1.0);
        assert_eq!(range.nearest(f64::NAN), 1.0);
        assert_eq!(range.nearest(1.5), 1.5);
        let single = FloatRange {
            is_single: true,
            ..FloatRange::ALL
        };
        assert_eq!(single.nearest(0.1), f64::from(0.1f32));
    }

    #[test]
    fn bounds_and_order_agree() {
        for pair in [f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY].windows(2) {
            assert!(Ordered::new(pair[0]) < Ordered::new(pair[1]));
            assert_eq!(Ordered::new(pair[0]).float().to_bits(), pair[0].to_bits());
        }
        assert_eq!(FloatRange::ALL.least(), f64::NEG_INFINITY);
        assert_eq!(FloatRange::ALL.greatest(), f64::INFINITY);
    }
}
