//! Workers: threads that run test cases which the runner has prepared, while it goes on.
//!
//! What a test case comes to does not depend on who runs it, and the runner takes what comes back
//! in its own order. So a property has the same report with any number of workers.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ablate_engine::identity::Identity;
use ablate_engine::target::Candidate;

use super::run::{Ran, execute};
use super::varying::Varying;
use crate::choice::Choice;
use crate::failure::Ending;
use crate::reduce::Soon;
use crate::test_case::TestCase;

/// How many results that nobody has asked for are kept.
const EARLY: usize = 64;
/// How many candidates are looked at, for each worker, to find one that is worth running.
const LOOKED_AT: usize = 4;

struct Job {
    number: u64,
    tc: Box<TestCase>,
}

/// A test case that has been run, and what came of it.
pub(super) struct Done {
    number: u64,
    pub(super) tc: Box<TestCase>,
    pub(super) ran: Ran,
}

/// The runner's side of the workers.
pub(super) struct Pool {
    jobs: Sender<Job>,
    done: Receiver<Done>,
    workers: usize,
    next: u64,
    running: usize,
    max_choices: usize,
    #[expect(clippy::vec_box, reason = "they go through channels as they are")]
    idle: Vec<Box<TestCase>>,
    /// The candidates that were started, and not asked for yet.
    started: HashMap<Identity, u64>,
    order: VecDeque<Identity>,
    finished: HashMap<u64, Done>,
    /// What is the same failure is decided as results are taken, in the runner's order.
    pub(super) varying: Varying,
}

/// Lets `lead` run test cases of `property` on so many threads.
pub(super) fn with_workers<R: Ending, T>(
    workers: usize,
    max_choices: usize,
    (name, deadline): (&str, Option<Duration>),
    property: &(impl Fn(&mut TestCase) -> R + Sync),
    lead: impl FnOnce(Pool) -> T,
) -> T {
    let (jobs, to_do) = channel::<Job>();
    let (report, done) = channel();
    let to_do = Mutex::new(to_do);
    thread::scope(|scope| {
        for _ in 0..workers {
            let report = report.clone();
            let to_do = &to_do;
            scope.spawn(move || {
                let next = || {
                    let jobs = to_do.lock().unwrap_or_else(PoisonError::into_inner);
                    jobs.recv()
                };
                while let Ok(Job { number, mut tc }) = next() {
                    let ran = execute(property, &mut tc, name, deadline);
                    // Nobody listens any more when the report is complete.
                    let _ = report.send(Done { number, tc, ran });
                }
            });
        }
        lead(Pool {
            jobs,
            done,
            workers,
            next: 0,
            running: 0,
            max_choices,
            idle: Vec::new(),
            started: HashMap::new(),
            order: VecDeque::new(),
            finished: HashMap::new(),
            varying: Varying::default(),
        })
    })
}

impl Pool {
    /// How many test cases run at the same time.
    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    /// A test case to be prepared.
    pub(super) fn blank(&mut self) -> Box<TestCase> {
        let max_choices = self.max_choices;
        let made = || Box::new(TestCase::new(max_choices));
        self.idle.pop().unwrap_or_else(made)
    }

    /// Takes back a test case of which nothing is wanted any more.
    pub(super) fn reuse(&mut self, tc: Box<TestCase>) {
        self.idle.push(tc);
    }

    /// Has a test case run; its number is asked for later.
    pub(super) fn submit(&mut self, tc: Box<TestCase>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.running += 1;
        // The workers live as long as the pool.
        let _ = self.jobs.send(Job { number, tc });
        number
    }

    /// Waits for a test case; `None` if it was never submitted.
    pub(super) fn wait(&mut self, number: u64) -> Option<Done> {
        loop {
            if let Some(mut done) = self.finished.remove(&number) {
                done.ran = self.varying.settle(done.ran);
                return Some(done);
            }
            if self.running == 0 {
                return None;
            }
            let done = self.done.recv().ok()?;
            self.running -= 1;
            self.finished.insert(done.number, done);
        }
    }

    /// Runs a candidate, and meanwhile those that `soon` names, unless they are `settled`.
    pub(super) fn replay(
        &mut self,
        wanted: &Candidate<Choice>,
        soon: Soon<'_>,
        settled: impl Fn(&Candidate<Choice>) -> bool,
    ) -> Option<Done> {
        let number = match self.started.remove(&wanted.identity()) {
            Some(number) => number,
            None => self.start(wanted),
        };
        for _ in 0..LOOKED_AT * self.workers {
            if self.running >= self.workers {
                break;
            }
            let Some(candidate) = soon() else { break };
            let identity = candidate.identity();
            let is_started = identity == wanted.identity() || self.started.contains_key(&identity);
            if !is_started && !settled(&candidate) {
                let number = self.start(&candidate);
                self.started.insert(identity, number);
                self.order.push_back(identity);
            }
        }
        let done = self.wait(number);
        while self.order.len() > EARLY {
            let oldest = self.order.pop_front();
            let number = oldest.and_then(|oldest| self.started.remove(&oldest));
            if let Some(done) = number.and_then(|number| self.finished.remove(&number)) {
                self.idle.push(done.tc);
            }
        }
        done
    }

    fn start(&mut self, candidate: &Candidate<Choice>) -> u64 {
        let mut tc = self.blank();
        tc.start_candidate(candidate);
        self.submit(tc)
    }
}
