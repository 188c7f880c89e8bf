//! Unknown binary formats: a table near the start, or at the end where the start says so, each of whose
//! entries says where something stands and how long it is, as in TrueType fonts and in the archives of
//! games; and tables of nothing but offsets into what an entry names.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::formats::container::{Builder, Checksum, Container, Encoding, Number, Reader};

/// Where the table may start.
const HEADER_MAX: usize = 64;
/// How long an entry is, at least and at most.
const ENTRY_MIN: usize = 8;
const ENTRY_MAX: usize = 64;
/// So many entries are no chance; fewer may be, unless something else says that they are entries.
const ENTRIES_SURE: usize = 3;
/// Offsets and lengths are numbers of so many bytes, and stand at multiples of this in an entry.
const WIDTH: usize = 4;
/// How many entries are looked at, for all layouts together.
const LOOKS_MAX: usize = 1 << 20;
/// So many bytes whose checksums are taken count as a look.
const LOOK_BYTES: usize = 64;
/// What an entry may have a checksum by.
const CHECKSUMS: [Checksum; 3] = [Checksum::SumOfWords, Checksum::Crc32, Checksum::Adler32];
/// So many of the smallest entries tell whether there are checksums.
const PROBES: usize = 3;
/// What is no longer than this may say how many of something there are.
const SMALL: usize = 64;
/// Fewer offsets in a row are chance.
const OFFSETS_MIN: usize = 4;

/// Where a table is, and how its entries are laid out.
#[derive(Clone, Copy)]
struct Layout {
    start: usize,
    entry: usize,
    encoding: Encoding,
    /// Where in an entry the offset is, and where the length.
    offset: usize,
    length: usize,
    /// The number near the start that says where the table is, if that is at the end.
    pointer: Option<Number>,
}

/// An entry: where it stands, and what it says.
#[derive(Clone)]
struct Entry {
    start: usize,
    offset: Number,
    length: Number,
    data: Range<usize>,
}

/// What a directory names; `None` if there seems to be none.
pub fn container(text: &[u8]) -> Option<Container> {
    let is_text = text
        .iter()
        .all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    if is_text {
        return None;
    }
    let (layout, mut entries) = find(text)?;
    let mut builder = Builder::new(text)?;
    let table = builder.group(0);
    for entry in &entries {
        let end = entry.start + layout.entry;
        builder.part(table, entry.start, end);
        builder.offset(entry.offset, 0, entry.data.start);
        builder.length(entry.length, entry.data.start, entry.data.end);
    }
    if let Some(number) = header_number(text, layout, entries.len()) {
        builder.count(number, table);
    }
    let mut named_end = text.len();
    if let Some(pointer) = layout.pointer {
        builder.offset(pointer, 0, layout.start);
        if let Some(len) = header_number(text, layout, text.len() - layout.start) {
            builder.length(len, layout.start, text.len());
        }
        named_end = layout.start;
    }
    checksums(&mut builder, layout, &entries);
    entries.sort_by_cached_key(|entry| entry.data.start);
    let ends: Vec<usize> = entries.iter().skip(1).map(|next| next.data.start).collect();
    let named = builder.group(0);
    for (entry, &end) in entries.iter().zip(ends.iter().chain([&named_end])) {
        builder.part(named, entry.data.start, end);
        builder.payload(entry.data.start, entry.data.end);
        builder.tie(vec![
            (entry.start as u32, (entry.start + layout.entry) as u32),
            (entry.data.start as u32, end as u32),
        ]);
    }
    for entry in &entries {
        offsets(&mut builder, layout.encoding, &entry.data, &entries);
    }
    Some(builder.finish())
}

