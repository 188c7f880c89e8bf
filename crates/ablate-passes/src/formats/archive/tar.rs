//! Tar archives: members in blocks of 512 bytes. Some stand for more about the next one.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use crate::formats::container::{CONTENT_MAX, Checksum, Encoding, Reader};
use crate::formats::folder::{Entries, add};
use crate::formats::tar::{BLOCK, has_data};

/// Where a header has the name, the size of the content, its own checksum, the type, the name of the format
/// and what stands before the name in a format that says `USTAR`.
const NAME: Range<usize> = 0..100;
const SIZE: Range<usize> = 124..136;
const CHECKSUM: Range<usize> = 148..156;
const TYPE: usize = 156;
const FORMAT: Range<usize> = 257..263;
const PREFIX: Range<usize> = 345..500;
const USTAR: &[u8] = b"ustar\0";
const GNU: &[u8] = b"ustar ";

/// What a tar archive says of its members besides names and contents.
#[derive(Clone, Debug, Default)]
pub struct TarMembers {
    members: BTreeMap<Vec<u8>, Member>,
}

#[derive(Clone, Debug)]
struct Member {
    /// Its place among all.
    place: usize,
    /// What says more about it.
    before: Vec<u8>,
    header: Vec<u8>,
}

impl TarMembers {
    /// The members of the archive that `file` is, and what is in them as the bytes of a folder.
    pub fn read(file: &[u8]) -> Option<(TarMembers, Vec<u8>)> {
        if file.len() > CONTENT_MAX || !matches!(file.get(FORMAT)?, USTAR | GNU) {
            return None;
        }
        let mut reader = Reader::new(file, 0, file.len());
        let mut all = TarMembers::default();
        let mut folder = BTreeMap::new();
        while reader.rest().iter().any(|&byte| byte != 0) {
            let (name, member, content) = member(&mut reader, all.members.len())?;
            if all.members.insert(name.clone(), member).is_some() {
                return None;
            }
            folder.insert(name, content);
        }
        let mut bytes = Vec::new();
        for (name, content) in folder {
            add(&mut bytes, &name, content);
        }
        (!all.members.is_empty()).then_some((all, bytes))
    }

    /// The archive with what is in a folder, in the order of the members that it had.
    pub fn pack(&self, folder: &[u8]) -> Vec<u8> {
        let entries = Entries::new(folder);
        let known = entries.all().iter().filter_map(|entry| {
            let member = self.members.get(&entry.name(folder))?;
            Some((member, entry.content(folder)))
        });
        let mut known: Vec<(&Member, Vec<u8>)> = known.collect();
        known.sort_by_cached_key(|(member, _)| member.place);
        let mut file = Vec::new();
        for (member, content) in known {
            file.extend(&member.before);
            file.extend(member.header(content.len()));
            if has_data(member.header[TYPE]) {
                file.extend(content);
                file.resize(file.len().next_multiple_of(BLOCK), 0);
            }
        }
        file.resize(file.len() + 2 * BLOCK, 0);
        file
    }
}

