//! Durations, and points in time.

use std::ops::{Bound, Range, RangeBounds, RangeInclusive};
use std::time::{Duration, SystemTime};

use crate::choice::{IntegerRange, Value};
use crate::generator::{Generator, label};
use crate::test_case::TestCase;

use super::dates::{Date, ranges};
use super::numbers::{Integers, empty, integers};

/// See [`durations`].
#[derive(Clone, Copy, Debug)]
pub struct Durations {
    least: Duration,
    greatest: Duration,
}

/// The greatest duration that comes when nobody asks for more: about 580 years.
const LONG: Duration = Duration::new(u32::MAX as u64 * 4, 999_999_999);
/// The shortest there is but for none.
const TICK: Duration = Duration::from_nanos(1);

/// Durations of whole seconds and nanoseconds, up to about 580 years; the shortest is the simplest.
///
/// Ranges of durations are generators too.
///
/// ```
/// use std::time::Duration;
///
/// use ablate_check::prelude::*;
///
/// check(|tc| {
///     let (least, greatest) = (Duration::from_millis(1), Duration::from_secs(90));
///     let timeout = tc.draw(durations().range(least..=greatest));
///     assert!(least <= timeout && timeout <= greatest);
///     assert!(tc.draw(Duration::ZERO..least) < least);
/// });
/// ```
pub fn durations() -> Durations {
    Durations {
        least: Duration::ZERO,
        greatest: LONG,
    }
}

impl Durations {
    /// Only those of a range.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn range(self, range: impl RangeBounds<Duration>) -> Durations {
        let least = match range.start_bound() {
            Bound::Included(least) => Some(*least),
            Bound::Excluded(below) => below.checked_add(TICK),
            Bound::Unbounded => Some(Duration::ZERO),
        };
        let greatest = match range.end_bound() {
            Bound::Included(greatest) => Some(*greatest),
            Bound::Excluded(above) => above.checked_sub(TICK),
            Bound::Unbounded if least.is_some_and(|least| least > LONG) => Some(Duration::MAX),
            Bound::Unbounded => Some(LONG),
        };
        match least.zip(greatest) {
            Some((least, greatest)) if least <= greatest => Durations { least, greatest },
            _ => empty(&range, |duration| format!("{duration:?}")),
        }
    }

    fn seconds(&self) -> Integers<u64> {
        integers(self.least.as_secs()..=self.greatest.as_secs())
    }

    /// The nanoseconds that go with so many seconds.
    fn nanoseconds(&self, seconds: u64) -> Integers<u32> {
        let least = match seconds == self.least.as_secs() {
            true => self.least.subsec_nanos(),
            false => 0,
        };
        let greatest = match seconds == self.greatest.as_secs() {
            true => self.greatest.subsec_nanos(),
            false => 999_999_999,
        };
        integers(least..=greatest)
    }
}

impl Generator for Durations {
    type Value = Duration;

    fn draw(&self, tc: &mut TestCase) -> Duration {
        tc.span(label("duration"), |tc| {
            let seconds = self.seconds().draw(tc);
            Duration::new(seconds, self.nanoseconds(seconds).draw(tc))
        })
    }

    fn invert(&self, duration: &Duration) -> Option<Vec<Value>> {
        let mut choices = self.seconds().invert(&duration.as_secs())?;
        let nanoseconds = self.nanoseconds(duration.as_secs());
        choices.extend(nanoseconds.invert(&duration.subsec_nanos())?);
        Some(choices)
    }
}

/// See [`system_times`].
#[derive(Clone, Copy, Debug)]
pub struct SystemTimes {
    least: SystemTime,
    /// The first and the last second, from the start of 1970.
    first: i64,
    last: i64,
}

/// About 100 years.
const CENTURY: i64 = 3_155_760_000;
/// The seconds of a day, of an hour, of a minute, of a second.
const UNITS: [i64; 4] = [86_400, 3600, 60, 1];

/// Points in time up to about 100 years around the start of 1970, in whole seconds from there; that is
/// the simplest.
///
/// They are drawn by the day from there, hour, minute and second: a nearer day is simpler, then an earlier
/// hour, minute and second.
///
/// Ranges of points in time are generators too.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use ablate_check::prelude::*;
///
/// check(|tc| {
///     let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
///     let end = start + Duration::from_secs(3600);
///     let time = tc.draw(system_times().range(start..end));
///     assert!(start <= time && time < end);
/// });
/// ```
pub fn system_times() -> SystemTimes {
    SystemTimes {
        least: at_second(-CENTURY),
        first: -CENTURY,
        last: CENTURY,
    }
}

