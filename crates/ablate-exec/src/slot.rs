//! A slot, seen from `ablate`: its supervisor, its directories, and what it is doing.

use std::ffi::OsString;
use std::io;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ablate_engine::oracle::Job;
use ablate_engine::target::Candidate;

use crate::descendants;
use crate::error::ExecError;
use crate::options::Options;
use crate::places::{Place, Root};
use crate::report::Call;
use crate::supervisor::ASKED;
use crate::wait::ready;
use crate::wire::{Answer, Ended, Request, Setup, receive, send};

/// How long a supervisor may take for what takes it less than a millisecond.
const PATIENCE: Duration = Duration::from_secs(30);

/// A place where one test at a time can run.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    supervisor: Option<Supervisor>,
    home: Option<Home>,
    /// What it is doing.
    pub state: State,
    /// How many times the present run had to be started again.
    pub repeats: u32,
}

/// What a slot is doing.
#[derive(Debug, Default)]
pub(crate) enum State {
    /// Nothing.
    #[default]
    Idle,
    /// Running a test.
    Running {
        /// The run.
        run: Run,
        /// For whom, if it is for the engine.
        wanted: Option<(Job, Candidate<u8>)>,
    },
    /// Ending a test that nobody wants any more.
    Draining(Run),
}

/// One run of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Its name.
    pub number: u64,
    /// How long it may take.
    pub limit: Duration,
    /// When the supervisor is overdue.
    pub give_up: Instant,
}

impl State {
    /// The run that an answer is still to come for.
    pub fn run(&self) -> Option<Run> {
        match self {
            State::Idle => None,
            State::Running { run, .. } | State::Draining(run) => Some(*run),
        }
    }
}

/// Where a slot works, and how a test is called there.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    place: Place,
    /// The candidate.
    pub input: PathBuf,
    /// How the test is called.
    pub call: Arc<Call>,
}

impl Home {
    /// Calls the test as `options` say, in `place`.
    pub fn new(options: &Options, place: Place) -> Home {
        let modes = options.input;
        let directory = if modes.cwd {
            place.work()
        } else {
            place.input()
        };
        let input = directory.join(&options.file_name);
        let argument = modes.arg.then(|| OsString::from(&input));
        let call = Call {
            program: options.program.clone(),
            arguments: options.arguments.iter().cloned().chain(argument).collect(),
            directory: place.work(),
            stdin: modes.stdin.then(|| input.clone()),
        };
        Home {
            place,
            input,
            call: Arc::new(call),
        }
    }

    /// The root that the place is in.
    pub fn root(&self) -> &Arc<Root> {
        self.place.root()
    }

    fn setup(&self, options: &Options) -> Setup {
        let program = OsString::from(&self.call.program);
        let arguments = self.call.arguments.iter().cloned();
        Setup {
            arguments: [program].into_iter().chain(arguments).collect(),
            stdin: self.call.stdin.clone(),
            place: self.place.path().to_owned(),
            work: self.place.work(),
            temporary: self.place.temporary(),
            fresh: self.place.fresh().into(),
            memory_limit: options.memory_limit,
            captured_bytes: options.captured_bytes as u64,
        }
    }
}

impl Slot {
    /// Whether a test can be started at once.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// What the supervisor answers on, while an answer is to come.
    pub fn answers(&self) -> Option<&UnixStream> {
        self.state.run()?;
        self.supervisor.as_ref().map(|s| &s.socket)
    }

    /// Where the slot works at present.
    pub fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// Moves the slot to `home`, with a supervisor that knows.
    pub fn move_to(&mut self, home: Home, options: &Options) -> Result<&Home, ExecError> {
        let supervisor = match self.supervisor.take() {
            Some(supervisor) => supervisor,
            None => Supervisor::start()?,
        };
        let setup = Request::Prepare(Box::new(home.setup(options)));
        let answer = send(&supervisor.socket, &setup).and_then(|()| receive(&supervisor.socket));
        match answer {
            Ok(Answer::Ready) => {}
            Ok(_) => return Err(ExecError::Internal("a supervisor answered out of turn")),
            Err(_) => return Err(supervisor.why_it_does_not_answer(home.place.path())),
        }
        self.supervisor = Some(supervisor);
        Ok(self.home.insert(home))
    }

