//! Writes candidates, piece by piece: they may be much larger than what should be in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::options::Unpacker;
use crate::places;

/// Writes a candidate, whatever stood in its place before.
pub(crate) fn write_input<'a>(
    path: &Path,
    unpacker: Option<&Unpacker>,
    len: usize,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> io::Result<()> {
    let Some(Unpacker(unpack)) = unpacker else {
        return write_file(path, len, pieces);
    };
    if let Some(directory) = path.parent()
        && fs::symlink_metadata(path).is_ok()
    {
        places::make_empty(directory)?;
    }
    unpack(path, &pieces.collect::<Vec<_>>().concat())
}

/// Writes a new file.
fn write_file<'a>(
    path: &Path,
    len: usize,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> io::Result<()> {
    // Large pieces go past the buffer, small ones are gathered in it.
    let mut writer = BufWriter::with_capacity(len.clamp(1, 1 << 16), create(path)?);
    for piece in pieces {
        writer.write_all(piece)?;
    }
    writer.flush()
}

/// A fresh file: a test may have left a link, a directory or a file without write permission.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    match options.open(path) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(error),
        Err(_) => {
            if let Some(directory) = path.parent() {
                places::make_empty(directory)?;
            }
            options.open(path)
        }
    }
}
