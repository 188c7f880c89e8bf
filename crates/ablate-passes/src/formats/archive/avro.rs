//! Avro's object container files whose blocks are compressed, as the same files with blocks that are not.

use alloc::vec::Vec;

use crate::formats::avro::{Pair, SYNC, header};
use crate::formats::container::{CONTENT_MAX, Encoding, Packing, Reader};

/// The name of what says how blocks are compressed, and two values of it.
const CODEC: &[u8] = b"avro.codec";
const PLAIN: &[u8] = b"null";
const DEFLATED: &[u8] = b"deflate";

/// Some writers leave part of zlib's checksum behind what is compressed.
const CHECKSUM_MAX: usize = 4;

/// A file whose blocks are compressed, with blocks that are not.
pub fn unpacked(file: &[u8]) -> Option<Vec<u8>> {
    let mut longest = CONTENT_MAX;
    translated(file, DEFLATED, PLAIN, |block| {
        let (content, len) = Packing::Deflate.unpack(block, longest)?;
        longest = longest.checked_sub(content.len())?;
        (block.len() - len <= CHECKSUM_MAX).then_some(content)
    })
}

/// The file with these blocks, compressed; what is not such a file any more stays as it is.
pub fn packed(content: &[u8]) -> Vec<u8> {
    let packed = translated(content, PLAIN, DEFLATED, |block| {
        Some(Packing::Deflate.pack(block))
    });
    packed.unwrap_or_else(|| content.to_vec())
}

/// A file with another codec, and with other blocks.
fn translated(
    file: &[u8],
    from: &[u8],
    to: &[u8],
    mut block: impl FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut reader = Reader::new(file, 0, file.len());
    let pairs = header(&mut reader)?;
    let is_codec = |pair: &&Pair| file[pair.0.0..pair.0.1] == *CODEC;
    let (_, (start, end)) = *pairs.iter().find(is_codec)?;
    // The length before it takes up a byte.
    if file[start..end] != *from || Encoding::ZigZag.read(&file[start - 1..start]).is_none() {
        return None;
    }
    let mut out = file[..start - 1].to_vec();
    out.extend(Encoding::ZigZag.written(to.len() as u64, &[])?);
    out.extend(to);
    out.extend(&file[end..reader.at]);
    while !reader.is_at_end() {
        let start = reader.at;
        reader.sized_number(Encoding::ZigZag)?;
        out.extend(&file[start..reader.at]);
        let len = reader.sized_number(Encoding::ZigZag)?;
        let content = block(reader.take(len.value)?)?;
        out.extend(Encoding::ZigZag.written(content.len() as u64, &[])?);
        out.extend(content);
        out.extend(reader.take(SYNC)?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../tests/samples/small.avro");

    fn deflated() -> Vec<u8> {
        let pack = |block: &[u8]| Some(Packing::Deflate.pack(block));
        translated(FILE, PLAIN, DEFLATED, pack).unwrap()
    }

    #[test]
    fn blocks_are_unpacked_and_packed_again() {
        let file = deflated();
        let (archive, content) = Archive::read(&file).unwrap();
        assert_eq!(content, FILE);
        assert!(*archive.pack(FILE) == *file && !archive.has_files());
        let mut other = FILE.to_vec();
        *other.last_mut().unwrap() ^= 1;
        let packed = archive.pack(&other);
        assert!(*packed != *file && *packed != *other);
        assert_eq!(Archive::read(&packed).unwrap().1, other);
        assert_eq!(*archive.pack(b"none"), *b"none");
    }

    #[test]
    fn lies_end_well() {
        check_hostile(&deflated());
        assert!(Archive::read(FILE).is_none());
    }
}