    /// Runs the test; the candidate is in its place.
    pub fn run(&mut self, number: u64, limit: Duration) -> io::Result<Run> {
        let supervisor = self
            .supervisor
            .as_ref()
            .ok_or(io::ErrorKind::NotConnected)?;
        send(&supervisor.socket, &Request::Run { number, limit })?;
        let patience = limit.saturating_add(PATIENCE);
        Ok(Run {
            number,
            limit,
            give_up: Instant::now()
                .checked_add(patience)
                .unwrap_or_else(|| Instant::now() + PATIENCE),
        })
    }

    /// Lets the supervisor end the present run.
    pub fn cancel(&mut self) {
        if let Some(run) = self.state.run() {
            if let Some(supervisor) = &self.supervisor {
                let number = run.number;
                // If it does not listen any more, that is noticed when its answer is waited for.
                let _ = send(&supervisor.socket, &Request::Cancel { number });
            }
            self.state = State::Draining(Run {
                give_up: Instant::now() + PATIENCE,
                ..run
            });
        }
    }

    /// The end of the present run; an error if the supervisor can't say.
    pub fn receive(&mut self) -> io::Result<Box<Ended>> {
        let supervisor = self
            .supervisor
            .as_ref()
            .ok_or(io::ErrorKind::NotConnected)?;
        match receive(&supervisor.socket)? {
            Answer::Ended(ended) if self.state.run().is_some_and(|r| r.number == ended.number) => {
                Ok(ended)
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Gives the supervisor up, and ends what it may have left behind.
    pub fn give_up(&mut self) {
        self.supervisor = None;
        if let Some(home) = self.home.take() {
            descendants::end_marked(home.place.path());
        }
    }

    /// Lets the supervisor end everything, itself too, without waiting for that.
    pub fn close(&self) {
        if let Some(supervisor) = &self.supervisor {
            let _ = supervisor.socket.shutdown(Shutdown::Write);
        }
    }

    /// Waits till the supervisor has ended after [`Slot::close`].
    pub fn wait_closed(&mut self) {
        if let Some(supervisor) = &mut self.supervisor {
            supervisor.wait_closed();
        }
        self.supervisor = None;
        self.home = None;
    }
}

/// The process that runs a slot's tests. It is killed when this is dropped.
#[derive(Debug)]
struct Supervisor {
    child: Child,
    socket: UnixStream,
}

impl Supervisor {
    fn start() -> Result<Supervisor, ExecError> {
        let start = || -> io::Result<Supervisor> {
            let (socket, theirs) = UnixStream::pair()?;
            socket.set_read_timeout(Some(PATIENCE))?;
            let child = Command::new("/proc/self/exe")
                .arg0("ablate-supervisor")
                .arg(ASKED)
                .stdin(OwnedFd::from(theirs))
                .stdout(Stdio::null())
                // Ctrl-C is for `ablate` to deal with.
                .process_group(0)
                .spawn()?;
            Ok(Supervisor { child, socket })
        };
        start().map_err(|source| ExecError::NoSupervisor { source })
    }

    fn why_it_does_not_answer(mut self, place: &Path) -> ExecError {
        self.wait_closed();
        // Its end of the socket closes a moment before it has ended.
        let overdue = Instant::now() + Duration::from_secs(1);
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < overdue => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                result => break result,
            }
        };
        match status {
            // A supervisor that ends by itself says so like this; see `supervisor::run_if_asked`.
            Ok(Some(status)) if status.code() == Some(crate::supervisor::FAILED) => {
                ExecError::NoWorkDirectory {
                    base: place.to_owned(),
                    source: io::Error::other("its supervisor can't make it"),
                }
            }
            Ok(Some(status)) if status.code().is_none() => ExecError::SupervisorDied,
            _ => ExecError::SupervisorEntryMissing,
        }
    }

    fn wait_closed(&mut self) {
        let _ = self.socket.shutdown(Shutdown::Write);
        let overdue = Instant::now() + PATIENCE;
        let mut scratch = [0; 4096];
        // The answer to a run that was just ending may still come.
        while let Some(left) = overdue.checked_duration_since(Instant::now())
            && let Ok([is_ready]) =
                ready([Some(std::os::fd::AsFd::as_fd(&self.socket))], Some(left))
        {
            if is_ready && !matches!(io::Read::read(&mut self.socket, &mut scratch), Ok(1..)) {
                break;
            }
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // It has ended already, or does not do as it should.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
