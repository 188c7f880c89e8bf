//! Programs that are called with a test case and print something for it: external passes, formatters.
//!
//! They run as a test does, in a slot of their own: with a time limit, in a directory of their own,
//! and nothing that they start outlives them.

use std::path::Path;
use std::time::{Duration, Instant};

use ablate_engine::oracle::Verdict;
use ablate_exec::{ExecError, LocalProcesses, RunReport, TimeLimit};

use crate::failure::Failure;

/// How long a program may think about one test case, unless `--timeout` says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The most that a program may print for one test case.
const OUTPUT_MAX: usize = 16 << 20;

/// A program that is called with test cases.
pub struct Program {
    name: String,
    processes: LocalProcesses,
}

impl Program {
    /// The program that `command`, the value of `option`, names with its arguments, with blanks between
    /// them. It is not called yet. Test cases are given to it under the name of `file`, and are about `len` bytes.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(
        option: &'static str,
        command: &str,
        file: &Path,
        len: usize,
        timeout: Option<Duration>,
    ) -> Result<Program, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(Failure::NoProgram { option })?;
        let mut options = ablate_exec::Options::new(program, file);
        options.arguments = words.map(Into::into).collect();
        options.slots = 1;
        options.time_limit = TimeLimit::fixed(timeout.unwrap_or(TIME_LIMIT));
        options.captured_bytes = OUTPUT_MAX;
        options.input_bytes = len as u64;
        let base = Path::new(program).file_name().unwrap_or_default();
        Ok(Program {
            name: base.to_string_lossy().into_owned(),
            processes: LocalProcesses::start(options)
                .map_err(|error| Failure::Program { option, error })?,
        })
    }

    /// The program's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// From this time on the program is not waited for any more.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.processes.set_deadline(deadline);
    }

    /// Lets signals end a call that is being waited for.
    ///
    /// # Errors
    /// When a signal can't be caught.
    pub fn end_on(&self, signals: &[i32]) -> std::io::Result<()> {
        self.processes.interrupt().raise_on(signals)
    }

    /// What the program prints for a test case.
    ///
    /// # Errors
    /// When it fails, and why; without a reason when everything is about to end.
    pub fn call(&mut self, content: &[u8]) -> Result<Vec<u8>, Option<String>> {
        let report = match self.processes.run_once(content) {
            Ok(report) => report,
            Err(ExecError::Stopped(_)) => return Err(None),
            Err(error) => return Err(Some(format!("can't be called: {error}"))),
        };
        if report.verdict() != Verdict::Interesting {
            return Err(Some(format!("{}{}", report.ending, last_words(&report))));
        }
        if report.stdout.total_bytes > OUTPUT_MAX as u64 {
            return Err(Some(format!("it printed more than {OUTPUT_MAX} bytes")));
        }
        Ok(report.stdout.tail)
    }
}

/// The last line that a program printed to its standard error.
fn last_words(report: &RunReport) -> String {
    let said = String::from_utf8_lossy(&report.stderr.tail);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or(String::new(), |line| {
        format!(" ({})", line.chars().take(200).collect::<String>())
    })
}