/// The table with the most entries, if there seems to be one.
fn find(text: &[u8]) -> Option<(Layout, Vec<Entry>)> {
    let mut looks = LOOKS_MAX;
    // Of a table that starts amid an entry the last entry is missing.
    let mut found: Option<(Layout, Vec<Entry>)> = None;
    for encoding in [Encoding::Big, Encoding::Little] {
        let near = (0..=HEADER_MAX).map(|start| (start, None));
        let pointers = pointers(text, encoding).map(|at| (at.value as usize, Some(at)));
        let starts: Vec<(usize, Option<Number>)> = near.chain(pointers).collect();
        for entry in (ENTRY_MIN..=ENTRY_MAX).step_by(WIDTH) {
            for (offset, length) in places(entry) {
                for &(start, pointer) in &starts {
                    let layout = Layout {
                        start,
                        entry,
                        encoding,
                        offset,
                        length,
                        pointer,
                    };
                    let most = found.as_ref().map_or(0, |(_, known)| known.len());
                    let more = entries(text, layout, &mut looks).filter(|new| new.len() > most);
                    if let Some(more) = more.filter(|new| is_sure(text, layout, new, &mut looks)) {
                        found = Some((layout, more));
                    }
                }
            }
        }
    }
    found
}

/// Where the offset and the length may be in an entry of this size.
fn places(entry: usize) -> impl Iterator<Item = (usize, usize)> {
    let places = move || (0..=entry - WIDTH).step_by(WIDTH);
    places().flat_map(move |offset| {
        let others = places().filter(move |&length| length != offset);
        others.map(move |length| (offset, length))
    })
}

/// The numbers near the start that may say where a table is.
fn pointers(text: &[u8], encoding: Encoding) -> impl Iterator<Item = Number> {
    let last = text.len().saturating_sub(ENTRY_MIN) as u64;
    (0..HEADER_MAX).step_by(2).filter_map(move |at| {
        let number = Reader::new(text, at, HEADER_MAX).number(WIDTH, encoding)?;
        (number.end as u64..=last)
            .contains(&number.value)
            .then_some(number)
    })
}

/// The entries of a table that goes up to what its entries name, or to the end: nothing of that overlaps,
/// and it is most of the file.
fn entries(text: &[u8], layout: Layout, looks: &mut usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let (mut at, mut front, mut named) = (layout.start, text.len(), 0);
    while at + layout.entry <= front {
        *looks = looks.checked_sub(1)?;
        let Some(entry) = entry(text, at, layout) else {
            break;
        };
        if layout.pointer.is_some() {
            if entry.data.end > layout.start {
                break;
            }
        } else if entry.data.start < at + layout.entry {
            break;
        } else {
            front = front.min(entry.data.start);
        }
        named += entry.data.len();
        at += layout.entry;
        entries.push(entry);
    }
    let room = if layout.pointer.is_some() {
        1
    } else {
        layout.entry
    };
    let is_right =
        at <= front && front - at < room && named >= text.len() / 2 && named <= text.len();
    if !is_right {
        return None;
    }
    let mut ranges: Vec<&Range<usize>> = entries.iter().map(|entry| &entry.data).collect();
    ranges.sort_by_cached_key(|range| range.start);
    let is_apart = ranges.windows(2).all(|two| two[0].end <= two[1].start);
    is_apart.then_some(entries)
}

/// Whether entries can't be there by chance: there are many; or a number near the start says how many or
/// how long they are, and either each has a right checksum, or they stand where they should, right behind
/// what they name.
fn is_sure(text: &[u8], layout: Layout, entries: &[Entry], looks: &mut usize) -> bool {
    if entries.len() >= ENTRIES_SURE {
        return true;
    }
    let is_counted = header_number(text, layout, entries.len()).is_some();
    if layout.pointer.is_some() {
        let len = header_number(text, layout, text.len() - layout.start);
        let last = entries.iter().map(|entry| entry.data.end).max();
        return (is_counted || len.is_some()) && last == Some(layout.start);
    }
    is_counted
        && entries.iter().all(|entry| {
            let cost = CHECKSUMS.len() * entry.data.len() / LOOK_BYTES;
            let Some(left) = looks.checked_sub(cost) else {
                return false;
            };
            *looks = left;
            let mut sums = CHECKSUMS
                .map(|kind| kind.of(&text[entry.data.clone()], None))
                .into_iter();
            sums.any(|sum| {
                let mut places = (0..=layout.entry - WIDTH).step_by(WIDTH);
                places.any(|at| {
                    field(text, layout, entry, at).is_some_and(|number| number.value == sum)
                })
            })
        })
}

