//! Directories that tests work in: made in memory where there is room, emptied between tests,
//! removed at the end, and swept up after an `ablate` that was killed.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{Pid, getuid, mkdtemp};

use crate::descendants;
use crate::error::ExecError;

/// Storage in memory, on every Linux that is not cut down.
const MEMORY: &str = "/dev/shm";
/// What has to be free there for the files that tests make: for all, and for each slot.
const MEMORY_RESERVE: [u64; 2] = [256 << 20, 64 << 20];
/// For each slot, how many candidates have to find room at the start: tests copy their input.
const COPIES: u64 = 8;

/// The directory of one `ablate`, with those of its slots in it. Dropping it removes all.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    /// How much should be free, where the storage is memory.
    reserve: Option<u64>,
    /// Held as long as this process lives. It tells other processes, also those that can't see
    /// this one since they are in another container, that the directory is in use.
    _lock: Option<Flock<File>>,
}

impl Root {
    /// Makes one in `base`; without it, in memory if there is room for `bytes` in each of `slots`.
    pub fn new(base: Option<&Path>, bytes: u64, slots: usize) -> Result<Root, ExecError> {
        if let Some(base) = base {
            return Root::new_in(base, None);
        }
        let memory = Path::new(MEMORY);
        let slots = slots as u64;
        let reserve = MEMORY_RESERVE[1]
            .saturating_mul(slots)
            .saturating_add(MEMORY_RESERVE[0]);
        let needed = bytes
            .saturating_mul(slots)
            .saturating_mul(COPIES)
            .saturating_add(reserve);
        // Half, because what is in there is not available to the tests any more.
        let available = available_memory().unwrap_or(u64::MAX) / 2;
        if may_run_programs(memory) && needed <= free_bytes(memory).min(available) {
            // What can't be made there can still be made on disk.
            if let Ok(root) = Root::new_in(memory, Some(reserve)) {
                return Ok(root);
            }
        }
        Root::new_on_disk()
    }

    /// Makes one in the system's directory for temporary files.
    pub fn new_on_disk() -> Result<Root, ExecError> {
        Root::new_in(&std::env::temp_dir(), None)
    }

    fn new_in(base: &Path, reserve: Option<u64>) -> Result<Root, ExecError> {
        let make = || -> io::Result<Root> {
            let base = std::path::absolute(base)?;
            sweep(&base);
            let path = mkdtemp(&base.join(format!("ablate-{}-XXXXXX", std::process::id())))?;
            let lock = Flock::lock(File::open(&path)?, FlockArg::LockExclusiveNonblock).ok();
            Ok(Root {
                path,
                reserve,
                _lock: lock,
            })
        };
        make().map_err(|source| ExecError::NoWorkDirectory {
            base: base.to_owned(),
            source,
        })
    }

    /// Whether the storage is memory, and so much of it is used up that tests may soon fail.
    pub fn is_short(&self) -> bool {
        self.reserve
            .is_some_and(|reserve| free_bytes(&self.path) < reserve / 2)
    }

    /// Whether the storage is memory.
    pub fn is_memory(&self) -> bool {
        self.reserve.is_some()
    }

    /// The directory of a slot.
    pub fn place(self: &Arc<Root>, name: &str) -> Place {
        Place {
            path: self.path.join(name),
            root: Arc::clone(self),
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // What can't be removed now, the next start sweeps up.
        let _ = remove(&self.path);
    }
}

/// The directories of a slot.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    path: PathBuf,
    root: Arc<Root>,
}

impl Place {
    /// All of it; every test gets this path in its environment.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root it belongs to.
    pub fn root(&self) -> &Arc<Root> {
        &self.root
    }

    /// The current directory of the test.
    pub fn work(&self) -> PathBuf {
        self.path.join("work")
    }

    /// For the temporary files of the test.
    pub fn temporary(&self) -> PathBuf {
        self.path.join("tmp")
    }

    /// For the candidate, when it must not be in the current directory.
    pub fn input(&self) -> PathBuf {
        self.path.join("input")
    }

    /// The directories that are emptied between tests.
    pub fn fresh(&self) -> [PathBuf; 3] {
        [self.work(), self.temporary(), self.input()]
    }
}

/// What only we may do with directories of ours.
const MODE: u32 = 0o700;

