//! What gzip files say besides their content.

use alloc::vec::Vec;

use crate::formats::container::{CONTENT_MAX, Checksum, Encoding, Packing, Reader};
use crate::formats::gzip::MAGIC;

/// Flags: there is a checksum of the header, more fields, the name of the file, a comment.
const CHECKED: u8 = 2;
const MORE: u8 = 4;
const NAMED: u8 = 8;
const COMMENTED: u8 = 16;

/// A gzip file without its content.
#[derive(Clone, Debug)]
pub struct Wrapping {
    /// Everything before the first compressed stream.
    header: Vec<u8>,
    /// The content, and the file: it need not be packed again while it stays the same.
    content: Vec<u8>,
    file: Vec<u8>,
}

impl Wrapping {
    /// What `file` says, and its content: that of all its members.
    pub fn read(file: &[u8]) -> Option<(Wrapping, Vec<u8>)> {
        let mut reader = Reader::new(file, 0, file.len());
        let (header, mut content) = member(&mut reader, CONTENT_MAX)?;
        // Zeros may follow.
        while reader.rest().iter().any(|&byte| byte != 0) {
            let (_, more) = member(&mut reader, CONTENT_MAX - content.len())?;
            content.extend(more);
        }
        let wrapping = Wrapping {
            header,
            content: content.clone(),
            file: file.to_vec(),
        };
        Some((wrapping, content))
    }

    /// The gzip file with a content, in one member.
    pub fn pack(&self, content: &[u8]) -> Vec<u8> {
        if content == self.content {
            return self.file.clone();
        }
        let mut file = self.header.clone();
        file.extend(Packing::Deflate.pack(content));
        file.extend((Checksum::Crc32.of(content, None) as u32).to_le_bytes());
        file.extend((content.len() as u32).to_le_bytes());
        file
    }
}

/// Reads a member: what is before its compressed stream, and its content, of `longest` bytes at most.
fn member(reader: &mut Reader<'_>, longest: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let whole = reader.rest();
    let start = reader.at;
    reader.expect(MAGIC)?;
    let flags = reader.byte()?;
    reader.take(6)?;
    if flags & MORE != 0 {
        let len = reader.number(2, Encoding::Little)?;
        reader.take(len.value)?;
    }
    for flag in [NAMED, COMMENTED] {
        if flags & flag != 0 {
            let len = reader.rest().iter().position(|&byte| byte == 0)?;
            reader.take(len as u64 + 1)?;
        }
    }
    if flags & CHECKED != 0 {
        reader.take(2)?;
    }
    let header = whole[..reader.at - start].to_vec();
    let (content, len) = Packing::Deflate.unpack(reader.rest(), longest)?;
    reader.take(len as u64)?;
    let checksum = reader.number(4, Encoding::Little)?;
    let length = reader.number(4, Encoding::Little)?;
    let is_right = checksum.value == Checksum::Crc32.of(&content, None)
        && length.value == content.len() as u64;
    is_right.then_some((header, content))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_hostile;
    use super::super::{Archive, Inside};
    use super::*;
    use alloc::borrow::Cow;

    fn wrapping() -> Wrapping {
        Wrapping {
            header: [MAGIC, &[NAMED, 0, 0, 0, 0, 0, 3], b"a.json\0"].concat(),
            content: Vec::new(),
            file: Vec::new(),
        }
    }

    #[test]
    fn all_members_are_one_content() {
        let one = wrapping();
        let file = [one.pack(b"[1, 2,"), one.pack(b" 3]"), alloc::vec![0; 8]].concat();
        let (archive, content) = Archive::read(&file).unwrap();
        assert_eq!(content, b"[1, 2, 3]");
        assert!(!archive.has_files() && archive.pack(&content) == file);
        let less = archive.pack(b"[]");
        assert!(less.starts_with(&one.header));
        assert_eq!(Archive::read(&less).unwrap().1, b"[]");
    }

    #[test]
    fn lies_end_well() {
        check_hostile(&wrapping().pack(b"[1, 2, 3]"));
        let mut file = wrapping().pack(b"some content");
        *file.last_mut().unwrap() ^= 1;
        assert!(Archive::read(&file).is_none());
    }

    #[test]
    fn an_archive_in_it_is_unpacked_too() {
        let tar = super::super::tar::tests::example();
        let (archive, folder) = Archive::read(&wrapping().pack(&tar)).unwrap();
        assert!(matches!(archive.inside, Some(Inside::Tar(_))) && archive.has_files());
        let inner = Archive::read(&tar).unwrap();
        assert_eq!(inner.1, folder);
        assert!(matches!(archive.pack(&folder), Cow::Owned(_)));
    }
}
