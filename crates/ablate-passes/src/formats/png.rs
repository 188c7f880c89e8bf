//! PNG images: chunks with lengths and checksums; the rows of the image.

use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};

use crate::formats::container::{
    About, Builder, Checksum, Container, Encoding, Number, Packing, Range, Reader,
};

const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What the header says of the image.
struct Header {
    width: Number,
    height: Number,
    /// How many bits a pixel has.
    depth: u64,
    is_interlaced: bool,
}

/// The parts of a PNG image; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MAGIC) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut reader = Reader::new(text, MAGIC.len(), usize::MAX);
    let group = builder.group(0);
    let mut header = None;
    // The pieces of the image, and the chunks that they are in.
    let (mut pieces, mut chunks): (Vec<Range>, Vec<Range>) = (Vec::new(), Vec::new());
    while builder.has_room() {
        let start = reader.at;
        let Some(len) = reader.number(4, Encoding::Big) else {
            break;
        };
        let (Some(kind), Some(data)) = (reader.take(4), reader.part(len.value)) else {
            break;
        };
        let Some(checksum) = reader.number(4, Encoding::Big) else {
            break;
        };
        builder.part(group, start, reader.at);
        builder.length(len, data.at, data.end);
        builder.checksum(checksum, Checksum::Crc32, data.at - 4, data.end);
        builder.payload(data.at, data.end);
        match kind {
            b"IHDR" => header = header_of(data),
            b"IDAT" => {
                pieces.push((data.at as u32, data.end as u32));
                chunks.push((start as u32, reader.at as u32));
            }
            _ => (),
        }
    }
    if let Some(header) = header {
        image(&mut builder, &header, &pieces, chunks);
    }
    Some(builder.finish())
}

fn header_of(mut reader: Reader<'_>) -> Option<Header> {
    let width = reader.number(4, Encoding::Big)?;
    let height = reader.number(4, Encoding::Big)?;
    let depth = u64::from(reader.byte()?);
    let channels = match reader.byte()? {
        0 | 3 => 1,
        2 => 3,
        4 => 2,
        6 => 4,
        _ => return None,
    };
    reader.take(2)?;
    Some(Header {
        width,
        height,
        depth: depth * channels,
        is_interlaced: reader.byte()? != 0,
    })
}

/// The image: whole rows of it may go, or all but one pixel.
fn image(builder: &mut Builder<'_>, header: &Header, pieces: &[Range], mut chunks: Vec<Range>) {
    if pieces.is_empty() || header.is_interlaced {
        return;
    }
    let bits = header.width.value.saturating_mul(header.depth);
    let Ok(row) = u32::try_from(bits.div_ceil(8).saturating_add(1)) else {
        return;
    };
    chunks.remove(0);
    let packed = builder.packed(pieces, chunks.clone(), Packing::Zlib, row);
    if let Some((number, _)) = packed {
        builder.content(header.height, number, About::Units);
    }
    // One row of one pixel, without a filter.
    let pixel = alloc::vec![0; 1 + header.depth.div_ceil(8) as usize];
    let one = |number: Number| Edit {
        start: number.start,
        end: number.end,
        insert: Some([0, 0, 0, 1][..].into()),
    };
    let data = Edit {
        start: pieces[0].0 as usize,
        end: pieces[0].1 as usize,
        insert: Some(Packing::Zlib.pack(&pixel).into()),
    };
    let others = chunks.iter().map(|&(start, end)| Edit {
        start: start as usize,
        end: end as usize,
        insert: None,
    });
    let edits = [one(header.width), one(header.height), data];
    if let Ok(edit) = Patch::edits_of(edits.into_iter().chain(others)) {
        builder.alternative(edit);
    }
}
