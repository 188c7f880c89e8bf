//! TIFF images and whatever else is written like them: directories of entries, each of which has values,
//! in itself or elsewhere, and some of which say where strips, tiles or more directories are.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range, Reader};

/// What versions there are, and how many bytes an offset has in each.
const VERSIONS: [(u64, usize); 2] = [(42, 4), (43, 8)];
/// How many bytes a value of each type has; zero where there is no such type.
const WIDTHS: [u8; 19] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/// The types of numbers that may be offsets or lengths.
const NUMBERS: [u64; 5] = [3, 4, 13, 16, 18];
/// The tags of offsets of contents, and those of their lengths: strips, tiles, JPEG streams.
const CONTENTS: [(u64, u64); 3] = [(273, 279), (324, 325), (513, 514)];
/// The tags of offsets of directories.
const DIRECTORIES: [u64; 4] = [330, 34665, 34853, 40965];
/// Where there are no more strips than this, a directory can be left with any one of them, so often.
const STRIPS_MAX: usize = 64;
const SINGLES_MAX: usize = 256;

struct Image<'a, 'b> {
    to: &'b mut Builder<'a>,
    encoding: Encoding,
    /// How many bytes an offset has.
    width: usize,
    /// Where directories are that were found, and those that are still to be read.
    found: BTreeSet<usize>,
    open: Vec<Directory>,
    /// What fills the file.
    pieces: Vec<Range>,
    singles: usize,
}

#[derive(Clone, Copy)]
struct Directory {
    range: Range,
    count: Number,
    next: Number,
}

/// The values of an entry that are numbers, if they matter.
struct Values {
    tag: u64,
    entry: Range,
    /// Whether they are in the entry itself.
    is_inside: bool,
    numbers: Vec<Number>,
}

/// The parts of an image; `None` for what does not begin with a directory or with where one is.
pub fn container(text: &[u8]) -> Option<Container> {
    let encoding = match text.get(..2)? {
        b"II" => Encoding::Little,
        b"MM" => Encoding::Big,
        _ => return None,
    };
    let mut reader = Reader::new(text, 2, text.len());
    let version = reader.number(2, encoding)?.value;
    let (_, width) = VERSIONS.into_iter().find(|known| known.0 == version)?;
    if width == 8
        && (
            reader.number(2, encoding)?.value,
            reader.number(2, encoding)?.value,
        ) != (8, 0)
    {
        return None;
    }
    let first = reader.number(width, encoding)?;
    let mut builder = Builder::new(text)?;
    let all = builder.group(0);
    let mut image = Image {
        to: &mut builder,
        encoding,
        width,
        found: BTreeSet::new(),
        open: Vec::new(),
        pieces: Vec::new(),
        singles: 0,
    };
    let known = image.directory(first.value)?;
    let mut kinds = image.entries(&known).map(|at| image.number(at + 2, 2));
    if kinds.any(|kind| kind.is_none_or(|kind| kind.value >= 1 << 8)) {
        return None;
    }
    image.link(first, None);
    while let Some(directory) = image.open.pop() {
        image.read(&directory);
    }
    let mut pieces = core::mem::take(&mut image.pieces);
    pieces.push((text.len() as u32, text.len() as u32));
    pieces.sort_unstable();
    let mut end = first.end;
    for (start, piece_end) in pieces {
        let (start, piece_end) = (start as usize, piece_end as usize);
        if end < start {
            builder.part(all, end, start);
            builder.payload(end, start);
        }
        if end <= start {
            builder.part(all, start, piece_end);
        }
        end = end.max(piece_end);
    }
    Some(builder.finish())
}

impl Image<'_, '_> {
    fn number(&self, at: usize, width: usize) -> Option<Number> {
        let text = self.to.text();
        Reader::new(text, at, text.len()).number(width, self.encoding)
    }

    /// How many bytes a directory begins with, and how many each entry has.
    fn widths(&self) -> (usize, usize) {
        (if self.width == 8 { 8 } else { 2 }, 4 + 2 * self.width)
    }

