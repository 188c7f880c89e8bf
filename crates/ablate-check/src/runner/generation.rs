//! Makes random cases until one fails, or enough have held.

use std::collections::VecDeque;

use super::health::Health;
use super::run::{Ran, Runner};
use crate::choice::mix;
use crate::failure::Ending;
use crate::generator::label;
use crate::mutation::{BLOCK, Mutation};
use crate::sample::Plan;
use crate::search::Search;
use crate::test_case::TestCase;

/// For each worker so many cases are prepared ahead.
const AHEAD: u64 = 8;

/// What the next cases are made from. The same cases come whoever runs them.
struct Source {
    seed: u64,
    search: Search,
    mutation: Mutation,
    /// The next case to be looked at.
    attempt: u64,
    /// Cases that workers run already, in order.
    submitted: VecDeque<u64>,
}

impl Source {
    /// Prepares the case with this number. One that depends on scores can be prepared only when
    /// all before it have been looked at.
    fn start(&mut self, tc: &mut TestCase, attempt: u64) {
        let seed = mix(self.seed, attempt);
        let plan = Plan::for_case(attempt, seed);
        if !self.search.start(tc, seed, plan) && !self.mutation.start(tc, seed, plan) {
            tc.start_random(seed, plan);
        }
        tc.set_timed(attempt < Health::TIMED);
    }

    /// The number behind the last case that can be prepared now.
    fn known_up_to(&self) -> u64 {
        let block_ends = (self.attempt / BLOCK + 1) * BLOCK;
        if self.search.is_idle() {
            block_ends
        } else {
            self.attempt
        }
    }
}

impl<R: Ending, F: Fn(&mut TestCase) -> R> Runner<'_, F> {
    pub(super) fn generate(&mut self) {
        let seed = mix(self.report.seed, label(&self.name));
        let mut source = Source {
            seed,
            search: Search::new(mix(seed, 1)),
            mutation: Mutation::default(),
            attempt: 0,
            submitted: VecDeque::new(),
        };
        let mut health = Health::default();
        // After a failure the search goes on for as long again, or a little, for other failures.
        let mut last = u64::MAX;
        while self.report.valid < self.settings.cases && source.attempt < last {
            let ran = self.run_next(&mut source);
            source.attempt += 1;
            let attempt = source.attempt;
            match ran {
                Ran::Valid => {
                    self.report.valid += 1;
                    self.count_labels();
                    source.search.record(&self.tc);
                    source.mutation.record(attempt - 1, &self.tc);
                }
                Ran::Invalid => {
                    self.report.invalid += 1;
                    health.count_rejection(self.tc.rejected_at());
                }
                Ran::Overran => self.report.too_large += 1,
                Ran::Failed(failure) => {
                    self.keep_failing(failure);
                    let more = if self.settings.all_failures {
                        attempt.max(100).min(self.settings.cases)
                    } else {
                        0
                    };
                    last = last.min(attempt + more);
                }
            }
            health.drawing += self.tc.drawing_time();
            let (done, stuck) = self.tc.steps();
            health.steps = (health.steps.0 + done, health.steps.1 + stuck);
            if self.settings.health_checks && self.failing.is_empty() {
                self.report.ill_health = health.checked(&self.report, attempt);
                if self.report.ill_health.is_some() {
                    return;
                }
            } else if attempt >= self.settings.cases.saturating_mul(100) {
                return;
            }
        }
        if self.settings.health_checks && self.failing.is_empty() {
            self.report.ill_health = health.checked_at_the_end();
        }
        self.report.best_score = source.search.best_score();
    }

    /// Runs the next case, or waits for the worker that does.
    fn run_next(&mut self, source: &mut Source) -> Ran {
        source.mutation.enter(source.attempt);
        let Some(pool) = &mut self.pool else {
            source.start(&mut self.tc, source.attempt);
            return self.execute();
        };
        let most = AHEAD * pool.workers() as u64;
        let end = source.known_up_to().min(source.attempt + most);
        if end <= source.attempt && !source.submitted.is_empty() {
            // A score was told: what was prepared without it is not wanted.
            for number in std::mem::take(&mut source.submitted) {
                if let Some(done) = pool.wait(number) {
                    pool.reuse(done.tc);
                }
            }
        }
        let next = source.attempt + source.submitted.len() as u64;
        for attempt in next..end.max(source.attempt + 1) {
            let mut tc = pool.blank();
            source.start(&mut tc, attempt);
            let number = pool.submit(tc);
            source.submitted.push_back(number);
        }
        let number = source.submitted.pop_front();
        match number.and_then(|number| pool.wait(number)) {
            Some(mut done) => {
                std::mem::swap(&mut self.tc, &mut done.tc);
                pool.reuse(done.tc);
                done.ran
            }
            // No worker is left; this thread can do it as well.
            None => {
                source.start(&mut self.tc, source.attempt);
                self.execute()
            }
        }
    }

    fn count_labels(&mut self) {
        if self.tc.labels().is_empty() {
            return;
        }
        let mut labels: Vec<String> = self.tc.labels().to_vec();
        labels.sort_unstable();
        labels.dedup();
        for label in labels {
            *self.report.labels.entry(label).or_default() += 1;
        }
    }
}
