//! Zip archives: members, and the directory at the end that has an entry for each.

use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};

use crate::formats::container::{
    About, Builder, Checksum, Container, Encoding, Number, Packing, Range, Reader,
};

pub(super) const MEMBER: &[u8] = b"PK\x03\x04";
pub(super) const ENTRY: &[u8] = b"PK\x01\x02";
pub(super) const END: &[u8] = b"PK\x05\x06";
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
/// The end of the directory, with the longest comment.
const END_MAX: usize = 22 + 0xffff;
/// Names are shortened, in both of their places, when there are no more members.
const NAMED_MEMBERS_MAX: u64 = 64;

/// What is said about the data of a member, in one of the places where it is said.
struct Said {
    method: Number,
    flags: u64,
    checksum: Number,
    packed: Number,
    length: Number,
    name: Range,
}

/// The parts of a zip archive; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MEMBER) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let _ = directory(&mut builder, end_of_directory(text)?);
    Some(builder.finish())
}

/// Where the end of the directory begins.
pub(super) fn end_of_directory(text: &[u8]) -> Option<usize> {
    let near_end = &text[text.len().saturating_sub(END_MAX)..];
    let end = near_end
        .windows(END.len())
        .rposition(|bytes| bytes == END)?;
    Some(text.len() - near_end.len() + end)
}

fn small(reader: &mut Reader<'_>, width: usize) -> Option<Number> {
    reader.number(width, Encoding::Little)
}

fn directory(builder: &mut Builder<'_>, end: usize) -> Option<()> {
    let text = builder.text();
    let mut reader = Reader::new(text, end, text.len());
    reader.take(8)?;
    let (here, all) = (small(&mut reader, 2)?, small(&mut reader, 2)?);
    let (size, offset) = (small(&mut reader, 4)?, small(&mut reader, 4)?);
    let comment = small(&mut reader, 2)?;
    let rest = reader.part(comment.value)?;
    builder.length(comment, rest.at, rest.end);
    builder.payload(rest.at, rest.end);
    let start = usize::try_from(offset.value).ok()?;
    let mut entries = Reader::new(text, start, start.checked_add(size.value as usize)?);
    builder.length(size, entries.at, entries.end);
    builder.offset(offset, 0, start);
    let mut members: Vec<(usize, Range)> = Vec::new();
    while !entries.is_at_end() && builder.has_room() {
        match entry(builder, &mut entries, all.value) {
            Some(member) => members.push(member),
            None => break,
        }
    }
    // A member goes up to the next one; its entry goes with it.
    members.sort_unstable();
    let group = builder.group(0);
    let ends = members.iter().skip(1).map(|member| member.0);
    let ends: Vec<usize> = ends.chain([start]).collect();
    for (&(at, entry), end) in members.iter().zip(ends) {
        builder.part(group, at, end);
        builder.tie(vec![(at as u32, end as u32), entry]);
    }
    builder.count(here, group);
    builder.count(all, group);
    Some(())
}

/// Reads an entry of the directory: where its member is, and where the entry is.
fn entry(
    builder: &mut Builder<'_>,
    reader: &mut Reader<'_>,
    members: u64,
) -> Option<(usize, Range)> {
    let start = reader.at;
    reader.expect(ENTRY)?;
    reader.take(4)?;
    let mut said = said(reader)?;
    let name = small(reader, 2)?;
    let (extra, comment) = (small(reader, 2)?, small(reader, 2)?);
    reader.take(8)?;
    let offset = small(reader, 4)?;
    said.name = content(builder, reader, name, false)?;
    content(builder, reader, extra, true)?;
    content(builder, reader, comment, true)?;
    let range = (start as u32, reader.at as u32);
    let at = usize::try_from(offset.value).ok()?;
    builder.offset(offset, 0, at);
    member(builder, at, said, members);
    Some((at, range))
}

