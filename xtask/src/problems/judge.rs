//! The hidden `cargo xtask judge`: the tests of the synthetic problems as a command, which writes
//! down each call.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};
use clap::Args;

use super::python::ORACLE;
use super::{Call, Calls, Test};

/// What `cargo xtask judge` is told.
#[derive(Args)]
pub struct Options {
    /// The problem
    problem: String,
    /// Where the call is written down
    record: PathBuf,
    /// The Python interpreter
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// The candidate
    candidate: PathBuf,
}

/// Judges one candidate: success when it is interesting.
pub fn run(options: &Options) -> Result<ExitCode> {
    let content = fs::read(&options.candidate)
        .with_context(|| format!("{} can't be read", options.candidate.display()))?;
    let problem = super::all().into_iter().find(|p| p.name == options.problem);
    let problem = problem.with_context(|| format!("no problem {}", options.problem))?;
    let is_interesting = match problem.test {
        Test::Pure(test) => test(&content),
        Test::Python(function) => Command::new(&options.python)
            .args(["-I", "-S", "-c", ORACLE, function])
            .arg(&options.candidate)
            .stderr(Stdio::null())
            .status()
            .context("python3 can't be run")?
            .success(),
    };
    append(&options.record, Call::new(&content, is_interesting))?;
    Ok(match is_interesting {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn append(record: &Path, call: Call) -> Result<()> {
    let verdict = u8::from(call.is_interesting);
    let line = format!("{} {:016x} {verdict}\n", call.bytes, call.content);
    let mut file = OpenOptions::new().append(true).create(true).open(record)?;
    // One write, so that calls at the same time do not mix.
    file.write_all(line.as_bytes())?;
    Ok(())
}

/// Reads what judging wrote down.
pub fn read(record: &Path) -> Calls {
    let text = fs::read_to_string(record).unwrap_or_default();
    Calls(text.lines().filter_map(parsed).collect())
}

fn parsed(line: &str) -> Option<Call> {
    let mut words = line.split(' ');
    Some(Call {
        bytes: words.next()?.parse().ok()?,
        content: u64::from_str_radix(words.next()?, 16).ok()?,
        is_interesting: words.next()? == "1",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_down_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("record");
        let calls = [Call::new(b"abc", true), Call::new(b"", false)];
        for call in calls {
            append(&record, call).expect("it can be written");
        }
        assert_eq!(read(&record).0, calls);
    }
}
