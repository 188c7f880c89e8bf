//! Drives the slots: starts runs, waits for their ends, and starts those again that could not be
//! judged. What runs are for, `local` knows.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ablate_engine::oracle::{Stop, Verdict};

use crate::error::ExecError;
use crate::local::{LocalProcesses, asked_to_stop};
use crate::places::Root;
use crate::program::refusal;
use crate::report::{Captured, Ending, RunReport};
use crate::slot::{Home, Run, Slot, State};
use crate::spawn::Step;
use crate::wait::ready_of;
use crate::wire::{Ended, How};

/// With less room than this, in bytes, a test that failed may have failed for want of room.
const SCARCE: u64 = 16 << 20;

/// What came of waiting.
enum News {
    Ended(usize, Box<Ended>),
    /// The supervisor of the slot is gone.
    Lost(usize),
}

/// What came of a run.
pub(crate) enum Outcome {
    Report(usize, RunReport),
    /// It could not be judged and has to be started again.
    Again(usize),
}

impl LocalProcesses {
    /// A slot that does nothing; waits if all are still ending tests that were cancelled.
    pub(crate) fn free_slot(&mut self) -> Result<usize, ExecError> {
        loop {
            if let Some(index) = self.slots.iter().position(Slot::is_idle) {
                self.slots[index].repeats = 0;
                return Ok(index);
            }
            let is_draining = |slot: &Slot| matches!(slot.state, State::Draining(_));
            if !self.slots.iter().any(is_draining) {
                return Err(ExecError::Internal("more tests than slots"));
            }
            if self.interrupt.is_raised() {
                return Err(ExecError::Stopped(Stop::Interrupted));
            }
            match self.news(is_draining, None)? {
                Some(News::Ended(index, ended)) => self.drained(index, &ended),
                Some(News::Lost(index)) => self.lose(index),
                None => {}
            }
        }
    }

    /// Starts the test in a slot on what `write` writes.
    pub(crate) fn launch(
        &mut self,
        index: usize,
        write: &dyn Fn(&Path) -> io::Result<()>,
    ) -> Result<Run, ExecError> {
        let mut attempts = 0;
        loop {
            if self.root.is_short() {
                self.leave_memory()?;
            }
            let slot = &mut self.slots[index];
            let home = match slot.home() {
                Some(home) if Arc::ptr_eq(home.root(), &self.root) => home,
                _ => {
                    let place = self.root.place(&index.to_string());
                    slot.move_to(Home::new(&self.options, place), &self.options)?
                }
            };
            if let Err(source) = write(&home.input) {
                let path = home.input.clone();
                if !self.root.is_memory() {
                    return Err(ExecError::CandidateNotWritten { path, source });
                }
                self.leave_memory()?;
                continue;
            }
            self.next_number += 1;
            match slot.run(self.next_number, self.options.time_limit.current()) {
                Ok(run) => {
                    self.statistics.started += 1;
                    return Ok(run);
                }
                Err(_) if attempts == 0 => {
                    attempts += 1;
                    slot.give_up();
                }
                Err(_) => return Err(ExecError::SupervisorDied),
            }
        }
    }

    /// From now on, slots work on disk; each moves before its next run.
    fn leave_memory(&mut self) -> Result<(), ExecError> {
        self.root = Arc::new(Root::new_on_disk()?);
        Ok(())
    }

