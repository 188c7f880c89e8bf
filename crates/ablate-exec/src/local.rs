//! Tests as processes of this machine: the engine's executor for its cores.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ablate_engine::oracle::{Executor, Job, Observation, Stop, Verdict};
use ablate_engine::target::Candidate;

use crate::error::ExecError;
use crate::input::write_input;
use crate::interrupt::Interrupt;
use crate::options::Options;
use crate::places::Root;
use crate::program::{find_program, refusal};
use crate::report::{Captured, Ending, RunReport};
use crate::slot::{Home, Run, Slot, State};
use crate::spawn::Step;
use crate::supervisor;
use crate::wait::ready_of;
use crate::wire::{Ended, How};

/// With less room than this, in bytes, a test that failed may have failed for want of room.
const SCARCE: u64 = 16 << 20;

/// What has been run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Tests that were started; each is a process, whatever else it starts.
    pub started: u64,
    /// Tests that were ended since their verdicts were not wanted any more.
    pub cancelled: u64,
    /// Tests that took longer than they may.
    pub timed_out: u64,
    /// Tests that had to be started again since they could not be judged.
    pub repeated: u64,
    /// Processes that were left by tests and could not be ended.
    pub survivors: u64,
    /// How long all tests together ran.
    pub test_time: Duration,
}

/// Runs tests as processes of this machine, one in each slot. One thread drives them all.
///
/// Dropping it ends all tests and removes all work directories.
#[derive(Debug)]
pub struct LocalProcesses {
    options: Options,
    slots: Vec<Slot>,
    root: Arc<Root>,
    interrupt: Interrupt,
    deadline: Option<Instant>,
    statistics: Statistics,
    report: Option<RunReport>,
    error: Option<ExecError>,
    next_number: u64,
}

/// What came of waiting.
enum News {
    Ended(usize, Box<Ended>),
    /// The supervisor of the slot is gone.
    Lost(usize),
}

/// What came of a run.
enum Outcome {
    Report(usize, RunReport),
    /// It could not be judged and has to be started again.
    Again(usize),
}

impl LocalProcesses {
    /// Looks for the test and makes work directories. Nothing is run yet.
    ///
    /// # Errors
    /// When the test can't be run, or there is no place to work in.
    pub fn start(mut options: Options) -> Result<LocalProcesses, ExecError> {
        if supervisor::is_asked() {
            return Err(ExecError::SupervisorEntryMissing);
        }
        options.program = find_program(&options.program)?;
        options.slots = options.slots.max(1);
        let name = Path::new(&options.file_name);
        if name.file_name() != Some(&options.file_name) {
            return Err(ExecError::BadFileName {
                name: options.file_name.to_string_lossy().into_owned(),
            });
        }
        let root = Root::new(
            options.work_base.as_deref(),
            options.input_bytes,
            options.slots,
        )?;
        Ok(LocalProcesses {
            slots: std::iter::repeat_with(Slot::default)
                .take(options.slots)
                .collect(),
            root: Arc::new(root),
            interrupt: Interrupt::new().map_err(|source| ExecError::NoWaiting { source })?,
            deadline: None,
            statistics: Statistics::default(),
            report: None,
            error: None,
            next_number: 0,
            options,
        })
    }

    /// The flag that makes waiting for verdicts end.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// From this time on, waiting for verdicts ends with [`Stop::Budget`].
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// The test, as an absolute path.
    pub fn program(&self) -> &Path {
        &self.options.program
    }

    /// How long the next test may take.
    pub fn time_limit(&self) -> Duration {
        self.options.time_limit.current()
    }

    /// What has been run so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What is known of the run whose verdict came last.
    pub fn report(&self) -> Option<&RunReport> {
        self.report.as_ref()
    }

    /// Why the executor answered [`Stop::Failed`].
    pub fn take_error(&mut self) -> Option<ExecError> {
        self.error.take()
    }

    /// Runs the test once and waits for its end.
    ///
    /// # Errors
    /// When it can't be run, or when it is stopped.
    pub fn run_once(&mut self, content: &[u8]) -> Result<RunReport, ExecError> {
        let mut reports = self.run_together(content, 1)?;
        reports
            .pop()
            .ok_or(ExecError::Internal("a run without a report"))
    }

    /// Runs the test once in another directory, on disk, to find out whether it depends on
    /// where it is.
    ///
    /// # Errors
    /// When it can't be run, or when it is stopped.
    pub fn run_elsewhere(&mut self, content: &[u8]) -> Result<RunReport, ExecError> {
        let elsewhere = match &self.options.work_base {
            Some(base) => Root::new(Some(base), 0, 1)?,
            None => Root::new_on_disk()?,
        };
        let home = std::mem::replace(&mut self.root, Arc::new(elsewhere));
        let result = self.run_once(content);
        // The slots move back before their next run.
        self.root = home;
        result
    }

