//! GIF images: blocks, and the pieces that their data is in.

use crate::formats::container::{Builder, Container, Encoding, Reader};

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
    reader.take(4)?;
    let flags = reader.byte()?;
    reader.take(2)?;
    reader.take(colours(flags))?;
    let group = builder.group(0);
    while builder.has_room() {
        let start = reader.at;
        match reader.byte()? {
            // An extension.
            0x21 => drop(reader.byte()?),
            // An image.
            0x2c => {
                reader.take(8)?;
                let flags = reader.byte()?;
                reader.take(colours(flags))?;
                reader.byte()?;
            }
            _ => break,
        }
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
