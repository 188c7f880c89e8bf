//! How long a test may take: a fixed time, or one that is found from the runs so far. Durations
//! go in and a limit comes out; there is no clock in here.

use std::collections::VecDeque;
use std::time::Duration;

use ablate_engine::oracle::Verdict;

/// The time limit of tests.
///
/// An adaptive limit is ten times the longest of the latest interesting runs, five times when there are
/// sixteen of them to tell how long they take, at least one second and at most five minutes. As the test
/// case shrinks its runs become shorter, and the limit follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    fixed: Option<Duration>,
    first: Duration,
    recent: VecDeque<Duration>,
}

impl TimeLimit {
    /// The least adaptive limit.
    pub const FLOOR: Duration = Duration::from_secs(1);
    /// The greatest adaptive limit.
    pub const CEILING: Duration = Duration::from_secs(300);
    /// How many times longer than the longest interesting run a test may take while few are known.
    pub const FACTOR: u32 = 10;
    /// The same factor once as many runs are known as are looked at: waiting ten times as long for candidates
    /// that never end, as programs without what ends their loops, would take much of a reduction.
    pub const KNOWN_FACTOR: u32 = 5;
    const RECENT: usize = 16;

    /// The same limit for every run.
    pub fn fixed(limit: Duration) -> TimeLimit {
        TimeLimit {
            fixed: Some(limit),
            ..TimeLimit::adaptive()
        }
    }

    /// A limit that follows the runs; [`TimeLimit::CEILING`] before the first interesting one.
    pub fn adaptive() -> TimeLimit {
        TimeLimit::adaptive_from(TimeLimit::CEILING)
    }

    /// A limit that follows the runs, and is `first` before the first interesting one.
    pub fn adaptive_from(first: Duration) -> TimeLimit {
        TimeLimit {
            fixed: None,
            first,
            recent: VecDeque::new(),
        }
    }

    /// How long the next test may take.
    pub fn current(&self) -> Duration {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        let factor = if self.recent.len() < TimeLimit::RECENT {
            TimeLimit::FACTOR
        } else {
            TimeLimit::KNOWN_FACTOR
        };
        match self.recent.iter().max() {
            None => self.first,
            Some(longest) => longest
                .saturating_mul(factor)
                .clamp(TimeLimit::FLOOR, TimeLimit::CEILING),
        }
    }

    /// Takes a run into account. Only interesting runs say how long a test needs: the others may
    /// have ended early.
    pub fn record(&mut self, verdict: Verdict, duration: Duration) {
        if verdict != Verdict::Interesting {
            return;
        }
        if self.recent.len() == TimeLimit::RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(duration);
    }
}

impl Default for TimeLimit {
    fn default() -> Self {
        TimeLimit::adaptive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_limit(interesting_ms: &[u64], expected_ms: u64) {
        let mut limit = TimeLimit::adaptive();
        for &ms in interesting_ms {
            limit.record(Verdict::Interesting, Duration::from_millis(ms));
        }
        assert_eq!(limit.current(), Duration::from_millis(expected_ms));
    }

    #[test]
    fn is_the_greatest_before_anything_is_known() {
        check_limit(&[], 300_000);
        let limit = TimeLimit::adaptive_from(Duration::from_secs(7));
        assert_eq!(limit.current(), Duration::from_secs(7));
    }

    #[test]
    fn is_ten_times_the_longest_within_bounds() {
        check_limit(&[3], 1_000);
        check_limit(&[200, 300, 250], 3_000);
        check_limit(&[100_000], 300_000);
    }

    #[test]
    fn is_five_times_the_longest_when_sixteen_are_known() {
        check_limit(&[300; 15], 3_000);
        check_limit(&[300; 16], 1_500);
    }

    #[test]
    fn forgets_what_is_sixteen_runs_ago() {
        let mut runs = vec![5_000];
        runs.extend([300; 15]);
        check_limit(&runs, 25_000);
        runs.push(300);
        check_limit(&runs, 1_500);
    }

    #[test]
    fn follows_interesting_runs_only() {
        let mut limit = TimeLimit::adaptive();
        limit.record(Verdict::NotInteresting, Duration::from_millis(1));
        limit.record(Verdict::TimedOut, Duration::from_secs(200));
        assert_eq!(limit.current(), TimeLimit::CEILING);
    }

    #[test]
    fn stays_fixed_when_fixed() {
        let mut limit = TimeLimit::fixed(Duration::from_secs(2));
        limit.record(Verdict::Interesting, Duration::from_secs(1));
        assert_eq!(limit.current(), Duration::from_secs(2));
    }
}
