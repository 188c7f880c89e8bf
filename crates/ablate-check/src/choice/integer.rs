//! Bounded integers and how far each is from the value that it should be reduced towards.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The integers from `min` to `max`, to be reduced towards `origin`.
///
/// A `u128` does not fit into an `i128`; its generator shifts it down by 2¹²⁷, with its bounds and
/// its origin, which changes nothing for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntegerRange {
    /// The smallest.
    pub min: i128,
    /// The greatest.
    pub max: i128,
    /// The simplest; lies between the two.
    pub origin: i128,
}

impl IntegerRange {
    /// The integers from `min` to `max`; the simplest is the one nearest to `origin`.
    ///
    /// # Panics
    /// When there is none, that is when `min > max`.
    #[inline]
    pub fn new(min: i128, max: i128, origin: i128) -> IntegerRange {
        assert!(min <= max, "ablate-check: the range {min}..={max} is empty");
        let origin = origin.clamp(min, max);
        IntegerRange { min, max, origin }
    }

    /// Whether `value` lies in the range.
    #[inline]
    pub fn contains(&self, value: i128) -> bool {
        self.min <= value && value <= self.max
    }

    /// How many integers there are, less one.
    pub fn width(&self) -> u128 {
        self.min.abs_diff(self.max)
    }

    /// The place of `value` in the order of simplicity: 0 for the origin, then zigzag around it
    /// (one above, one below, two above, …), one-sided from where a bound is reached.
    pub fn index(&self, value: i128) -> u128 {
        let value = value.clamp(self.min, self.max);
        let distance = value.abs_diff(self.origin);
        let narrow = self.narrow();
        if distance > narrow {
            distance + narrow
        } else if value > self.origin {
            2 * distance - 1
        } else {
            2 * distance
        }
    }

    /// The value at a place in the order of simplicity; the inverse of [`IntegerRange::index`].
    /// `None` beyond the last.
    pub fn at_index(&self, index: u128) -> Option<i128> {
        if index > self.width() {
            return None;
        }
        let narrow = self.narrow();
        let is_zigzag = index <= narrow.saturating_mul(2);
        let (distance, is_above) = if is_zigzag {
            (index / 2 + index % 2, index % 2 == 1)
        } else {
            (index - narrow, self.max.abs_diff(self.origin) > narrow)
        };
        Some(if is_above {
            self.origin.wrapping_add_unsigned(distance)
        } else {
            self.origin.wrapping_sub_unsigned(distance)
        })
    }

    /// Whether there are numbers on both sides of the origin.
    pub(crate) fn has_both_sides(&self) -> bool {
        self.narrow() > 0
    }

    /// How far the nearer bound is from the origin.
    fn narrow(&self) -> u128 {
        let below = self.min.abs_diff(self.origin);
        below.min(self.max.abs_diff(self.origin))
    }
}

/// An [`IntegerRange`] in the room that most need: there is one in each choice of a number, and to
/// write to memory, and to read it, takes longer than to put it together.
#[derive(PartialEq, Eq, Hash)]
pub struct Interval(Room);

#[derive(PartialEq, Eq, Hash)]
enum Room {
    Narrow(Words),
    /// Only where that is not enough.
    Wide(Arc<IntegerRange>),
}

/// The least number of a range, how many lie above it, and how many between it and the origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Words {
    min: i64,
    width: u64,
    origin: u64,
}

impl Words {
    /// Those of `range`, where each has room.
    #[inline]
    pub fn of(range: IntegerRange) -> Option<Words> {
        let distance = |to: i128| u64::try_from(to.wrapping_sub(range.min)).ok();
        Some(Words {
            min: i64::try_from(range.min).ok()?,
            width: distance(range.max)?,
            origin: distance(range.origin)?,
        })
    }
}

impl From<Words> for Interval {
    #[inline]
    fn from(words: Words) -> Interval {
        Interval(Room::Narrow(words))
    }
}

// Whole sequences are cloned: with the wide ones out of the way that takes half the time.
impl Clone for Interval {
    #[inline]
    fn clone(&self) -> Interval {
        match self.0 {
            Room::Narrow(words) => words.into(),
            Room::Wide(ref range) => Interval(Room::shared(range)),
        }
    }
}

impl Room {
    #[inline(never)]
    #[cold]
    fn new(range: IntegerRange) -> Room {
        Room::Wide(Arc::new(range))
    }

    #[inline(never)]
    #[cold]
    fn shared(range: &Arc<IntegerRange>) -> Room {
        Room::Wide(Arc::clone(range))
    }
}

