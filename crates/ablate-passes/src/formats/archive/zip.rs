//! Zip archives: members with their contents, then a directory of them.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::formats::container::{CONTENT_MAX, Checksum, Encoding, Packing, Reader};
use crate::formats::folder::{Entries, add};
use crate::formats::zip::{END, ENTRY, MEMBER, end_of_directory};

/// Methods: nothing is done, RFC 1951.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Flags: it is encrypted; the name is in UTF-8.
const ENCRYPTED: u16 = 1;
const NAMED_IN_UTF8: u16 = 0x800;
/// The version that readers need for what is written here.
const VERSION: u16 = 20;

/// What a zip archive says of its members besides names and contents.
#[derive(Clone, Debug, Default)]
pub struct ZipMembers {
    members: BTreeMap<Vec<u8>, Member>,
}

#[derive(Clone, Debug)]
struct Member {
    /// Its place among all.
    place: usize,
    made_by: u16,
    flags: u16,
    method: u16,
    /// Time and date.
    modified: u32,
    internal: u16,
    external: u32,
    /// The content, and what it is in the archive: it need not be packed again while it stays the same.
    content: Vec<u8>,
    packed: Vec<u8>,
}

impl ZipMembers {
    /// The members of the archive that `file` is, and what is in them as the bytes of a folder.
    pub fn read(file: &[u8]) -> Option<(ZipMembers, Vec<u8>)> {
        if !file.starts_with(MEMBER) {
            return None;
        }
        let mut end = Reader::new(file, end_of_directory(file)?, file.len());
        end.take(10)?;
        let (count, size, start) = (small(&mut end)?, large(&mut end)?, large(&mut end)?);
        let start = start as usize;
        let mut directory = Reader::new(file, start, start.checked_add(size as usize)?);
        let mut all = ZipMembers::default();
        let mut left = CONTENT_MAX;
        for place in 0..usize::from(count) {
            let (name, member) = member(file, &mut directory, place, left)?;
            left -= member.content.len();
            if all.members.insert(name, member).is_some() {
                return None;
            }
        }
        let mut folder = Vec::new();
        for (name, member) in &all.members {
            add(&mut folder, name, &member.content);
        }
        (!all.members.is_empty()).then_some((all, folder))
    }

    /// The archive with what is in a folder, in the order of the members that it had.
    pub fn pack(&self, folder: &[u8]) -> Vec<u8> {
        let entries = Entries::new(folder);
        let known = entries.all().iter().filter_map(|entry| {
            let name = entry.name(folder);
            let member = self.members.get(&name)?;
            Some((name, member, entry.content(folder)))
        });
        let mut known: Vec<(Vec<u8>, &Member, Vec<u8>)> = known.collect();
        known.sort_by_cached_key(|(_, member, _)| member.place);
        let (mut file, mut directory) = (Vec::new(), Vec::new());
        for (name, member, content) in &known {
            let at = file.len() as u32;
            let (method, data) = member.packed(content);
            let checksum = Checksum::Crc32.of(content, None) as u32;
            let mut said = Vec::new();
            said.extend(VERSION.to_le_bytes());
            said.extend((member.flags & NAMED_IN_UTF8).to_le_bytes());
            said.extend(method.to_le_bytes());
            said.extend(member.modified.to_le_bytes());
            said.extend(checksum.to_le_bytes());
            said.extend((data.len() as u32).to_le_bytes());
            said.extend((content.len() as u32).to_le_bytes());
            said.extend((name.len() as u16).to_le_bytes());
            said.extend([0; 2]);
            file.extend(MEMBER.iter().chain(&said).chain(name));
            file.extend(&*data);
            directory.extend(ENTRY);
            directory.extend(member.made_by.to_le_bytes());
            directory.extend(said);
            directory.extend([0; 4]);
            directory.extend(member.internal.to_le_bytes());
            directory.extend(member.external.to_le_bytes());
            directory.extend(at.to_le_bytes());
            directory.extend(name);
        }
        let (start, count) = (file.len() as u32, (known.len() as u16).to_le_bytes());
        file.extend(&directory);
        file.extend(END);
        file.extend([0; 4]);
        file.extend(count.iter().chain(&count));
        file.extend((directory.len() as u32).to_le_bytes());
        file.extend(start.to_le_bytes());
        file.extend([0; 2]);
        file
    }
}

impl Member {
    /// How a content is written, and what is written.
    fn packed(&self, content: &[u8]) -> (u16, Cow<'_, [u8]>) {
        if self.content == content {
            return (self.method, Cow::Borrowed(&self.packed));
        }
        let stored = || (STORED, Cow::Owned(content.to_vec()));
        if self.method == STORED {
            return stored();
        }
        let packed = Packing::Deflate.pack(content);
        if packed.len() < content.len() {
            (DEFLATED, Cow::Owned(packed))
        } else {
            stored()
        }
    }
}