fn entry(text: &[u8], start: usize, layout: Layout) -> Option<Entry> {
    let number = |at: usize| {
        Reader::new(text, start + at, start + layout.entry).number(WIDTH, layout.encoding)
    };
    let (offset, length) = (number(layout.offset)?, number(layout.length)?);
    let from = usize::try_from(offset.value).ok()?;
    let to = from.checked_add(usize::try_from(length.value).ok()?)?;
    (from < to && to <= text.len()).then_some(Entry {
        start,
        offset,
        length,
        data: from..to,
    })
}

/// The number before the table, near the start, that is `value`.
fn header_number(text: &[u8], layout: Layout, value: usize) -> Option<Number> {
    let end = layout.start.min(HEADER_MAX);
    [4, 2].into_iter().find_map(|width| {
        (0..end).find_map(|at| {
            let mut reader = Reader::new(text, at, end);
            let number = reader.number(width, layout.encoding)?;
            (number.value == value as u64).then_some(number)
        })
    })
}

/// The number at a place of an entry.
fn field(text: &[u8], layout: Layout, entry: &Entry, at: usize) -> Option<Number> {
    let mut reader = Reader::new(text, entry.start + at, entry.start + layout.entry);
    reader.number(WIDTH, layout.encoding)
}

/// Says which number of an entry is a checksum of what it names, if that is so for most entries.
fn checksums(builder: &mut Builder<'_>, layout: Layout, entries: &[Entry]) {
    let text = builder.text();
    let number = |entry: &Entry, at: usize| field(text, layout, entry, at);
    // The smallest tell, but for one where there are enough others.
    let wrong_max = usize::from(entries.len() >= ENTRIES_SURE);
    let mut smallest: Vec<&Entry> = entries.iter().collect();
    smallest.sort_by_cached_key(|entry| entry.data.len());
    smallest.truncate(PROBES);
    for kind in CHECKSUMS {
        let is_right = |entry: &Entry, at: usize| {
            let value = number(entry, at).map(|number| number.value);
            value == Some(kind.of(&text[entry.data.clone()], None))
        };
        let mut places = (0..=layout.entry - WIDTH).step_by(WIDTH);
        let at = places.find(|&at| {
            let wrong = smallest.iter().filter(|entry| !is_right(entry, at));
            wrong.count() <= wrong_max
        });
        let Some(at) = at else { continue };
        for entry in entries.iter().filter(|entry| is_right(entry, at)) {
            if let Some(number) = number(entry, at) {
                builder.checksum(number, kind, entry.data.start, entry.data.end);
            }
        }
    }
}

/// The numbers of a range that has no others, from its start to its end, if none is smaller than the one
/// before, and the first is zero.
fn rising(text: &[u8], range: &Range<usize>, width: usize, encoding: Encoding) -> Vec<Number> {
    let mut reader = Reader::new(text, range.start, range.end);
    let mut numbers: Vec<Number> = Vec::new();
    while let Some(number) = reader.number(width, encoding) {
        let is_next = match numbers.last() {
            None => number.value == 0,
            Some(last) => last.value <= number.value,
        };
        if !is_next {
            return Vec::new();
        }
        numbers.push(number);
    }
    if reader.is_at_end() {
        numbers
    } else {
        Vec::new()
    }
}

