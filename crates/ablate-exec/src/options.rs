//! How tests are called and how many at a time.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::limit::TimeLimit;

/// The ways in which a test is given the candidate; several can hold at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputModes {
    /// Its path is the last argument.
    pub arg: bool,
    /// Its content is on standard input.
    pub stdin: bool,
    /// It is in the current directory, under its original name.
    pub cwd: bool,
}

impl InputModes {
    /// Every way at once, the convention of C-Reduce, C-Vise and Shrink Ray.
    pub const ALL: InputModes = InputModes {
        arg: true,
        stdin: true,
        cwd: true,
    };
    /// No way; a test that gets its input like this can't tell candidates apart.
    pub const NONE: InputModes = InputModes {
        arg: false,
        stdin: false,
        cwd: false,
    };
}

impl Default for InputModes {
    fn default() -> Self {
        InputModes::ALL
    }
}

/// A way to give a test its input that there isn't.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no input mode '{0}'; give arg, stdin, cwd, all, or several with commas between")]
pub struct UnknownInputMode(String);

impl FromStr for InputModes {
    type Err = UnknownInputMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut modes = InputModes::NONE;
        for mode in text.split(',') {
            match mode.trim() {
                "arg" => modes.arg = true,
                "stdin" => modes.stdin = true,
                "cwd" => modes.cwd = true,
                "all" => modes = InputModes::ALL,
                other => return Err(UnknownInputMode(other.to_owned())),
            }
        }
        Ok(modes)
    }
}

/// Makes what a candidate stands for, where that is no file: a folder, from its bytes.
#[derive(Clone)]
pub struct Unpacker(pub Arc<Unpack>);

/// Makes what the bytes stand for at the path, where nothing is yet.
pub type Unpack = dyn Fn(&Path, &[u8]) -> io::Result<()> + Send + Sync;

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacker").finish_non_exhaustive()
    }
}

/// How [`crate::LocalProcesses`] calls tests.
#[derive(Clone, Debug)]
pub struct Options {
    /// A path, or the name of a command that is looked for on `PATH`.
    pub program: PathBuf,
    /// The arguments that every call begins with.
    pub arguments: Vec<OsString>,
    /// The base name of the input file.
    pub file_name: OsString,
    /// How the test gets the candidate.
    pub input: InputModes,
    /// How many tests run at the same time.
    pub slots: usize,
    /// How long a test may take.
    pub time_limit: TimeLimit,
    /// How many bytes of address space each process of a test may have (`RLIMIT_AS`).
    pub memory_limit: Option<u64>,
    /// How many bytes are kept of the end of each of the two streams a test prints to.
    pub captured_bytes: usize,
    /// Where work directories are made. Without it: in memory where there is room, otherwise in
    /// the system's directory for temporary files.
    pub work_base: Option<PathBuf>,
    /// The length of the longest candidate to be expected, in bytes; says how much room is needed.
    pub input_bytes: u64,
    /// What makes something else of a candidate than a file with its content.
    pub unpacker: Option<Unpacker>,
}

impl Options {
    /// The usual way to call the test `program` on a file with the name of `input`: all input
    /// modes, a slot for each core, an adaptive time limit, no memory limit.
    pub fn new(program: impl Into<PathBuf>, input: impl AsRef<Path>) -> Options {
        Options {
            program: program.into(),
            arguments: Vec::new(),
            file_name: input.as_ref().file_name().unwrap_or_default().to_owned(),
            input: InputModes::ALL,
            slots: std::thread::available_parallelism().map_or(1, usize::from),
            time_limit: TimeLimit::adaptive(),
            memory_limit: None,
            captured_bytes: 64 << 10,
            work_base: None,
            input_bytes: 1 << 20,
            unpacker: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_modes_are_read_from_a_list() {
        assert_eq!("all".parse(), Ok(InputModes::ALL));
        assert_eq!("arg, stdin,cwd".parse(), Ok(InputModes::ALL));
        let arg_only = InputModes {
            arg: true,
            ..InputModes::NONE
        };
        assert_eq!("arg".parse(), Ok(arg_only));
        assert!("".parse::<InputModes>().is_err());
        assert!("args".parse::<InputModes>().is_err());
    }

    #[test]
    fn only_the_base_name_of_the_input_is_kept() {
        assert_eq!(Options::new("t", "dir/a.c").file_name, "a.c");
    }
}