    /// The directory at a place, if one fits there.
    fn directory(&self, at: u64) -> Option<Directory> {
        let start = usize::try_from(at).ok().filter(|&start| start > 0)?;
        let (head, entry) = self.widths();
        let count = self.number(start, head)?;
        let len = usize::try_from(count.value).ok()?.checked_mul(entry)?;
        let next = self.number(count.end.checked_add(len)?, self.width)?;
        Some(Directory {
            range: (start as u32, next.end as u32),
            count,
            next,
        })
    }

    /// Where the entries of a directory are.
    fn entries(&self, directory: &Directory) -> impl Iterator<Item = usize> + use<> {
        (directory.count.end..directory.next.start).step_by(self.widths().1)
    }

    /// `number` says where a directory is: the next one, or one that goes with `tied`.
    fn link(&mut self, number: Number, tied: Option<Range>) {
        let Some(directory) = self.directory(number.value) else {
            return;
        };
        let (start, _) = directory.range;
        if !self.found.insert(start as usize) {
            self.to.offset(number, 0, start as usize);
            return;
        }
        let orphan = match tied {
            Some(tied) => {
                self.to.tie(vec![tied, directory.range]);
                Orphan::Cut(tied)
            }
            None => Orphan::Heir(directory.next.start as u32),
        };
        let named = Some((directory.range, orphan));
        self.to.pointer(number, 0, start as usize, named);
        self.open.push(directory);
    }

    fn read(&mut self, directory: &Directory) {
        self.pieces.push(directory.range);
        let group = self.to.group(1);
        let entry_len = self.widths().1;
        let mut known: Vec<Values> = Vec::new();
        for at in self.entries(directory) {
            if !self.to.has_room() {
                return;
            }
            self.to.part(group, at, at + entry_len);
            known.extend(self.entry(at, (at as u32, (at + entry_len) as u32)));
        }
        self.to.count(directory.count, group);
        self.link(directory.next, None);
        let of = |tag: u64| known.iter().find(|values| values.tag == tag);
        for values in DIRECTORIES.into_iter().filter_map(of) {
            for &number in &values.numbers {
                let tied = values.around(number);
                self.link(number, tied);
            }
        }
        for (offsets, lengths) in CONTENTS {
            if let Some(offsets) = of(offsets) {
                self.contents(offsets, of(lengths));
            }
        }
    }

    /// Reads an entry, and gives its values if they are offsets or lengths.
    fn entry(&mut self, at: usize, entry: Range) -> Option<Values> {
        let (tag, kind) = (self.number(at, 2)?.value, self.number(at + 2, 2)?.value);
        let count = self.number(at + 4, self.width)?;
        let pointer = self.number(count.end, self.width)?;
        let width = usize::from(*WIDTHS.get(kind as usize)?);
        let len = usize::try_from(count.value).ok()?.checked_mul(width)?;
        let is_inside = len <= self.width;
        let mut start = pointer.start;
        if !is_inside {
            start = usize::try_from(pointer.value).ok()?;
            let end = start.checked_add(len)?;
            if end > self.to.text().len() {
                return None;
            }
            let range = (start as u32, end as u32);
            self.pieces.push(range);
            self.to.tie(vec![entry, range]);
            self.to.offset(pointer, 0, start);
            // What is no longer than an offset stands in its place.
            self.to.at_least(pointer, range, self.width + 1);
            if width == 1 {
                self.to.length(count, start, end);
                self.to.payload(start, end);
            } else {
                let group = self.to.group(2);
                for at in (start..end).step_by(width) {
                    if !self.to.has_room() {
                        return None;
                    }
                    self.to.part(group, at, at + width);
                }
                self.to.count(count, group);
            }
        }
        let mut pairs = CONTENTS.into_iter();
        let matters =
            pairs.any(|pair| pair.0 == tag || pair.1 == tag) || DIRECTORIES.contains(&tag);
        if len == 0 || !matters || !NUMBERS.contains(&kind) {
            return None;
        }
        let places = (start..start + len).step_by(width);
        let numbers = places.filter_map(|at| self.number(at, width)).collect();
        Some(Values {
            tag,
            entry,
            is_inside,
            numbers,
        })
    }

