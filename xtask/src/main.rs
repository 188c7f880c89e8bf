//! The project's own checks and benchmarks: `cargo xtask --help` lists them.
//!
//! Nothing that Ablate's users run lives here.

mod bench;
mod big_log;
mod child;
mod counting;
mod determinism;
mod finished;
mod layout;
mod picireny;
mod problems;
mod reducers;
mod synthetic;
mod table;
mod tasks;
mod test_case;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own checks and benchmarks.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run Ablate and other reducers on the tasks, in turn, and compare them
    Bench(bench::Options),
    /// Reduce with several numbers of workers and delays, and compare the results
    Determinism(determinism::Options),
    /// Count the tests that the synthetic problems cost
    Synthetic(synthetic::Options),
    /// Reduce a 100 MB log and measure time and memory
    BigLog(big_log::Options),
    /// Check what documents name, and the rules that the sources keep
    CheckDocs,
    /// Judge one candidate of a synthetic problem (called by the benchmark's own tests)
    #[command(hide = true)]
    Judge(problems::judge::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Determinism(options) => determinism::run(&options),
        Command::Synthetic(options) => synthetic::run(&options),
        Command::BigLog(options) => big_log::run(&options),
        Command::CheckDocs => tidy::run(),
        Command::Judge(options) => problems::judge::run(&options),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
