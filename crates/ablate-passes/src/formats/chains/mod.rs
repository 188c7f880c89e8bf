//! Unknown binary formats: chains of records, each with its length in it, and chains within records,
//! each laid out in its own way: boxes of boxes, lists of extensions within messages within records.
//!
//! The length may count the content alone or more of the record, stand behind a tag and in front of
//! more that is fixed, be there twice, be rounded up, and count words instead of bytes, as in shapefiles
//! and SPIR-V; it may have a fixed width or say itself how long it is, as in DER and EBML. What is found is
//! what is hardly there by chance. DER may be damaged in a few places: what breaks a parser often is.

mod find;
mod layout;

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use crate::formats::characters::is_control;
use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

use find::{Chain, FIXED_MAX, find};
use layout::{DER, Layout, Record, der_values, filled, is_constructed, record};

/// How many bytes may stand before the records within a record, where these are laid out as others.
const INNER_HEADER_MAX: usize = 96;
/// Records that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 64;
/// All lengths that are looked at, for all layouts together.
const LOOKS_MAX: usize = 1 << 20;
/// So many layouts that were found are tried on what is in other records.
const KNOWN_MAX: usize = 8;
/// So many records of a chain are searched in vain.
const SEARCHES_MAX: u8 = 6;
/// Shorter contents are not searched.
const SEARCHED_MIN: usize = 12;
/// A count of the records stands so many bytes before them at most, for each of its bytes but one.
const COUNT_MAX: usize = 8;
/// So many records behind the first one are counted in it, if that has no more bytes in it than these.
const OTHERS_MIN: u64 = 2;
const FIRST_MAX: usize = 32;
/// Numbers below this one are not taken for a size or a count of the whole: they may say anything.
const WHOLE_MIN: u64 = 4;

/// The chains of a file; `None` if there seem to be none.
pub fn container(text: &[u8]) -> Option<Container> {
    if is_text(text) {
        return None;
    }
    let mut chains = Chains {
        builder: Builder::new(text)?,
        looks: LOOKS_MAX,
        known: Vec::new(),
        searches: Vec::new(),
        open: BinaryHeap::new(),
    };
    let whole = 0..text.len();
    let chain = find(text, &whole, &mut chains.looks)?;
    chains.add(chain, &whole, 0);
    // The largest first, as the search for chains has to end.
    while let Some((_, Reverse(start), Reverse(end), level, of, is_whole)) = chains.open.pop() {
        chains.look_into(start..end, level, of as usize, is_whole);
    }
    Some(chains.builder.finish())
}

/// Text has no control characters.
fn is_text(text: &[u8]) -> bool {
    !text.iter().any(|&byte| is_control(byte) && byte != 0x1b)
}

/// What is in a record: its length, its start and end, how deep it is, in which chain, and whether it
/// certainly has records in it.
type Content = (usize, Reverse<usize>, Reverse<usize>, u32, u32, bool);

/// Chains that are being looked for.
struct Chains<'a> {
    builder: Builder<'a>,
    looks: usize,
    /// Layouts that were found within records, and how far behind the start of what is in them.
    known: Vec<(usize, Layout)>,
    /// The layout of each chain, and how often there was none in its records.
    searches: Vec<(Layout, u8)>,
    /// What is in records.
    open: BinaryHeap<Content>,
}

