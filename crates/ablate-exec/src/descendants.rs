//! Ends every process that a test has started, whatever group or session it went to.
//!
//! The supervisor is a *child subreaper*: descendants whose parents end become its children. So
//! all of them are found below it, and none is left when it has no child any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::signalfd::SignalFd;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

/// Every process of a test finds the directory of its slot under this name.
pub(crate) const MARK: &str = "ABLATE_SLOT";

/// How long to go on killing. Only what hangs in the kernel, or is not ours to kill, lasts longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the members of a killed group usually need at most.
const DYING: Duration = Duration::from_millis(2);

/// Looks at a child without taking it away.
const PEEK: WaitPidFlag = WaitPidFlag::WEXITED
    .union(WaitPidFlag::WNOHANG)
    .union(WaitPidFlag::WNOWAIT);

/// What became of the children that have been waited for.
#[derive(Default)]
pub(crate) struct Reaped {
    /// How the test itself ended, once it has.
    pub test: Option<Status>,
    /// Whether there was no child left.
    pub is_empty: bool,
}

/// How a process ended, as the system tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(libc::c_int);

impl Status {
    /// The exit status, if it ended by itself.
    pub fn exit_status(self) -> Option<i32> {
        libc::WIFEXITED(self.0).then(|| libc::WEXITSTATUS(self.0))
    }

    /// The signal that ended it, if one did.
    pub fn signal(self) -> Option<i32> {
        libc::WIFSIGNALED(self.0).then(|| libc::WTERMSIG(self.0))
    }
}

/// Waits, without blocking, for all children that have ended. The group of the test is killed
/// while the dead test still holds its number.
pub(crate) fn reap(test: Pid) -> Reaped {
    let mut reaped = Reaped::default();
    if !matches!(
        waitid(Id::Pid(test), PEEK),
        Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD)
    ) {
        let _ = killpg(test, Signal::SIGKILL);
    }
    loop {
        match take_child() {
            Ok(None) => return reaped,
            Ok(Some((pid, status))) if pid == test => reaped.test = Some(status),
            Ok(Some(_)) | Err(Errno::EINTR) => {}
            Err(_) => {
                reaped.is_empty = true;
                return reaped;
            }
        }
    }
}

/// Waits for any child that has ended. (The one in `nix` takes it for an error when a child ends by
/// a real-time signal.)
fn take_child() -> nix::Result<Option<(Pid, Status)>> {
    let mut status = 0;
    // SAFETY: the pointer is to a local.
    let pid = Errno::result(unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG) })?;
    Ok((pid != 0).then(|| (Pid::from_raw(pid), Status(status))))
}

/// Ends all descendants and waits for them. Returns how many could not be ended. `children`
/// becomes readable when a child ends.
pub(crate) fn end_all(test: Pid, children: &SignalFd) -> usize {
    let started = Instant::now();
    // The test is not yet waited for when it is to be ended early; then its group is still its own.
    if waitid(Id::Pid(test), PEEK) != Err(Errno::ECHILD) {
        let _ = killpg(test, Signal::SIGKILL);
    }
    let mut searches = 0;
    loop {
        if reap(test).is_empty {
            return 0;
        }
        // The members of the group are dying; what else there is has to be searched for.
        let is_group_dying = waitid(Id::PGid(test), PEEK) != Err(Errno::ECHILD);
        if !is_group_dying || started.elapsed() > DYING {
            let found = descendants();
            if started.elapsed() > PATIENCE {
                return found.len();
            }
            if searches == 0 {
                found.into_iter().for_each(end);
            } else {
                freeze(found);
            }
            searches += 1;
        }
        wait_for_child(children);
    }
}

/// Stops all before it kills any: what stands still can't start others meanwhile.
fn freeze(mut found: BTreeSet<i32>) {
    let mut frozen = BTreeSet::new();
    for _ in 0..100 {
        let mut is_complete = true;
        for pid in found {
            if frozen.insert(pid) {
                is_complete = false;
                let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
            }
        }
        if is_complete {
            break;
        }
        found = descendants();
    }
    frozen.into_iter().for_each(end);
}

fn end(pid: i32) {
    let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
}

fn wait_for_child(children: &SignalFd) {
    let mut ready = [PollFd::new(children.as_fd(), PollFlags::POLLIN)];
    let _ = poll(&mut ready, PollTimeout::from(2u8));
    while let Ok(Some(_)) = children.read_signal() {}
}

/// All descendants of this process that are not yet dead.
fn descendants() -> BTreeSet<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for pid in processes() {
        if let Some((parent, state)) = parent_of(pid)
            && !matches!(state, b'Z' | b'X')
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = BTreeSet::new();
    let mut parents = vec![std::process::id() as i32];
    while let Some(parent) = parents.pop() {
        for &child in children.get(&parent).into_iter().flatten() {
            if found.insert(child) {
                parents.push(child);
            }
        }
    }
    found
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The parent of a process, and the letter for the state that the process is in.
fn parent_of(pid: i32) -> Option<(i32, u8)> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses and may contain anything, also parentheses.
    let after_name = stat.iter().rposition(|&b| b == b')')? + 1;
    let mut fields = stat[after_name..].split(|&b| b == b' ').skip(1);
    let state = *fields.next()?.first()?;
    let parent = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    Some((parent, state))
}

/// A process that is about to become another program shows no environment for a moment: so often it is looked
/// at again.
const LOOKS_AGAIN: u32 = 20;
/// How long it is waited before that.
const MOMENT: Duration = Duration::from_millis(1);

/// Ends the processes whose environment says that they belong to a test in `directory`. For those
/// that are nobody's descendants any more because their supervisor was killed.
pub(crate) fn end_marked(directory: &Path) {
    let mark = [MARK.as_bytes(), b"=", directory.as_os_str().as_bytes()].concat();
    let own = std::process::id() as i32;
    let mut looks = LOOKS_AGAIN;
    for _ in 0..100 {
        let is_marked = |environment: &[u8]| {
            let mut variables = environment.split(|&b| b == 0);
            variables.any(|variable| {
                variable
                    .strip_prefix(mark.as_slice())
                    .is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
            })
        };
        let (mut marked, mut is_unclear) = (Vec::new(), false);
        for pid in processes().filter(|&pid| pid != own) {
            match fs::read(format!("/proc/{pid}/environ")) {
                Ok(environment) if is_marked(&environment) => marked.push(pid),
                Ok(environment) => is_unclear |= environment.is_empty() && may_have_one(pid),
                Err(_) => {}
            }
        }
        if marked.is_empty() {
            if !is_unclear || looks == 0 {
                return;
            }
            looks -= 1;
            std::thread::sleep(MOMENT);
        }
        marked.into_iter().for_each(end);
    }
}

/// Whether a process that shows no environment may have one: it lives, and is none of the kernel's.
fn may_have_one(pid: i32) -> bool {
    const KERNEL: i32 = 2;
    parent_of(pid).is_some_and(|(parent, state)| {
        !matches!(state, b'Z' | b'X') && pid != KERNEL && parent != KERNEL
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_its_parent() {
        let (parent, state) = parent_of(std::process::id() as i32).unwrap();
        assert_eq!(parent, nix::unistd::getppid().as_raw());
        assert!(matches!(state, b'R' | b'S'));
    }
}
