//! `cargo xtask determinism`: the same reduction under several numbers of workers and under tests
//! that dawdle, which must all end with the same bytes after the same logical tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::child;
use crate::counting::{Counter, Wrapped};
use crate::finished::{self, Finished};
use crate::layout;
use crate::reducers::{self, Work};
use crate::table::Table;
use crate::tasks::{self, Task};

/// What `cargo xtask determinism` is told.
#[derive(Args)]
pub struct Options {
    /// The tasks, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    tasks: Vec<String>,
    /// Where the folders of tasks are [default: $ABLATE_BENCH_TASKS, ../shared/bench, bench/tasks]
    #[arg(long)]
    task_dir: Option<PathBuf>,
    /// How many logical tests a reduction may take [default: as many as it wants]
    #[arg(long, alias = "limit-tests")]
    max_tests: Option<u64>,
    /// Seconds after which a reduction is stopped, which counts as a failure
    #[arg(long, default_value_t = 3600)]
    limit: u64,
    /// The two seeds of the delays, separated by a comma
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    delays: Vec<u64>,
    /// An `ablate` to check instead of this checkout's release build
    #[arg(long)]
    ablate: Option<PathBuf>,
    /// More options for Ablate, after `--`
    #[arg(last = true)]
    ablate_options: Vec<String>,
}

/// One way to run the same reduction.
struct Variant {
    workers: usize,
    delay_seed: Option<u64>,
}

impl Variant {
    fn name(&self) -> String {
        match self.delay_seed {
            None => format!("-j{}", self.workers),
            Some(seed) => format!("-j{}, delay {seed}", self.workers),
        }
    }
}

/// Runs the check. It fails when any two variants differ.
pub fn run(options: &Options) -> Result<ExitCode> {
    let tasks = tasks::find(
        &layout::task_dir(options.task_dir.as_deref()),
        &options.tasks,
    )?;
    ensure!(!tasks.is_empty(), "there are no tasks");
    let ablate = layout::ablate(options.ablate.as_deref())?;
    let mut variants: Vec<Variant> = [1, 2, 8].map(undelayed).into();
    // With eight workers and delays, verdicts arrive in the wildest order.
    variants.extend(options.delays.iter().map(|&seed| Variant {
        workers: 8,
        delay_seed: Some(seed),
    }));
    let mut table = Table::new([
        "task", "variant", "bytes", "logical", "started", "wall s", "result", "trace", "",
    ]);
    let mut differing = Vec::new();
    for task in &tasks {
        let mut first: Option<Finished> = None;
        let mut is_same = true;
        for variant in &variants {
            let run = reduce(options, &ablate, task, variant);
            let (finished, counted, wall) = match run {
                Ok(run) => run,
                Err(error) => {
                    eprintln!("{}: {}: {error:#}", task.name, variant.name());
                    is_same = false;
                    continue;
                }
            };
            let agrees = first.as_ref().is_none_or(|first| {
                first.result_hash == finished.result_hash && first.trace_hash == finished.trace_hash
            });
            is_same &= agrees;
            table.push(vec![
                task.name.clone(),
                variant.name(),
                finished.final_bytes.to_string(),
                finished.tests_logical.to_string(),
                counted.to_string(),
                format!("{:.1}", wall.as_secs_f64()),
                shortened(&finished.result_hash.to_string()),
                shortened(&finished.trace_hash.to_string()),
                if agrees { "" } else { "DIFFERS" }.to_owned(),
            ]);
            eprintln!("{}: {} done", task.name, variant.name());
            first.get_or_insert(finished);
        }
        if !is_same {
            differing.push(task.name.as_str());
        }
    }
    println!("{}", table.text());
    if differing.is_empty() {
        println!("the same on all {} tasks", tasks.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("not the same: {}", differing.join(", "));
    Ok(ExitCode::FAILURE)
}

fn undelayed(workers: usize) -> Variant {
    Variant {
        workers,
        delay_seed: None,
    }
}

fn shortened(hash: &str) -> String {
    // Long enough that two different ones are not printed alike.
    hash.chars().take(16).collect()
}

fn reduce(
    options: &Options,
    ablate: &Path,
    task: &Task,
    variant: &Variant,
) -> Result<(Finished, u64, Duration)> {
    let folder = tempfile::Builder::new().prefix("ablate-same-").tempdir()?;
    let wrapped = Wrapped {
        command: &[&task.test],
        delay_seed: variant.delay_seed,
    };
    let counter = Counter::new(folder.path(), &wrapped)?;
    let work_folder = folder.path().join("work");
    fs::create_dir(&work_folder)?;
    let work = Work {
        folder: &work_folder,
        task,
        test: &counter.script,
        workers: variant.workers,
    };
    let mut call = reducers::ablate(ablate, &work)?;
    if let Some(max_tests) = options.max_tests {
        call.command.arg("--max-tests").arg(max_tests.to_string());
    }
    call.command.args(&options.ablate_options);
    let events = folder.path().join("events");
    let errors = folder.path().join("errors");
    call.command.stdin(Stdio::null());
    call.command.stdout(File::create(&events)?);
    call.command.stderr(File::create(&errors)?);
    let limit = Duration::from_secs(options.limit);
    let outcome = child::run(&mut call.command, limit, &mut |_, _| {})?;
    ensure!(!outcome.was_stopped, "not done after {} s", options.limit);
    let finished = finished::read(&events).with_context(|| {
        let said = fs::read_to_string(&errors).unwrap_or_default();
        format!(
            "it ended with {} and no result: {}",
            outcome.status,
            said.trim()
        )
    })?;
    ensure!(finished.has_hashes(), "the result names no hashes");
    Ok((finished, counter.tests(), outcome.wall))
}
