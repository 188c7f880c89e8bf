//! The supervisor of a slot: a small process that runs one test after another, and sees to it that
//! nothing of a test is left when its verdict is in.
//!
//! It is the same program as `ablate`, started anew. It has only one thread. It is a *child
//! subreaper*, so that also daemons that a test starts stay below it. When `ablate` ends, in
//! whatever way, the socket between them closes: the supervisor then ends the test, removes the
//! directory of its slot, and ends. Signals from the terminal don't reach it.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::libc;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, SigSet, Signal, signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, pipe2};

use crate::capture::Tail;
use crate::descendants::{self, MARK, Status};
use crate::places;
use crate::spawn::{SpawnError, Spawner, Step};
use crate::wait::ready;
use crate::wire::{Answer, Ended, How, Request, Setup, receive, send};

/// The argument that asks this program to be a supervisor.
pub(crate) const ASKED: &str = "--ablate-supervisor";

/// The exit status of a supervisor that could not go on.
pub(crate) const FAILED: i32 = 87;

/// How much is read from a test's output at a time.
const CHUNK: usize = 64 << 10;

/// Turns this process into a supervisor if [`crate::LocalProcesses`] has started it to be one, and
/// does not return then. Call it first thing in `main`, before there are threads.
pub fn run_if_asked() {
    if !is_asked() {
        return;
    }
    // Whatever goes wrong here, `ablate` sees the socket close and deals with it.
    let status = serve().map_or(FAILED, |()| 0);
    #[expect(
        clippy::exit,
        reason = "a supervisor never comes back to the caller's main"
    )]
    std::process::exit(status);
}

/// Whether this process was started to be a supervisor.
pub(crate) fn is_asked() -> bool {
    std::env::args_os().nth(1).is_some_and(|arg| arg == ASKED)
}

fn serve() -> io::Result<()> {
    let socket: UnixStream = io::stdin().as_fd().try_clone_to_owned()?.into();
    // Also those that are only waited for have to be blocked; and a test must not be able to end
    // its supervisor by a signal to a group that is not its own.
    SigSet::all().thread_block()?;
    // Somebody may have left it ignored for us; then there would be no exit statuses.
    // SAFETY: the default action is no function of this program.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) }?;
    let mut wanted = SigSet::empty();
    wanted.add(Signal::SIGCHLD);
    wanted.add(Signal::SIGTERM);
    let signals = SignalFd::with_flags(&wanted, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    nix::sys::prctl::set_child_subreaper(true)?;
    prefer_tests_as_victims();
    let mut supervisor = Supervisor {
        socket,
        signals,
        call: None,
        scratch: vec![0; CHUNK],
    };
    let result = supervisor.serve();
    // Nothing runs any more. The last one out removes the directory around those of the slots.
    if let Some(call) = &supervisor.call {
        let _ = places::remove(&call.setup.place);
        if let Some(root) = call.setup.place.parent() {
            let _ = std::fs::remove_dir(root);
        }
    }
    result
}

/// When memory runs out, a test shall be ended rather than `ablate`; and nobody wants the core
/// dumps of thousands of tests.
fn prefer_tests_as_victims() {
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_CORE) {
        // One byte is too small for a file, and tells the kernel not to start a crash handler.
        let _ = setrlimit(Resource::RLIMIT_CORE, hard.min(1), hard);
    }
}

struct Supervisor {
    socket: UnixStream,
    /// Readable when a child has ended, or when this process is asked to end.
    signals: SignalFd,
    call: Option<PreparedCall>,
    scratch: Vec<u8>,
}

struct PreparedCall {
    setup: Box<Setup>,
    spawner: Spawner,
    /// What a test reads that gets nothing.
    null: File,
}

/// Why a run ended before the test did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    TimedOut,
    Cancelled,
    /// Nobody wants to know any more.
    Abandoned,
}

