//! The folder that holds the best test case so far: at every moment it is whole.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use crate::failure::Failure;
use crate::folder::{File, Folder};
use crate::save::{TEMPORARY, sweep};

/// Where a folder goes, as a whole each time.
#[derive(Debug)]
pub struct FolderSaver {
    path: PathBuf,
    folder: Arc<Folder>,
}

impl FolderSaver {
    /// Results go to `path`, each replacing the one before as a whole; `input` is what is reduced.
    ///
    /// # Errors
    /// When nothing can be written there, something else is there, or it would be gone under the feet
    /// of whoever started this.
    pub fn new(path: &Path, input: &Path, folder: &Arc<Folder>) -> Result<FolderSaver, Failure> {
        let saver = FolderSaver {
            path: fs::canonicalize(path)
                .or_else(|_| std::path::absolute(path))
                .unwrap_or_else(|_| path.to_path_buf()),
            folder: Arc::clone(folder),
        };
        if fs::metadata(&saver.path).is_ok_and(|there| !there.is_dir()) {
            return Err(saver.unwritable(io::Error::other("this is not a folder")));
        }
        let is_left = || Folder::read(&saver.path).is_ok_and(|(left, _)| left.is_part_of(folder));
        if saver.is_used() && !saver.is_for(input) && !is_left() {
            return Err(saver.would_replace());
        }
        let current = std::env::current_dir().and_then(fs::canonicalize);
        if current.is_ok_and(|current| current.starts_with(&saver.path)) {
            let message = "this is the current directory, or around it; run ablate from outside";
            return Err(saver.unwritable(io::Error::other(message)));
        }
        sweep(saver.parent());
        // To find out now, not after the first hour.
        drop(saver.beside()?);
        Ok(saver)
    }

    /// Whether it is this folder that is replaced.
    pub fn is_for(&self, folder: &Path) -> bool {
        fs::canonicalize(folder).is_ok_and(|folder| folder == self.path)
    }

    /// Whether there is anything in it.
    fn is_used(&self) -> bool {
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// The bytes of the folder that is there, unless nothing is in it.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn there(&self) -> Result<Option<Vec<u8>>, Failure> {
        if !self.is_used() {
            return Ok(None);
        }
        match Folder::read(&self.path) {
            Ok((_, bytes)) => Ok(Some(bytes)),
            Err(source) => Err(Failure::Unreadable {
                path: self.path.clone(),
                source,
            }),
        }
    }

    /// That of which it is not clear that it may go.
    pub fn would_replace(&self) -> Failure {
        Failure::WouldReplace {
            path: self.path.clone(),
        }
    }

    fn parent(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// A directory beside the folder, gone with all that is in it when it is dropped.
    fn beside(&self) -> Result<tempfile::TempDir, Failure> {
        let mut builder = tempfile::Builder::new();
        let directory = builder.prefix(TEMPORARY).tempdir_in(self.parent());
        directory.map_err(|source| self.unwritable(source))
    }

    fn unwritable(&self, source: io::Error) -> Failure {
        Failure::Unwritable {
            path: self.path.clone(),
            source,
        }
    }

    /// Replaces the folder, all or nothing. Files that stay as they are, are not written again.
    ///
    /// # Errors
    /// When it can't be written; then the folder is as it was.
    pub fn save(&self, bytes: &[u8]) -> Result<(), Failure> {
        let beside = self.beside()?;
        let new = beside.path().join("new");
        let mut make = |file: &File<'_>| {
            let within = file.place.strip_prefix(&new).map_err(io::Error::other)?;
            let before = self.path.join(within);
            let is_file = fs::symlink_metadata(&before).is_ok_and(|before| before.is_file());
            let is_same = is_file && fs::read(&before).is_ok_and(|before| before == file.content);
            if is_same && fs::hard_link(&before, file.place).is_ok() {
                return Ok(());
            }
            file.create()?.sync_data()
        };
        let written = self.folder.write_with(&new, bytes, &mut make);
        let replaced = written.and_then(|()| self.replace_by(&new));
        replaced.map_err(|source| self.unwritable(source))
    }