    /// Waits for the end of a run in one of the `wanted` slots.
    pub(crate) fn outcome(&mut self, wanted: impl Fn(&Slot) -> bool) -> Result<Outcome, ExecError> {
        loop {
            if let Some(stop) = asked_to_stop(&self.interrupt, self.deadline) {
                return Err(ExecError::Stopped(stop));
            }
            let left = self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now()));
            // Slots that drain are watched too, so that none stays full.
            let watched = |slot: &Slot| wanted(slot) || matches!(slot.state, State::Draining(_));
            if !self.slots.iter().any(&wanted) {
                return Err(ExecError::Internal("nothing runs"));
            }
            match self.news(watched, left)? {
                Some(News::Ended(index, ended)) => match &self.slots[index].state {
                    State::Running { run, .. } => {
                        let run = *run;
                        return self.ended(index, run, *ended);
                    }
                    _ => self.drained(index, &ended),
                },
                Some(News::Lost(index)) => {
                    let is_wanted = matches!(self.slots[index].state, State::Running { .. });
                    self.lose(index);
                    if is_wanted {
                        let again = self.again(index);
                        if again.is_none() {
                            self.slots[index].state = State::Idle;
                        }
                        return again.ok_or(ExecError::SupervisorDied);
                    }
                }
                None => {}
            }
        }
    }

    /// Waits for something to happen in a `watched` slot, or for the flag, or for `limit`.
    fn news(
        &mut self,
        watched: impl Fn(&Slot) -> bool,
        limit: Option<Duration>,
    ) -> Result<Option<News>, ExecError> {
        let is_watched: Vec<bool> = self.slots.iter().map(watched).collect();
        let slots = self.slots.iter().zip(&is_watched);
        let slots = slots.map(|(slot, &is_watched)| Some(slot).filter(|_| is_watched));
        let run = |slot: Option<&Slot>| slot?.state.run();
        let now = Instant::now();
        let left = (slots.clone().filter_map(run))
            .map(|run| run.give_up.saturating_duration_since(now))
            .chain(limit)
            .min();
        let mut sources: Vec<_> = (slots.clone())
            .map(|slot| slot?.answers().map(AsFd::as_fd))
            .collect();
        sources.push(Some(self.interrupt.readable()));
        let ready = ready_of(&sources, left).map_err(|source| ExecError::NoWaiting { source })?;
        // No slot is starved: one that has been served says nothing more until it is used again.
        let answered = (0..self.slots.len()).find(|&index| ready[index]);
        // Whoever has answered is not overdue, however late it is asked.
        let now = Instant::now();
        let mut slots = slots;
        let overdue = slots.position(|slot| run(slot).is_some_and(|run| run.give_up <= now));
        let Some(index) = answered else {
            return Ok(overdue.map(News::Lost));
        };
        Ok(Some(match self.slots[index].receive() {
            Ok(ended) => News::Ended(index, ended),
            Err(_) => News::Lost(index),
        }))
    }

    /// Takes note of the end of a run that is wanted.
    fn ended(&mut self, index: usize, run: Run, ended: Ended) -> Result<Outcome, ExecError> {
        self.statistics.test_time += ended.duration;
        self.statistics.survivors += u64::from(ended.survivors);
        let ending = match ended.how {
            How::Exited(status) => Ending::Exited(status),
            How::Signaled(signal) => Ending::Signaled(signal),
            How::TimedOut => Ending::TimedOut,
            How::Cancelled => return Err(ExecError::Internal("a wanted run was cancelled")),
            How::NotStarted(step, errno) => {
                self.slots[index].state = State::Idle;
                let source = io::Error::from_raw_os_error(errno);
                return Err(refusal(&self.options.program, source, Step::name(step)));
            }
        };
        let is_scarce = ended.free_bytes < SCARCE && ending != Ending::Exited(0);
        if is_scarce && self.root.is_memory() {
            self.leave_memory()?;
            if let Some(again) = self.again(index) {
                return Ok(again);
            }
        }
        let slot = &mut self.slots[index];
        let call = slot.home().map(|home| Arc::clone(&home.call));
        let [stdout, stderr] = ended
            .captured
            .map(|(tail, total_bytes)| Captured { tail, total_bytes });
        let report = RunReport {
            ending,
            duration: ended.duration,
            limit: run.limit,
            stdout,
            stderr,
            call: call.ok_or(ExecError::Internal("a run without a place"))?,
            survivors: ended.survivors,
        };
        let verdict = report.verdict();
        self.statistics.timed_out += u64::from(verdict == Verdict::TimedOut);
        self.options.time_limit.record(verdict, ended.duration);
        Ok(Outcome::Report(index, report))
    }

    fn again(&mut self, index: usize) -> Option<Outcome> {
        let slot = &mut self.slots[index];
        slot.repeats += 1;
        self.statistics.repeated += 1;
        (slot.repeats == 1).then_some(Outcome::Again(index))
    }

    fn drained(&mut self, index: usize, ended: &Ended) {
        self.statistics.test_time += ended.duration;
        self.statistics.survivors += u64::from(ended.survivors);
        self.slots[index].state = State::Idle;
    }

    fn lose(&mut self, index: usize) {
        self.slots[index].give_up();
        if matches!(self.slots[index].state, State::Draining(_)) {
            self.slots[index].state = State::Idle;
        }
    }

    pub(crate) fn cancel_slot(&mut self, index: usize) {
        if matches!(self.slots[index].state, State::Running { .. }) {
            self.slots[index].cancel();
            self.statistics.cancelled += 1;
        }
    }
}