impl Chains<'_> {
    /// Says where the records of a chain are, and what stands before them.
    fn add(&mut self, chain: Chain, range: &Range<usize>, level: u32) {
        let text = self.builder.text();
        let (layout, number) = (chain.layout, self.searches.len() as u32);
        self.searches.push((layout, 0));
        let mut group = self.builder.group(level);
        let records = chain.start..chain.end;
        let copies = copies(text, &records, layout);
        let others = count_of_others(text, chain);
        let mut at = chain.start;
        while at < chain.end && self.builder.has_room() {
            let Some(record) = record(text, at..range.end, layout) else {
                break;
            };
            at = record.end;
            self.builder.part(group, record.start, record.end);
            if let Some(number) = others.filter(|_| record.start == chain.start) {
                group = self.builder.group(level);
                self.builder.count(number, group);
            }
            self.lengths(&record, layout, &copies);
            self.content(&record, layout, level, number);
        }
        self.header(range, chain, group);
        // What comes behind the records is nothing but bytes.
        self.builder.payload(at, range.end);
    }

    fn lengths(&mut self, record: &Record, layout: Layout, copies: &[Option<Place>; 2]) {
        let Some(len) = record.len else {
            return;
        };
        let (from, to) = (record.counted.start, record.counted.end);
        self.builder.length(len, from, to);
        for place in copies.iter().flatten() {
            let start = place.in_record(record);
            let end = start + layout.width;
            self.builder.length(Number { start, end, ..len }, from, to);
        }
        if layout.multiple > 1 {
            let multiple = layout.multiple as u32;
            self.builder.padding(from, to, record.end, multiple);
        }
    }

    /// What is in a record is looked into later.
    fn content(&mut self, record: &Record, layout: Layout, level: u32, chain: u32) {
        let text = self.builder.text();
        let mut content = record.content.clone();
        let is_whole = layout == DER && is_constructed(text, record);
        if layout == DER && !is_constructed(text, record) {
            // A string of bits begins with how many of its last byte are none.
            let is_bits = text.get(record.start) == Some(&3) && text.get(content.start) == Some(&0);
            content.start += usize::from(is_bits);
        }
        if content.is_empty() {
            return;
        }
        let (start, end) = (Reverse(content.start), Reverse(content.end));
        let next = (content.len(), start, end, level + 1, chain, is_whole);
        self.open.push(next);
    }

    /// Looks for a chain in what is in a record.
    fn look_into(&mut self, range: Range<usize>, level: u32, of: usize, is_whole: bool) {
        let chain = (level < DEPTH_MAX)
            .then(|| self.inner(&range, of, is_whole))
            .flatten();
        match chain {
            Some(chain) => self.add(chain, &range, level),
            None => self.builder.payload(range.start, range.end),
        }
    }

    fn inner(&mut self, range: &Range<usize>, of: usize, is_whole: bool) -> Option<Chain> {
        let text = self.builder.text();
        let around = self.searches[of].0;
        let whole = |start, layout| Chain {
            layout,
            start,
            end: range.end,
        };
        let bytes = text.get(range.clone())?;
        match around.encoding {
            Encoding::Der if is_whole => {
                // What can't be read behind the first values is nothing but bytes.
                return record(text, range.clone(), DER).map(|_| whole(range.start, DER));
            }
            Encoding::Der => {
                let values = der_values(text, range.clone(), &mut self.looks)?;
                // What is in a string may be a value.
                return (values > 1 && bytes[0] & 0x20 != 0).then(|| whole(range.start, DER));
            }
            Encoding::Vint => {
                let (records, content) = filled(text, range.clone(), around, &mut self.looks)?;
                let is_likely = !is_text(bytes) && (records > 1 || bytes[0] < 0x80) && content > 0;
                return is_likely.then(|| whole(range.start, around));
            }
            _ if is_text(bytes) => return None,
            _ => {}
        }
        for (skipped, layout) in self.known.clone() {
            if self.is_filled(range, range.start + skipped, layout) {
                return Some(whole(range.start + skipped, layout));
            }
        }
        if around.width >= 3 {
            let mut starts = range.start..range.start + INNER_HEADER_MAX;
            if let Some(start) = starts.find(|&start| self.is_filled(range, start, around)) {
                return Some(whole(start, around));
            }
        }
        if range.len() < SEARCHED_MIN || self.searches[of].1 >= SEARCHES_MAX {
            return None;
        }
        let Some(chain) = find(text, range, &mut self.looks) else {
            self.searches[of].1 += 1;
            return None;
        };
        let known = (chain.start - range.start, chain.layout);
        if self.known.len() < KNOWN_MAX && !self.known.contains(&known) && chain.end == range.end {
            self.known.push(known);
        }
        Some(chain)
    }

    /// Whether records of a layout fill a range from `start` on, hardly by chance.
    fn is_filled(&mut self, range: &Range<usize>, start: usize, layout: Layout) -> bool {
        let text = self.builder.text();
        if start + layout.head() >= range.end {
            return false;
        }
        let some = filled(text, start..range.end, layout, &mut self.looks);
        let width = layout.width as u32;
        let bits = (8 * width).saturating_sub((range.end - start).ilog2());
        some.is_some_and(|(records, content)| content > 0 && records as u32 * bits >= 12)
    }

    /// Says which numbers before the records are about all of them: how long the whole is, or what
    /// comes behind the number, or the records; or how many they are.
    fn header(&mut self, range: &Range<usize>, chain: Chain, group: u32) {
        let text = self.builder.text();
        let start = chain.start;
        self.builder.payload(range.start, start);
        if matches!(chain.layout.encoding, Encoding::Der | Encoding::Vint) {
            return;
        }
        let zeros = text[chain.end..range.end]
            .iter()
            .take_while(|&&byte| byte == 0);
        let ends = [range.end, chain.end, chain.end + zeros.count()];
        let count = self.builder.parts_in(group) as u64;
        let mut at = range.start;
        while at < start {
            let found = numbers(text, at..start, chain.layout.encoding)
                .filter(|number| number.value >= WHOLE_MIN)
                .find_map(|number| {
                    let froms = [range.start, number.end, start].into_iter();
                    let mut wholes = froms.flat_map(|from| ends.map(|end| (from, end)));
                    let whole = wholes.find(|(from, end)| (end - from) as u64 == number.value);
                    let is_count = number.value == count
                        && number.encoding == chain.layout.encoding.plain()
                        && start - number.end <= COUNT_MAX * (number.end - number.start - 1);
                    (whole.is_some() || is_count).then_some((number, whole))
                });
            let Some((number, whole)) = found else {
                at += 1;
                continue;
            };
            match whole {
                Some((from, to)) => self.builder.length(number, from, to),
                None => self.builder.count(number, group),
            }
            at = number.end;
        }
    }
}