    /// Puts the folder at `new` in place; what was there takes its place, or is gone.
    fn replace_by(&self, new: &Path) -> io::Result<()> {
        let Ok(there) = fs::metadata(&self.path) else {
            return fs::rename(new, &self.path);
        };
        fs::set_permissions(new, there.permissions())?;
        let flags = RenameFlags::RENAME_EXCHANGE;
        match renameat2(AT_FDCWD, new, AT_FDCWD, &self.path, flags) {
            Ok(()) => Ok(()),
            // Not every file system can; then there is a moment between two renames.
            Err(Errno::EINVAL | Errno::ENOSYS | Errno::ENOTSUP) => {
                fs::rename(&self.path, new.with_extension("old"))?;
                fs::rename(new, &self.path)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Keeps the original as `<folder>.orig`. Where such a folder exists, it is left as it is: it is fine
/// if it is the same, otherwise the name is `<folder>.orig.1`, `<folder>.orig.2`, …
///
/// # Errors
/// When the copy can't be written.
pub fn keep_original(path: &Path, folder: &Arc<Folder>, bytes: &[u8]) -> Result<PathBuf, Failure> {
    // `..` has no name of its own, and `a/` none to put anything behind.
    let path = match path.file_name() {
        Some(name) => path.with_file_name(name),
        None => fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
    };
    let mut number = 0;
    let kept = loop {
        let mut name = OsString::from(&path);
        name.push(".orig");
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let kept = PathBuf::from(name);
        if fs::symlink_metadata(&kept).is_err() {
            break kept;
        }
        if Folder::read(&kept).is_ok_and(|(there, read)| there == **folder && read == bytes) {
            return Ok(kept);
        }
        number += 1;
    };
    let saver = FolderSaver {
        path: std::path::absolute(&kept).unwrap_or_else(|_| kept.clone()),
        folder: Arc::clone(folder),
    };
    saver.save(bytes)?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_passes::formats::folder::Entries;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    /// A folder with a program, a file in a folder, a link, and a folder with nothing in it.
    fn made(directory: &Path) -> PathBuf {
        let path = directory.join("project");
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::create_dir(path.join("empty")).unwrap();
        fs::write(path.join("run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(path.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(path.join("a/b/c"), "content").unwrap();
        std::os::unix::fs::symlink("a/b/c", path.join("link")).unwrap();
        path
    }

    #[test]
    fn a_saved_folder_is_what_was_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = made(directory.path());
        let (folder, bytes) = Folder::read(&path).unwrap();
        let folder = Arc::new(folder);
        let copy = directory.path().join("copy");
        FolderSaver::new(&copy, &path, &folder)
            .unwrap()
            .save(&bytes)
            .unwrap();
        assert_eq!(
            Folder::read(&copy).unwrap(),
            (Folder::clone(&folder), bytes)
        );
        assert_eq!(
            fs::read_link(copy.join("link")).unwrap(),
            Path::new("a/b/c")
        );
        assert!(copy.join("empty").is_dir());
        let mode = fs::metadata(copy.join("run")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[test]
    fn a_folder_is_replaced_as_a_whole_and_unchanged_files_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = made(directory.path());
        let (folder, bytes) = Folder::read(&path).unwrap();
        let saver = FolderSaver::new(&path, &path, &Arc::new(folder)).unwrap();
        saver.save(&bytes).unwrap();
        let inode = |name: &str| fs::metadata(path.join(name)).unwrap().ino();
        let run = inode("run");
        let entries = Entries::new(&bytes);
        let mut all = entries.all().iter();
        let gone = all.find(|entry| entry.name(&bytes) == b"a/b/c").unwrap();
        let less = [&bytes[..gone.start], &bytes[gone.end..]].concat();
        saver.save(&less).unwrap();
        assert!(!path.join("a").exists());
        assert_eq!(inode("run"), run);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_earlier_original_is_never_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = made(directory.path());
        let keep = || {
            let (folder, bytes) = Folder::read(&path).unwrap();
            keep_original(&path, &Arc::new(folder), &bytes).unwrap()
        };
        let first = keep();
        assert_eq!(keep(), first);
        fs::write(path.join("run"), "other").unwrap();
        assert_eq!(keep(), directory.path().join("project.orig.1"));
        assert_eq!(fs::read(first.join("run")).unwrap(), b"#!/bin/sh\n");
    }

    #[test]
    fn a_folder_of_others_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = made(directory.path());
        let other = directory.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("kept"), "").unwrap();
        let folder = Arc::new(Folder::read(&path).unwrap().0);
        let refused = FolderSaver::new(&other, &path, &folder);
        assert!(matches!(refused, Err(Failure::WouldReplace { .. })));
    }
}
