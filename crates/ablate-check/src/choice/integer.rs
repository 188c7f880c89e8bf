//! Bounded integers and how far each is from the value that it should be reduced towards.

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
