//! Tar archives: members in blocks of 512 bytes, each with its size and a checksum of its header.

use crate::formats::container::{Builder, Checksum, Container, Encoding, Number, Reader};

pub(super) const BLOCK: usize = 512;

/// The parts of a tar archive; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if text.get(257..262) != Some(b"ustar") {
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
    // What is left are blocks of zeros.
    let end = builder.group(0);
    let rest = reader.at.min(text.len())..text.len();
    for start in rest.step_by(BLOCK) {
        builder.part(end, start, (start + BLOCK).min(text.len()));
    }
    Some(builder.finish())
}

fn member(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<()> {
    let start = reader.at;
    let header = reader.rest().get(..BLOCK)?;
    let number = |from: usize, to: usize| {
        Some(Number {
            start: start + from,
            end: start + to,
            encoding: Encoding::Octal,
            value: Encoding::Octal.read(header.get(from..to)?)?,
        })
    };
    let (size, checksum) = (number(124, 136)?, number(148, 156)?);
    reader.take(BLOCK as u64)?;
    let has_data = has_data(header[156]);
    let len = if has_data { size.value } else { 0 };
    let data = reader.part(len)?;
    let padded = data.end.next_multiple_of(BLOCK);
    // The last block may be cut short.
    reader.at = padded.min(reader.end);
    builder.checksum(checksum, Checksum::SumWithSpaces, start, start + BLOCK);
    if has_data {
        builder.length(size, data.at, data.end);
        if padded <= builder.text().len() {
            builder.padding(data.at, data.end, padded, BLOCK as u32);
        }
        builder.payload(data.at, data.end);
    }
    Some(())
}

/// Whether data comes after a header of this type: links and folders have none, whatever their size says.
pub(super) fn has_data(kind: u8) -> bool {
    matches!(kind, 0 | b'0' | b'7' | b'x' | b'g' | b'L' | b'K')
}
