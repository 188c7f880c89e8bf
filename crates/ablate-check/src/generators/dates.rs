//! Dates of the calendar.

use std::fmt;
use std::ops::{Bound, Range, RangeBounds, RangeInclusive};

use crate::choice::{IntegerRange, Value};
use crate::generator::{Generator, label};
use crate::sample;
use crate::test_case::TestCase;

use super::numbers::empty;

/// A day of the Gregorian calendar, shown as `2000-01-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year, −9999 to 9999.
    pub year: i32,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// From the first of March of the year 0 to the first of January 2000.
const SHIFT: i64 = 730_425;
/// The days of 400 years.
const ERA: i64 = 146_097;

impl Date {
    /// The day of this year, month and day of the month.
    ///
    /// # Panics
    /// When there is no such day, or the year has more than four digits.
    #[track_caller]
    pub fn new(year: i32, month: u8, day: u8) -> Date {
        let date = Date { year, month, day };
        assert!(date.exists(), "ablate-check: there is no {date}");
        date
    }

    fn exists(self) -> bool {
        (-9999..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && Date::from_days(self.to_days()) == self
    }

    /// The day that comes so many days after the first of January 2000.
    pub fn from_days(days: i32) -> Date {
        // H. Hinnant, "chrono-compatible low-level date algorithms", 2013: years that start in
        // March have their leap day at the end, and eras of 400 years are all alike.
        let shifted = i64::from(days) + SHIFT;
        let (era, day_of_era) = (shifted.div_euclid(ERA), shifted.rem_euclid(ERA));
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = (from_march + 2) % 12 + 1;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Date {
            year: year as i32,
            month: month as u8,
            day: day as u8,
        }
    }

    /// How many days it comes after the first of January 2000: the inverse of [`Date::from_days`].
    pub fn to_days(self) -> i32 {
        let month = i64::from(self.month);
        let year = i64::from(self.year) - i64::from(month <= 2);
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year;
        (era * ERA + day_of_era - SHIFT) as i32
    }
}

/// See [`dates`].
#[derive(Clone, Copy, Debug)]
pub struct Dates {
    first: Date,
    last: Date,
}

/// The days of the years 1 to 9999; the first of January 2000 is the simplest.
///
/// They are drawn by year, month and day: a year nearer to 2000 is simpler, then an earlier month, then an
/// earlier day. The ends of months come more often than other days, the last of February most.
///
/// Ranges of dates are generators too.
///
/// ```
/// use ablate_check::prelude::*;
///
/// check(|tc| {
///     let date = tc.draw(dates().range(Date::new(2024, 2, 28)..=Date::new(2024, 3, 1)));
///     assert_eq!(date.year, 2024);
///     assert!(date.month == 2 && date.day >= 28 || date.month == 3 && date.day == 1);
///     let date = tc.draw(Date::new(1970, 1, 1)..Date::new(2000, 1, 1));
///     assert!((1970..2000).contains(&date.year));
/// });
/// ```
pub fn dates() -> Dates {
    Dates {
        first: Date::FIRST,
        last: Date::LAST,
    }
}

impl Date {
    const FIRST: Date = Date {
        year: 1,
        month: 1,
        day: 1,
    };
    const LAST: Date = Date {
        year: 9999,
        month: 12,
        day: 31,
    };

