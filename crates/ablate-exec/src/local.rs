//! Tests as processes of this machine: the engine's executor for its cores.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ablate_engine::oracle::{Alarm, Executor, Job, Observation, Stop};
use ablate_engine::target::Candidate;

use crate::drive::Outcome;
use crate::error::ExecError;
use crate::input::write_input;
use crate::interrupt::Interrupt;
use crate::options::Options;
use crate::places::Root;
use crate::program::find_program;
use crate::reads::{Reads, Watch};
use crate::report::RunReport;
use crate::slot::{Slot, State};
use crate::supervisor;

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

impl Statistics {
    /// Adds what others counted.
    pub fn add(&mut self, others: Statistics) {
        self.started += others.started;
        self.cancelled += others.cancelled;
        self.timed_out += others.timed_out;
        self.repeated += others.repeated;
        self.survivors += others.survivors;
        self.test_time += others.test_time;
    }
}

/// Runs tests as processes of this machine, one in each slot. One thread drives them all.
///
/// Dropping it ends all tests and removes all work directories.
#[derive(Debug)]
pub struct LocalProcesses {
    pub(crate) options: Options,
    pub(crate) slots: Vec<Slot>,
    pub(crate) root: Arc<Root>,
    pub(crate) interrupt: Interrupt,
    pub(crate) deadline: Option<Instant>,
    pub(crate) statistics: Statistics,
    pub(crate) report: Option<RunReport>,
    pub(crate) error: Option<ExecError>,
    pub(crate) next_number: u64,
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

    /// Runs the test once, waits for its end, and tells which files it has read: `None` where that can't
    /// be known.
    ///
    /// # Errors
    /// When it can't be run, or when it is stopped.
    pub fn run_watched(&mut self, content: &[u8]) -> Result<(RunReport, Option<Reads>), ExecError> {
        let unpacker = self.options.unpacker.clone();
        let watch = RefCell::new(None);
        let write = |path: &Path| {
            let pieces = [content].into_iter();
            write_input(path, unpacker.as_ref(), content.len(), pieces)?;
            let slot = path.ancestors().nth(2);
            watch.replace(slot.and_then(|slot| Watch::begin(slot, path).ok()));
            Ok(())
        };
        let mut reports = self.run_written(&write, 1)?;
        let report = reports.pop();
        let report = report.ok_or(ExecError::Internal("a run without a report"))?;
        Ok((report, watch.into_inner().and_then(Watch::end)))
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
        let unpacker = self.options.unpacker.clone();
        let write = |path: &Path| {
            let pieces = [content].into_iter();
            write_input(path, unpacker.as_ref(), content.len(), pieces)
        };
        self.run_written(&write, times)
    }

    /// Runs the test on what `write` writes, `times` times at the same time, at most once in each slot.
    fn run_written(
        &mut self,
        write: &dyn Fn(&Path) -> io::Result<()>,
        times: usize,
    ) -> Result<Vec<RunReport>, ExecError> {
        let times = times.min(self.slots.len());
        let mut started = Vec::new();
        for _ in 0..times {
            let index = self.free_slot()?;
            let run = self.launch(index, write)?;
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
                    let run = self.launch(index, write)?;
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

    fn start_job(
        &mut self,
        index: usize,
        job: Job,
        candidate: Candidate<u8>,
    ) -> Result<(), ExecError> {
        let unpacker = self.options.unpacker.clone();
        let write = |path: &Path| {
            let pieces = candidate.pieces();
            write_input(path, unpacker.as_ref(), candidate.len(), pieces)
        };
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

/// Whether waiting for verdicts has to end, and why.
pub(crate) fn asked_to_stop(interrupt: &Interrupt, deadline: Option<Instant>) -> Option<Stop> {
    if interrupt.is_raised() {
        return Some(Stop::Interrupted);
    }
    let is_over = deadline.is_some_and(|deadline| deadline <= Instant::now());
    is_over.then_some(Stop::Budget)
}

impl Executor<u8> for LocalProcesses {
    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn alarm(&self) -> Option<Alarm> {
        let (interrupt, deadline) = (self.interrupt(), self.deadline);
        Some(Alarm(Arc::new(move || asked_to_stop(&interrupt, deadline))))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_can_not_be_a_supervisor_is_told_so() {
        // The binary of this test begins with a `main` that knows nothing of supervisors.
        let mut processes = LocalProcesses::start(Options {
            slots: 1,
            ..Options::new("true", "a")
        })
        .unwrap();
        let refused = processes.run_once(b"");
        assert!(matches!(refused, Err(ExecError::SupervisorEntryMissing)));
    }
}
