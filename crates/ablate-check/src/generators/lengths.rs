//! How long something may be: one length, or a range of them.

use std::ops::{
    Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};

use crate::choice::Sizes;

/// The lengths that a collection or a text may have: a range, or one number.
///
/// ```
/// use ablate_check::prelude::*;
///
/// check(|tc| {
///     assert!(tc.draw(vec(any::<u8>()).len(2..5)).len() < 5);
///     assert_eq!(tc.draw(string().len(3)).chars().count(), 3);
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` says no lengths",
    label = "neither a `usize` nor a range of them",
    note = "write `len(3)`, `len(1..)` or `len(1..=10)`; a number of another type becomes one by `as usize`"
)]
pub trait Lengths {
    /// The least and the greatest length.
    ///
    /// # Panics
    /// When there is none.
    fn sizes(self) -> Sizes;
}

impl Lengths for usize {
    fn sizes(self) -> Sizes {
        Sizes::new(self, self)
    }
}

macro_rules! ranges {
    ($($range:ty),*) => {$(
        impl Lengths for $range {
            fn sizes(self) -> Sizes {
                bounds(self)
            }
        }
    )*};
}
ranges!(
    Range<usize>,
    RangeFrom<usize>,
    RangeFull,
    RangeInclusive<usize>,
    RangeTo<usize>,
    RangeToInclusive<usize>,
    (Bound<usize>, Bound<usize>)
);

/// The lengths that a range names.
fn bounds(range: impl RangeBounds<usize>) -> Sizes {
    let min = match range.start_bound() {
        Bound::Included(min) => *min,
        Bound::Excluded(below) => below + 1,
        Bound::Unbounded => 0,
    };
    let max = match range.end_bound() {
        Bound::Included(max) => *max,
        Bound::Excluded(above) => above.saturating_sub(1),
        Bound::Unbounded => usize::MAX,
    };
    Sizes::new(min, max)
}