/// The number in the first record of a chain, if that is short, that says how many others there are, as
/// in MIDI.
fn count_of_others(text: &[u8], chain: Chain) -> Option<Number> {
    let layout = chain.layout;
    if layout.width < 4 || !matches!(layout.encoding, Encoding::Big | Encoding::Little) {
        return None;
    }
    let first = record(text, chain.start..chain.end, layout)?;
    let (mut at, mut others) = (first.end, 0);
    while at < chain.end {
        at = record(text, at..chain.end, layout)?.end;
        others += 1;
    }
    let content = first.content;
    if others < OTHERS_MIN || content.len() > FIRST_MAX {
        return None;
    }
    [4, 2].into_iter().find_map(|width| {
        content.clone().step_by(2).find_map(|at| {
            let number = Reader::new(text, at, content.end).number(width, layout.encoding)?;
            (number.value == others).then_some(number)
        })
    })
}

/// The numbers that the bytes of a range may begin with, where lengths are written in the way that is given.
fn numbers(text: &[u8], range: Range<usize>, own: Encoding) -> impl Iterator<Item = Number> {
    let encodings = [Encoding::Little, Encoding::Big, Encoding::SevenBits];
    [8, 4, 3, 2, 1].into_iter().flat_map(move |width| {
        // In few bytes, twice as much is there by chance as well.
        let in_words = Some(own).filter(|own| *own != own.plain() && width >= 4);
        let reader = Reader::new(text, range.start, range.end);
        in_words
            .into_iter()
            .chain(encodings)
            .filter_map(move |encoding| reader.clone().number(width, encoding))
    })
}

/// Where a copy of the length is.
#[derive(Clone, Copy, Debug)]
enum Place {
    FromStart(usize),
    FromEnd(usize),
}

