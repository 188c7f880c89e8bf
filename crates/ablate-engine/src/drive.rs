//! The drive loop: turns an executor that runs many tests at the same time into an oracle that
//! answers one question after another.
//!
//! While the wanted test runs, free slots are filled with what the engine says it will probably
//! ask next. Verdicts are kept by content until they are asked for. What runs is ended when its
//! slot is needed for something that is wanted more.

use alloc::collections::{BTreeMap, VecDeque};

use crate::identity::{Element, Identity};
use crate::oracle::{Ahead, Alarm, Executor, Job, Observation, Oracle, Stop};
use crate::target::Candidate;

/// How many verdicts that nobody has asked for yet are kept.
const EARLY_VERDICTS: usize = 1 << 16;

/// An oracle over an executor. Create one with [`Drive::new`].
#[derive(Debug)]
pub struct Drive<E, X> {
    executor: X,
    next_job: u64,
    /// The tests that run; later jobs were named later and so are less likely to be wanted.
    running: BTreeMap<Job, Running>,
    by_identity: BTreeMap<Identity, Job>,
    /// Verdicts that came before they were asked for, and the order in which they came.
    early: BTreeMap<Identity, Observation<E>>,
    early_order: VecDeque<Identity>,
    counts: Counts,
}

#[derive(Debug)]
struct Running {
    identity: Identity,
    is_wanted: bool,
}

/// What a drive loop has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that were started.
    pub started: u64,
    /// Tests that were ended before their verdict.
    pub cancelled: u64,
    /// Questions that were answered by a test that had been started ahead.
    pub foreseen: u64,
}

impl<E: Element, X: Executor<E>> Drive<E, X> {
    /// Drives `executor`.
    pub fn new(executor: X) -> Drive<E, X> {
        Drive {
            executor,
            next_job: 0,
            running: BTreeMap::new(),
            by_identity: BTreeMap::new(),
            early: BTreeMap::new(),
            early_order: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// The executor.
    pub fn executor(&self) -> &X {
        &self.executor
    }

    /// The executor, to change its settings between questions.
    pub fn executor_mut(&mut self) -> &mut X {
        &mut self.executor
    }

    /// Gives the executor back; tests that still run are ended.
    pub fn into_executor(mut self) -> X {
        self.cancel_all();
        self.executor
    }

    /// What has been done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends every test that runs.
    pub fn cancel_all(&mut self) {
        for (job, running) in core::mem::take(&mut self.running) {
            self.by_identity.remove(&running.identity);
            self.executor.cancel(job);
            self.counts.cancelled += 1;
        }
    }

    fn start(&mut self, candidate: &Candidate<E>) -> Result<(), Stop> {
        let job = Job(self.next_job);
        self.next_job += 1;
        self.executor.submit(job, candidate)?;
        let identity = candidate.identity();
        self.running.insert(
            job,
            Running {
                identity,
                is_wanted: true,
            },
        );
        self.by_identity.insert(identity, job);
        self.counts.started += 1;
        Ok(())
    }

    /// Ends the running test that is wanted least: one that is not wanted any more, or the one
    /// that was named last.
    fn make_room(&mut self) {
        let least = self
            .running
            .iter()
            .min_by_key(|(job, running)| (running.is_wanted, u64::MAX - job.0));
        if let Some(job) = least.map(|(&job, _)| job)
            && let Some(running) = self.running.remove(&job)
        {
            self.by_identity.remove(&running.identity);
            self.executor.cancel(job);
            self.counts.cancelled += 1;
        }
    }

    /// Marks a running test of this content as wanted, if there is one.
    fn want(&mut self, identity: Identity) -> bool {
        let running = self
            .by_identity
            .get(&identity)
            .and_then(|job| self.running.get_mut(job));
        running.map(|running| running.is_wanted = true).is_some()
    }

    /// Fills free slots with what may be asked for soon.
    fn run_ahead(&mut self, ahead: Ahead<'_, E>) -> Result<(), Stop> {
        let slots = self.executor.slots();
        // A bound on what is asked for at once: much of it may be known already.
        for _ in 0..8 * slots {
            let has_room = self.running.len() < slots;
            if !has_room && self.running.values().all(|running| running.is_wanted) {
                break;
            }
            let Some(candidate) = ahead() else { break };
            let identity = candidate.identity();
            if self.want(identity) || self.early.contains_key(&identity) {
                continue;
            }
            if !has_room {
                self.make_room();
            }
            self.start(&candidate)?;
        }
        Ok(())
    }

    fn keep_early(&mut self, identity: Identity, observation: Observation<E>) {
        self.early.insert(identity, observation);
        self.early_order.push_back(identity);
        while self.early_order.len() > EARLY_VERDICTS {
            if let Some(oldest) = self.early_order.pop_front() {
                self.early.remove(&oldest);
            }
        }
    }
}

impl<E: Element, X: Executor<E>> Oracle<E> for Drive<E, X> {
    fn test(
        &mut self,
        candidate: &Candidate<E>,
        ahead: Ahead<'_, E>,
    ) -> Result<Observation<E>, Stop> {
        let identity = candidate.identity();
        if let Some(observation) = self.early.remove(&identity) {
            self.counts.foreseen += 1;
            self.run_ahead(ahead)?;
            return Ok(observation);
        }
        if self.want(identity) {
            self.counts.foreseen += 1;
        } else {
            if self.running.len() >= self.executor.slots() {
                self.make_room();
            }
            self.start(candidate)?;
        }
        loop {
            self.run_ahead(ahead)?;
            let (job, observation) = self.executor.next_verdict()?;
            let Some(running) = self.running.remove(&job) else {
                continue;
            };
            self.by_identity.remove(&running.identity);
            if running.identity == identity {
                return Ok(observation);
            }
            self.keep_early(running.identity, observation);
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.executor.alarm()
    }

    fn forget_ahead(&mut self) {
        for running in self.running.values_mut() {
            running.is_wanted = false;
        }
    }
}
