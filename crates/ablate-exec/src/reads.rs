//! Which files a test reads, as the kernel tells it: of a folder, most have mostly nothing to do with a bug.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, InotifyEvent, WatchDescriptor};

use crate::wait::ready;

/// What of a candidate's files, and of copies that were made of them, was read in one run.
#[derive(Debug)]
pub struct Reads {
    /// Where the candidate was.
    candidate: PathBuf,
    /// Whether it was a folder, and not a file that others are unpacked from.
    is_folder: bool,
    /// How many times each file was closed by somebody who could not write to it.
    closed: BTreeMap<PathBuf, usize>,
    /// The files that were made meanwhile.
    made: BTreeSet<PathBuf>,
}

impl Reads {
    /// Which of these files of the folder that the candidate was, or that was unpacked from it, nobody
    /// has read. Where a file was copied it counts who has read the copy: the file itself was read to
    /// make that.
    pub fn unread<'n>(&self, names: &BTreeSet<&'n Path>) -> BTreeSet<&'n Path> {
        let mut copies: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
        for path in &self.made {
            let mut ends = ends(path);
            if let Some(name) = ends.find_map(|end| names.get(end)) {
                copies.entry(name).or_default().push(path);
            }
        }
        let is_unread = |name: &&&Path| {
            let copies = copies.get(**name).map_or(&[][..], Vec::as_slice);
            let is_known = self.is_folder || !copies.is_empty();
            let times = self.times(&self.candidate.join(name));
            is_known && times <= copies.len() && copies.iter().all(|copy| self.times(copy) == 0)
        };
        names.iter().filter(is_unread).copied().collect()
    }

    fn times(&self, path: &Path) -> usize {
        self.closed.get(path).copied().unwrap_or(0)
    }
}

/// What a path ends with, the longest first.
fn ends(path: &Path) -> impl Iterator<Item = &Path> {
    let mut rest = path.components();
    std::iter::from_fn(move || {
        rest.next()?;
        Some(rest.as_path())
    })
}

/// Watches a test.
#[derive(Debug)]
pub(crate) struct Watch {
    /// When this is closed, the thread takes what there still is and ends.
    run: UnixStream,
    thread: JoinHandle<Option<Reads>>,
}

impl Watch {
    /// Watches the directory of a slot, in which the test that is about to begin has its candidate.
    pub fn begin(slot: &Path, candidate: &Path) -> io::Result<Watch> {
        let (run, end) = UnixStream::pair()?;
        let mut watcher = Watcher {
            inotify: Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK)?,
            directories: BTreeMap::new(),
            reads: Reads {
                candidate: candidate.to_owned(),
                is_folder: candidate.is_dir(),
                closed: BTreeMap::new(),
                made: BTreeSet::new(),
            },
        };
        watcher.add(slot, &mut |_, _| {})?;
        let watch = move || watcher.watch(&end).ok();
        let thread = std::thread::Builder::new().spawn(watch)?;
        Ok(Watch { run, thread })
    }

    /// What was read since; `None` if something may have been missed.
    pub fn end(self) -> Option<Reads> {
        drop(self.run);
        self.thread.join().ok().flatten()
    }
}

/// The thread's own.
struct Watcher {
    inotify: Inotify,
    directories: BTreeMap<WatchDescriptor, PathBuf>,
    reads: Reads,
}

impl Watcher {
    fn watch(mut self, end: &UnixStream) -> io::Result<Reads> {
        loop {
            let [_, has_ended] = ready([Some(self.inotify.as_fd()), Some(end.as_fd())], None)?;
            loop {
                match self.inotify.read_events() {
                    Ok(events) => events.into_iter().try_for_each(|event| self.note(event))?,
                    Err(Errno::EAGAIN) => break,
                    Err(errno) => return Err(errno.into()),
                }
            }
            if has_ended {
                return Ok(self.reads);
            }
        }
    }

    fn note(&mut self, event: InotifyEvent) -> io::Result<()> {
        if event.mask.contains(AddWatchFlags::IN_Q_OVERFLOW) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let Some((directory, name)) = self.directories.get(&event.wd).zip(event.name) else {
            return Ok(());
        };
        let path = directory.join(name);
        let is_new = event
            .mask
            .intersects(AddWatchFlags::IN_CREATE | AddWatchFlags::IN_MOVED_TO);
        match (is_new, event.mask.contains(AddWatchFlags::IN_ISDIR)) {
            (true, true) => self.add_new(&path),
            (true, false) => {
                self.reads.made.insert(path);
                Ok(())
            }
            (false, true) => Ok(()),
            (false, false) => {
                *self.reads.closed.entry(path).or_default() += 1;
                Ok(())
            }
        }
    }

    /// Watches a directory that has just been made. Of what is in it already nothing was told.
    fn add_new(&mut self, path: &Path) -> io::Result<()> {
        let mut there = Vec::new();
        self.add(path, &mut |entry, path| {
            there.push((entry.metadata(), path))
        })?;
        for (metadata, path) in there {
            let is_read = metadata
                .is_ok_and(|it| (it.atime(), it.atime_nsec()) > (it.mtime(), it.mtime_nsec()));
            if is_read {
                *self.reads.closed.entry(path.clone()).or_default() += 1;
            }
            self.reads.made.insert(path);
        }
        Ok(())
    }

    /// Watches a directory and those within; tells of the files in them.
    fn add(&mut self, path: &Path, tell: &mut dyn FnMut(DirEntry, PathBuf)) -> io::Result<()> {
        let flags = AddWatchFlags::IN_CLOSE_NOWRITE
            | AddWatchFlags::IN_CREATE
            | AddWatchFlags::IN_MOVED_TO
            | AddWatchFlags::IN_ONLYDIR
            | AddWatchFlags::IN_DONT_FOLLOW;
        match self.inotify.add_watch(path, flags) {
            Ok(watch) => self.directories.insert(watch, path.to_owned()),
            // It is gone already, or nobody else can read it either.
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::EACCES) => return Ok(()),
            Err(errno) => return Err(errno.into()),
        };
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let path = path.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.add(&path, tell)?;
            } else {
                tell(entry, path);
            }
        }
        Ok(())
    }
}
