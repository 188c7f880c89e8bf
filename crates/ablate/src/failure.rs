//! What can go wrong in the command, each with its cause and its cure.

use std::error::Error;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use ablate_engine::oracle::Stop;
use ablate_exec::ExecError;

use crate::exit::Exit;

/// Why the command gives up.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file can't be read.
    #[error("can't read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A device, a pipe, …
    #[error("{} is neither a regular file nor a folder", path.display())]
    NotAFile {
        /// What it is not.
        path: PathBuf,
    },
    /// A file can't be written.
    #[error("can't write {}; choose another place with -o", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The test does not do what it should before anything has been changed.
    #[error("{0}")]
    Start(String),
    /// Test and test case seem to be the wrong way round.
    #[error(
        "the test {} may not be run, but {} may; the test comes first, then the file to reduce",
        test.display(),
        file.display()
    )]
    Swapped {
        /// What was given as the test.
        test: PathBuf,
        /// What was given as the test case.
        file: PathBuf,
    },
    /// A pass that does not exist.
    #[error("there is no pass named {name:?}; `ablate passes` lists them")]
    UnknownPass {
        /// Its name.
        name: String,
    },
    /// Nothing to reduce with.
    #[error(
        "no pass is left: --passes names none that can do anything here; `ablate passes` lists them"
    )]
    NoPass,
    /// A language that this build does not know.
    #[error("there is no language named {name:?} in this build; `ablate languages` lists them")]
    UnknownLanguage {
        /// Its name.
        name: String,
    },
    /// An option that asks for what can't be done with a folder.
    #[error("{option} is for single files; without it a folder can be reduced")]
    ForFilesOnly {
        /// The option.
        option: &'static str,
    },
    /// A folder that is not empty, and not ours.
    #[error(
        "{} is there already, and would be replaced as a whole; choose another name with -o",
        path.display()
    )]
    WouldReplace {
        /// The folder.
        path: PathBuf,
    },
    /// A program without a name.
    #[error("{option} names no command; give it a program, with its arguments")]
    NoProgram {
        /// The option that should have named one.
        option: &'static str,
    },
    /// `--use clang_delta` without one.
    #[error(
        "clang_delta is not installed; the packages of C-Vise (cvise) and C-Reduce (creduce) bring \
         it, and nothing is lost without --use but what it adds"
    )]
    NoClangDelta,
    /// A program that can't be run.
    #[error("{option}: {error}")]
    Program {
        /// The option that names it.
        option: &'static str,
        /// What is wrong with it.
        error: ExecError,
    },
    /// The test is nothing that can be run.
    #[error("the test {0}")]
    NoTest(ExecError),
    /// Nothing can be run.
    #[error(transparent)]
    Exec(ExecError),
    /// It ended while the test was being checked.
    #[error("{} while the test was being checked; nothing was changed", match .0 {
        Stop::Interrupted => "interrupted",
        Stop::Budget => "the time was over (--max-time)",
        Stop::Failed => "stopped",
    })]
    Stopped(Stop),
    /// A signal handler can't be installed.
    #[error("can't catch Ctrl-C")]
    Signals(#[source] io::Error),
    /// Whoever read the output has gone.
    #[error("nobody reads the output any more")]
    BrokenPipe,
    /// Standard output can't be written.
    #[error("can't print")]
    Print(#[source] io::Error),
}

impl Failure {
    /// The exit status that goes with it.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Start(_) | Failure::NoTest(_) => Exit::NotInteresting,
            Failure::Stopped(Stop::Interrupted) => Exit::Interrupted,
            Failure::Stopped(Stop::Budget) => Exit::Budget,
            Failure::Exec(_)
            | Failure::Stopped(Stop::Failed)
            | Failure::Signals(_)
            | Failure::Print(_) => Exit::Internal,
            Failure::BrokenPipe => Exit::Reduced,
            Failure::Unreadable { .. }
            | Failure::NotAFile { .. }
            | Failure::Unwritable { .. }
            | Failure::Swapped { .. }
            | Failure::UnknownPass { .. }
            | Failure::NoPass
            | Failure::UnknownLanguage { .. }
            | Failure::ForFilesOnly { .. }
            | Failure::WouldReplace { .. }
            | Failure::NoProgram { .. }
            | Failure::NoClangDelta
            | Failure::Program { .. } => Exit::Usage,
        }
    }

    /// The failure in words, with what caused it, and what caused that.
    pub fn story(&self) -> String {
        let mut story = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            // Writing to a string does not fail.
            let _ = write!(story, "\n  because: {error}");
            cause = error.source();
        }
        if let Failure::Exec(
            ExecError::NoWorkDirectory { .. } | ExecError::CandidateNotWritten { .. },
        ) = self
        {
            story.push_str("\n  TMPDIR names the place for work directories");
        }
        if let Failure::NoTest(ExecError::ProgramMissing { program }) = self
            && program.to_string_lossy().contains(' ')
        {
            story.push_str("\n  TEST is one program; a command with arguments goes into a script");
        }
        story
    }
}

impl From<ExecError> for Failure {
    fn from(error: ExecError) -> Failure {
        match error {
            ExecError::Stopped(stop) => Failure::Stopped(stop),
            ExecError::ProgramMissing { .. }
            | ExecError::NoRunBit { .. }
            | ExecError::NoInterpreter { .. }
            | ExecError::NotAProgram { .. } => Failure::NoTest(error),
            error => Failure::Exec(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::BrokenPipe
        } else {
            Failure::Print(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_story_ends_with_what_the_system_said() {
        let failure = Failure::from(ExecError::NoSupervisor {
            source: io::Error::from_raw_os_error(12),
        });
        assert!(failure.story().contains("because: Cannot allocate memory"));
        assert_eq!(failure.story().lines().count(), 2);
    }

    #[test]
    fn an_early_end_is_no_internal_error() {
        let exit = |stop| Failure::from(ExecError::Stopped(stop)).exit();
        assert_eq!(exit(Stop::Interrupted), Exit::Interrupted);
        assert_eq!(exit(Stop::Budget), Exit::Budget);
    }
}
