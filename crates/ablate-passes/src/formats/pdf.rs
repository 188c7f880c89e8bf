//! PDF files: objects, the table that says where they are, references to them, and streams.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{
    Builder, Container, Encoding, Number, Orphan, Packing, Range, Reader,
};

/// What a file begins with.
const HEAD: &[u8] = b"%PDF-";
/// What the table of objects begins with.
const TABLE: &[u8] = b"xref";
/// How many bytes an entry of the table has.
const ENTRY: usize = 20;
/// Where an entry says whether there is an object.
const IN_USE: usize = 17;
/// At most so many tables are followed, each being the one before another.
const TABLES_MAX: usize = 64;
/// What a reference to nothing becomes.
const NOTHING: &[u8] = b"null";
/// What the entry of an object that is gone becomes.
const FREE: &[u8] = b"0000000000 65535 f";

/// An entry of a table of objects.
struct Entry {
    range: Range,
    /// Where the object is, if there is one.
    offset: Option<Number>,
}

/// Where the last table starts and ends, and where the file says where that is.
struct Found {
    start: usize,
    end: usize,
    pointer: usize,
}

struct Pdf<'a, 'b> {
    to: &'b mut Builder<'a>,
    entries: Vec<Entry>,
    /// Whether the objects are all in one table, so that they can be numbered anew.
    is_simple: bool,
    space: u32,
}

/// The parts of a PDF file; `None` for what is none, or has its objects in compressed streams only.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(HEAD) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let space = builder.space();
    let mut pdf = Pdf {
        to: &mut builder,
        entries: Vec::new(),
        is_simple: true,
        space,
    };
    let found = pdf.tables()?;
    if !pdf.objects(found.start) {
        // Some readers look for the objects themselves where the table tells nothing.
        builder.payload(HEAD.len(), found.start);
        builder.payload(found.end, found.pointer);
    }
    Some(builder.finish())
}

/// The first place at or after `at` where `what` stands, before `end`.
fn find(text: &[u8], what: &[u8], at: usize, end: usize) -> Option<usize> {
    let part = text.get(at..end.min(text.len()))?;
    let found = part.windows(what.len()).position(|bytes| bytes == what);
    found.map(|found| at + found)
}

/// How many bytes of white space a part begins with, to which zeros belong here.
fn blanks(part: &[u8]) -> usize {
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    part.iter().take_while(is_blank).count()
}

/// The number in digits at `at`, after white space.
fn number(text: &[u8], at: usize) -> Option<Number> {
    let start = at + blanks(text.get(at..)?);
    let rest = &text[start..];
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some(Number {
        start,
        end: start + len,
        encoding: Encoding::Decimal,
        value: Encoding::Decimal.read(&rest[..len])?,
    })
}

impl Pdf<'_, '_> {
    /// Reads all tables; gives where the last one is.
    fn tables(&mut self) -> Option<Found> {
        let text = self.to.text();
        let from = text.len().saturating_sub(2048);
        let last = text[from..]
            .windows(9)
            .rposition(|bytes| bytes == b"startxref")?;
        let start = number(text, from + last + 9)?;
        let table = usize::try_from(start.value).ok()?;
        self.to.offset(start, 0, table);
        let mut at = table;
        let (mut seen, mut first_end) = (Vec::new(), None);
        while seen.len() < TABLES_MAX && !seen.contains(&at) {
            seen.push(at);
            let Some(end) = self.table(at) else {
                break;
            };
            first_end = first_end.or(Some(end));
            let trailer_end = find(text, b"startxref", end, text.len()).unwrap_or(text.len());
            let Some(previous) = find(text, b"/Prev", end, trailer_end) else {
                break;
            };
            self.is_simple = false;
            let Some(previous) = number(text, previous + 5) else {
                break;
            };
            at = usize::try_from(previous.value).ok()?;
            self.to.offset(previous, 0, at);
        }
        let head_end = table.checked_add(TABLE.len())?;
        find(text, TABLE, table, head_end)?;
        Some(Found {
            start: table,
            end: first_end.unwrap_or(head_end),
            pointer: from + last,
        })
    }

    /// Reads a table; gives where it ends.
    fn table(&mut self, at: usize) -> Option<usize> {
        let text = self.to.text();
        let mut reader = Reader::new(text, at, text.len());
        reader.expect(TABLE)?;
        while let Some(first) = number(text, reader.at) {
            let count = number(text, first.end)?;
            if count.value == 0 {
                break;
            }
            self.is_simple &= first.value == 0 && self.entries.is_empty();
            reader.at = count.end;
            reader.at += blanks(reader.rest());
            let group = self.to.group(1);
            for _ in 0..count.value {
                let start = reader.at;
                let entry = reader.take(entry_len(text, start))?;
                // What no reader asks for may be no number any more.
                let offset = reader_number(text, start).filter(|_| entry[IN_USE] == b'n');
                if !self.to.has_room() {
                    return None;
                }
                self.to.part(group, start, reader.at);
                self.to.member(self.space, (start as u32, reader.at as u32));
                self.entries.push(Entry {
                    range: (start as u32, reader.at as u32),
                    offset,
                });
            }
            self.to.count(count, group);
            // The trailer says it again.
            if let Some(size) = find(text, b"/Size", reader.at, text.len())
                && self.is_simple
                && let Some(size) = number(text, size + 5)
            {
                self.to.count(size, group);
            }
        }
        Some(reader.at)
    }

