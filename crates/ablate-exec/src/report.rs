//! What is known of one run of a test.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ablate_engine::oracle::Verdict;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this exit status.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// It took longer than it may.
    TimedOut,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(status) => write!(f, "exit status {status}"),
            Ending::Signaled(number) => match nix::sys::signal::Signal::try_from(*number) {
                Ok(signal) => write!(f, "ended by {signal}"),
                Err(_) => write!(f, "ended by signal {number}"),
            },
            Ending::TimedOut => write!(f, "timed out"),
        }
    }
}

/// The end of what a test printed to one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The last bytes.
    pub tail: Vec<u8>,
    /// The number of bytes that the test printed, those of the tail among them.
    pub total_bytes: u64,
}

/// How a test was called. Displayed as the line of a shell that does the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// All its arguments.
    pub arguments: Vec<OsString>,
    /// Its current directory.
    pub directory: PathBuf,
    /// The file on its standard input; nothing was to be read there if there is none.
    pub stdin: Option<PathBuf>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directory = quoted(&self.directory.to_string_lossy());
        let program = quoted(&self.program.to_string_lossy());
        write!(f, "cd {directory} && {program}")?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(&argument.to_string_lossy()))?;
        }
        match &self.stdin {
            Some(path) => write!(f, " < {}", quoted(&path.to_string_lossy())),
            None => write!(f, " < /dev/null"),
        }
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// What is known of one run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// How it ended.
    pub ending: Ending,
    /// From its start to its end, without the preparations and the tidying up.
    pub duration: Duration,
    /// The time limit that it had.
    pub limit: Duration,
    /// What it printed to its standard output.
    pub stdout: Captured,
    /// What it printed to its standard error.
    pub stderr: Captured,
    /// How it was called.
    pub call: Arc<Call>,
    /// How many of its descendants could not be ended, since they belong to another user or hang
    /// in the kernel. Almost always zero.
    pub survivors: u32,
}

impl RunReport {
    /// Exit status 0 is interesting, everything else is not.
    pub fn verdict(&self) -> Verdict {
        match self.ending {
            Ending::Exited(0) => Verdict::Interesting,
            Ending::Exited(_) | Ending::Signaled(_) => Verdict::NotInteresting,
            Ending::TimedOut => Verdict::TimedOut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_shown_as_a_line_of_a_shell() {
        let call = Call {
            program: "/bin/my test".into(),
            arguments: vec!["it's".into(), "/w/a.c".into()],
            directory: "/w".into(),
            stdin: Some("/w/a.c".into()),
        };
        assert_eq!(
            call.to_string(),
            r"cd /w && '/bin/my test' 'it'\''s' /w/a.c < /w/a.c"
        );
    }

    #[test]
    fn an_ending_is_shown_in_words() {
        assert_eq!(Ending::Exited(1).to_string(), "exit status 1");
        assert_eq!(Ending::Signaled(9).to_string(), "ended by SIGKILL");
        assert_eq!(Ending::Signaled(40).to_string(), "ended by signal 40");
    }
}