impl Member {
    /// The header for a content of so many bytes.
    fn header(&self, len: usize) -> Vec<u8> {
        let mut header = self.header.clone();
        if has_data(header[TYPE]) && Encoding::Octal.read(&header[SIZE]) != Some(len as u64) {
            header[SIZE].copy_from_slice(format!("{len:011o}\0").as_bytes());
            let sum = sum(&header);
            header[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
        header
    }
}

fn sum(header: &[u8]) -> u64 {
    Checksum::SumWithSpaces.of(header, Some((CHECKSUM.start, CHECKSUM.end)))
}

/// Reads a member and its content, with what says more about it.
fn member<'a>(reader: &mut Reader<'a>, place: usize) -> Option<(Vec<u8>, Member, &'a [u8])> {
    let (start, whole) = (reader.at, reader.rest());
    let mut longer_name = None;
    loop {
        let before = whole[..reader.at - start].to_vec();
        let header = reader.take(BLOCK as u64)?;
        if Encoding::Octal.read(&header[CHECKSUM]) != Some(sum(header)) {
            return None;
        }
        let len = match has_data(header[TYPE]) {
            true => Encoding::Octal.read(&header[SIZE])?,
            false => 0,
        };
        let content = reader.take(len)?;
        reader.take((len.next_multiple_of(BLOCK as u64) - len).min(reader.left() as u64))?;
        match header[TYPE] {
            b'x' => longer_name = name_in_records(content)?.or(longer_name),
            b'L' => longer_name = Some(up_to_zero(content).to_vec()),
            b'g' | b'K' => {}
            0 | b'0'..=b'7' => {
                let name = longer_name.unwrap_or_else(|| name_in_header(header));
                let header = header.to_vec();
                let member = Member {
                    place,
                    before,
                    header,
                };
                return (!name.is_empty()).then_some((name, member, content));
            }
            // Files with holes, and whatever else there may be.
            _ => return None,
        }
    }
}

fn up_to_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn name_in_header(header: &[u8]) -> Vec<u8> {
    let name = up_to_zero(&header[NAME]);
    let prefix = up_to_zero(&header[PREFIX]);
    if header[FORMAT] == *USTAR && !prefix.is_empty() {
        [prefix, name].join(&b'/')
    } else {
        name.to_vec()
    }
}

/// The name among records such as `18 path=some/name`, if there is one; `None` if they say something of the
/// content that would not be true of another one.
fn name_in_records(records: &[u8]) -> Option<Option<Vec<u8>>> {
    let mut name = None;
    let mut rest = records;
    while !rest.is_empty() {
        let digits = rest.iter().position(|&byte| byte == b' ')?;
        let len: usize = core::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let record = rest.get(digits + 1..len)?.strip_suffix(b"\n")?;
        if let Some(value) = record.strip_prefix(b"path=") {
            name = Some(value.to_vec());
        }
        if record.starts_with(b"size=") || record.starts_with(b"GNU.sparse") {
            return None;
        }
        rest = &rest[len..];
    }
    Some(name)
}

#[cfg(test)]
pub mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;
    use super::*;
    use alloc::vec;

    fn block(name: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
        let mut header = vec![0; BLOCK];
        header[..name.len()].copy_from_slice(name);
        header[SIZE].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[TYPE] = kind;
        header[FORMAT].copy_from_slice(USTAR);
        let sum = format!("{:06o}\0 ", sum(&header));
        header[CHECKSUM].copy_from_slice(sum.as_bytes());
        header.extend(content);
        header.resize(header.len().next_multiple_of(BLOCK), 0);
        header
    }

    /// An archive of a folder, a file, one with a long name, and a link.
    pub fn example() -> Vec<u8> {
        let blocks = [
            block(b"b/", b'5', b""),
            block(b"b/c.txt", b'0', &[b'c'; 600]),
            block(b"pax", b'x', b"12 path=a/d\n12 uid=9999\n"),
            block(b"a", b'0', b"d"),
            block(b"link", b'2', b""),
        ];
        let mut file = blocks.concat();
        file.resize(10_240, 0);
        file
    }

    #[test]
    fn what_is_packed_is_read_again() {
        let (archive, folder) = Archive::read(&example()).unwrap();
        let mut expected = Vec::new();
        for (name, content) in [
            ("a/d", &b"d"[..]),
            ("b/", b""),
            ("b/c.txt", &[b'c'; 600]),
            ("link", b""),
        ] {
            add(&mut expected, name.as_bytes(), content);
        }
        assert_eq!(folder, expected);
        let file = archive.pack(&folder);
        assert_eq!(file[..], example()[..file.len()]);
    }

    #[test]
    fn what_is_gone_or_other_is_packed_so() {
        let (archive, _) = Archive::read(&example()).unwrap();
        let mut less = Vec::new();
        add(&mut less, b"a/d", b"");
        add(&mut less, b"unknown", b"?");
        let file = archive.pack(&less);
        assert_eq!(file.len(), 5 * BLOCK);
        let (_, read) = Archive::read(&file).unwrap();
        let mut expected = Vec::new();
        add(&mut expected, b"a/d", b"");
        assert_eq!(read, expected);
    }

    #[test]
    fn lies_end_well() {
        check_hostile(&example()[..8 * BLOCK]);
        let twice = [&block(b"a", b'0', b"")[..], &block(b"a", b'0', b"b")].concat();
        assert!(Archive::read(&twice).is_none());
    }
}
