//! Runs a property: stored failures first, then random cases, then the reduction of what failed.

use std::panic::Location;
use std::time::{Duration, Instant};

use super::explaining::RUNS_FOR_PARTS;
use super::pool::{Pool, with_workers};
use super::reduction::values_of;
use super::varying::Varying;
use crate::choice::{Value, decode};
use crate::failure::{Ended, Ending, Failure, FailureKind, install_hook, watch};
use crate::print::knowing_nothing;
use crate::reduce::Sequence;
use crate::report::Report;
use crate::sample::Plan;
use crate::settings::{Settings, Verbosity};
use crate::store::Store;
use crate::test_case::{Beyond, Halt, TestCase};

impl Settings {
    /// Runs a property and fails, by panic, when it does not hold.
    ///
    /// # Panics
    /// When the property does not hold; the message is the report.
    #[track_caller]
    pub fn check<R: Ending>(&self, property: impl Fn(&mut TestCase) -> R) {
        let (report, verbosity) = self.run_with_environment(&property);
        assert!(report.is_success(), "{report}");
        if verbosity >= Verbosity::Statistics {
            eprintln!("{}", report.statistics());
        }
    }

    /// Runs a property and tells what came of it.
    #[track_caller]
    pub fn run<R: Ending>(&self, property: impl Fn(&mut TestCase) -> R) -> Report {
        self.run_with_environment(&property).0
    }

    /// Like [`Settings::check`], on as many threads as [`Settings::workers`] says.
    ///
    /// # Panics
    /// When the property does not hold; the message is the report.
    #[track_caller]
    pub fn check_parallel<R: Ending>(&self, property: impl Fn(&mut TestCase) -> R + Sync) {
        let (report, verbosity) = self.run_on_workers(&property);
        assert!(report.is_success(), "{report}");
        if verbosity >= Verbosity::Statistics {
            eprintln!("{}", report.statistics());
        }
    }

    /// Like [`Settings::run`], on as many threads as [`Settings::workers`] says; the report is the
    /// same.
    #[track_caller]
    pub fn run_parallel<R: Ending>(&self, property: impl Fn(&mut TestCase) -> R + Sync) -> Report {
        self.run_on_workers(&property).0
    }

    #[track_caller]
    fn run_on_workers<R: Ending>(
        &self,
        property: &(impl Fn(&mut TestCase) -> R + Sync),
    ) -> (Report, Verbosity) {
        let settings = self.named().with_environment();
        let workers = settings.workers.unwrap_or_else(|| {
            let cores = std::thread::available_parallelism();
            cores.map_or(1, std::num::NonZero::get)
        });
        let verbosity = settings.verbosity;
        let mut runner = Runner::new(settings, property);
        if workers <= 1 {
            return (runner.run(), verbosity);
        }
        let name = runner.name.clone();
        let (max_choices, deadline) = (runner.settings.max_choices, runner.settings.deadline);
        let report = with_workers(workers, max_choices, (&name, deadline), property, |pool| {
            runner.pool = Some(pool);
            runner.run()
        });
        (report, verbosity)
    }

    #[track_caller]
    fn run_with_environment<R: Ending>(
        &self,
        property: &impl Fn(&mut TestCase) -> R,
    ) -> (Report, Verbosity) {
        let settings = self.named().with_environment();
        let verbosity = settings.verbosity;
        (Runner::new(settings, property).run(), verbosity)
    }

    /// With a name.
    #[track_caller]
    fn named(&self) -> Settings {
        let mut settings = self.clone();
        if settings.name.is_none() {
            settings.place = Some(Location::caller().to_string());
            let thread = std::thread::current();
            settings.name = Some(thread.name().unwrap_or("property").to_owned());
        }
        settings
    }
}

/// A property that is being run.
pub(super) struct Runner<'a, F> {
    pub(super) settings: Settings,
    pub(super) name: String,
    pub(super) property: &'a F,
    pub(super) tc: TestCase,
    pub(super) pool: Option<Pool>,
    pub(super) store: Option<Store>,
    pub(super) report: Report,
    /// One failing test case for each kind of failure, in the order found.
    pub(super) failing: Vec<Failing>,
    pub(super) varying: Varying,
    /// Tests spent on failures that have turned out to be one.
    pub(super) tests_of_merged: u64,
    /// How often it may still be run to explain parts of values.
    pub(super) runs_for_parts: u64,
}

/// A failure that was found, and the test case that shows it.
#[derive(Clone)]
pub(super) struct Failing {
    pub(super) kind: FailureKind,
    /// The whole message, as it was then.
    pub(super) message: String,
    pub(super) sequence: Sequence,
}

/// What one run came to, apart from what the test case itself holds.
pub(super) enum Ran {
    Valid,
    Invalid,
    Overran,
    Failed(Failure),
}

