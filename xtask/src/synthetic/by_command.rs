//! A reducer's command on a synthetic problem, with one worker, so that the calls have an order.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Run;
use crate::child;
use crate::finished;
use crate::layout;
use crate::problems::{self, Problem, judge};
use crate::reducers::{self, Call, Work};
use crate::tasks::Task;

/// Installs the reducer `name`.
pub(super) fn set_up(name: &str) -> Result<()> {
    let status = Command::new(layout::root().join("bench/peers.sh"))
        .env("PEERS", layout::peers())
        .arg(reducers::package(name))
        .status()
        .context("bench/peers.sh")?;
    ensure!(status.success(), "{name} could not be installed");
    Ok(())
}

/// Runs the command `ablate`.
pub(super) fn ablate(ablate: &Path, problem: &Problem, seed: u64, limit: Duration) -> Result<Run> {
    run("ablate", problem, limit, &|work| {
        let mut call = reducers::ablate(ablate, work)?;
        call.command.arg("--seed").arg(seed.to_string());
        Ok(call)
    })
}

/// Runs the peer `name`.
pub(super) fn peer(name: &str, problem: &Problem, limit: Duration) -> Result<Run> {
    run(name, problem, limit, &|work| reducers::peer(name, work))
}

fn run(
    reducer: &str,
    problem: &Problem,
    limit: Duration,
    call: &dyn Fn(&Work<'_>) -> Result<Call>,
) -> Result<Run> {
    let folder = tempfile::Builder::new()
        .prefix("ablate-synthetic-")
        .tempdir()?;
    let record = folder.path().join("record");
    let task = Task {
        name: problem.name.to_owned(),
        folder: folder.path().to_path_buf(),
        input: folder.path().join(problem.file_name),
        test: write_test(folder.path(), problem, &record)?,
    };
    fs::write(&task.input, (problem.initial)())?;
    let work_folder = folder.path().join("work");
    fs::create_dir(&work_folder)?;
    let work = Work {
        folder: &work_folder,
        task: &task,
        test: &task.test,
        workers: 1,
    };
    let mut call = call(&work)?;
    let log = folder.path().join("log");
    call.command.stdin(Stdio::null());
    call.command.stdout(File::create(&log)?);
    call.command.stderr(Stdio::null());
    let outcome = child::run(&mut call.command, limit, &mut |_, _| {})?;
    let reduced = match fs::read(&call.result) {
        Ok(reduced) => reduced,
        Err(_) => (problem.initial)(),
    };
    let is_complete = finished::read(&log).is_none_or(|finished| finished.complete);
    Ok(Run {
        reducer: reducer.to_owned(),
        final_bytes: reduced.len() as u64,
        calls: judge::read(&record),
        wall: outcome.wall,
        is_finished: !outcome.was_stopped && outcome.status.success() && is_complete,
        is_interesting: problem.test.oracle()?(&reduced),
    })
}

/// A test as a script. It calls a copy of this program, which stays when a new one is built.
fn write_test(folder: &Path, problem: &Problem, record: &Path) -> Result<std::path::PathBuf> {
    let this = std::env::current_exe().context("this program has no path")?;
    let judge = folder.join("judge");
    fs::copy(&this, &judge).with_context(|| format!("{} can't be copied", this.display()))?;
    let test = folder.join("interesting.sh");
    let text = format!(
        "#!/bin/sh\nexec '{}' judge --python '{}' {} '{}' \"${{1:-{}}}\"\n",
        judge.display(),
        problems::interpreter()?.display(),
        problem.name,
        record.display(),
        problem.file_name
    );
    fs::write(&test, text)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    Ok(test)
}