impl Supervisor {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(request) = self.idle()? {
            match request {
                Request::Prepare(setup) => {
                    self.call = Some(PreparedCall::new(setup)?);
                    send(&self.socket, &Answer::Ready)?;
                }
                Request::Run { number, limit } => {
                    let Some(mut call) = self.call.take() else {
                        return Err(io::ErrorKind::InvalidData.into());
                    };
                    let ended = self.run(&mut call, number, limit);
                    self.call = Some(call);
                    let Some(ended) = ended? else {
                        return Ok(());
                    };
                    send(&self.socket, &Answer::Ended(Box::new(ended)))?;
                }
                // The run had ended when this was sent.
                Request::Cancel { .. } => {}
            }
        }
        Ok(())
    }

    /// The next request; `None` when there will be none.
    fn idle(&mut self) -> io::Result<Option<Request>> {
        loop {
            let sources = [Some(self.socket.as_fd()), Some(self.signals.as_fd())];
            let [socket, signals] = ready(sources, None)?;
            if signals && self.is_asked_to_end() {
                return Ok(None);
            }
            if socket {
                return self.request();
            }
        }
    }

    fn request(&self) -> io::Result<Option<Request>> {
        match receive(&self.socket) {
            Ok(request) => Ok(Some(request)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Takes note of all signals that have come.
    fn is_asked_to_end(&self) -> bool {
        let mut asked = false;
        while let Ok(Some(signal)) = self.signals.read_signal() {
            asked |= signal.ssi_signo == Signal::SIGTERM as u32;
        }
        asked
    }

    /// Runs the test once; `None` if this process is to end.
    fn run(
        &mut self,
        call: &mut PreparedCall,
        number: u64,
        limit: Duration,
    ) -> io::Result<Option<Ended>> {
        let mut tails = [(); 2].map(|()| Tail::new(call.setup.captured_bytes as usize));
        let started = Instant::now();
        let (how, duration, survivors) = match call.start() {
            Err(error) => (
                How::NotStarted(error.step, error.errno),
                Duration::ZERO,
                0usize,
            ),
            Ok((pid, mut streams)) => {
                let deadline = started.checked_add(limit);
                let watched = self.watch(pid, number, deadline, &mut streams, &mut tails);
                let duration = started.elapsed();
                let survivors = descendants::end_all(pid, &self.signals);
                self.drain(&mut streams, &mut tails);
                let how = match watched? {
                    Watched::Cut(Cut::Abandoned) => return Ok(None),
                    Watched::Cut(Cut::TimedOut) => How::TimedOut,
                    Watched::Cut(Cut::Cancelled) => How::Cancelled,
                    Watched::Ended(status) => how_of(status),
                };
                (how, duration, survivors)
            }
        };
        let free_bytes = places::free_bytes(&call.setup.place);
        call.refresh()?;
        Ok(Some(Ended {
            number,
            how,
            duration,
            free_bytes,
            survivors: survivors.try_into().unwrap_or(u32::MAX),
            captured: tails.map(Tail::finish),
        }))
    }

    /// Waits for the test, its time limit, or a request to end it, and reads what it prints.
    fn watch(
        &mut self,
        pid: Pid,
        number: u64,
        deadline: Option<Instant>,
        streams: &mut [Option<File>; 2],
        tails: &mut [Tail; 2],
    ) -> io::Result<Watched> {
        loop {
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Ok(Watched::Cut(Cut::TimedOut));
            }
            let sources = [
                Some(self.signals.as_fd()),
                Some(self.socket.as_fd()),
                streams[0].as_ref().map(File::as_fd),
                streams[1].as_ref().map(File::as_fd),
            ];
            let [signals, socket, stdout, stderr] = ready(sources, left)?;
            if signals {
                if self.is_asked_to_end() {
                    return Ok(Watched::Cut(Cut::Abandoned));
                }
                if let Some(status) = descendants::reap(pid).test {
                    return Ok(Watched::Ended(status));
                }
            }
            if socket {
                match self.request()? {
                    None => return Ok(Watched::Cut(Cut::Abandoned)),
                    Some(Request::Cancel { number: wanted }) if wanted == number => {
                        return Ok(Watched::Cut(Cut::Cancelled));
                    }
                    // For a run that had ended when it was sent.
                    Some(Request::Cancel { .. }) => {}
                    Some(_) => return Err(io::ErrorKind::InvalidData.into()),
                }
            }
            for (index, is_ready) in [stdout, stderr].into_iter().enumerate() {
                if is_ready {
                    self.read(&mut streams[index], &mut tails[index]);
                }
            }
        }
    }

    /// Takes what is left in the pipes. There is little: all who wrote to them are gone.
    fn drain(&mut self, streams: &mut [Option<File>; 2], tails: &mut [Tail; 2]) {
        for (stream, tail) in streams.iter_mut().zip(tails) {
            // A pipe holds at most 1 MiB. More comes only from somebody who got hold of it.
            for _ in 0..(1 << 20) / CHUNK + 1 {
                let source = [stream.as_ref().map(File::as_fd)];
                if !matches!(ready(source, Some(Duration::ZERO)), Ok([true])) {
                    break;
                }
                self.read(stream, tail);
            }
        }
    }

    fn read(&mut self, stream: &mut Option<File>, tail: &mut Tail) {
        if let Some(file) = stream
            && !tail.read_from(file, &mut self.scratch)
        {
            *stream = None;
        }
    }
}

/// What ended the watch over a test.
enum Watched {
    /// The test has ended.
    Ended(Status),
    /// It is to be ended.
    Cut(Cut),
}

fn how_of(status: Status) -> How {
    match (status.exit_status(), status.signal()) {
        (Some(status), _) => How::Exited(status),
        (None, signal) => How::Signaled(signal.unwrap_or(0)),
    }
}

impl PreparedCall {
    fn new(setup: Box<Setup>) -> io::Result<PreparedCall> {
        let replaced = |name: &OsString| name == "TMPDIR" || name == MARK;
        let environment = std::env::vars_os()
            .filter(|(name, _)| !replaced(name))
            .chain([
                ("TMPDIR".into(), setup.temporary.clone().into()),
                (MARK.into(), setup.place.clone().into()),
            ]);
        let arguments: Vec<Vec<u8>> = setup
            .arguments
            .iter()
            .map(|argument| argument.as_bytes().to_vec())
            .collect();
        let spawner = Spawner::new(
            &arguments,
            environment,
            setup.work.as_os_str(),
            setup.memory_limit,
        )?;
        let call = PreparedCall {
            setup,
            spawner,
            null: File::open("/dev/null")?,
        };
        call.refresh()?;
        Ok(call)
    }

    /// Lets the directories of the slot be empty again.
    fn refresh(&self) -> io::Result<()> {
        self.setup
            .fresh
            .iter()
            .try_for_each(|directory| places::make_empty(directory))
    }

    /// Starts the test; gives the ends of the pipes that it prints to.
    fn start(&mut self) -> Result<(Pid, [Option<File>; 2]), SpawnError> {
        let streams = |error: &io::Error| SpawnError::at(Step::Streams, error);
        let opened = match &self.setup.stdin {
            Some(path) => Some(File::open(path).map_err(|error| streams(&error))?),
            None => None,
        };
        let pipe = || pipe2(OFlag::O_CLOEXEC).map_err(|errno| streams(&errno.into()));
        let (stdout, to_stdout) = pipe()?;
        let (stderr, to_stderr) = pipe()?;
        let stdin = opened.as_ref().unwrap_or(&self.null);
        let mut attempts = 0;
        let pid = loop {
            let streams = [stdin.as_fd(), to_stdout.as_fd(), to_stderr.as_fd()];
            match self.spawner.spawn(streams) {
                // Short of processes for the moment, or the program is just being written.
                Err(error)
                    if matches!(error.errno, libc::EAGAIN | libc::ENOMEM | libc::ETXTBSY)
                        && attempts < 50 =>
                {
                    attempts += 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
                result => break result?,
            }
        };
        Ok((pid, [stdout, stderr].map(|end| Some(end.into()))))
    }
}
