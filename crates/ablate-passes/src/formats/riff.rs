//! RIFF files, such as WAV and AVI: chunks within chunks, each of even length.

use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

/// Chunks that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 32;

/// The parts of a RIFF file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(b"RIFF") {
        return None;
    }
    let mut builder = Builder::new(text)?;
    chunks(&mut builder, Reader::new(text, 0, text.len()), 0);
    Some(builder.finish())
}

fn chunks(builder: &mut Builder<'_>, mut reader: Reader<'_>, level: u32) {
    let group = builder.group(level);
    while builder.has_room() {
        let start = reader.at;
        let Some((kind, len, mut data)) = chunk(&mut reader) else {
            // What is no chunk is nothing but bytes.
            builder.payload(start, reader.end);
            return;
        };
        // The last chunk of a careless writer lacks its padding.
        let padded = reader.at + usize::from(len.value % 2 == 1 && !reader.is_at_end());
        reader.at = padded;
        builder.part(group, start, padded);
        let has_chunks = matches!(kind, b"RIFF" | b"LIST") && data.left() >= 4;
        if has_chunks && level < DEPTH_MAX {
            builder.padded_length(len, data.at, data.end);
            data.at += 4;
            chunks(builder, data, level + 1);
        } else {
            builder.length(len, data.at, data.end);
            builder.padding(data.at, data.end, padded, 2);
            builder.payload(data.at, data.end);
        }
    }
}

/// Reads a chunk: its kind, its length, and what is in it.
fn chunk<'a>(reader: &mut Reader<'a>) -> Option<(&'a [u8], Number, Reader<'a>)> {
    let kind = reader.take(4)?;
    let len = reader.number(4, Encoding::Little)?;
    Some((kind, len, reader.part(len.value)?))
}
