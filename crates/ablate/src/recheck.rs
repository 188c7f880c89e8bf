//! Whether the test still says of the result what it has said before. A reduction believes every verdict,
//! so people have to know of one that varies.

use std::time::{Duration, Instant};

use ablate_engine::oracle::Verdict;
use ablate_exec::{Ending, LocalProcesses};

/// A test that errs one time in ten is found out by so many runs nine times in ten.
pub const RUNS_MAX: u64 = 22;
/// There is one more run for so many tests of the reduction.
const TESTS: u64 = 20;
/// These runs may take this share of its time.
const SHARE: u32 = 10;
/// What goes unnoticed is granted in any case.
const TIME_MIN: Duration = Duration::from_secs(2);
/// Where a budget has ended it, nobody wants to wait for longer.
const TIME_MAX: Duration = Duration::from_secs(10);

/// How long the test may be run again, and how many times.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    runs: u64,
    time: Duration,
}

impl Allowance {
    /// What is in proportion to so many tests and so much time.
    pub fn after(tests: u64, time: Duration, is_out_of_budget: bool) -> Allowance {
        let time = TIME_MIN.max(time / SHARE);
        Allowance {
            runs: RUNS_MAX.min(tests / TESTS),
            time: if is_out_of_budget {
                time.min(TIME_MAX)
            } else {
                time
            },
        }
    }
}

/// What came of running the test again on what it had found interesting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recheck {
    /// How many times it was run.
    pub runs: u64,
    /// How many times it did not find it interesting.
    pub failed: u64,
    /// How it ended the last of these times.
    ending: Option<Ending>,
}

impl Recheck {
    /// Runs the test on `content` as often as is allowed, or until it is interrupted.
    pub fn of(processes: &mut LocalProcesses, content: &[u8], allowance: Allowance) -> Recheck {
        let mut recheck = Recheck::default();
        processes.set_deadline(Some(Instant::now() + allowance.time));
        while recheck.runs < allowance.runs {
            let left = usize::try_from(allowance.runs - recheck.runs).unwrap_or(usize::MAX);
            // What can't be run any more would only have told more of the same.
            let Ok(reports) = processes.run_together(content, left) else {
                break;
            };
            for report in reports {
                recheck.runs += 1;
                if report.verdict() != Verdict::Interesting {
                    recheck.failed += 1;
                    recheck.ending = Some(report.ending);
                }
            }
        }
        recheck
    }

    /// What is wrong, and what helps, if the test did not find it interesting every time.
    pub fn warning(&self) -> Option<String> {
        let ending = self.ending?;
        let (times, failed) = match self.runs {
            1 => ("once".to_owned(), "it".to_owned()),
            runs => (
                format!("{runs} times"),
                format!("{} of these runs", self.failed),
            ),
        };
        Some(format!(
            "the test is not reliable: run {times} more on the result, {failed} did not find it \
             interesting ({ending}). The result may be larger than it could be, or show the bug only now \
             and then; make the test deterministic, or let it try several times"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_a_twentieth_and_no_more_runs_than_find_out_most() {
        let allowed = |tests, minutes: u64, is_out_of_budget| {
            let time = Duration::from_secs(60 * minutes);
            let allowance = Allowance::after(tests, time, is_out_of_budget);
            (allowance.runs, allowance.time.as_secs())
        };
        assert_eq!(allowed(19, 0, false), (0, 2));
        assert_eq!(allowed(200, 60, false), (10, 360));
        assert_eq!(allowed(9000, 60, true), (22, 10));
    }
}