    /// Runs the test `times` times at the same time, at most once in each slot, to find out
    /// whether it depends on not running in parallel.
    ///
    /// # Errors
    /// When it can't be run, or when it is stopped.
    pub fn run_together(
        &mut self,
        content: &[u8],
        times: usize,
    ) -> Result<Vec<RunReport>, ExecError> {
        let write = |path: &Path| write_input(path, content.len(), [content].into_iter());
        let times = times.min(self.slots.len());
        let mut started = Vec::new();
        for _ in 0..times {
            let index = self.free_slot()?;
            let run = self.launch(index, &write)?;
            self.slots[index].state = State::Running { run, wanted: None };
            started.push(index);
        }
        let mut reports = Vec::new();
        while reports.len() < times {
            match self.outcome(|slot| matches!(slot.state, State::Running { wanted: None, .. })) {
                Ok(Outcome::Report(index, report)) => {
                    self.slots[index].state = State::Idle;
                    reports.push(report);
                }
                Ok(Outcome::Again(index)) => {
                    let run = self.launch(index, &write)?;
                    self.slots[index].state = State::Running { run, wanted: None };
                }
                Err(error) => {
                    for index in started {
                        self.cancel_slot(index);
                    }
                    return Err(error);
                }
            }
        }
        Ok(reports)
    }

    /// A slot that does nothing; waits if all are still ending tests that were cancelled.
    fn free_slot(&mut self) -> Result<usize, ExecError> {
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
    fn launch(
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
    fn outcome(&mut self, wanted: impl Fn(&Slot) -> bool) -> Result<Outcome, ExecError> {
        loop {
            if self.interrupt.is_raised() {
                return Err(ExecError::Stopped(Stop::Interrupted));
            }
            let left = self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Err(ExecError::Stopped(Stop::Budget));
            }
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
        let now = Instant::now();
        let is_watched: Vec<bool> = self.slots.iter().map(watched).collect();
        let overdue = |index: &usize| {
            let run = self.slots[*index].state.run();
            is_watched[*index] && run.is_some_and(|run| run.give_up <= now)
        };
        if let Some(index) = (0..self.slots.len()).find(overdue) {
            return Ok(Some(News::Lost(index)));
        }
        let first_overdue = self.slots.iter().filter_map(|slot| slot.state.run());
        let left = first_overdue
            .map(|run| run.give_up.saturating_duration_since(now))
            .chain(limit)
            .min();
        let mut sources: Vec<_> = (self.slots.iter().zip(&is_watched))
            .map(|(slot, &is_watched)| slot.answers().filter(|_| is_watched).map(AsFd::as_fd))
            .collect();
        sources.push(Some(self.interrupt.readable()));
        let ready = ready_of(&sources, left).map_err(|source| ExecError::NoWaiting { source })?;
        // No slot is starved: one that has been served says nothing more until it is used again.
        let index = (0..self.slots.len()).find(|&index| ready[index]);
        Ok(index.map(|index| match self.slots[index].receive() {
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

    fn cancel_slot(&mut self, index: usize) {
        if matches!(self.slots[index].state, State::Running { .. }) {
            self.slots[index].cancel();
            self.statistics.cancelled += 1;
        }
    }

    fn start_job(
        &mut self,
        index: usize,
        job: Job,
        candidate: Candidate<u8>,
    ) -> Result<(), ExecError> {
        let write = |path: &Path| write_input(path, candidate.len(), candidate.pieces());
        let run = self.launch(index, &write)?;
        self.slots[index].state = State::Running {
            run,
            wanted: Some((job, candidate)),
        };
        Ok(())
    }

    fn next_job(&mut self) -> Result<(Job, Observation<u8>), ExecError> {
        loop {
            let wanted = |slot: &Slot| {
                matches!(
                    &slot.state,
                    State::Running {
                        wanted: Some(_),
                        ..
                    }
                )
            };
            let (index, report) = match self.outcome(wanted)? {
                Outcome::Report(index, report) => (index, Some(report)),
                Outcome::Again(index) => (index, None),
            };
            let State::Running {
                wanted: Some((job, candidate)),
                ..
            } = std::mem::take(&mut self.slots[index].state)
            else {
                return Err(ExecError::Internal("a verdict for nobody"));
            };
            let Some(report) = report else {
                self.start_job(index, job, candidate)?;
                continue;
            };
            let verdict = report.verdict();
            self.report = Some(report);
            return Ok((job, verdict.into()));
        }
    }

    fn stop(&mut self, error: ExecError) -> Stop {
        match error {
            ExecError::Stopped(stop) => stop,
            error => {
                self.error = Some(error);
                Stop::Failed
            }
        }
    }
}

impl Executor<u8> for LocalProcesses {
    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn submit(&mut self, job: Job, candidate: &Candidate<u8>) -> Result<(), Stop> {
        self.free_slot()
            .and_then(|index| self.start_job(index, job, candidate.clone()))
            .map_err(|error| self.stop(error))
    }

    fn next_verdict(&mut self) -> Result<(Job, Observation<u8>), Stop> {
        self.next_job().map_err(|error| self.stop(error))
    }

    fn cancel(&mut self, job: Job) {
        let is_job = |slot: &Slot| matches!(&slot.state, State::Running { wanted: Some((name, _)), .. } if *name == job);
        if let Some(index) = self.slots.iter().position(is_job) {
            self.cancel_slot(index);
        }
    }
}

impl Drop for LocalProcesses {
    fn drop(&mut self) {
        // All at once, then wait for each: they end at the same time.
        self.slots.iter().for_each(Slot::close);
        self.slots.iter_mut().for_each(Slot::wait_closed);
    }
}