impl Place {
    fn in_record(self, record: &Record) -> usize {
        match self {
            Place::FromStart(at) => record.start + at,
            Place::FromEnd(at) => record.end - at,
        }
    }
}

/// Where in every record its length stands once more: in front of the content, and at the end.
fn copies(text: &[u8], range: &Range<usize>, layout: Layout) -> [Option<Place>; 2] {
    let width = layout.width;
    if width < 2 {
        return [None; 2];
    }
    let behind = layout.tag + width;
    let fronts = (0..FIXED_MAX).map(Place::FromStart);
    let fronts = fronts.filter(|place| match place {
        Place::FromStart(at) => {
            at + width <= layout.tag || (behind <= *at && at + width <= layout.head())
        }
        Place::FromEnd(_) => false,
    });
    let ends = core::iter::once(Place::FromEnd(width));
    [fronts.collect(), ends.collect()].map(|places: Vec<Place>| {
        places.into_iter().find(|place| {
            let mut at = range.start;
            while let Some(record) = record(text, at..range.end, layout) {
                let start = place.in_record(&record);
                let Some(len) = record.len else {
                    return false;
                };
                let is_apart = start >= len.end || start + width <= len.start;
                let bytes = text.get(start..start + width);
                let len = text.get(len.start..len.end);
                if !is_apart || bytes != len || record.end - record.start < behind + width {
                    return false;
                }
                at = record.end;
            }
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use ablate_engine::patch::Patch;

    use super::*;

    #[test]
    fn records_are_found_behind_a_header() {
        let file = b"HEAD\x01ab\0\x0bhello worldcd\0\x03yesef\0\x02no";
        let container = container(file).unwrap();
        let parts: Vec<_> = container.parts().iter().map(|p| (p.start, p.end)).collect();
        assert_eq!(parts, [(5, 20), (20, 27), (27, 33)]);
        assert!(super::container(&[0; 100]).is_none());
    }

    fn check_parts(file: &[u8], expected: &[(u32, u32)]) {
        let container = container(file).unwrap_or_default();
        let mut parts: Vec<_> = container.parts().iter().map(|p| (p.start, p.end)).collect();
        parts.sort_unstable();
        assert_eq!(parts, expected);
    }

    /// The file without its parts of these numbers.
    fn check_left(file: &[u8], gone: usize, expected: &[u8]) {
        let container = container(file).unwrap();
        let part = container.parts()[gone];
        let cut = Patch::cut(part.start as usize, part.end as usize);
        let patch = container.patch(file, &cut).unwrap();
        assert_eq!(patch.applied(file), expected);
    }

    #[test]
    fn lengths_may_count_their_records_or_have_more_behind_them() {
        // As in MP4: the length counts all of the record, and records are in records.
        let boxes = b"\0\0\0\x0cfreeabcd\0\0\0\x16moov\0\0\0\x0etrakabcdef\0\0\0\x0amdatxy";
        check_parts(boxes, &[(0, 12), (12, 34), (20, 34), (34, 44)]);
        // As in PNG: a checksum behind the content.
        let chunks = b"X\0\0\0\x05IDATabcdeCRC.\0\0\0\x1fIDATabcdefghijklmnopqrstuvwxyzABCDECRC.\0\0\0\x04IENDabcdCRC.";
        check_parts(chunks, &[(1, 18), (18, 61), (61, 77)]);
    }

    #[test]
    fn boxes_with_names_are_found_though_those_inside_make_a_longer_chain() {
        // Each box within has a box of its own around it.
        let mut inner = Vec::new();
        for _ in 0..9 {
            inner.extend_from_slice(b"\0\0\0\x16trak\0\0\0\x0etkhdabcdef");
        }
        let mut file = b"\0\0\0\x0cftypabcd\0\0\0\xcemoov".to_vec();
        file.extend_from_slice(&inner);
        file.extend_from_slice(b"\0\0\0\x0amdatxy");
        let container = container(&file).unwrap();
        let outer = container.parts().iter().filter(|part| part.group == 0);
        let outer: Vec<_> = outer.map(|part| (part.start, part.end)).collect();
        assert_eq!(outer, [(0, 12), (12, 218), (218, 228)]);
    }

    #[test]
    fn the_first_record_may_say_how_many_others_there_are() {
        // As in MIDI.
        let file = b"MThd\0\0\0\x06\0\x01\0\x03\x01\xe0MTrk\0\0\0\x05one..MTrk\0\0\0\x03twoMTrk\0\0\0\x06three.";
        check_left(
            file,
            2,
            b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0MTrk\0\0\0\x05one..MTrk\0\0\0\x06three.",
        );
    }

    #[test]
    fn a_tag_may_have_sixteen_bytes() {
        // As in ASF: the length counts the tag and itself as well.
        let mut file = Vec::new();
        for (tag, len) in [(b'h', 40_u8), (b'd', 31), (b'i', 55)] {
            file.extend_from_slice(&[tag; 16]);
            file.extend_from_slice(&u64::from(len).to_le_bytes());
            file.extend((24..len).map(|at| at.wrapping_mul(37) | 0x81));
        }
        check_parts(&file, &[(0, 40), (40, 71), (71, 126)]);
    }

    #[test]
    fn a_length_that_is_there_twice_changes_twice() {
        let file = b"\x07\x05\0\0\0\x05\0\0\0abcde\x08\x06\0\0\0\x06\0\0\0abcdef\x09\x12\0\0\0\x12\0\0\0abcdefghijklmnopqr";
        let container = container(file).unwrap();
        let patch = container.patch(file, &Patch::cut(10, 13)).unwrap();
        assert_eq!(patch.applied(file)[..11], *b"\x07\x02\0\0\0\x02\0\0\0ae");
    }

    #[test]
    fn a_header_says_how_long_all_is_and_how_many_there_are() {
        let file = b"\0\0\0\x29\x04\0\0\0\x04abcd\0\0\0\x05abcde\0\0\0\x04efgh\0\0\0\x07abcdefg";
        check_left(
            file,
            4,
            b"\0\0\0\x1e\x03\0\0\0\x04abcd\0\0\0\x05abcde\0\0\0\x04efgh",
        );
    }

    #[test]
    fn records_may_be_filled_up() {
        let file = b"\x05\0\0\0abcde\0\0\0\x06\0\0\0abcdef\0\0\x07\0\0\0abcdefg\0";
        check_parts(file, &[(0, 12), (12, 24), (24, 36)]);
        let container = container(file).unwrap();
        let patch = container.patch(file, &Patch::cut(4, 7)).unwrap();
        assert_eq!(patch.applied(file)[..8], *b"\x02\0\0\0de\0\0");
    }

    #[test]
    fn lengths_and_the_size_of_the_whole_may_count_words() {
        // As in shapefiles: a number and a length of what comes behind, in words of two bytes.
        let mut file = b"SHAPES\0\0\0\x53".to_vec();
        for (len, number) in [20_u8, 33, 9, 5].into_iter().zip(1..) {
            let words = u32::from(len);
            file.extend_from_slice(&u32::to_be_bytes(number));
            file.extend_from_slice(&u32::to_be_bytes(words));
            file.extend((0..2 * len).map(|at| at.wrapping_mul(37) | 0x81));
        }
        file[9] = file.len() as u8 / 2;
        let last = file.len() - 18;
        let mut left = file[..last].to_vec();
        left[9] -= 9;
        check_left(&file, 3, &left);
    }

    #[test]
    fn values_in_der_are_nested_and_their_lengths_get_shorter() {
        let mut file = b"\x30\x81\x90\x02\x01\x05\x30\x03\x02\x01\x07\x04\x81\x85".to_vec();
        file.extend_from_slice(&[b'x'; 0x85]);
        check_parts(&file, &[(0, 147), (3, 6), (6, 11), (8, 11), (11, 147)]);
        let container = container(&file).unwrap();
        let patch = container.patch(&file, &Patch::cut(20, 147)).unwrap();
        assert_eq!(
            patch.applied(&file),
            b"\x30\x10\x02\x01\x05\x30\x03\x02\x01\x07\x04\x06xxxxxx"
        );
    }

    #[test]
    fn der_that_is_damaged_in_one_place_is_der_around_it() {
        let mut file = b"\x30\x48\x30\x05\x02\x01\x05\x03\x00".to_vec();
        file.resize(9 + 20 * 3, 0);
        for value in file[9..].chunks_mut(3) {
            value.copy_from_slice(b"\x02\x01\x07");
        }
        file.extend_from_slice(b"\x30\x03\x03\x00\x00");
        let len = file.len() as u8;
        file[1] = len - 2;
        let found = container(&file).unwrap();
        assert_eq!(found.parts().len(), 26);
        check_left(&file[..], 1, &[&[0x30, len - 9][..], &file[9..]].concat());
        // What is damaged in more places than that is none.
        file[9] = 0x30;
        assert_eq!(der_values(&file, 0..file.len(), &mut 99), None);
    }

    #[test]
    fn an_element_of_ebml_may_be_cut_off() {
        let file = b"\x1a\x45\xdf\xa3\x84\x42\x86\x81\x01\x18\x53\x80\x67\x90\x42\x86\x82\x01\x02\xec\x81\0";
        check_parts(file, &[(0, 9), (5, 9), (9, 22), (14, 19), (19, 22)]);
        let container = container(file).unwrap();
        let patch = container.patch(file, &Patch::cut(17, 18)).unwrap();
        assert_eq!(
            patch.applied(file)[9..19],
            *b"\x18\x53\x80\x67\x90\x42\x86\x81\x02\xec"
        );
    }

    #[test]
    fn each_chain_within_another_has_a_layout_of_its_own() {
        // Records of two bytes of length; in the first, three bytes of length, then a list of names
        // whose lengths count themselves.
        let mut file = b"\x16\x03\0\x2f\x01\0\0\x2bheader".to_vec();
        for name in [
            &b"\x07seven"[..],
            b"\x0aten bytes",
            b"\x0deleven plus.",
            b"\x07again",
        ] {
            file.push(0);
            file.extend_from_slice(name);
        }
        let first = file.len();
        file[3] = first as u8 - 4;
        file[7] = first as u8 - 8;
        for len in [20, 33, 9, 41] {
            file.extend_from_slice(&[0x17, 3, 0, len]);
            file.extend((0..len).map(|at| at.wrapping_mul(37) | 0x81));
        }
        let container = container(&file).unwrap();
        let patch = container.patch(&file, &Patch::cut(14, 21)).unwrap();
        let left = patch.applied(&file);
        assert_eq!(left[..8], [0x16, 3, 0, file[3] - 7, 1, 0, 0, file[7] - 7]);
    }

    #[test]
    fn lengths_that_lie_or_go_on_for_ever_are_no_chains() {
        for byte in [0, 1, 2, 7, 0x30, 0x80, 0xff] {
            assert!(container(&[byte; 4096]).is_none(), "{byte}");
        }
        // Tags and lengths that go on, values that are nested as deep as there are bytes.
        for bytes in [
            &[0x1f, 0xff][..],
            &[0x30, 0x80],
            &[0x30, 0x84],
            &[0x30],
            &[0x1a, 1],
        ] {
            let file = bytes.repeat(5000);
            let _ = container(&file);
        }
        let mut nested = Vec::new();
        for _ in 0..3000 {
            let len = nested.len() as u32;
            let mut outer = [0x30, 0x84].to_vec();
            outer.extend_from_slice(&len.to_be_bytes());
            outer.extend_from_slice(&nested);
            nested = outer;
        }
        let nested = container(&nested).unwrap();
        assert!(nested.parts().len() <= DEPTH_MAX as usize + 1);
    }

    #[test]
    fn text_has_no_chains() {
        assert!(container("3 \u{e4}\u{4e2d}\n".repeat(99).as_bytes()).is_none());
        assert!(container(b"").is_none());
        assert!(container(b"\0").is_none());
    }
}