fn small(reader: &mut Reader<'_>) -> Option<u16> {
    Some(reader.number(2, Encoding::Little)?.value as u16)
}

fn large(reader: &mut Reader<'_>) -> Option<u32> {
    Some(reader.number(4, Encoding::Little)?.value as u32)
}

/// Reads an entry of the directory: the name of a member, and the member, which has `longest` bytes at most.
fn member(
    file: &[u8],
    directory: &mut Reader<'_>,
    place: usize,
    longest: usize,
) -> Option<(Vec<u8>, Member)> {
    directory.expect(ENTRY)?;
    let made_by = small(directory)?;
    small(directory)?;
    let (flags, method) = (small(directory)?, small(directory)?);
    let (modified, checksum) = (large(directory)?, large(directory)?);
    let (packed, length) = (large(directory)?, large(directory)?);
    let name = small(directory)?;
    let (extra, comment) = (small(directory)?, small(directory)?);
    small(directory)?;
    let (internal, external) = (small(directory)?, large(directory)?);
    let mut local = Reader::new(file, large(directory)? as usize, file.len());
    let name = directory.take(name.into())?.to_vec();
    directory.take(u64::from(extra) + u64::from(comment))?;
    local.expect(MEMBER)?;
    local.take(22)?;
    let (local_name, local_extra) = (small(&mut local)?, small(&mut local)?);
    local.take(u64::from(local_name) + u64::from(local_extra))?;
    let packed = local.take(packed.into())?.to_vec();
    let content = match method {
        STORED => packed.clone(),
        DEFLATED => Packing::Deflate.unpack(&packed, longest)?.0,
        _ => return None,
    };
    let is_right = content.len() <= longest
        && content.len() == length as usize
        && Checksum::Crc32.of(&content, None) == u64::from(checksum);
    if !is_right || flags & ENCRYPTED != 0 || name.is_empty() {
        return None;
    }
    let member = Member {
        place,
        made_by,
        flags,
        method,
        modified,
        internal,
        external,
        content,
        packed,
    };
    Some((name, member))
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;
    use super::*;
    use alloc::vec;

    fn archive() -> ZipMembers {
        let member = |place, method, content: &[u8]| Member {
            place,
            made_by: 0x31e,
            flags: NAMED_IN_UTF8,
            method,
            modified: 0x5a21_0000,
            internal: 0,
            external: 0o644 << 16,
            content: content.to_vec(),
            packed: match method {
                STORED => content.to_vec(),
                _ => Packing::Deflate.pack(content),
            },
        };
        let long = b"<a>text</a>".repeat(99);
        let members = [
            ("mimetype", member(0, STORED, b"text/x")),
            ("a/b.xml", member(1, DEFLATED, &long)),
            ("a/", member(2, STORED, b"")),
        ];
        let named = members.map(|(name, member)| (name.as_bytes().to_vec(), member));
        ZipMembers {
            members: BTreeMap::from(named),
        }
    }

    fn folder(all: &ZipMembers) -> Vec<u8> {
        let mut folder = Vec::new();
        for (name, member) in &all.members {
            add(&mut folder, name, &member.content);
        }
        folder
    }

    #[test]
    fn what_is_packed_is_read_again() {
        let (one, bytes) = (archive(), folder(&archive()));
        let file = one.pack(&bytes);
        let (other, read) = ZipMembers::read(&file).unwrap();
        assert_eq!(read, bytes);
        assert_eq!(other.pack(&read), file);
        let first = b"mimetypetext/x";
        assert_eq!(file[30..30 + first.len()], *first);
    }

    #[test]
    fn what_is_gone_or_other_is_packed_so() {
        let one = archive();
        let mut less = Vec::new();
        add(&mut less, b"a/b.xml", b"<a/>");
        add(&mut less, b"unknown", b"?");
        let (other, read) = ZipMembers::read(&one.pack(&less)).unwrap();
        let mut expected = Vec::new();
        add(&mut expected, b"a/b.xml", b"<a/>");
        assert_eq!(read, expected);
        let names: Vec<&Vec<u8>> = other.members.keys().collect();
        assert_eq!(names, vec![&b"a/b.xml".to_vec()]);
    }

    #[test]
    fn lies_end_well() {
        let one = archive();
        let file = one.pack(&folder(&one));
        check_hostile(&file);
        assert!((0..file.len() - 22).all(|end| Archive::read(&file[..end]).is_none()));
        assert!(Archive::read(MEMBER).is_none());
    }
}
