//! Unknown binary formats: records, one after another up to the end of the file, each with its length
//! in it. The length may count the content alone or more of the record, stand behind a tag and in
//! front of more that is fixed, be there twice, and be rounded up; records may be in records.

use alloc::vec::Vec;
use core::ops::Range;

use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

/// Where the first record may start.
const HEADER_MAX: usize = 64;
/// How many bytes a tag may have.
const TAG_MAX: usize = 8;
/// How many bytes of a record its length may leave out.
const FIXED_MAX: usize = 32;
/// There are at least so many records; fewer are chance.
const RECORDS_MIN: usize = 3;
/// How many bytes may stand before the records within a record.
const INNER_HEADER_MAX: usize = 16;
/// Records that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 16;
/// All lengths that are looked at, for all layouts together.
const LOOKS_MAX: usize = 1 << 20;
/// Numbers below this one are not taken for a size or a count of the whole: they may say anything.
const WHOLE_MIN: u64 = 4;

/// Where the length of a record is, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// How many bytes stand before the length.
    tag: usize,
    width: usize,
    encoding: Encoding,
    /// How many bytes of a record its length leaves out; none if it counts all of them.
    fixed: usize,
    /// The content is filled up with zeros to a multiple of this.
    multiple: usize,
}

impl Layout {
    /// How many bytes of a record are certainly not content.
    fn head(self) -> usize {
        self.fixed.max(self.tag + self.width)
    }
}

/// A record: all of it, what its length counts, what is in it, and the length.
struct Record {
    start: usize,
    counted: Range<usize>,
    content: Range<usize>,
    end: usize,
    len: Number,
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
    let (start, layout) = find(text, &mut looks)?;
    let mut builder = Builder::new(text)?;
    let group = records(&mut builder, layout, start..text.len(), 0, &mut looks);
    header(&mut builder, start, group);
    Some(builder.finish())
}

/// The layout of the records that fill the file, and where they start: the one that is least likely
/// to be chance.
fn find(text: &[u8], looks: &mut usize) -> Option<(usize, Layout)> {
    let numbers = [
        (8, Encoding::Little),
        (8, Encoding::Big),
        (4, Encoding::Little),
        (4, Encoding::Big),
        (2, Encoding::Little),
        (2, Encoding::Big),
        (1, Encoding::Little),
    ];
    for (width, encoding) in numbers {
        // A long number hardly leads from record to record by chance, a short one does.
        let (multiples, is_exact) = if width < 4 {
            (&[1][..], true)
        } else {
            (&[1, 2, 4][..], false)
        };
        for &multiple in multiples {
            let found = (0..=FIXED_MAX).find_map(|fixed| {
                (0..=HEADER_MAX + TAG_MAX).find_map(|first| {
                    let layout = Layout {
                        tag: 0,
                        width,
                        encoding,
                        fixed,
                        multiple,
                    };
                    let tag = chain(text, first, layout, looks)?;
                    let layout = Layout { tag, ..layout };
                    let is_plain = fixed == tag + width || fixed == 0 && width > 1;
                    let is_likely = is_plain || !is_exact;
                    let start = first.checked_sub(tag)?;
                    (is_likely && fits(text, start, layout, looks)).then_some((start, layout))
                })
            });
            if found.is_some() {
                return found;
            }
        }
    }
    (0..=TAG_MAX).find_map(|tag| {
        (0..=HEADER_MAX).find_map(|start| {
            let layout = Layout {
                tag,
                width: 0,
                encoding: Encoding::Leb128,
                fixed: tag,
                multiple: 1,
            };
            fits(text, start, layout, looks).then_some((start, layout))
        })
    })
}

/// Follows lengths from the one at `at`. Where they lead is behind the end by as much as the length
/// of a record is behind its start, which is given, or `None`.
fn chain(text: &[u8], mut at: usize, layout: Layout, looks: &mut usize) -> Option<usize> {
    let (mut records, mut smallest) = (0, usize::MAX);
    while let Some(bytes) = text.get(at..at.checked_add(layout.width)?) {
        *looks = looks.checked_sub(1)?;
        let value = usize::try_from(layout.encoding.read(bytes)?).ok()?;
        let step = value
            .checked_next_multiple_of(layout.multiple)?
            .checked_add(layout.fixed)?;
        smallest = smallest.min(step);
        at = at.checked_add(step.max(1))?;
        records += 1;
    }
    let tag = at.checked_sub(text.len())?;
    let is_right = records >= RECORDS_MIN && tag <= TAG_MAX && tag + layout.width <= smallest;
    is_right.then_some(tag)
}

/// Whether the records of a layout fill the file, and are mostly content.
fn fits(text: &[u8], start: usize, layout: Layout, looks: &mut usize) -> bool {
    let content = filled(text, start..text.len(), layout, looks);
    content.is_some_and(|(records, content)| records >= RECORDS_MIN && content >= text.len() / 2)
}