    /// How many days a month has.
    fn days_of(year: i32, month: u8) -> u8 {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        match month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl Dates {
    /// Only those of a range. A year nearer to 2000 is simpler, then an earlier month, then an earlier day.
    ///
    /// # Panics
    /// When there is none, or when a bound is no day of the calendar.
    #[track_caller]
    pub fn range(self, range: impl RangeBounds<Date>) -> Dates {
        let bounds = [range.start_bound(), range.end_bound()];
        for bound in bounds {
            if let Bound::Included(date) | Bound::Excluded(date) = bound {
                assert!(date.exists(), "ablate-check: there is no {date}");
            }
        }
        let first = match range.start_bound() {
            Bound::Included(first) => *first,
            Bound::Excluded(before) => Date::from_days(before.to_days() + 1),
            Bound::Unbounded => Date::FIRST,
        };
        let last = match range.end_bound() {
            Bound::Included(last) => *last,
            Bound::Excluded(after) => Date::from_days(after.to_days() - 1),
            Bound::Unbounded => Date::LAST,
        };
        if first > last {
            empty(&range, Date::to_string);
        }
        Dates { first, last }
    }

    fn years(&self) -> IntegerRange {
        IntegerRange::new(self.first.year.into(), self.last.year.into(), 2000)
    }

    /// The months of a year.
    fn months(&self, year: i32) -> IntegerRange {
        let first = if year == self.first.year {
            self.first.month
        } else {
            1
        };
        let last = if year == self.last.year {
            self.last.month
        } else {
            12
        };
        IntegerRange::new(first.into(), last.into(), 1)
    }

    /// The days of a month.
    fn days(&self, year: i32, month: u8) -> IntegerRange {
        let is_in = |end: Date| (year, month) == (end.year, end.month);
        let first = if is_in(self.first) { self.first.day } else { 1 };
        let last = if is_in(self.last) {
            self.last.day
        } else {
            Date::days_of(year, month)
        };
        IntegerRange::new(first.into(), last.into(), 1)
    }
}

impl Generator for Dates {
    type Value = Date;

    fn draw(&self, tc: &mut TestCase) -> Date {
        tc.span(label("date"), |tc| {
            let year = tc.integer(self.years()) as i32;
            let month = tc.integer_by(self.months(year), sample::month) as u8;
            let day = tc.integer_by(self.days(year, month), sample::day) as u8;
            Date { year, month, day }
        })
    }

    fn invert(&self, date: &Date) -> Option<Vec<Value>> {
        let Date { year, month, day } = *date;
        if !(self.first..=self.last).contains(date) || !date.exists() {
            return None;
        }
        let numbers = [year.into(), month.into(), day.into()];
        Some(numbers.map(Value::Integer).into())
    }
}

/// Makes ranges of these values generators.
macro_rules! ranges {
    ($($type:ty, $all:ident);*) => {$(
        impl Generator for Range<$type> {
            type Value = $type;

            #[track_caller]
            fn draw(&self, tc: &mut TestCase) -> $type {
                $all().range(self.clone()).draw(tc)
            }

            fn invert(&self, value: &$type) -> Option<Vec<Value>> {
                $all().range(self.clone()).invert(value)
            }
        }

        impl Generator for RangeInclusive<$type> {
            type Value = $type;

            #[track_caller]
            fn draw(&self, tc: &mut TestCase) -> $type {
                $all().range(self.clone()).draw(tc)
            }

            fn invert(&self, value: &$type) -> Option<Vec<Value>> {
                $all().range(self.clone()).invert(value)
            }
        }
    )*};
}
pub(super) use ranges;

ranges!(Date, dates);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let check = |days, shown: &str| {
            let date = Date::from_days(days);
            assert_eq!(date.to_string(), shown);
            assert_eq!(date.to_days(), days);
        };
        check(0, "2000-01-01");
        check(58, "2000-02-28");
        check(59, "2000-02-29");
        check(60, "2000-03-01");
        check(-1, "1999-12-31");
        check(366, "2001-01-01");
        check(-10_957, "1970-01-01");
        check(-730_119, "0001-01-01");
        check(2_921_939, "9999-12-31");
    }

    #[test]
    fn dates_are_days_and_days_are_dates() {
        crate::check(|tc| {
            let days = tc.draw(-4_000_000..=2_921_939);
            assert_eq!(Date::from_days(days).to_days(), days);
        });
    }

    #[test]
    fn months_have_as_many_days_as_the_calendar_says() {
        crate::check(|tc| {
            let (year, month) = tc.draw((-9998..9999, 1..=12u8));
            let first = Date::new(year, month, 1);
            let next = Date::new(year + i32::from(month == 12), month % 12 + 1, 1);
            let days = next.to_days() - first.to_days();
            assert_eq!(i32::from(Date::days_of(year, month)), days);
        });
    }

    #[test]
    #[should_panic(expected = "ablate-check: there is no 2023-02-29")]
    fn what_is_no_day_is_refused() {
        Date::new(2023, 2, 29);
    }
}