/// If a range has nothing but offsets into what another entry names, from its start to its end, what
/// is between them are parts.
fn offsets(builder: &mut Builder<'_>, encoding: Encoding, range: &Range<usize>, entries: &[Entry]) {
    let text = builder.text();
    let named = |numbers: &[Number]| {
        let last = numbers.last().filter(|_| numbers.len() >= OFFSETS_MIN)?;
        let mut named = entries.iter().map(|entry| &entry.data);
        named.find(|of| *of != range && of.len() as u64 == last.value)
    };
    let mut numbers = rising(text, range, WIDTH, encoding);
    if named(&numbers).is_none() && encoding == Encoding::Big {
        numbers = rising(text, range, WIDTH / 2, Encoding::BigIn(2));
    }
    let Some(of) = named(&numbers) else { return };
    let group = builder.group(1);
    for number in &numbers {
        builder.offset(*number, of.start, of.start + number.value as usize);
    }
    for two in numbers.windows(2) {
        let place = |number: &Number| of.start + number.value as usize;
        builder.part(group, place(&two[0]), place(&two[1]));
    }
    // Where something says how many things there are, an offset can go too.
    let things = numbers.len() - 1;
    if let Some(count) = small_count(text, encoding, entries, range, things as u64) {
        let group = builder.group(1);
        for number in &numbers[..things] {
            builder.part(group, number.start, number.end);
        }
        builder.count(count, group);
    }
}

/// The number in something small that an entry names, other than these offsets, that is `value`.
fn small_count(
    text: &[u8],
    encoding: Encoding,
    entries: &[Entry],
    offsets: &Range<usize>,
    value: u64,
) -> Option<Number> {
    let named = entries.iter().map(|entry| entry.data.clone());
    let small = named.filter(|data| data.len() <= SMALL && data != offsets);
    let mut places = small.flat_map(|data| data.clone().step_by(2).map(move |at| (at, data.end)));
    places.find_map(|(at, end)| {
        let widths = [2, 4].into_iter();
        let mut numbers =
            widths.filter_map(|width| Reader::new(text, at, end).number(width, encoding));
        numbers.find(|number| number.value == value)
    })
}

#[cfg(test)]
mod tests {
    use ablate_engine::patch::Patch;
    use std::vec::Vec;

    use super::*;

    /// Three entries; the second one's is offsets into what the third names.
    fn file() -> Vec<u8> {
        let mut file = b"F\0\x03".to_vec();
        for (tag, offset, length) in [(b'a', 39, 20), (b'o', 59, 16), (b'd', 75, 9)] {
            file.extend_from_slice(&[tag, 0, 0, 0]);
            file.extend_from_slice(&u32::to_be_bytes(offset));
            file.extend_from_slice(&u32::to_be_bytes(length));
        }
        file.extend_from_slice(b"twenty letters in it");
        for offset in [0, 3, 5, 9] {
            file.extend_from_slice(&u32::to_be_bytes(offset));
        }
        file.extend_from_slice(b"abcdefghi");
        file
    }

    #[test]
    fn an_entry_goes_with_what_it_names() {
        let file = file();
        let container = container(&file).unwrap();
        let left = container.patch(&file, &Patch::cut(39, 59)).unwrap();
        let left = left.applied(&file);
        assert_eq!(left[..15], *b"F\0\x02o\0\0\0\0\0\0\x1b\0\0\0\x10");
        assert_eq!(left.len(), file.len() - 20 - 12);
    }

    #[test]
    fn an_offset_goes_where_the_offsets_are_counted() {
        let mut file = file();
        file.truncate(75);
        file.splice(39..59, *b"\0\x01\0\x03and much more");
        file[11..15].copy_from_slice(&17_u32.to_be_bytes());
        for (at, offset) in [(19, 56_u32), (31, 72)] {
            file[at..at + 4].copy_from_slice(&offset.to_be_bytes());
        }
        file.extend_from_slice(b"abcdefghi");
        let container = container(&file).unwrap();
        let left = container.patch(&file, &Patch::cut(64, 68)).unwrap();
        let left = left.applied(&file);
        assert_eq!(
            left[39..68],
            *b"\0\x01\0\x02and much more\0\0\0\0\0\0\0\x03\0\0\0\x09"
        );
    }

