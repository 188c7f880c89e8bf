//! Simulated time: an executor whose tests take as long as a model says, to judge the schedule by
//! with any number of workers, on one core and in no time.

use alloc::collections::BTreeMap;

use crate::identity::Element;
use crate::oracle::{Executor, Job, Observation, Stop, Verdict};
use crate::target::Candidate;

/// How long simulated tests take, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// All the same.
    Constant(u64),
    /// Mostly about `median`, but one in a hundred takes more than twenty times as long: the
    /// inverse of a Pareto distribution with exponent 3/2, cut off at 1,000 times the median. A
    /// content always takes the same time.
    HeavyTailed {
        /// The median.
        median: u64,
        /// Different seeds give different times to the same content.
        seed: u64,
    },
}

impl Latency {
    fn of(self, content: u64) -> u64 {
        match self {
            Latency::Constant(ticks) => ticks.max(1),
            Latency::HeavyTailed { median, seed } => {
                // A finaliser of MurmurHash3 (A. Appleby), to turn a digest into a uniform number.
                let mut x = content ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
                x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
                let uniform = (((x ^ (x >> 33)) >> 11) + 1) as f64 / (1u64 << 53) as f64;
                // Median of u^(-2/3) is 2^(2/3): (1/u)^(2/3) by cube root of the square.
                let inverse = cube_root(1.0 / (uniform * uniform)) / cube_root(4.0);
                ((inverse * median as f64) as u64).clamp(1, median.saturating_mul(1000).max(1))
            }
        }
    }
}

/// The cube root of a positive number, by Newton's method (there is no `cbrt` without `std`).
fn cube_root(x: f64) -> f64 {
    let mut root = 1.0;
    while root * root * root < x {
        root *= 2.0;
    }
    for _ in 0..60 {
        root -= (root * root * root - x) / (3.0 * root * root);
    }
    root
}

/// Workers in simulated time, all running the same pure test.
#[derive(Debug)]
pub struct SimulatedWorkers<F> {
    slots: usize,
    latency: Latency,
    test: F,
    now: u64,
    /// Tests that run, by the time when they end.
    running: BTreeMap<(u64, Job), Verdict>,
    /// Ticks spent on tests, also on those that were cancelled.
    busy: u64,
    started: BTreeMap<Job, (u64, u64)>,
}

impl<F> SimulatedWorkers<F> {
    /// `slots` workers for `test`.
    pub fn new(slots: usize, latency: Latency, test: F) -> SimulatedWorkers<F> {
        let (running, started) = (BTreeMap::new(), BTreeMap::new());
        SimulatedWorkers {
            slots,
            latency,
            test,
            now: 0,
            running,
            busy: 0,
            started,
        }
    }

    /// The time: how many ticks all the tests have taken so far, side by side.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// How many ticks the workers have worked, summed over the workers.
    pub fn busy(&self) -> u64 {
        self.busy
    }
}

impl<E: Element, F: FnMut(&[E]) -> bool> Executor<E> for SimulatedWorkers<F> {
    fn slots(&self) -> usize {
        self.slots
    }

    fn submit(&mut self, job: Job, candidate: &Candidate<E>) -> Result<(), Stop> {
        let is_interesting = (self.test)(&candidate.build());
        let verdict = if is_interesting {
            Verdict::Interesting
        } else {
            Verdict::NotInteresting
        };
        let end = self.now + self.latency.of(candidate.identity().0 as u64);
        self.running.insert((end, job), verdict);
        self.started.insert(job, (self.now, end));
        Ok(())
    }

    fn next_verdict(&mut self) -> Result<(Job, Observation<E>), Stop> {
        let ((end, job), verdict) = self.running.pop_first().ok_or(Stop::Failed)?;
        self.now = end;
        if let Some((start, end)) = self.started.remove(&job) {
            self.busy += end - start;
        }
        Ok((job, verdict.into()))
    }

    fn cancel(&mut self, job: Job) {
        if let Some((start, end)) = self.started.remove(&job) {
            self.running.remove(&(end, job));
            self.busy += self.now - start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;
    use crate::target::Target;

    #[test]
    fn tests_end_in_the_order_of_their_times() {
        let target = Target::new(vec![1u8, 2, 3]);
        let mut workers =
            SimulatedWorkers::new(2, Latency::Constant(5), |content: &[u8]| content.len() == 2);
        workers
            .submit(Job(0), &target.candidate(Patch::cut(0, 1)))
            .unwrap();
        workers
            .submit(Job(1), &target.candidate(Patch::cut(0, 2)))
            .unwrap();
        workers.cancel(Job(0));
        assert_eq!(
            Executor::<u8>::next_verdict(&mut workers),
            Ok((Job(1), Verdict::NotInteresting.into()))
        );
        assert_eq!(workers.now(), 5);
        assert_eq!(
            Executor::<u8>::next_verdict(&mut workers),
            Err(Stop::Failed)
        );
    }

    #[test]
    fn a_heavy_tail_is_heavy() {
        let latency = Latency::HeavyTailed {
            median: 100,
            seed: 1,
        };
        let mut times: std::vec::Vec<u64> = (0..10_000)
            .map(|n| latency.of(n * 0x1234_5678_9abc))
            .collect();
        times.sort_unstable();
        assert!((80..125).contains(&times[5000]), "median {}", times[5000]);
        assert!(times[9900] > 1000, "99th percentile {}", times[9900]);
    }
}
