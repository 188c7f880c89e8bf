//! `cargo xtask bench`: Ablate and other reducers on the same tasks, in turn, on this machine.

mod measure;
mod report;
mod trajectory;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::layout;
use crate::reducers;
use crate::tasks::{self, Task};
use measure::Measurement;

/// What `cargo xtask bench` is told.
#[derive(Args)]
pub struct Options {
    /// The other reducers, separated by commas; `none` for Ablate alone
    #[arg(long, value_delimiter = ',', default_value = "shrinkray")]
    peers: Vec<String>,
    /// The tasks, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    tasks: Vec<String>,
    /// Where the folders of tasks are [default: $ABLATE_BENCH_TASKS, ../shared/bench, bench/tasks]
    #[arg(long)]
    task_dir: Option<PathBuf>,
    /// Seconds after which a reducer is stopped
    #[arg(long, default_value_t = 300)]
    limit: u64,
    /// How many tests a reducer may run at the same time
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// An `ablate` to measure instead of this checkout's release build
    #[arg(long)]
    ablate: Option<PathBuf>,
    /// Leave Ablate out
    #[arg(long)]
    peers_only: bool,
    /// Install nothing: the tools and the peers are there
    #[arg(long)]
    no_setup: bool,
    /// More options for Ablate, after `--`
    #[arg(last = true)]
    ablate_options: Vec<String>,
}

/// Everything that a run needs to know about how it is measured.
struct Plan {
    ablate: Option<PathBuf>,
    ablate_options: Vec<String>,
    workers: usize,
    limit: Duration,
    /// Where logs and reduced files are kept.
    kept: PathBuf,
}

/// Runs the benchmark.
pub fn run(options: &Options) -> Result<ExitCode> {
    let tasks = tasks::find(
        &layout::task_dir(options.task_dir.as_deref()),
        &options.tasks,
    )?;
    ensure!(!tasks.is_empty(), "there are no tasks");
    let peers: Vec<&str> = options.peers.iter().map(String::as_str).collect();
    let peers: Vec<&str> = peers.into_iter().filter(|&peer| peer != "none").collect();
    for peer in &peers {
        let known = reducers::PEERS.join(", ");
        ensure!(
            reducers::PEERS.contains(peer),
            "no reducer `{peer}`; there are {known}"
        );
    }
    if !options.no_setup {
        set_up(&tasks, &peers)?;
    }
    let ablate = match options.peers_only {
        true => None,
        false => Some(layout::ablate(options.ablate.as_deref())?),
    };
    let results = layout::root().join("bench/results");
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)?
        .as_secs();
    let name = format!("{}-{seconds}", layout::commit());
    let plan = Plan {
        ablate,
        ablate_options: options.ablate_options.clone(),
        workers: options.workers,
        limit: Duration::from_secs(options.limit),
        kept: results.join(&name),
    };
    fs::create_dir_all(&plan.kept)?;
    let measurements = measure_all(&plan, &tasks, &peers);

    println!("{}", report::table(&measurements).text());
    let ablate_options = options.ablate_options.join(" ");
    println!(
        "commit {}, {} workers, stopped at {} s, options of ablate: {}\n",
        layout::commit(),
        options.workers,
        options.limit,
        if ablate_options.is_empty() {
            "none"
        } else {
            &ablate_options
        },
    );
    for peer in &peers {
        print!("{}", report::comparison(&measurements, peer));
    }
    let tsv = results.join(format!("{name}.tsv"));
    fs::write(&tsv, report::table(&measurements).tsv())?;
    fs::write(
        plan.kept.join("trajectories.tsv"),
        report::trajectories(&measurements).tsv(),
    )?;
    println!("{}", tsv.display());
    Ok(ExitCode::SUCCESS)
}

fn measure_all(plan: &Plan, tasks: &[Task], peers: &[&str]) -> Vec<Measurement> {
    let mut reducers: Vec<&str> = plan.ablate.iter().map(|_| "ablate").collect();
    reducers.extend(peers);
    let mut measurements = Vec::new();
    for task in tasks {
        for reducer in &reducers {
            match measure::measure(plan, task, reducer) {
                Ok(measurement) => {
                    eprintln!("{}", report::line(&measurement));
                    measurements.push(measurement);
                }
                Err(error) => eprintln!("{}: {reducer}: {error:#}", task.name),
            }
        }
        // The one that went first goes last on the next task.
        reducers.rotate_left(1);
    }
    measurements
}

fn set_up(tasks: &[Task], peers: &[&str]) -> Result<()> {
    let mut tools = Command::new(layout::root().join("bench/setup.sh"));
    tools.env("BENCH_TOOLS", layout::tools());
    tools.args(tasks.iter().map(|task| &task.folder));
    ensure!(
        tools.status().context("bench/setup.sh")?.success(),
        "the tools of the tasks could not be installed"
    );
    if !peers.is_empty() {
        let mut reducers = Command::new(layout::root().join("bench/peers.sh"));
        reducers.env("PEERS", layout::peers());
        reducers.args(peers.iter().map(|peer| reducers::package(peer)));
        ensure!(
            reducers.status().context("bench/peers.sh")?.success(),
            "the other reducers could not be installed"
        );
    }
    Ok(())
}
