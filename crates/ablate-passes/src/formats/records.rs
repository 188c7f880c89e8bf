//! Unknown binary formats: records, one after another up to the end of the file, each with its length
//! in front of its content, behind a tag of a few bytes.

use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

/// Where the first record may start.
const HEADER_MAX: usize = 64;
/// How many bytes a tag may have.
const TAG_MAX: usize = 8;
/// There are at least so many records; fewer are chance.
const RECORDS_MIN: usize = 3;
/// All lengths that are looked at, for all layouts together.
const LOOKS_MAX: usize = 1 << 20;

/// Where the length of a record is, and how it is written.
#[derive(Clone, Copy)]
struct Layout {
    start: usize,
    tag: usize,
    width: usize,
    encoding: Encoding,
}

/// The records of a file; `None` if there seem to be none.
pub fn container(text: &[u8]) -> Option<Container> {
    let is_text = text
        .iter()
        .all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    if is_text {
        return None;
    }
    let mut looks = LOOKS_MAX;
    let layout = layouts().find(|&layout| fits(text, layout, &mut looks))?;
    let mut builder = Builder::new(text)?;
    let group = builder.group(0);
    let mut reader = Reader::new(text, layout.start, text.len());
    while builder.has_room() {
        let start = reader.at;
        let Some((len, content)) = record(&mut reader, layout) else {
            break;
        };
        builder.part(group, start, reader.at);
        builder.length(len, content.at, content.end);
        builder.payload(content.at, content.end);
    }
    Some(builder.finish())
}

/// All layouts, those that are least likely to be chance first.
fn layouts() -> impl Iterator<Item = Layout> {
    let numbers = [
        (8, Encoding::Little),
        (8, Encoding::Big),
        (4, Encoding::Little),
        (4, Encoding::Big),
        (2, Encoding::Little),
        (2, Encoding::Big),
        (1, Encoding::Little),
        (0, Encoding::Leb128),
    ];
    numbers.into_iter().flat_map(|(width, encoding)| {
        (0..=TAG_MAX).flat_map(move |tag| {
            (0..=HEADER_MAX).map(move |start| Layout {
                start,
                tag,
                width,
                encoding,
            })
        })
    })
}

/// Whether the records of a layout fill the file, and are mostly content.
fn fits(text: &[u8], layout: Layout, looks: &mut usize) -> bool {
    let mut reader = Reader::new(text, layout.start, text.len());
    let (mut records, mut content) = (0, 0);
    while !reader.is_at_end() {
        let Some(left) = looks.checked_sub(1) else {
            return false;
        };
        *looks = left;
        let Some((_, part)) = record(&mut reader, layout) else {
            return false;
        };
        records += 1;
        content += part.left();
    }
    records >= RECORDS_MIN && content >= text.len() / 2
}

fn record<'a>(reader: &mut Reader<'a>, layout: Layout) -> Option<(Number, Reader<'a>)> {
    reader.take(layout.tag as u64)?;
    let len = match layout.encoding {
        Encoding::Leb128 => reader.leb128()?,
        encoding => reader.number(layout.width, encoding)?,
    };
    Some((len, reader.part(len.value)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn records_are_found_behind_a_header() {
        let file = b"HEAD\x01ab\0\x0bhello worldcd\0\x03yesef\0\x02no";
        let container = container(file).unwrap();
        let parts: Vec<_> = container.parts().iter().map(|p| (p.start, p.end)).collect();
        assert_eq!(parts, [(5, 20), (20, 27), (27, 33)]);
        assert!(super::container(&[0; 100]).is_none());
    }
}