    /// Reads the objects; gives whether any is where the tables say.
    fn objects(&mut self, table: usize) -> bool {
        let text = self.to.text();
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let at = entry
                .offset
                .and_then(|offset| usize::try_from(offset.value).ok());
            let is_there = |at: &usize| number(text, *at).is_some();
            starts.extend(at.filter(is_there).map(|at| (at, index)));
        }
        starts.sort_unstable();
        if let Some(&(first, _)) = starts.first() {
            self.to.payload(HEAD.len(), first);
        }
        let ends = starts.iter().skip(1).map(|start| start.0);
        let ends: Vec<usize> = ends.chain([text.len()]).collect();
        let group = self.to.group(0);
        for (&(start, index), end) in starts.iter().zip(ends) {
            let end = if start < table { end.min(table) } else { end };
            if end > text.len() || end <= start {
                continue;
            }
            let Entry { range, offset } = &self.entries[index];
            let (range, object) = (*range, (start as u32, end as u32));
            self.to.part(group, start, end);
            let Some(offset) = *offset else {
                continue;
            };
            if self.is_simple {
                self.to.offset(offset, 0, start);
                self.to.tie(vec![object, range]);
            } else {
                let entry = (range.0, range.0 + FREE.len() as u32);
                let named = Some((object, Orphan::Stub(entry, FREE)));
                self.to.pointer(offset, 0, start, named);
            }
            self.object(start, end);
        }
        self.references(table, text.len());
        !starts.is_empty()
    }

    /// What is in an object: its own number, references to others, a stream.
    fn object(&mut self, start: usize, end: usize) -> Option<()> {
        let text = self.to.text();
        let own = number(text, start)?;
        if self.is_simple {
            self.to
                .index(own, self.space, Orphan::Cut((start as u32, end as u32)));
        }
        let begin = find(text, b"obj", own.end, end)? + 3;
        let Some(keyword) = find(text, b"stream", begin, end) else {
            let inside = find(text, b"endobj", begin, end).unwrap_or(end);
            self.references(begin, inside);
            self.to.payload(begin, inside);
            return Some(());
        };
        self.references(begin, keyword);
        self.to.payload(begin, keyword);
        let line_end = find(text, b"\n", keyword, end)? + 1;
        let len = find(text, b"/Length", begin, keyword)? + 7;
        let mut len = number(text, len)?;
        if text[len.end..keyword].starts_with(b" 0 R") {
            len = self.referred(len.value)?;
        }
        let data_end = line_end.checked_add(usize::try_from(len.value).ok()?)?;
        if data_end > end {
            return None;
        }
        self.to.length(len, line_end, data_end);
        let range = (line_end as u32, data_end as u32);
        let is_packed = find(text, b"/FlateDecode", begin, keyword).is_some();
        if !is_packed
            || self
                .to
                .packed(&[range], Vec::new(), Packing::Zlib, 1)
                .is_none()
        {
            self.to.payload(line_end, data_end);
        }
        Some(())
    }

    /// The number that is all that is in an object.
    fn referred(&self, object: u64) -> Option<Number> {
        let text = self.to.text();
        let entry = self.entries.get(usize::try_from(object).ok()?)?;
        let at = usize::try_from(entry.offset?.value).ok()?;
        let own = number(text, at).filter(|own| self.is_simple && own.value == object)?;
        let begin = find(text, b"obj", own.end, own.end.checked_add(16)?)? + 3;
        number(text, begin)
    }

    /// Finds references such as `12 0 R`.
    fn references(&mut self, start: usize, end: usize) {
        let text = self.to.text();
        if !self.is_simple {
            return;
        }
        let Some(part) = text.get(start..end) else {
            return;
        };
        let ends = part
            .windows(4)
            .enumerate()
            .filter(|(_, bytes)| *bytes == b" 0 R");
        for at in ends.map(|(at, _)| start + at) {
            let before = &text[start..at];
            let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit());
            let Some(name) = number(text, at - digits.count()).filter(|name| name.end == at) else {
                continue;
            };
            let range = (name.start as u32, at as u32 + 4);
            self.to
                .index(name, self.space, Orphan::Stub(range, NOTHING));
        }
    }
}

/// How long an entry is: readers also take one without its last blank.
fn entry_len(text: &[u8], start: usize) -> u64 {
    // The next entry, or the `trailer`.
    let is_next = |byte: &u8| byte.is_ascii_digit() || *byte == b't';
    let last = text.get(start + ENTRY - 1);
    (ENTRY - usize::from(last.is_some_and(is_next))) as u64
}

/// The ten digits that an entry begins with.
fn reader_number(text: &[u8], start: usize) -> Option<Number> {
    let encoding = Encoding::PaddedDecimal;
    Some(Number {
        start,
        end: start + 10,
        encoding,
        value: encoding.read(text.get(start..start + 10)?)?,
    })
}
