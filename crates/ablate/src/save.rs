//! The file that holds the best test case so far: at every moment it is whole.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::Failure;
use crate::save_folder::{self, FolderSaver};
use crate::start::Input;

/// What the names of files and folders begin with that are about to take the place of a result.
pub const TEMPORARY: &str = ".ablate-";
/// How many letters and digits follow.
const RANDOM: usize = 6;
/// From this age on they are no longer about to, but left by one who was killed.
const LEFT: Duration = Duration::from_secs(3600);

/// Removes what was left in `directory` by those who were killed while they saved a result. The result
/// itself is in its place.
pub fn sweep(directory: &Path) {
    let is_left = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
        let is_ours = random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let age = entry
            .metadata()
            .ok()
            .and_then(|it| it.modified().ok()?.elapsed().ok());
        is_ours && age.is_some_and(|age| age > LEFT)
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(is_left) {
        // What can't be removed is in nobody's way.
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            _ => fs::remove_file(entry.path()),
        };
    }
}

/// Where the result goes.
#[derive(Debug)]
pub enum Saver {
    /// To a file.
    File(FileSaver),
    /// To a folder.
    Folder(FolderSaver),
}

impl Saver {
    /// Results go to `path`, each replacing the one before as a whole; `file` is what is reduced.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn new(path: &Path, file: &Path, input: &Input) -> Result<Saver, Failure> {
        Ok(match &input.folder {
            Some(folder) => Saver::Folder(FolderSaver::new(path, file, folder)?),
            None => Saver::File(FileSaver::new(path)?),
        })
    }

    /// Whether it is this file, or folder, that is replaced.
    pub fn is_for(&self, file: &Path) -> bool {
        match self {
            Saver::File(saver) => saver.is_for(file),
            Saver::Folder(saver) => saver.is_for(file),
        }
    }

    /// What is there, unless nothing is.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn there(&self) -> Result<Option<Vec<u8>>, Failure> {
        match self {
            Saver::File(saver) => saver.there(),
            Saver::Folder(saver) => saver.there(),
        }
    }

    /// Keeps a content that is there, and no work of an earlier run; says where.
    ///
    /// # Errors
    /// When the copy can't be written, or it is a folder.
    pub fn keep(&self, there: &[u8]) -> Result<PathBuf, Failure> {
        match self {
            Saver::File(saver) => keep_file(&saver.name, there),
            Saver::Folder(saver) => Err(saver.would_replace()),
        }
    }

    /// Replaces what is there, all or nothing. A file that somebody else has changed meanwhile is kept;
    /// says where.
    ///
    /// # Errors
    /// When it can't be written; then all is as it was.
    pub fn save(&self, content: &[u8]) -> Result<Option<PathBuf>, Failure> {
        match self {
            Saver::File(saver) => saver.save(content),
            Saver::Folder(saver) => saver.save(content).map(|()| None),
        }
    }
}

/// A file that is replaced by each result.
#[derive(Debug)]
pub struct FileSaver {
    /// As it was given.
    name: PathBuf,
    path: PathBuf,
    permissions: Option<fs::Permissions>,
    /// How the file was left, or found in the beginning.
    stamp: Cell<Option<Stamp>>,
    /// A hash of what was written to it.
    hash: Cell<Option<u64>>,
}

