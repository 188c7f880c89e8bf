//! Archives of `ar`, as static libraries and packages of Debian are: members behind headers of 60 bytes,
//! each with its size as text, and filled up to two bytes.

use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: u64 = 60;
/// Where in a header the size stands.
const SIZE: core::ops::Range<usize> = 48..58;

/// The parts of an archive of `ar`; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut reader = Reader::new(text, 0, text.len());
    reader.expect(MAGIC)?;
    let mut builder = Builder::new(text)?;
    let group = builder.group(0);
    while builder.has_room() {
        let start = reader.at;
        if member(&mut builder, &mut reader).is_none() {
            break;
        }
        builder.part(group, start, reader.at);
    }
    builder.payload(reader.at.min(text.len()), text.len());
    Some(builder.finish())
}

fn member(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<()> {
    let start = reader.at;
    let mut rest = reader.clone();
    let header = rest.take(HEADER)?;
    if !header.ends_with(b"`\n") {
        return None;
    }
    let size = Number {
        start: start + SIZE.start,
        end: start + SIZE.end,
        encoding: Encoding::SpacedDecimal,
        value: Encoding::SpacedDecimal.read(&header[SIZE])?,
    };
    let data = rest.part(size.value)?;
    // The last member may lack what fills it up.
    let padded = data.end.next_multiple_of(2).min(builder.text().len());
    builder.length(size, data.at, data.end);
    if padded.is_multiple_of(2) {
        builder.filling(data.at, data.end, padded, (2, b'\n'));
    }
    builder.payload(data.at, data.end);
    reader.at = padded;
    Some(())
}

#[cfg(test)]
mod tests {
    use ablate_engine::patch::Patch;
    use std::format;

    use super::*;

    fn archive(members: &[(&str, &str)]) -> std::string::String {
        let mut text = std::string::String::from("!<arch>\n");
        for (name, data) in members {
            let size = data.len();
            text += &format!(
                "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n{data}",
                0, 0, 0, 644
            );
            if size % 2 == 1 {
                text.push('\n');
            }
        }
        text
    }

    #[test]
    fn members_go_and_their_sizes_follow() {
        let file = archive(&[("a/", "first"), ("b/", "second one"), ("c/", "third")]);
        let bytes = file.as_bytes();
        let known = container(bytes).unwrap();
        let parts: alloc::vec::Vec<_> = known.parts().iter().map(|p| (p.start, p.end)).collect();
        assert_eq!(parts, [(8, 74), (74, 144), (144, 210)]);
        let left = known.patch(bytes, &Patch::cut(74, 144)).unwrap();
        let expected = archive(&[("a/", "first"), ("c/", "third")]);
        assert_eq!(left.applied(bytes), expected.as_bytes());
        let left = known.patch(bytes, &Patch::cut(134, 141)).unwrap();
        let expected = archive(&[("a/", "first"), ("b/", "one"), ("c/", "third")]);
        assert_eq!(left.applied(bytes), expected.as_bytes());
        assert!(container(b"!<arch").is_none());
        let cut_off = container(&bytes[..100]).unwrap();
        assert_eq!(cut_off.parts().len(), 1);
    }
}