impl SystemTimes {
    /// Only those of a range, in whole seconds but for its start. A day nearer to the start of 1970 is
    /// simpler, then an earlier hour, minute and second.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn range(self, range: impl RangeBounds<SystemTime>) -> SystemTimes {
        let least = match range.start_bound() {
            Bound::Included(least) => Some(*least),
            Bound::Excluded(below) => below.checked_add(TICK),
            Bound::Unbounded => None,
        };
        let greatest = match range.end_bound() {
            Bound::Included(greatest) => Some(*greatest),
            Bound::Excluded(above) => above.checked_sub(TICK),
            Bound::Unbounded => None,
        };
        // Where one bound is beyond what comes usually, the other one is as far behind it.
        let (first, last) = (least.map(second_of), greatest.map(second_of));
        let first = first.unwrap_or(last.map_or(-CENTURY, |last| (last - CENTURY).min(-CENTURY)));
        let last = last.unwrap_or((first + CENTURY).max(CENTURY));
        let least = least.unwrap_or(at_second(first));
        if greatest.is_some_and(|greatest| least > greatest) {
            empty(&range, shown);
        }
        SystemTimes { least, first, last }
    }

    /// What the next part may be, behind those of the larger units: so many of its own.
    fn part(&self, parts: &[i64]) -> IntegerRange {
        let unit = UNITS[parts.len()];
        let end = |end: i64, otherwise: i64| {
            let of_end = parts_of(end);
            if of_end.starts_with(parts) {
                of_end[parts.len()]
            } else {
                otherwise
            }
        };
        let most = match parts.len() {
            0 => 0,
            at => UNITS[at - 1] / unit - 1,
        };
        IntegerRange::new(end(self.first, 0).into(), end(self.last, most).into(), 0)
    }
}

/// The day, hour, minute and second of a second that is counted from the start of 1970.
fn parts_of(second: i64) -> [i64; 4] {
    let mut rest = second;
    UNITS.map(|unit| {
        let part = rest.div_euclid(unit);
        rest = rest.rem_euclid(unit);
        part
    })
}

/// The whole second in which a point in time lies, counted from the start of 1970.
fn second_of(time: SystemTime) -> i64 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => since.as_secs() as i64,
        Err(error) => {
            let before = error.duration();
            -(before.as_secs() as i64) - i64::from(before.subsec_nanos() > 0)
        }
    }
}

fn at_second(second: i64) -> SystemTime {
    let distance = Duration::from_secs(second.unsigned_abs());
    let time = match second < 0 {
        true => SystemTime::UNIX_EPOCH.checked_sub(distance),
        false => SystemTime::UNIX_EPOCH.checked_add(distance),
    };
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A point in time as people write it: `1970-01-01 00:00:00`.
fn shown(time: &SystemTime) -> String {
    /// From the first of January 1970 to that of 2000.
    const DAYS: i64 = 10_957;
    let second = second_of(*time);
    let of_day = second.rem_euclid(86_400);
    let date = Date::from_days((second.div_euclid(86_400) - DAYS) as i32);
    let (hour, minute) = (of_day / 3600, of_day / 60 % 60);
    format!("{date} {hour:02}:{minute:02}:{:02}", of_day % 60)
}

impl Generator for SystemTimes {
    type Value = SystemTime;

    fn draw(&self, tc: &mut TestCase) -> SystemTime {
        tc.span(label("system_time"), |tc| {
            let (mut parts, mut second) = (Vec::with_capacity(UNITS.len()), 0);
            for unit in UNITS {
                let part = tc.integer(self.part(&parts)) as i64;
                parts.push(part);
                second += part * unit;
            }
            at_second(second).max(self.least)
        })
    }

    fn invert(&self, time: &SystemTime) -> Option<Vec<Value>> {
        let second = second_of(*time);
        // The start of a range is the only one that need be no whole second.
        let is_drawn = at_second(second).max(self.least) == *time;
        let parts = parts_of(second).map(|part| Value::Integer(part.into()));
        (is_drawn && (self.first..=self.last).contains(&second)).then(|| parts.into())
    }
}

ranges!(Duration, durations; SystemTime, system_times);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_time_are_shown_as_people_write_them() {
        let check = |second, text: &str| assert_eq!(shown(&at_second(second)), text);
        check(0, "1970-01-01 00:00:00");
        check(-1, "1969-12-31 23:59:59");
        check(1_000_000_000, "2001-09-09 01:46:40");
        let before = SystemTime::UNIX_EPOCH - Duration::from_millis(500);
        assert_eq!(second_of(before), -1);
    }
}