/// What can't stay the same when a file is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> Stamp {
        Stamp {
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// Tells contents apart within one run.
fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

impl FileSaver {
    /// Results go to `name`, each replacing the one before as a whole. What is there already keeps
    /// its permissions; a symbolic link stays one, and the file that it names is replaced.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn new(name: &Path) -> Result<FileSaver, Failure> {
        let path = fs::canonicalize(name).unwrap_or_else(|_| name.to_path_buf());
        let there = fs::metadata(&path).ok();
        let saver = FileSaver {
            name: name.to_path_buf(),
            path,
            permissions: there.as_ref().map(fs::Metadata::permissions),
            stamp: Cell::new(there.as_ref().map(Stamp::of)),
            hash: Cell::new(None),
        };
        // A rename would replace the device itself, for everybody on the machine.
        if there.is_some_and(|there| !there.is_file()) {
            return Err(saver.unwritable(io::Error::other("this is not a regular file")));
        }
        sweep(saver.directory());
        // To find out now, not after the first hour.
        drop(saver.temporary()?);
        Ok(saver)
    }

    /// Whether it is this file that is replaced.
    pub fn is_for(&self, file: &Path) -> bool {
        fs::canonicalize(file).is_ok_and(|file| file == self.path)
    }

    fn there(&self) -> Result<Option<Vec<u8>>, Failure> {
        match fs::read(&self.path) {
            Ok(there) => Ok(Some(there)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Failure::Unreadable {
                path: self.path.clone(),
                source,
            }),
        }
    }

    fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    fn temporary(&self) -> Result<tempfile::NamedTempFile, Failure> {
        tempfile::Builder::new()
            .prefix(TEMPORARY)
            .permissions(self.first_permissions())
            .tempfile_in(self.directory())
            .map_err(|source| self.unwritable(source))
    }

    /// What a file may be created with; the user's mask takes its part off, as from every new file.
    fn first_permissions(&self) -> fs::Permissions {
        let new = fs::Permissions::from_mode(0o666);
        self.permissions.clone().unwrap_or(new)
    }

    fn unwritable(&self, source: io::Error) -> Failure {
        Failure::Unwritable {
            path: self.path.clone(),
            source,
        }
    }

    /// Keeps what is there if somebody else has written it since the last result; says where.
    fn keep_changes(&self) -> Result<Option<PathBuf>, Failure> {
        let stamp = fs::metadata(&self.path).ok();
        if stamp.as_ref().map(Stamp::of) == self.stamp.get() {
            return Ok(None);
        }
        let there = self.there()?;
        let changed = there.filter(|there| self.hash.get() != Some(hash(there)));
        let kept = changed.map(|changed| keep_file(&self.name, &changed));
        kept.transpose()
    }

    /// Replaces the file's content, all or nothing. What somebody else has changed in it is kept;
    /// says where.
    ///
    /// # Errors
    /// When it can't be written; then the file is as it was.
    pub fn save(&self, content: &[u8]) -> Result<Option<PathBuf>, Failure> {
        let kept = self.keep_changes()?;
        let mut file = self.temporary()?;
        file.write_all(content)
            .map_err(|source| self.unwritable(source))?;
        if let Some(permissions) = &self.permissions {
            file.as_file()
                .set_permissions(permissions.clone())
                .map_err(|source| self.unwritable(source))?;
        }
        file.as_file()
            .sync_data()
            .map_err(|source| self.unwritable(source))?;
        let left = file.as_file().metadata();
        let left = left.map_err(|source| self.unwritable(source))?;
        file.persist(&self.path)
            .map_err(|error| self.unwritable(error.error))?;
        self.stamp.set(Some(Stamp::of(&left)));
        self.hash.set(Some(hash(content)));
        Ok(kept)
    }
}

/// Keeps the original of what is at `path` beside it, and says where.
///
/// # Errors
/// When the copy can't be written.
pub fn keep_original(path: &Path, input: &Input) -> Result<PathBuf, Failure> {
    match &input.folder {
        Some(folder) => save_folder::keep_original(path, folder, &input.content),
        None => keep_file(path, &input.content),
    }
}

/// Keeps a content as `<file>.orig`. Where such a file exists, it is left as it is: it is fine
/// if it is the same, otherwise the name is `<file>.orig.1`, `<file>.orig.2`, … Nobody may read it
/// who may not read the file.
///
/// # Errors
/// When the copy can't be written.
fn keep_file(path: &Path, content: &[u8]) -> Result<PathBuf, Failure> {
    let mode = fs::metadata(path).map_or(0o600, |metadata| metadata.permissions().mode() & 0o777);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode);
    for number in 0..1000 {
        let mut name = path.as_os_str().to_owned();
        name.push(".orig");
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let kept = PathBuf::from(name);
        match options.open(&kept) {
            Ok(mut file) => {
                let written = file.write_all(content).and_then(|()| file.sync_all());
                written.map_err(|source| {
                    let _ = fs::remove_file(&kept);
                    Failure::Unwritable {
                        path: kept.clone(),
                        source,
                    }
                })?;
                return Ok(kept);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if is_same(&kept, content).unwrap_or(false) {
                    return Ok(kept);
                }
            }
            Err(source) => return Err(Failure::Unwritable { path: kept, source }),
        }
    }
    let source = io::Error::from(io::ErrorKind::AlreadyExists);
    Err(Failure::Unwritable {
        path: path.with_extension("orig"),
        source,
    })
}

fn is_same(path: &Path, content: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() != content.len() as u64 {
        return Ok(false);
    }
    let mut there = Vec::new();
    file.read_to_end(&mut there)?;
    Ok(there == content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_result_replaces_the_file_and_keeps_its_permissions() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        fs::write(&path, "long").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        FileSaver::new(&path).unwrap().save(b"x").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_earlier_original_is_never_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        let first = keep_file(&path, b"one").unwrap();
        assert_eq!(keep_file(&path, b"one").unwrap(), first);
        let second = keep_file(&path, b"two").unwrap();
        assert_eq!(second, directory.path().join("a.c.orig.1"));
        assert_eq!(
            (fs::read(first).unwrap(), fs::read(second).unwrap()),
            (b"one".to_vec(), b"two".to_vec())
        );
    }

    #[test]
    fn what_was_left_long_ago_is_swept_up() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let make = |name: &str, age: Duration| {
            let file = File::create(path(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age)
                .unwrap();
        };
        make(".ablate-a1B2c3", 2 * LEFT);
        make(".ablate-a1B2c4", LEFT / 2);
        make(".ablate-notes", 2 * LEFT);
        sweep(directory.path());
        assert!(!path(".ablate-a1B2c3").exists());
        assert!(path(".ablate-a1B2c4").exists() && path(".ablate-notes").exists());
    }
}