/// Lets `directory` be an empty directory of ours, whatever it is now.
pub(crate) fn make_empty(directory: &Path) -> io::Result<()> {
    if let Ok(metadata) = fs::symlink_metadata(directory)
        && metadata.is_dir()
        && empty(directory).is_ok()
    {
        // The test may have changed that too, and as root nothing else would tell.
        if metadata.mode() & 0o7777 != MODE {
            fs::set_permissions(directory, Permissions::from_mode(MODE))?;
        }
        return Ok(());
    }
    // The directory around it is that of the slot.
    if let Some(slot) = directory.parent()
        && fs::symlink_metadata(slot).is_ok_and(|entry| entry.is_dir())
    {
        fs::set_permissions(slot, Permissions::from_mode(MODE))?;
    }
    if remove(directory).is_err() {
        // Something in there can't be removed; out of the way with it.
        let aside = directory.with_extension("left");
        let _ = remove(&aside);
        fs::rename(directory, &aside)?;
    }
    DirBuilder::new()
        .recursive(true)
        .mode(MODE)
        .create(directory)
}

/// Removes all that is in `directory`. Quick where little is in there.
fn empty(directory: &Path) -> io::Result<()> {
    let try_once = || fs::read_dir(directory)?.try_for_each(|entry| remove(&entry?.path()));
    try_once().or_else(|_| {
        fs::set_permissions(directory, Permissions::from_mode(MODE))?;
        try_once()
    })
}

/// Removes a file, or a directory with all that is in it, also where permissions were taken away.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !metadata.is_dir() {
        return fs::remove_file(path);
    }
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    empty(path)?;
    fs::remove_dir(path)
}

/// Removes what processes of ours left in `base` when they were killed, and ends the tests that
/// outlived them.
fn sweep(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix("ablate-"))
            .and_then(|rest| rest.split_once('-'))
            .and_then(|(pid, _)| pid.parse::<i32>().ok());
        let is_ours = entry
            .metadata()
            .is_ok_and(|m| m.is_dir() && m.uid() == getuid().as_raw());
        if let Some(owner) = owner
            && is_ours
            && is_dead(owner)
            && let Ok(directory) = File::open(entry.path())
            && let Ok(_lock) = Flock::lock(directory, FlockArg::LockExclusiveNonblock)
        {
            descendants::end_marked(&entry.path());
            let _ = remove(&entry.path());
        }
    }
}

fn is_dead(pid: i32) -> bool {
    pid > 0 && nix::sys::signal::kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH)
}

/// How much room there is at `path`; none if nobody can say.
pub(crate) fn free_bytes(path: &Path) -> u64 {
    statvfs(path).map_or(0, |fs| {
        fs.blocks_available().saturating_mul(fs.fragment_size())
    })
}

/// Tests compile things in their directory and run them.
fn may_run_programs(path: &Path) -> bool {
    statvfs(path).is_ok_and(|fs| {
        !fs.flags()
            .intersects(FsFlags::ST_NOEXEC | FsFlags::ST_RDONLY)
    })
}

fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_emptied_whatever_is_in_it() {
        let base = tempfile::tempdir().unwrap();
        let work = base.path().join("work");
        make_empty(&work).unwrap();
        fs::create_dir_all(work.join("a/b")).unwrap();
        fs::write(work.join("a/b/c"), "").unwrap();
        fs::write(work.join("d"), "").unwrap();
        std::os::unix::fs::symlink("/", work.join("e")).unwrap();
        for path in ["a/b/c", "a/b", "a", "d", ""] {
            fs::set_permissions(work.join(path), Permissions::from_mode(0o000)).unwrap();
        }
        make_empty(&work).unwrap();
        assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
    }

    #[test]
    fn a_place_that_became_a_link_is_a_directory_again() {
        let base = tempfile::tempdir().unwrap();
        let kept = base.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        let work = base.path().join("work");
        std::os::unix::fs::symlink(&kept, &work).unwrap();
        make_empty(&work).unwrap();
        assert!(fs::symlink_metadata(&work).unwrap().is_dir());
        assert!(kept.join("file").exists());
    }

    #[test]
    fn a_root_is_removed_when_it_is_dropped() {
        let base = tempfile::tempdir().unwrap();
        let root = Arc::new(Root::new(Some(base.path()), 0, 1).unwrap());
        make_empty(&root.place("0").work()).unwrap();
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
        drop(root);
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
    }

    #[test]
    fn only_what_dead_processes_left_is_swept_up() {
        let base = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let dead = base.path().join(format!("ablate-{}-abcdef", child.id()));
        child.wait().unwrap();
        let alive = base
            .path()
            .join(format!("ablate-{}-abcdef", std::process::id()));
        let other = base.path().join("ablate-notes");
        for path in [&dead, &alive, &other] {
            fs::create_dir(path).unwrap();
        }
        let _root = Root::new(Some(base.path()), 0, 1).unwrap();
        assert!(!dead.exists());
        assert!(alive.exists());
        assert!(other.exists());
    }
}
