//! What `ablate` and a supervisor say to each other: frames over a socket, a length before each.
//! Both ends are the same program, so there are no versions.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `ablate` asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// How tests are called from now on. Answered with [`Answer::Ready`].
    Prepare(Box<Setup>),
    /// Run the test; the candidate is in its place. Answered with [`Answer::Ended`].
    Run {
        /// The name of the run.
        number: u64,
        /// How long it may take.
        limit: Duration,
    },
    /// End the run. It is answered sooner, then; a run that has ended before is not affected.
    Cancel {
        /// The name of the run.
        number: u64,
    },
}

/// How tests are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Setup {
    /// The program and all its arguments.
    pub arguments: Vec<OsString>,
    /// What the test reads; nothing without it.
    pub stdin: Option<PathBuf>,
    /// The directory of the slot; removed when `ablate` has ended.
    pub place: PathBuf,
    /// The current directory of the test.
    pub work: PathBuf,
    /// Where it makes temporary files.
    pub temporary: PathBuf,
    /// The directories to be emptied after each run.
    pub fresh: Vec<PathBuf>,
    /// `RLIMIT_AS`.
    pub memory_limit: Option<u64>,
    /// How much to keep of each stream.
    pub captured_bytes: u64,
}

/// What a supervisor answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is set up.
    Ready,
    /// The run is over, and so are all its descendants.
    Ended(Box<Ended>),
}

/// The end of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The name of the run.
    pub number: u64,
    /// How it ended.
    pub how: How,
    /// How long the test ran.
    pub duration: Duration,
    /// The room that was left where the test worked, in bytes, before its files were removed.
    pub free_bytes: u64,
    /// Processes that could not be ended.
    pub survivors: u32,
    /// The tail and the length of both streams.
    pub captured: [(Vec<u8>, u64); 2],
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// With an exit status.
    Exited(i32),
    /// By a signal.
    Signaled(i32),
    /// At its time limit.
    TimedOut,
    /// It was cancelled.
    Cancelled,
    /// It did not start: the [`crate::spawn::Step`] that failed, and the system's error number.
    NotStarted(i32, i32),
}

/// Sends a frame.
pub(crate) fn send(mut to: impl Write, message: &impl Message) -> io::Result<()> {
    let mut frame = Frame(vec![0; 4]);
    message.put(&mut frame);
    let len = u32::try_from(frame.0.len() - 4).map_err(io::Error::other)?;
    frame.0[..4].copy_from_slice(&len.to_le_bytes());
    to.write_all(&frame.0)
}

