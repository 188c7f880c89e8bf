//! What can go wrong at the edge, each with its cause and its cure.

use std::io;
use std::path::PathBuf;

use ablate_engine::oracle::Stop;

/// Why tests can't be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// There is no such program. As the next three it says what is wrong with the program, whose name
    /// comes first: whoever prints that knows whether it is a test.
    #[error(
        "{} does not exist; give a path with a slash in it, or a command on PATH",
        program.display()
    )]
    ProgramMissing {
        /// As it was given.
        program: PathBuf,
    },
    /// The program may not be run.
    #[error("{} may not be run; `chmod +x` it", program.display())]
    NoRunBit {
        /// The program.
        program: PathBuf,
    },
    /// The first line of the script names an interpreter that is not there.
    #[error(
        "{} asks in its first line for {interpreter:?}, which does not exist; correct the line that \
         begins with `#!` (a carriage return at its end counts as part of the name)",
        program.display()
    )]
    NoInterpreter {
        /// The script.
        program: PathBuf,
        /// What its first line names.
        interpreter: String,
    },
    /// It is neither a program for this machine nor a script with an interpreter.
    #[error(
        "{} is not a program for this machine; if it is a script, let its first line be \
         `#!/bin/sh`",
        program.display()
    )]
    NotAProgram {
        /// The file.
        program: PathBuf,
    },
    /// The name of the input file can't be the name of a file.
    #[error("{name:?} can't be the name of the input file; give the base name of a file")]
    BadFileName {
        /// The name.
        name: String,
    },
    /// No directory to work in could be made.
    #[error("can't make a work directory in {}; give another place for it", base.display())]
    NoWorkDirectory {
        /// Where it was to be.
        base: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A candidate could not be written.
    #[error(
        "can't write a candidate to {}; make room there, or give another place for work directories",
        path.display()
    )]
    CandidateNotWritten {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system would not start a test.
    #[error("the system does not start the test {} ({step}); see the limits on processes and memory", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What was being done.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The supervisor of a slot could not be started.
    #[error("can't start a supervisor; see the limits on processes and memory")]
    NoSupervisor {
        /// What the system said.
        source: io::Error,
    },
    /// This program does not turn into a supervisor when it is asked to.
    #[error(
        "this program can't supervise tests: its `main` has to begin with \
         `ablate_exec::supervisor::run_if_asked()`"
    )]
    SupervisorEntryMissing,
    /// Supervisors end for no reason of ours.
    #[error(
        "the supervisor of a test ended twice during the same test; see whether the test, or the \
         system for want of memory, kills processes that are not its own"
    )]
    SupervisorDied,
    /// The system does not let us wait.
    #[error("can't wait for tests")]
    NoWaiting {
        /// What the system said.
        source: io::Error,
    },
    /// Somebody asked for an end, or the time is over.
    #[error("stopped before the test had ended ({0:?})")]
    Stopped(Stop),
    /// A bug of ours.
    #[error("internal error: {0}")]
    Internal(&'static str),
}