impl<R: Ending, F: Fn(&mut TestCase) -> R> Runner<'_, F> {
    fn new(settings: Settings, property: &F) -> Runner<'_, F> {
        install_hook();
        let name = settings.name.clone().unwrap_or_default();
        let seed = settings.seed.unwrap_or_else(random_seed);
        let store = Store::open(&settings.storage, &name, settings.place.as_deref());
        let stored_in = store.as_ref().map(|store| store.folder().to_owned());
        Runner {
            tc: TestCase::new(settings.max_choices),
            pool: None,
            store,
            report: Report {
                name: name.clone(),
                seed,
                stored_in,
                ..Report::default()
            },
            failing: Vec::new(),
            varying: Varying::default(),
            tests_of_merged: 0,
            runs_for_parts: RUNS_FOR_PARTS,
            settings,
            name,
            property,
        }
    }

    fn run(self) -> Report {
        knowing_nothing(|| self.report())
    }

    fn report(mut self) -> Report {
        if let Some(misread) = self.settings.misread.take() {
            self.report.ill_health = Some(misread);
            return self.report;
        }
        if let Some(replay) = self.settings.replay.clone() {
            self.replay_encoded(&replay);
        } else {
            for regression in self.settings.regressions.clone() {
                self.replay_encoded(&regression);
            }
            self.replay_stored();
            if self.failing.is_empty() && self.report.ill_health.is_none() {
                self.generate();
            }
        }
        // A reduction can find further kinds of failures, and that some of them are one.
        self.merge_varying();
        while let Some(failing) = self.failing.get(self.report.failures.len()).cloned() {
            let mut found = self.reduce(failing);
            found.tests += std::mem::take(&mut self.tests_of_merged);
            self.report.failures.push(found);
            self.merge_varying();
        }
        self.report
    }

    pub(super) fn execute(&mut self) -> Ran {
        let deadline = self.settings.deadline;
        let ran = execute(self.property, &mut self.tc, &self.name, deadline);
        self.varying.settle(ran)
    }

    /// Keeps what was read in the last run, unless such a failure is known.
    pub(super) fn keep_failing(&mut self, failure: Failure) {
        let mut failing = self.failing.iter();
        let is_known = failing.any(|known| known.kind == failure.kind);
        if is_known || self.varies(&failure.kind.place) {
            return;
        }
        let sequence = self.tc.take_sequence();
        if let Some(store) = &self.store {
            let values = values_of(&sequence.choices);
            store.save(&values, &[failure.to_string(), "not reduced".to_owned()]);
        }
        let Failure { kind, message } = failure;
        self.failing.push(Failing {
            kind,
            message,
            sequence,
        });
    }

    fn replay_encoded(&mut self, encoded: &str) {
        match decode(encoded) {
            Some(values) => {
                self.replay(values);
            }
            None => {
                let message = format!("{encoded:?} is no choice sequence of this version");
                self.report.ill_health = Some(message);
            }
        }
    }

    fn replay_stored(&mut self) {
        let stored = self.store.as_ref().map_or_else(Vec::new, Store::load);
        for stored in stored {
            if !self.replay(stored.values)
                && stored.is_own
                && let Some(store) = &self.store
            {
                store.remove_stored(&stored.path);
            }
        }
    }

    /// Whether the test case fails.
    fn replay(&mut self, values: Vec<Value>) -> bool {
        // The generators may have changed since: what is missing is made up.
        self.tc.start_replay(values, Beyond::Random);
        self.tc.reseed(0, Plan::default());
        match self.execute() {
            Ran::Failed(failure) => {
                self.keep_failing(failure);
                true
            }
            _ => false,
        }
    }
}

/// Runs a test case that has been started.
pub(super) fn execute<R: Ending>(
    property: &impl Fn(&mut TestCase) -> R,
    tc: &mut TestCase,
    name: &str,
    deadline: Option<Duration>,
) -> Ran {
    let started = deadline.map(|_| Instant::now());
    let ended = watch(name, || property(tc));
    tc.finish();
    match (tc.halted(), ended) {
        // What the property made of the unwinding does not count.
        (Some(Halt::Invalid), _) | (_, Ended::Halted(Halt::Invalid)) => {
            tc.learn_rejection();
            Ran::Invalid
        }
        (Some(Halt::Overrun), _) | (_, Ended::Halted(Halt::Overrun)) => Ran::Overran,
        (None, Ended::Failed(failure)) => Ran::Failed(failure),
        (None, Ended::Passed) => match (started, deadline) {
            (Some(started), Some(deadline)) if started.elapsed() > deadline => {
                let message = format!("took longer than {deadline:?}");
                Ran::Failed(Failure::new("deadline", message))
            }
            _ => Ran::Valid,
        },
    }
}

/// A seed that differs from run to run.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
