//! One run of one reducer on one task.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::Plan;
use super::trajectory::{Point, Watch};
use crate::child;
use crate::counting::{Counter, Wrapped};
use crate::finished::{self, Finished};
use crate::layout;
use crate::reducers::{self, Work};
use crate::tasks::Task;
use crate::test_case;

/// What came of one run.
pub struct Measurement {
    /// The task's name.
    pub task: String,
    /// The reducer's name.
    pub reducer: String,
    /// Bytes at the start.
    pub initial_bytes: u64,
    /// Bytes at the end.
    pub final_bytes: u64,
    /// Bytes at the end that are no blanks.
    pub non_blank_bytes: u64,
    /// Tests started.
    pub tests: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
    /// How many processes wanted the machine's cores when it began.
    pub load: Option<f64>,
    /// Whether it ended by itself.
    pub is_finished: bool,
    /// Whether what it left passes the test.
    pub is_interesting: bool,
    /// The changes of the reduced file.
    pub points: Vec<Point>,
    /// What Ablate said at the end.
    pub finished: Option<Finished>,
}

impl Measurement {
    /// Seconds until the reduced file changed for the last time.
    pub fn last_improvement_s(&self) -> Option<f64> {
        self.points.last().map(|point| point.seconds)
    }
}

/// Runs `reducer` on `task`.
pub(super) fn measure(plan: &Plan, task: &Task, reducer: &str) -> Result<Measurement> {
    let folder = tempfile::Builder::new().prefix("ablate-bench-").tempdir()?;
    let counter = Counter::new(
        folder.path(),
        &Wrapped {
            command: &[&task.test],
            delay_seed: None,
        },
    )?;
    let work_folder = folder.path().join("work");
    fs::create_dir(&work_folder)?;
    let work = Work {
        folder: &work_folder,
        task,
        test: &counter.script,
        workers: plan.workers,
    };
    let mut call = match &plan.ablate {
        Some(ablate) if reducer == "ablate" => {
            let mut call = reducers::ablate(ablate, &work)?;
            call.command.args(&plan.ablate_options);
            call
        }
        _ => reducers::peer(reducer, &work)?,
    };
    let initial = test_case::read(&call.input)?;
    ensure!(
        is_interesting(task, &call.input)?,
        "the test does not find the original interesting; is its tool installed?"
    );

    let load = load();
    let kept = plan.kept.join(format!("{}-{reducer}", task.name));
    let log = kept.with_extension("log");
    let errors = kept.with_extension("errors");
    call.command.stdin(Stdio::null());
    call.command.stdout(File::create(&log)?);
    call.command.stderr(File::create(&errors)?);
    let mut watch = Watch::new(&call.result, initial.clone());
    let outcome = child::run(&mut call.command, plan.limit, &mut |_, elapsed| {
        watch.look(elapsed, counter.tests());
    })?;
    let (mut reduced, points) = watch.into_parts();
    let last = folder.path().join(task.file_name());
    if let Ok(content) = test_case::read(&call.result) {
        reduced = content;
        test_case::copy(&call.result, &last)?;
    } else {
        fs::write(&last, &reduced)?;
    }
    fs::write(kept.with_extension("reduced"), &reduced)?;
    let finished = finished::read(&log).filter(|_| reducer == "ablate");
    let is_complete = finished.as_ref().is_none_or(|finished| finished.complete);
    if !outcome.was_stopped && !outcome.status.success() {
        let status = outcome.status;
        // A peer that failed before it changed anything is not one that could not reduce the file.
        ensure!(
            reducer == "ablate" || !points.is_empty(),
            "ended with {status} and without a result; see {}",
            errors.display()
        );
        eprintln!(
            "{}: {reducer} ended with {status}; see {}",
            task.name,
            errors.display()
        );
    }
    Ok(Measurement {
        task: task.name.clone(),
        reducer: reducer.to_owned(),
        initial_bytes: initial.len() as u64,
        final_bytes: reduced.len() as u64,
        non_blank_bytes: reduced.iter().filter(|b| !b.is_ascii_whitespace()).count() as u64,
        tests: counter.tests(),
        wall_s: outcome.wall.as_secs_f64(),
        load,
        is_finished: !outcome.was_stopped && is_complete,
        is_interesting: is_interesting(task, &last)?,
        points,
        finished,
    })
}

/// Asks the test itself, uncounted.
fn is_interesting(task: &Task, candidate: &std::path::Path) -> Result<bool> {
    let folder = tempfile::Builder::new().prefix("ablate-bench-").tempdir()?;
    let status = Command::new(&task.test)
        .arg(candidate)
        .current_dir(folder.path())
        .env("BENCH_TOOLS", layout::tools())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("{} can't be run", task.test.display()))?;
    Ok(status.success())
}

/// The mean of the last minute.
fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
