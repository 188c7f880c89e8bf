//! Durations, points in time, and dates.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::combinators::Combinators;
use crate::generator::Generator;
use crate::test_case::TestCase;

use super::numbers::integers;

/// Durations of whole seconds and nanoseconds, up to about 580 years; zero is the simplest.
pub fn durations() -> impl Combinators<Value = Duration> + Clone + Send + Sync {
    let seconds = integers(0..=u64::from(u32::MAX) * 4);
    (seconds, integers(0..1_000_000_000u32)).map(|(s, n)| Duration::new(s, n))
}

/// Points in time up to about 100 years around the start of 1970, which is the simplest.
pub fn system_times() -> impl Combinators<Value = SystemTime> + Clone + Send + Sync {
    integers(-3_155_760_000i64..=3_155_760_000).map(|seconds| {
        let distance = Duration::from_secs(seconds.unsigned_abs());
        let time = if seconds < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(distance)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(distance)
        };
        time.unwrap_or(SystemTime::UNIX_EPOCH)
    })
}

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

impl Date {
    /// The day that comes so many days after the first of January 2000.
    pub fn from_days(days: i32) -> Date {
        // H. Hinnant, "chrono-compatible low-level date algorithms", 2013: years that start in
        // March have their leap day at the end, and eras of 400 years are all alike.
        let shifted = i64::from(days) + 730_425;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
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
}

/// See [`dates`].
#[derive(Clone, Copy, Debug)]
pub struct Dates;

/// The days of the years 1 to 9999; the first of January 2000 is the simplest.
pub fn dates() -> Dates {
    Dates
}

impl Generator for Dates {
    type Value = Date;

    fn draw(&self, tc: &mut TestCase) -> Date {
        Date::from_days(integers(-730_119..=2_921_939).draw(tc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let check = |days, shown: &str| assert_eq!(Date::from_days(days).to_string(), shown);
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
}