    /// Offsets and lengths of contents: they go with them.
    fn contents(&mut self, offsets: &Values, lengths: Option<&Values>) {
        let text = self.to.text();
        let mut strips: Vec<Option<Range>> = Vec::new();
        for (place, &offset) in offsets.numbers.iter().enumerate() {
            let length = lengths.and_then(|lengths| lengths.numbers.get(place).copied());
            let around = offsets.around(offset);
            let strip = length.and_then(|length| {
                let start = usize::try_from(offset.value).ok()?;
                let end = start.checked_add(usize::try_from(length.value).ok()?)?;
                let is_strip = start < end && end <= text.len();
                is_strip.then_some((length, start, end))
            });
            let mut tied: Vec<Range> = around.into_iter().collect();
            if let (Some(lengths), Some(length)) = (lengths.filter(|of| !of.is_inside), length) {
                tied.extend(lengths.around(length));
            }
            let range = strip.map(|(_, start, end)| (start as u32, end as u32));
            if let Some((length, start, end)) = strip {
                self.to.length(length, start, end);
                self.to.payload(start, end);
                self.to.pointer(
                    offset,
                    0,
                    start,
                    range.map(|range| (range, around.map_or(Orphan::Refuse, Orphan::Cut))),
                );
            }
            tied.extend(range);
            self.pieces.extend(range);
            self.to.tie(tied);
            strips.push(range);
        }
        if let Some(lengths) = lengths.filter(|_| (2..=STRIPS_MAX).contains(&strips.len())) {
            for place in 0..strips.len() {
                self.single(offsets, lengths, &strips, place);
            }
        }
    }

    /// The directory with one of its strips only: what is left of its offset and of its length stands in the
    /// entries themselves.
    fn single(
        &mut self,
        offsets: &Values,
        lengths: &Values,
        strips: &[Option<Range>],
        place: usize,
    ) -> Option<()> {
        if self.singles >= SINGLES_MAX {
            return None;
        }
        let (start, end) = (*strips.get(place)?)?;
        let others = strips.iter().enumerate().filter(|(at, _)| *at != place);
        let mut cuts: Vec<Range> = others.filter_map(|(_, strip)| *strip).collect();
        let is_apart = cuts.iter().all(|cut| cut.1 <= start || end <= cut.0);
        for values in [offsets, lengths].into_iter().filter(|of| !of.is_inside) {
            let others = values.numbers.iter().enumerate();
            let others = others.filter(|(at, _)| *at != place);
            cuts.extend(others.map(|(_, number)| (number.start as u32, number.end as u32)));
        }
        let cuts = Patch::cuts(cuts.iter().map(|&(s, e)| (s as usize, e as usize)));
        if !is_apart {
            return None;
        }
        let moved = cuts.moved(start as usize) as u64;
        let mut edits = Vec::new();
        for (values, value) in [(offsets, moved), (lengths, u64::from(end - start))] {
            let number = values.numbers.get(place)?;
            let text = self.to.text();
            let value = self
                .encoding
                .written(value, text.get(number.start..number.end)?)?;
            let (at, entry_end) = (values.entry.0 as usize, values.entry.1 as usize);
            let mut entry = text.get(at..at + 4)?.to_vec();
            entry.extend(
                self.encoding
                    .written(1, text.get(at + 4..at + 4 + self.width)?)?,
            );
            entry.extend(value);
            entry.resize(entry_end - at, 0);
            edits.push(Edit {
                start: at,
                end: entry_end,
                insert: Some(entry.into()),
            });
        }
        let edits = Patch::edits_of(edits).ok()?;
        self.singles += 1;
        self.to.alternative(cuts.combined(&edits).ok()?);
        Some(())
    }
}