impl From<IntegerRange> for Interval {
    #[inline]
    fn from(range: IntegerRange) -> Interval {
        Words::of(range).map_or_else(|| Interval(Room::new(range)), Interval::from)
    }
}

impl Interval {
    /// Whether all of it is in here.
    #[inline]
    pub(super) fn is_narrow(&self) -> bool {
        matches!(self.0, Room::Narrow(_))
    }

    /// Whether `value` lies in it.
    #[inline]
    pub fn contains(&self, value: i128) -> bool {
        match &self.0 {
            Room::Narrow(words) => {
                let above = value.wrapping_sub(i128::from(words.min)) as u128;
                above <= u128::from(words.width)
            }
            Room::Wide(range) => range.contains(value),
        }
    }

    /// Whether nothing in it is simpler than `value`.
    #[inline]
    pub(super) fn is_simplest(&self, value: i128) -> bool {
        value == self.origin() || self.range().width() == 0
    }

    /// Which of two numbers in it is the simpler one: that which is nearer to the origin, of two that
    /// are equally near the greater. `None` when they are not in it.
    #[inline]
    pub(super) fn compare(&self, a: i128, b: i128) -> Option<Ordering> {
        let origin = self.origin();
        let by_distance = || a.abs_diff(origin).cmp(&b.abs_diff(origin));
        (self.contains(a) && self.contains(b)).then(|| by_distance().then_with(|| b.cmp(&a)))
    }

    /// The simplest number in it.
    #[inline]
    pub fn origin(&self) -> i128 {
        match &self.0 {
            Room::Narrow(words) => i128::from(words.min) + i128::from(words.origin),
            Room::Wide(range) => range.origin,
        }
    }

    /// What it stands for.
    #[inline]
    pub fn range(&self) -> IntegerRange {
        match &self.0 {
            Room::Narrow(words) => IntegerRange {
                min: i128::from(words.min),
                max: i128::from(words.min) + i128::from(words.width),
                origin: i128::from(words.min) + i128::from(words.origin),
            },
            Room::Wide(range) => **range,
        }
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Interval) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Interval) -> Ordering {
        self.range().cmp(&other.range())
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.range().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_order(range: IntegerRange, expected: &[i128]) {
        let values: Vec<i128> = (0..expected.len() as u128)
            .map_while(|index| range.at_index(index))
            .collect();
        assert_eq!(values, expected);
        for (index, &value) in expected.iter().enumerate() {
            assert_eq!(range.index(value), index as u128);
        }
    }

    #[test]
    fn integers_zigzag_around_their_origin() {
        check_order(IntegerRange::new(-100, 100, 0), &[0, 1, -1, 2, -2, 3]);
        check_order(IntegerRange::new(-1, 100, 0), &[0, 1, -1, 2, 3, 4]);
        check_order(IntegerRange::new(-100, 1, 0), &[0, 1, -1, -2, -3]);
        check_order(IntegerRange::new(5, 9, 0), &[5, 6, 7, 8, 9]);
        check_order(IntegerRange::new(-9, -5, 0), &[-5, -6, -7, -8, -9]);
        check_order(IntegerRange::new(0, 4, 3), &[3, 4, 2, 1, 0]);
    }

    #[test]
    fn an_interval_is_its_range() {
        let bounds = [
            i128::MIN,
            i64::MIN.into(),
            -1,
            0,
            7,
            u64::MAX.into(),
            i128::MAX,
        ];
        for min in bounds {
            for max in bounds.into_iter().filter(|max| min <= *max) {
                for origin in bounds {
                    let range = IntegerRange::new(min, max, origin);
                    let interval = Interval::from(range);
                    assert_eq!(interval.range(), range);
                    assert_eq!(interval.origin(), range.origin);
                    for value in bounds {
                        assert_eq!(interval.contains(value), range.contains(value));
                        for other in bounds {
                            let are_in = range.contains(value) && range.contains(other);
                            let order = range.index(value).cmp(&range.index(other));
                            let expected = are_in.then_some(order);
                            assert_eq!(interval.compare(value, other), expected);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_widest_range_has_an_index_for_each_value() {
        let range = IntegerRange::new(i128::MIN, i128::MAX, 0);
        for value in [i128::MIN, i128::MIN + 1, -1, 0, 1, i128::MAX] {
            assert_eq!(range.at_index(range.index(value)), Some(value));
        }
        let range = IntegerRange::new(i128::MIN, i128::MAX, i128::MIN);
        for value in [i128::MIN, -1, 0, 1, i128::MAX] {
            assert_eq!(range.at_index(range.index(value)), Some(value));
        }
        assert_eq!(range.index(i128::MAX), u128::MAX);
    }
}
