//! What the exit status of the command says.

use std::process::ExitCode;

/// The exit statuses of `ablate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The test case is reduced to a fixed point.
    Reduced = 0,
    /// Something went wrong that should not; the best test case so far is kept.
    Internal = 1,
    /// The command was called with arguments that make no sense, or files that can't be used.
    Usage = 2,
    /// The test does not find the original interesting, can't be run, or can't be relied on;
    /// nothing was changed.
    NotInteresting = 3,
    /// A budget of tests or of time was used up; the best test case so far is kept.
    Budget = 4,
    /// Interrupted; the best test case so far is kept.
    Interrupted = 5,
}

/// What `ablate --help` says of them.
pub const HELP: &str = "\
Exit status:
  0  reduced to a fixed point: no step of any enabled pass makes the result simpler
  1  internal error (the best test case so far is kept)
  2  usage: arguments or files that can't be used
  3  the test does not find the original interesting, can't be run, or can't be relied on
  4  a budget (--max-tests, --max-time) is used up; the result is valid
  5  interrupted; the result is valid";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
