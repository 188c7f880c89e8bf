//! GIF images: blocks, and the pieces that their data is in.

use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};

use crate::formats::container::{Builder, Container, Encoding, Reader};

/// What an image begins with.
const IMAGE: u8 = 0x2c;
/// The data of an image of one pixel: codes of three bits that say begin, the first colour, end.
const PIXEL: &[u8] = &[2, 2, 0x44, 1, 0];

/// The parts of a GIF image; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(b"GIF87a") && !text.starts_with(b"GIF89a") {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut reader = Reader::new(text, 6, usize::MAX);
    let _ = blocks(&mut builder, &mut reader);
    Some(builder.finish())
}

fn blocks(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<()> {
    let mut pixels = alloc::vec![replaced(6, 10, &[1, 0, 1, 0])];
    let mut tables = Vec::new();
    reader.take(4)?;
    let flags = reader.byte()?;
    reader.take(2)?;
    table(reader, 10, flags, &mut tables)?;
    let images = images(builder, reader, &mut pixels, &mut tables);
    for edits in [pixels, tables] {
        if let Ok(edit) = Patch::edits_of(edits) {
            builder.alternative(edit);
        }
    }
    images
}

/// Skips a table of colours, and says how to do without it.
fn table(reader: &mut Reader<'_>, at: usize, flags: u8, tables: &mut Vec<Edit<u8>>) -> Option<()> {
    let start = reader.at;
    reader.take(colours(flags))?;
    if start < reader.at {
        tables.push(replaced(at, at + 1, &[flags & 0x70]));
        tables.push(replaced(start, reader.at, &[]));
    }
    Some(())
}

fn replaced(start: usize, end: usize, bytes: &[u8]) -> Edit<u8> {
    Edit {
        start,
        end,
        insert: (!bytes.is_empty()).then(|| bytes.into()),
    }
}

/// Reads the blocks; `pixels` are the edits that make a single pixel of each image, `tables` those
/// that take away the tables of colours.
fn images(
    builder: &mut Builder<'_>,
    reader: &mut Reader<'_>,
    pixels: &mut Vec<Edit<u8>>,
    tables: &mut Vec<Edit<u8>>,
) -> Option<()> {
    let group = builder.group(0);
    while builder.has_room() {
        let start = reader.at;
        let kind = reader.byte()?;
        match kind {
            // An extension.
            0x21 => drop(reader.byte()?),
            IMAGE => {
                reader.take(8)?;
                let flags = reader.byte()?;
                table(reader, start + 9, flags, tables)?;
                reader.byte()?;
            }
            _ => break,
        }
        let data_start = reader.at - 1;
        let pieces = builder.group(1);
        loop {
            let start = reader.at;
            let len = reader.number(1, Encoding::Little)?;
            if len.value == 0 {
                break;
            }
            let data = reader.part(len.value)?;
            builder.length(len, data.at, data.end);
            builder.part(pieces, start, reader.at);
            // A piece without data would end them all.
            builder.payload(data.at + 1, data.end);
        }
        builder.part(group, start, reader.at);
        if kind == IMAGE {
            let place = [0, 0, 0, 0, 1, 0, 1, 0];
            pixels.push(replaced(start + 1, start + 9, &place));
            pixels.push(replaced(data_start, reader.at, PIXEL));
        }
    }
    Some(())
}

/// How many bytes a table of colours has.
fn colours(flags: u8) -> u64 {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}