impl Values {
    /// What goes with one of them: it alone, or the entry if it is the only one in there.
    fn around(&self, number: Number) -> Option<Range> {
        match (self.is_inside, self.numbers.len()) {
            (false, _) => Some((number.start as u32, number.end as u32)),
            (true, 1) => Some(self.entry),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two directories: one of three strips, one of four with another directory below it.
    const FILE: &[u8] = include_bytes!("../../tests/samples/small.tif");

    fn place_of(file: &[u8], bytes: &[u8]) -> usize {
        let mut windows = file.windows(bytes.len());
        windows.position(|window| window == bytes).unwrap()
    }

    fn without(file: &[u8], start: usize, end: usize) -> Option<Vec<u8>> {
        let known = container(file).unwrap();
        let left = known.patch(file, &Patch::cut(start, end))?.applied(file);
        assert_eq!(container(&left).unwrap().lies(), 0);
        Some(left)
    }

    /// The entries of all directories that follow each other.
    fn entries(file: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let big = |at: usize, width| Encoding::Big.read(&file[at..at + width]).unwrap() as usize;
        let (mut at, mut found) = (big(4, 4), Vec::new());
        while at != 0 {
            let end = at + 2 + 12 * big(at, 2);
            found.push(file[at + 2..end].chunks(12).map(<[u8]>::to_vec).collect());
            at = big(end, 4);
        }
        found
    }

    #[test]
    fn the_directory_before_one_that_goes_names_the_one_behind_it() {
        let known = container(FILE).unwrap();
        let first = known
            .parts()
            .iter()
            .find(|part| part.end - part.start == 78);
        let first = first.unwrap();
        let left = without(FILE, first.start as usize, first.end as usize).unwrap();
        assert_eq!(entries(&left).len(), 1);
        assert_eq!(entries(&left)[0].len(), 7);
        // What it named goes with it.
        assert_eq!(left[9..13], *b"mnop");
    }

    #[test]
    fn a_strip_goes_with_its_offset_and_its_length() {
        let at = place_of(FILE, b"qrst");
        let left = without(FILE, at, at + 4).unwrap();
        let entries = &entries(&left)[1];
        assert_eq!(entries[2][..8], *b"\x01\x11\0\x04\0\0\0\x03");
        assert_eq!(entries[4][..8], *b"\x01\x17\0\x03\0\0\0\x03");
        assert!(left.windows(6).any(|bytes| bytes == b"\0\x04\0\x03\0\x01"));
    }

    #[test]
    fn what_would_fit_into_its_entry_does_not_stay_elsewhere() {
        let at = place_of(FILE, b"efgh");
        assert!(without(FILE, at, at + 4).is_none());
        let entry = &entries(&without(FILE, 8, 20).unwrap())[0];
        assert_eq!(entry.len(), 4);
    }

    #[test]
    fn one_strip_stands_in_the_entries() {
        let known = container(FILE).unwrap();
        assert_eq!(known.alternatives().len(), 7);
        let last = known.alternatives().last().unwrap();
        let left = known.patch(FILE, last).unwrap().applied(FILE);
        assert_eq!(container(&left).unwrap().lies(), 0);
        let entries = &entries(&left)[1];
        let at = place_of(&left, b"xmade");
        assert_eq!(entries[2], [1, 17, 0, 4, 0, 0, 0, 1, 0, 0, 0, at as u8]);
        assert_eq!(entries[4], [1, 23, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn only_what_names_a_directory_is_an_image() {
        assert!(container(b"MM\0*\0\0\0\x08\0\0\0\0\0\0").is_some());
        assert!(container(b"MM\0*\0\0\0\x08\0\0\0\0\0").is_none());
        assert!(container(b"MM\0*\0\0\0\0\0\0\0\0\0\0").is_none());
        assert!(
            container(b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")
                .is_some()
        );
    }

    #[test]
    fn directories_in_a_circle_are_read_once() {
        let file = b"MM\0*\0\0\0\x08\0\0\0\0\0\x08";
        let known = container(file).unwrap();
        assert_eq!(known.parts().len(), 1);
        assert!(known.patch(file, &Patch::cut(8, 14)).is_some());
    }
}
