//! What can go wrong in the command, each with its cause and its cure.

use std::io;
use std::path::PathBuf;

use ablate_exec::ExecError;

use crate::exit::Exit;

/// Why the command gives up.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file can't be read.
    #[error("can't read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder, a device, …
    #[error("{} is no regular file; ablate reduces one file at a time", path.display())]
    NotAFile {
        /// What it is not.
        path: PathBuf,
    },
    /// A file can't be written.
    #[error("can't write {}: {source}; choose another place with -o", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The test does not do what it should before anything has been changed.
    #[error("{0}")]
    Start(String),
    /// A pass that does not exist.
    #[error("there is no pass named {name:?}; `ablate passes` lists them")]
    UnknownPass {
        /// Its name.
        name: String,
    },
    /// The test can't be run.
    #[error("{0}")]
    Exec(#[from] ExecError),
    /// A signal handler can't be installed.
    #[error("can't catch Ctrl-C: {0}")]
    Signals(io::Error),
    /// Whoever read the output has gone.
    #[error("nobody reads the output any more")]
    BrokenPipe,
    /// Standard output can't be written.
    #[error("can't print: {0}")]
    Print(io::Error),
}

impl Failure {
    /// The exit status that goes with it.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Start(_) => Exit::NotInteresting,
            Failure::Exec(
                ExecError::ProgramMissing { .. }
                | ExecError::NoRunBit { .. }
                | ExecError::NoInterpreter { .. }
                | ExecError::NotAProgram { .. },
            ) => Exit::NotInteresting,
            Failure::Exec(_) | Failure::Signals(_) | Failure::Print(_) => Exit::Internal,
            Failure::BrokenPipe => Exit::Reduced,
            Failure::Unreadable { .. }
            | Failure::NotAFile { .. }
            | Failure::Unwritable { .. }
            | Failure::UnknownPass { .. } => Exit::Usage,
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
