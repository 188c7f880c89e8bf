//! `cargo xtask synthetic`: how many calls of the test the synthetic problems cost, in this process
//! or through a command, beside what was published of Shrink Ray.

mod by_command;
mod in_process;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::layout;
use crate::problems::{self, Calls, Problem, Published};
use crate::table::Table;

/// What `cargo xtask synthetic` is told.
#[derive(Args)]
pub struct Options {
    /// The problems, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    problems: Vec<String>,
    /// How Ablate is run
    #[arg(long, value_enum, default_value = "in-process")]
    ablate: How,
    /// Another reducer to run on the same problems through its command
    #[arg(long)]
    peer: Option<String>,
    /// The `ablate` to run as a command instead of this checkout's release build
    #[arg(long)]
    ablate_command: Option<PathBuf>,
    /// Seconds after which a command is stopped
    #[arg(long, default_value_t = 600)]
    limit: u64,
    /// The seed of Ablate's randomness
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Install nothing: the peer is there
    #[arg(long)]
    no_setup: bool,
}

/// How Ablate is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    /// The engine in this process: only the calls count
    InProcess,
    /// The `ablate` command, with the test as a command
    Command,
    /// Not at all
    Skip,
}

/// A finished (or stopped) reduction of a problem.
struct Run {
    reducer: String,
    final_bytes: u64,
    calls: Calls,
    wall: Duration,
    is_finished: bool,
    is_interesting: bool,
}

/// Runs the problems and prints a table.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut chosen = problems::all();
    for name in &options.problems {
        ensure!(chosen.iter().any(|p| p.name == name), "no problem {name}");
    }
    chosen.retain(|p| options.problems.is_empty() || options.problems.iter().any(|n| n == p.name));
    let ablate = match options.ablate {
        How::Command => Some(layout::ablate(options.ablate_command.as_deref())?),
        How::InProcess | How::Skip => None,
    };
    if let (Some(peer), false) = (&options.peer, options.no_setup) {
        by_command::set_up(peer)?;
    }
    let limit = Duration::from_secs(options.limit);
    let mut table = Table::new([
        "problem", "reducer", "initial", "final", "calls", "to 90 %", "to 99 %", "tail", "tail %",
        "wall s", "",
    ]);
    let mut ours = Vec::new();
    for problem in &chosen {
        table.push(published_row(problem));
        let run = match options.ablate {
            How::InProcess => Some(in_process::reduce(problem, options.seed)?),
            How::Command => {
                let seed = options.seed;
                ablate
                    .as_deref()
                    .map(|ablate| by_command::ablate(ablate, problem, seed, limit))
                    .transpose()?
            }
            How::Skip => None,
        };
        if let Some(run) = run {
            table.push(row(problem, &run));
            eprintln!("{}: {} calls", problem.name, run.calls.0.len());
            ours.push((problem, run));
        }
        if let Some(peer) = &options.peer {
            let run = by_command::peer(peer, problem, limit)?;
            table.push(row(problem, &run));
            eprintln!("{}: {peer}: {} calls", problem.name, run.calls.0.len());
        }
    }
    println!("{}", table.text());
    if !ours.is_empty() {
        print!("{}", goals(&ours));
    }
    Ok(ExitCode::SUCCESS)
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.0}", 100.0 * part as f64 / whole.max(1) as f64)
}

fn published_row(problem: &Problem) -> Vec<String> {
    let Published {
        initial_bytes,
        final_bytes,
        calls,
        calls_to_90,
        calls_to_99,
        tail,
    } = problem.published;
    let numbers = [
        initial_bytes,
        final_bytes,
        calls,
        calls_to_90,
        calls_to_99,
        tail,
    ];
    let mut row = vec![problem.name.to_owned(), "shrinkray, published".to_owned()];
    row.extend(numbers.map(|number| number.to_string()));
    row.push(percent(tail, calls));
    row.push("-".to_owned());
    row.push(format!("optimum {}", problem.optimum));
    row
}

fn row(problem: &Problem, run: &Run) -> Vec<String> {
    let initial = (problem.initial)().len() as u64;
    let summary = run.calls.summary(initial, run.final_bytes);
    let mut row = vec![problem.name.to_owned(), run.reducer.clone()];
    let numbers = [
        initial,
        run.final_bytes,
        summary.calls,
        summary.calls_to_90,
        summary.calls_to_99,
        summary.tail,
    ];
    row.extend(numbers.map(|number| number.to_string()));
    row.push(percent(summary.tail, summary.calls));
    row.push(format!("{:.1}", run.wall.as_secs_f64()));
    row.push(match (run.is_interesting, run.is_finished) {
        (false, _) => "NOT INTERESTING".to_owned(),
        (true, false) => "not finished".to_owned(),
        (true, true) => String::new(),
    });
    row
}

/// How Ablate's runs stand to what the project wants of them.
fn goals(runs: &[(&Problem, Run)]) -> String {
    let mut text = String::new();
    let mut tails = Vec::new();
    for (problem, run) in runs {
        let initial = (problem.initial)().len() as u64;
        let summary = run.calls.summary(initial, run.final_bytes);
        tails.push(100.0 * summary.tail as f64 / summary.calls.max(1) as f64);
        let published = problem.published;
        let is_small = run.final_bytes <= published.final_bytes;
        // One problem has a goal of its own.
        let most = match problem.name {
            "deep_parens" => 2500,
            _ => published.calls / 2,
        };
        text.push_str(&format!(
            "{} {}: {} bytes (at most {}), {} calls (at most {most})\n",
            if is_small && summary.calls <= most {
                "ok    "
            } else {
                "MISSED"
            },
            problem.name,
            run.final_bytes,
            published.final_bytes,
            summary.calls,
        ));
    }
    tails.sort_by(f64::total_cmp);
    let median = tails[tails.len() / 2];
    let verdict = if median <= 25.0 { "ok    " } else { "MISSED" };
    text.push_str(&format!(
        "{verdict} the median tail is {median:.0} % (at most 25 %)\n"
    ));
    text
}