/// What both places say in the same order.
fn said(reader: &mut Reader<'_>) -> Option<Said> {
    let flags = small(reader, 2)?.value;
    let method = small(reader, 2)?;
    reader.take(4)?;
    Some(Said {
        method,
        flags,
        checksum: small(reader, 4)?,
        packed: small(reader, 4)?,
        length: small(reader, 4)?,
        name: (0, 0),
    })
}

/// Bytes of which `len` says how many there are.
fn content(
    builder: &mut Builder<'_>,
    reader: &mut Reader<'_>,
    len: Number,
    may_go: bool,
) -> Option<Range> {
    let part = reader.part(len.value)?;
    builder.length(len, part.at, part.end);
    if may_go {
        builder.payload(part.at, part.end);
    }
    Some((part.at as u32, part.end as u32))
}

/// A member of which `entry` is said in the directory.
fn member(builder: &mut Builder<'_>, at: usize, entry: Said, members: u64) -> Option<()> {
    let mut reader = Reader::new(builder.text(), at, usize::MAX);
    reader.expect(MEMBER)?;
    reader.take(2)?;
    let local = said(&mut reader)?;
    let (name, extra) = (small(&mut reader, 2)?, small(&mut reader, 2)?);
    let name = content(builder, &mut reader, name, false)?;
    content(builder, &mut reader, extra, true)?;
    let data = reader.part(entry.packed.value)?;
    if members <= NAMED_MEMBERS_MAX && name.1 - name.0 == entry.name.1 - entry.name.0 {
        let letters = builder.group(2);
        for (a, b) in (name.0..name.1).zip(entry.name.0..entry.name.1) {
            builder.part(letters, a as usize, a as usize + 1);
            builder.tie(vec![(a, a + 1), (b, b + 1)]);
        }
    }
    let mut said = vec![local, entry];
    if said[1].flags & 8 != 0 {
        // What was not known in front is said behind the data.
        let mut behind = reader.clone();
        let _ = behind.expect(DESCRIPTOR);
        let mut number = || small(&mut behind, 4);
        if let (Some(checksum), Some(packed), Some(length)) = (number(), number(), number()) {
            let (method, flags, name) = (said[1].method, said[1].flags, (0, 0));
            said.push(Said {
                method,
                flags,
                checksum,
                packed,
                length,
                name,
            });
        }
    }
    let range = (data.at as u32, data.end as u32);
    let deflated = match said[1].method.value {
        8 => builder.packed(&[range], Vec::new(), Packing::Deflate, 1),
        _ => None,
    };
    if said[1].method.value == 0 {
        builder.payload(data.at, data.end);
    }
    if let Some((packed, _)) = deflated {
        store(builder, packed, &said, range);
    }
    for said in said {
        builder.length(said.packed, data.at, data.end);
        match deflated {
            Some((packed, _)) => {
                builder.content(said.length, packed, About::Length);
                builder.content(said.checksum, packed, About::Checksum(Checksum::Crc32));
            }
            None => {
                builder.length(said.length, data.at, data.end);
                builder.checksum(said.checksum, Checksum::Crc32, data.at, data.end);
            }
        }
    }
    Some(())
}

/// Proposes to store what is compressed: what is short gets shorter by that.
fn store(builder: &mut Builder<'_>, packed: u32, said: &[Said], range: Range) {
    let Some(content) = builder.content_of(packed) else {
        return;
    };
    let data = Edit {
        start: range.0 as usize,
        end: range.1 as usize,
        insert: (!content.is_empty()).then(|| content.into()),
    };
    if content.len() >= (range.1 - range.0) as usize {
        return;
    }
    // The descriptor behind the data does not say the method again.
    let methods = said.iter().take(2).map(|said| Edit {
        start: said.method.start,
        end: said.method.end,
        insert: Some([0, 0][..].into()),
    });
    if let Ok(edit) = Patch::edits_of(methods.chain([data])) {
        builder.alternative(edit);
    }
}
