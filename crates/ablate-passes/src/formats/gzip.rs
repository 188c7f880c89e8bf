//! Gzip files: members, each a compressed stream with its checksum and length.

use crate::formats::container::{
    About, Builder, CONTENT_MAX, Checksum, Container, Encoding, Packing, Reader,
};

pub(super) const MAGIC: &[u8] = &[0x1f, 0x8b, 8];

/// The parts of a gzip file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MAGIC) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut reader = Reader::new(text, 0, text.len());
    let group = builder.group(0);
    while builder.has_room() {
        let start = reader.at;
        if member(&mut builder, &mut reader).is_none() {
            break;
        }
        builder.part(group, start, reader.at);
    }
    Some(builder.finish())
}

fn member(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<()> {
    reader.expect(MAGIC)?;
    let flags = reader.byte()?;
    reader.take(6)?;
    if flags & 4 != 0 {
        let len = reader.number(2, Encoding::Little)?;
        let extra = reader.part(len.value)?;
        builder.length(len, extra.at, extra.end);
        builder.payload(extra.at, extra.end);
    }
    // The name of the file, and a comment.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let len = reader.rest().iter().position(|&byte| byte == 0)?;
            builder.payload(reader.at, reader.at + len);
            reader.take(len as u64 + 1)?;
        }
    }
    if flags & 2 != 0 {
        reader.take(2)?;
    }
    let start = reader.at;
    let (_, len) = Packing::Deflate.unpack(reader.rest(), CONTENT_MAX)?;
    reader.take(len as u64)?;
    let range = (start as u32, reader.at as u32);
    let checksum = reader.number(4, Encoding::Little)?;
    let length = reader.number(4, Encoding::Little)?;
    let (packed, _) = builder.packed(&[range], [].into(), Packing::Deflate, 1)?;
    builder.content(checksum, packed, About::Checksum(Checksum::Crc32));
    builder.content(length, packed, About::Length);
    Some(())
}
