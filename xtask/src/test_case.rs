//! Test cases: files, and folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The content of a file, or that of a folder's files in the order of their names.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    for file in files(path)? {
        content.extend(fs::read(file)?);
    }
    Ok(content)
}

/// When something in it was changed last, and how many bytes there are; as far as can be seen.
pub fn stamp(path: &Path) -> (Option<SystemTime>, u64, usize) {
    let files = files(path).unwrap_or_default();
    let about = files.iter().filter_map(|file| fs::metadata(file).ok());
    about.fold((None, 0, files.len()), |(latest, len, count), about| {
        (latest.max(about.modified().ok()), len + about.len(), count)
    })
}

/// Makes a copy, which may be written to where the original may only be read.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::write(to, fs::read(from)?);
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The file, or all files of a folder, in the order of their names.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    let entries: io::Result<Vec<_>> = fs::read_dir(path)?.collect();
    for entry in entries? {
        files.extend(self::files(&entry.path())?);
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_folder_has_all_that_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("b")).unwrap();
        fs::write(from.join("b/one"), "1").unwrap();
        fs::write(from.join("a"), "2").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(read(&to).unwrap(), b"21");
        assert_eq!((stamp(&to).1, stamp(&to).2), (2, 2));
    }
}