    #[test]
    fn checksums_of_what_is_named_are_right_again() {
        let mut file = file();
        for (entry, data) in [(3, 39..59), (15, 59..75), (27, 75..84)] {
            let sum = Checksum::SumOfWords.of(&file[data], None) as u32;
            file[entry..entry + 4].copy_from_slice(&sum.to_be_bytes());
        }
        let container = container(&file).unwrap();
        let left = container.patch(&file, &Patch::cut(79, 81)).unwrap();
        let left = left.applied(&file);
        for (entry, data) in [(3, 39..59), (15, 59..75), (27, 75..82)] {
            let sum = Checksum::SumOfWords.of(&left[data], None) as u32;
            assert_eq!(left[entry..entry + 4], sum.to_be_bytes());
        }
    }

    #[test]
    fn two_entries_are_some_where_they_are_counted_and_have_checksums() {
        let mut file = b"F\0\x02".to_vec();
        let named: [&[u8]; 2] = [b"twenty letters in it", b"and more"];
        for (offset, data) in [(27_u32, named[0]), (47, named[1])] {
            let sum = Checksum::SumOfWords.of(data, None) as u32;
            for number in [sum, offset, data.len() as u32] {
                file.extend_from_slice(&number.to_be_bytes());
            }
        }
        file.extend_from_slice(&named.concat());
        let known = container(&file).unwrap();
        let left = known.patch(&file, &Patch::cut(47, 51)).unwrap();
        assert_eq!(left.applied(&file)[15..27], *b"more\0\0\0\x2f\0\0\0\x04");
        file[3] ^= 1;
        assert!(container(&file).is_none());
    }

    #[test]
    fn a_table_may_be_at_the_end() {
        let named = [vec![b'a'; 70], vec![b'b'; 50], vec![b'c'; 60]];
        let mut file = b"PACK\xc0\0\0\0\x30\0\0\0".to_vec();
        file.extend(named.concat());
        let mut offset = 12_u32;
        for data in &named {
            file.extend_from_slice(b"name of\0");
            file.extend_from_slice(&offset.to_le_bytes());
            file.extend_from_slice(&(data.len() as u32).to_le_bytes());
            offset += data.len() as u32;
        }
        let container = container(&file).unwrap();
        let left = container.patch(&file, &Patch::cut(82, 132)).unwrap();
        let left = left.applied(&file);
        assert_eq!(left[..12], *b"PACK\x8e\0\0\0\x20\0\0\0");
        assert_eq!(left[142..158], *b"name of\0\x0c\0\0\0\x46\0\0\0");
        assert_eq!(left[158..], *b"name of\0\x52\0\0\0\x3c\0\0\0");
        // One is left, and it is known as well.
        let container = super::container(&left).unwrap();
        let left = container
            .patch(&left, &Patch::cut(12, 82))
            .unwrap()
            .applied(&left);
        let container = super::container(&left).unwrap();
        let left = container
            .patch(&left, &Patch::cut(12, 70))
            .unwrap()
            .applied(&left);
        assert_eq!(left[..12], *b"PACK\x0e\0\0\0\x10\0\0\0");
        assert_eq!(left[14..], *b"name of\0\x0c\0\0\0\x02\0\0\0");
    }

    #[test]
    fn offsets_follow_what_they_point_at() {
        let file = file();
        let container = container(&file).unwrap();
        let left = container.patch(&file, &Patch::cut(78, 80)).unwrap();
        let left = left.applied(&file);
        assert_eq!(
            left[59..],
            *b"\0\0\0\0\0\0\0\x03\0\0\0\x03\0\0\0\x07abcfghi"
        );
    }
}