/// How many records fill a range, and how many bytes are in them; `None` if they don't.
fn filled(
    text: &[u8],
    range: Range<usize>,
    layout: Layout,
    looks: &mut usize,
) -> Option<(usize, usize)> {
    let (mut records, mut content, mut at) = (0, 0, range.start);
    while at < range.end {
        *looks = looks.checked_sub(1)?;
        let record = record(text, at..range.end, layout)?;
        records += 1;
        content += record.content.len();
        at = record.end;
    }
    Some((records, content))
}

fn record(text: &[u8], range: Range<usize>, layout: Layout) -> Option<Record> {
    let mut reader = Reader::new(text, range.start, range.end);
    reader.take(layout.tag as u64)?;
    let (len, fixed) = match layout.encoding {
        Encoding::Leb128 => {
            let len = reader.leb128()?;
            (len, reader.at - range.start)
        }
        encoding => (reader.number(layout.width, encoding)?, layout.fixed),
    };
    let from = range.start.checked_add(fixed)?;
    let to = from.checked_add(usize::try_from(len.value).ok()?)?;
    let end = from.checked_add((to - from).checked_next_multiple_of(layout.multiple)?)?;
    let is_padding = |byte: &u8| *byte == 0;
    // The last record of a careless writer lacks its padding.
    let end = if to == range.end { to } else { end };
    let is_right = reader.at <= to && text.get(to..end)?.iter().all(is_padding);
    (is_right && end <= range.end).then(|| Record {
        start: range.start,
        counted: from..to,
        content: from.max(reader.at)..to,
        end,
        len,
    })
}

/// Says where the records in a range are, and those in them; gives their group.
fn records(
    builder: &mut Builder<'_>,
    layout: Layout,
    range: Range<usize>,
    level: u32,
    looks: &mut usize,
) -> u32 {
    let text = builder.text();
    let group = builder.group(level);
    let copies = copies(text, &range, layout);
    let mut at = range.start;
    while builder.has_room() {
        let Some(record) = record(text, at..range.end, layout) else {
            break;
        };
        at = record.end;
        builder.part(group, record.start, record.end);
        builder.length(record.len, record.counted.start, record.counted.end);
        for place in copies.iter().flatten() {
            let start = place.in_record(&record);
            let number = Number {
                start,
                end: start + layout.width,
                ..record.len
            };
            builder.length(number, record.counted.start, record.counted.end);
        }
        if layout.multiple > 1 {
            let (from, to) = (record.counted.start, record.counted.end);
            builder.padding(from, to, record.end, layout.multiple as u32);
        }
        let inner = (layout.width >= 4 && level < DEPTH_MAX)
            .then(|| inner(text, &record, layout, looks))
            .flatten();
        match inner {
            Some(start) => {
                records(builder, layout, start..record.content.end, level + 1, looks);
            }
            None => builder.payload(record.content.start, record.content.end),
        }
    }
    group
}

/// Where the records within a record start, if it is filled with such.
fn inner(text: &[u8], record: &Record, layout: Layout, looks: &mut usize) -> Option<usize> {
    (0..=INNER_HEADER_MAX)
        .map(|skipped| record.content.start + skipped)
        .filter(|&start| start + layout.head() < record.content.end)
        .find(|&start| filled(text, start..record.content.end, layout, looks).is_some())
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
                let is_apart = start >= record.len.end || start + width <= record.len.start;
                let bytes = text.get(start..start + width);
                let len = text.get(record.len.start..record.len.end);
                if !is_apart || bytes != len || record.end - record.start < behind + width {
                    return false;
                }
                at = record.end;
            }
            true
        })
    })
}

/// Says which numbers before the records are about all of them: how long the file is, or what comes
/// behind the number, or the records; or how many they are.
fn header(builder: &mut Builder<'_>, start: usize, group: u32) {
    let text = builder.text();
    let end = text.len();
    let count = builder.parts_in(group) as u64;
    let mut at = 0;
    while at < start {
        let numbers = [8, 4, 2].into_iter().flat_map(|width| {
            let encodings = [Encoding::Little, Encoding::Big].into_iter();
            encodings.map(move |encoding| (width, encoding))
        });
        let found = numbers
            .filter_map(|(width, encoding)| Reader::new(text, at, start).number(width, encoding))
            .filter(|number| number.value >= WHOLE_MIN)
            .find_map(|number| {
                let froms = [0, number.end, start];
                let from = froms
                    .into_iter()
                    .find(|&from| (end - from) as u64 == number.value);
                (from.is_some() || number.value == count).then_some((number, from))
            });
        let Some((number, from)) = found else {
            at += 1;
            continue;
        };
        match from {
            Some(from) => builder.length(number, from, end),
            None => builder.count(number, group),
        }
        at = number.end;
    }
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
        let parts: Vec<_> = container.parts().iter().map(|p| (p.start, p.end)).collect();
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
            3,
            b"\0\0\0\x1e\x04\0\0\0\x04abcd\0\0\0\x05abcde\0\0\0\x04efgh",
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
}