/// Receives a frame.
pub(crate) fn receive<M: Message>(mut from: impl Read) -> io::Result<M> {
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let mut frame = vec![0; u32::from_le_bytes(len) as usize];
    from.read_exact(&mut frame)?;
    M::take(&mut Rest(&frame)).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// What can be sent.
pub(crate) trait Message: Sized {
    fn put(&self, frame: &mut Frame);
    fn take(rest: &mut Rest<'_>) -> Option<Self>;
}

/// A frame that is being made.
pub(crate) struct Frame(Vec<u8>);

impl Frame {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn duration(&mut self, duration: Duration) {
        self.number(duration.as_secs());
        self.number(duration.subsec_nanos().into());
    }

    fn path(&mut self, path: &Path) {
        self.bytes(path.as_os_str().as_bytes());
    }
}

/// The part of a frame that is not yet read.
pub(crate) struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    fn int(&mut self) -> Option<i32> {
        Some(self.number()? as i32)
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    fn duration(&mut self) -> Option<Duration> {
        let seconds = self.number()?;
        Some(Duration::new(seconds, u32::try_from(self.number()?).ok()?))
    }

    fn path(&mut self) -> Option<PathBuf> {
        self.bytes().map(|bytes| OsString::from_vec(bytes).into())
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| item(self)).collect()
    }
}

impl Message for Request {
    fn put(&self, frame: &mut Frame) {
        match self {
            Request::Prepare(setup) => {
                frame.number(0);
                setup.put(frame);
            }
            Request::Run { number, limit } => {
                frame.number(1);
                frame.number(*number);
                frame.duration(*limit);
            }
            Request::Cancel { number } => {
                frame.number(2);
                frame.number(*number);
            }
        }
    }

    fn take(rest: &mut Rest<'_>) -> Option<Self> {
        Some(match rest.number()? {
            0 => Request::Prepare(Box::new(Setup::take(rest)?)),
            1 => Request::Run {
                number: rest.number()?,
                limit: rest.duration()?,
            },
            2 => Request::Cancel {
                number: rest.number()?,
            },
            _ => return None,
        })
    }
}

impl Message for Setup {
    fn put(&self, frame: &mut Frame) {
        frame.number(self.arguments.len() as u64);
        for argument in &self.arguments {
            frame.bytes(argument.as_bytes());
        }
        // A path is never empty, and an address space never zero.
        frame.path(self.stdin.as_deref().unwrap_or(Path::new("")));
        frame.path(&self.place);
        frame.path(&self.work);
        frame.path(&self.temporary);
        frame.number(self.fresh.len() as u64);
        for path in &self.fresh {
            frame.path(path);
        }
        frame.number(self.memory_limit.unwrap_or(0));
        frame.number(self.captured_bytes);
    }

    fn take(rest: &mut Rest<'_>) -> Option<Self> {
        Some(Setup {
            arguments: rest.list(|rest| rest.bytes().map(OsString::from_vec))?,
            stdin: rest
                .path()
                .map(|p| Some(p).filter(|p| p != Path::new("")))?,
            place: rest.path()?,
            work: rest.path()?,
            temporary: rest.path()?,
            fresh: rest.list(Rest::path)?,
            memory_limit: rest.number().map(|n| Some(n).filter(|&n| n > 0))?,
            captured_bytes: rest.number()?,
        })
    }
}

impl Message for Answer {
    fn put(&self, frame: &mut Frame) {
        let Answer::Ended(ended) = self else {
            frame.number(0);
            return;
        };
        frame.number(1);
        frame.number(ended.number);
        let (kind, first, second) = match ended.how {
            How::Exited(status) => (0, status, 0),
            How::Signaled(signal) => (1, signal, 0),
            How::TimedOut => (2, 0, 0),
            How::Cancelled => (3, 0, 0),
            How::NotStarted(step, errno) => (4, step, errno),
        };
        for number in [kind, first, second] {
            frame.number(number as u64);
        }
        frame.duration(ended.duration);
        frame.number(ended.free_bytes);
        frame.number(ended.survivors.into());
        for (tail, total) in &ended.captured {
            frame.bytes(tail);
            frame.number(*total);
        }
    }

    fn take(rest: &mut Rest<'_>) -> Option<Self> {
        if rest.number()? == 0 {
            return Some(Answer::Ready);
        }
        let number = rest.number()?;
        let how = match (rest.number()?, rest.int()?, rest.int()?) {
            (0, status, _) => How::Exited(status),
            (1, signal, _) => How::Signaled(signal),
            (2, ..) => How::TimedOut,
            (3, ..) => How::Cancelled,
            (4, step, errno) => How::NotStarted(step, errno),
            _ => return None,
        };
        Some(Answer::Ended(Box::new(Ended {
            number,
            how,
            duration: rest.duration()?,
            free_bytes: rest.number()?,
            survivors: u32::try_from(rest.number()?).ok()?,
            captured: [
                (rest.bytes()?, rest.number()?),
                (rest.bytes()?, rest.number()?),
            ],
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_round_trip<M: Message + PartialEq + std::fmt::Debug>(message: M) {
        let mut frame = Vec::new();
        send(&mut frame, &message).unwrap();
        assert_eq!(receive::<M>(frame.as_slice()).unwrap(), message);
        for end in 0..frame.len() {
            assert!(receive::<M>(&frame[..end]).is_err());
        }
    }

    #[test]
    fn requests_arrive_as_they_were_sent() {
        check_round_trip(Request::Run {
            number: 7,
            limit: Duration::from_millis(1500),
        });
        check_round_trip(Request::Cancel { number: u64::MAX });
        check_round_trip(Request::Prepare(Box::new(Setup {
            arguments: vec!["t".into(), OsString::from_vec(vec![0xff, b'x'])],
            stdin: Some("/w/f".into()),
            fresh: vec!["/w".into(), "/t".into()],
            memory_limit: Some(1 << 30),
            ..Setup::default()
        })));
        check_round_trip(Request::Prepare(Box::default()));
    }

    #[test]
    fn answers_arrive_as_they_were_sent() {
        check_round_trip(Answer::Ready);
        for how in [
            How::Exited(-1),
            How::Signaled(11),
            How::TimedOut,
            How::Cancelled,
            How::NotStarted(3, 2),
        ] {
            check_round_trip(Answer::Ended(Box::new(Ended {
                number: 9,
                how,
                duration: Duration::from_nanos(1_000_000_001),
                free_bytes: 5,
                survivors: 2,
                captured: [(b"out".to_vec(), 300), (Vec::new(), 0)],
            })));
        }
    }
}
