//! Starts tests the way `posix_spawn` does, with what that lacks: an own session, a limit on
//! memory, and an end together with its supervisor.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CloneFlags, clone};
use nix::unistd::Pid;

/// Enough for the few calls between the start of a process and its `execve`.
const STACK_BYTES: usize = 64 << 10;

/// All that is needed to start a test, ready to be used again and again.
pub(crate) struct Spawner {
    arguments: Strings,
    environment: Strings,
    directory: CString,
    memory_limit: Option<libc::rlim_t>,
    stack: Vec<u8>,
}

/// What a starting process was doing; the names for people are in [`Step::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Step {
    /// Setting up its input and output, in the supervisor.
    Streams = 1,
    /// Making the process.
    Process,
    /// Setting up its session and its files.
    Session,
    /// Going to its directory.
    Directory,
    /// Limiting its memory.
    Limit,
    /// Running the program.
    Program,
}

impl Step {
    /// In words.
    pub fn name(number: i32) -> &'static str {
        const STEPS: [(Step, &str); 6] = [
            (Step::Streams, "opening its input and output"),
            (Step::Process, "making a process"),
            (Step::Session, "setting up its session"),
            (Step::Directory, "entering its directory"),
            (Step::Limit, "limiting its memory"),
            (Step::Program, "running the program"),
        ];
        let found = STEPS.iter().find(|(step, _)| *step as i32 == number);
        found.map_or("starting it", |(_, name)| name)
    }
}

/// Why a test was not started.
#[derive(Debug)]
pub(crate) struct SpawnError {
    /// What was being done.
    pub step: i32,
    /// The error number of the system.
    pub errno: i32,
}

impl SpawnError {
    pub fn at(step: Step, error: &io::Error) -> SpawnError {
        SpawnError {
            step: step as i32,
            errno: error.raw_os_error().unwrap_or(libc::EIO),
        }
    }
}

/// An array of C strings that ends with a null pointer.
struct Strings {
    pointers: Vec<*const libc::c_char>,
    _strings: Vec<CString>,
}

impl Strings {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Strings> {
        let strings = strings
            .map(CString::new)
            .collect::<Result<Vec<_>, _>>()
            .map_err(io::Error::other)?;
        let pointers = strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]);
        Ok(Strings {
            pointers: pointers.collect(),
            _strings: strings,
        })
    }
}

impl Spawner {
    /// Starts `arguments[0]` with `arguments` and `environment`, in `directory`.
    pub fn new(
        arguments: &[Vec<u8>],
        environment: impl Iterator<Item = (OsString, OsString)>,
        directory: &OsStr,
        memory_limit: Option<u64>,
    ) -> io::Result<Spawner> {
        if arguments.is_empty() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(Spawner {
            arguments: Strings::new(arguments.iter().cloned())?,
            environment: Strings::new(
                environment.map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat()),
            )?,
            directory: CString::new(directory.as_bytes()).map_err(io::Error::other)?,
            memory_limit,
            stack: vec![0; STACK_BYTES],
        })
    }

    /// Starts the test with these as its standard input, output and error. It leads a session and
    /// a process group of its own. All signals have to be blocked in this process.
    pub fn spawn(&mut self, streams: [BorrowedFd<'_>; 3]) -> Result<Pid, SpawnError> {
        let streams = streams.map(|stream| stream.as_raw_fd());
        let failed_step = AtomicI32::new(0);
        let errno = AtomicI32::new(0);
        let parent = std::process::id() as libc::pid_t;
        let (program, arguments) = (self.arguments.pointers[0], self.arguments.pointers.as_ptr());
        let environment = self.environment.pointers.as_ptr();
        let (directory, memory_limit) = (self.directory.as_ptr(), self.memory_limit);
        let child = || -> isize {
            // SAFETY: the pointers are to strings and arrays in `self`, which outlives the call.
            let failed = unsafe {
                become_test(
                    streams,
                    parent,
                    directory,
                    memory_limit,
                    program,
                    arguments,
                    environment,
                )
            };
            errno.store(Errno::last_raw(), Ordering::SeqCst);
            failed_step.store(failed as i32, Ordering::SeqCst);
            // SAFETY: `_exit` takes any status, and runs nothing of this program.
            unsafe { libc::_exit(127) }
        };
        // SAFETY: with CLONE_VFORK this process stands still until the new one, which shares its
        // memory, runs another program or has ended. Till then the new process calls only what is
        // async-signal-safe and allocates nothing. No signal handler can run in it, since all
        // signals are blocked.
        let pid = unsafe {
            clone(
                Box::new(child),
                &mut self.stack,
                CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK,
                Some(libc::SIGCHLD),
            )
        };
        let pid = pid.map_err(|errno| SpawnError::at(Step::Process, &errno.into()))?;
        match failed_step.load(Ordering::SeqCst) {
            0 => Ok(pid),
            step => {
                let _ = nix::sys::wait::waitpid(pid, None);
                Err(SpawnError {
                    step,
                    errno: errno.load(Ordering::SeqCst),
                })
            }
        }
    }
}

/// Lets the new process become the test. Returns only when it can't, with what failed.
///
/// # Safety
/// `directory` and `program` are C strings, `arguments` and `environment` arrays of C strings that
/// end with a null pointer.
unsafe fn become_test(
    streams: [libc::c_int; 3],
    parent: libc::pid_t,
    directory: *const libc::c_char,
    memory_limit: Option<libc::rlim_t>,
    program: *const libc::c_char,
    arguments: *const *const libc::c_char,
    environment: *const *const libc::c_char,
) -> Step {
    // SAFETY: plain system calls; the pointers are the caller's promise or to locals.
    unsafe {
        if libc::setsid() < 0 || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) < 0 {
            return Step::Session;
        }
        // The supervisor may have ended before its end was asked to be told.
        if libc::getppid() != parent {
            return Step::Session;
        }
        for (target, stream) in streams.into_iter().enumerate() {
            if libc::dup2(stream, target as libc::c_int) < 0 {
                return Step::Session;
            }
        }
        if libc::chdir(directory) < 0 {
            return Step::Directory;
        }
        // What Rust ignores for itself, a test does not expect to be ignored.
        if libc::signal(libc::SIGPIPE, libc::SIG_DFL) == libc::SIG_ERR {
            return Step::Session;
        }
        if let Some(bytes) = memory_limit {
            let mut limit = libc::rlimit {
                rlim_cur: bytes,
                rlim_max: bytes,
            };
            let mut before = limit;
            if libc::getrlimit(libc::RLIMIT_AS, &mut before) == 0 {
                limit.rlim_max = bytes.min(before.rlim_max);
                limit.rlim_cur = limit.rlim_max;
            }
            if libc::setrlimit(libc::RLIMIT_AS, &limit) < 0 {
                return Step::Limit;
            }
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        libc::execve(program, arguments, environment);
        Step::Program
    }
}
