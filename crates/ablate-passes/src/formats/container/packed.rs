//! Compressed parts: what is in them can be made less, and is compressed again.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags as flags;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::{Container, Range};

/// What is in all compressed parts of a file together must not be longer.
pub const CONTENT_MAX: usize = 1 << 26;
/// How hard to compress what is small, and what is so large that it would take long.
const LEVEL: u8 = 9;
const FAST_LEVEL: u8 = 6;
const LARGE: usize = 1 << 15;

/// How something is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// RFC 1951.
    Deflate,
    /// RFC 1950.
    Zlib,
}

impl Packing {
    /// What `bytes` begin with, unpacked, and how many bytes that took; `None` if it is nothing that
    /// was packed like this, or longer than `longest`.
    pub fn unpack(self, bytes: &[u8], longest: usize) -> Option<(Vec<u8>, usize)> {
        let flags = flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | match self {
                Packing::Deflate => 0,
                Packing::Zlib => {
                    flags::TINFL_FLAG_PARSE_ZLIB_HEADER | flags::TINFL_FLAG_COMPUTE_ADLER32
                }
            };
        let mut state = Box::<DecompressorOxide>::default();
        let mut content = vec![0; bytes.len().saturating_mul(2).clamp(64, longest.max(64))];
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = bytes.get(read..)?;
            let (status, consumed, added) =
                decompress(&mut state, rest, &mut content, written, flags);
            (read, written) = (read + consumed, written + added);
            match status {
                TINFLStatus::Done if written <= longest => {
                    content.truncate(written);
                    return Some((content, read));
                }
                TINFLStatus::HasMoreOutput if content.len() < longest => {
                    content.resize(content.len().saturating_mul(2).min(longest), 0);
                }
                _ => return None,
            }
        }
    }

    /// `content`, packed.
    pub fn pack(self, content: &[u8]) -> Vec<u8> {
        let level = if content.len() < LARGE {
            LEVEL
        } else {
            FAST_LEVEL
        };
        match self {
            Packing::Deflate => compress_to_vec(content, level),
            Packing::Zlib => compress_to_vec_zlib(content, level),
        }
    }
}

/// A compressed part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Where it is, or the first piece of it.
    pub(super) range: Range,
    /// What goes when it is packed anew: its other pieces.
    pub(super) others: Vec<Range>,
    pub(super) packing: Packing,
    /// What is in it.
    pub content: Vec<u8>,
    /// Only multiples of so many bytes may go.
    pub unit: u32,
}

impl Packed {
    /// What is to be edited so that `content` is in there.
    pub fn with(&self, content: &[u8]) -> Option<Patch<u8>> {
        let edit = Edit {
            start: self.range.0 as usize,
            end: self.range.1 as usize,
            insert: Some(self.packing.pack(content).into()),
        };
        let others = self.others.iter().map(|&(start, end)| Edit {
            start: start as usize,
            end: end as usize,
            insert: None,
        });
        Patch::edits_of(others.chain([edit])).ok()
    }

    /// What is in there after an edit; `None` if that does not pack it anew.
    pub fn content_after(&self, patch: &Patch<u8>) -> Option<Vec<u8>> {
        let edits = patch.edits();
        let range = (self.range.0 as usize, self.range.1 as usize);
        let at = edits.partition_point(|edit| (edit.start, edit.end) < range);
        let edit = edits
            .get(at)
            .filter(|edit| (edit.start, edit.end) == range)?;
        let packed = edit.insert.as_deref()?;
        let (content, _) = self.packing.unpack(packed, CONTENT_MAX)?;
        Some(content)
    }

    /// The part of the content that an edit has cut, if it is one.
    pub fn cut_by(&self, patch: &Patch<u8>) -> Option<(usize, usize)> {
        let after = self.content_after(patch)?;
        let (before, len) = (&self.content, self.content.len());
        let cut = len.checked_sub(after.len()).filter(|&cut| cut > 0)?;
        let same = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let start = same(before, &after);
        // Where it could have been at several places, at one where it is whole units.
        let start = start - start % self.unit.max(1) as usize;
        (after[start..] == before[start + cut..]).then_some((start, start + cut))
    }
}

impl Container {
    /// The compressed parts.
    pub fn packed(&self) -> &[Packed] {
        &self.packed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for packing in [Packing::Deflate, Packing::Zlib] {
            let mut packed = packing.pack(b"abcabcabcabcabc");
            let len = packed.len();
            packed.extend(b"rest");
            let unpacked = packing.unpack(&packed, 100);
            assert_eq!(unpacked, Some((b"abcabcabcabcabc".to_vec(), len)));
            assert_eq!(packing.unpack(&packed, 14), None);
            assert_eq!(packing.unpack(&packed[..len - 1], 100), None);
        }
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = Packing::Deflate.pack(&vec![0; 1 << 20]);
        assert_eq!(Packing::Deflate.unpack(&bomb, 1 << 16), None);
    }

    #[test]
    fn a_cut_is_found_again() {
        let packed = Packed {
            range: (0, 3),
            others: Vec::new(),
            packing: Packing::Deflate,
            content: b"aabbccdd".to_vec(),
            unit: 2,
        };
        let patch = packed.with(b"aadd").unwrap();
        assert_eq!(packed.cut_by(&patch), Some((2, 6)));
        assert_eq!(packed.cut_by(&packed.with(b"ddaa").unwrap()), None);
    }
}
