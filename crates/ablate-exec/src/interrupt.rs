//! A flag that makes waiting for verdicts end. It can be raised from other threads and from
//! signal handlers.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sys::eventfd::{EfdFlags, EventFd};

/// Whether this process ignores a signal, as `nohup` asks for with that of a closed terminal.
///
/// # Errors
/// When there is no such signal.
pub fn is_ignored(signal: i32) -> io::Result<bool> {
    let mut present = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: nothing is changed, and `present` has room for what is told.
    let told = unsafe { libc::sigaction(signal, std::ptr::null(), present.as_mut_ptr()) };
    Errno::result(told)?;
    // SAFETY: the system has filled it in.
    Ok(unsafe { present.assume_init() }.sa_sigaction == libc::SIG_IGN)
}

/// A flag that makes [`crate::LocalProcesses`] return `Stop::Interrupted`. Clones are the same
/// flag.
#[derive(Clone, Debug)]
pub struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    count: AtomicU32,
    wake: EventFd,
}

impl Interrupt {
    /// A flag that is not raised.
    ///
    /// # Errors
    /// When there is no file descriptor left.
    pub fn new() -> io::Result<Interrupt> {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        Ok(Interrupt {
            shared: Arc::new(Shared {
                count: AtomicU32::new(0),
                wake: EventFd::from_value_and_flags(0, flags)?,
            }),
        })
    }

    /// Raises the flag once more. Does nothing that a signal handler may not do.
    pub fn raise(&self) {
        self.shared.count.fetch_add(1, Ordering::SeqCst);
        // Only an overflow can fail, and then the flag is up already.
        let _ = self.shared.wake.write(1);
    }

    /// How many times the flag was raised.
    pub fn count(&self) -> u32 {
        self.shared.count.load(Ordering::SeqCst)
    }

    /// Whether the flag is up.
    pub fn is_raised(&self) -> bool {
        self.count() > 0
    }

    /// Lets each of these signals raise the flag, instead of what it did before; for a first
    /// Ctrl-C. For a second one, look at [`Interrupt::count`].
    ///
    /// # Errors
    /// When a signal can't be caught.
    pub fn raise_on(&self, signals: &[i32]) -> io::Result<()> {
        for &signal in signals {
            let flag = self.clone();
            // SAFETY: `raise` is an atomic addition and a `write`, both async-signal-safe; the
            // file descriptor lives as long as the clone in the handler.
            unsafe { signal_hook::low_level::register(signal, move || flag.raise()) }?;
        }
        Ok(())
    }

    /// Readable as soon as the flag is up.
    pub(crate) fn readable(&self) -> BorrowedFd<'_> {
        self.shared.wake.as_fd()
    }
}
