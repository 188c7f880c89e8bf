//! COFF object files and PE images: sections, symbols and relocations.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range};
use crate::formats::objects::{self, Content};

/// The processors that objects are known by: nothing else tells what they are.
const MACHINES: &[u64] = &[0x14c, 0x1c0, 0x1c4, 0xa641, 0xaa64, 0x8664];
/// Where an image says where its header is.
const HEADER_AT: usize = 0x3c;
const HEADER_LEN: usize = 20;
const SECTION_LEN: usize = 40;
const SYMBOL_LEN: usize = 18;
const RELOCATION_LEN: usize = 10;
const LINE_NUMBER_LEN: usize = 6;
/// Numbers of sections from here on are none.
const SPECIAL: u64 = 0xff00;
/// A section has more relocations than it can say: the first of them says how many.
const MANY_RELOCATIONS: u64 = 0x0100_0000;
/// A section that only takes up memory.
const UNINITIALIZED: u64 = 0x80;
/// Symbols of these classes are about others: a weak one, and one that names a section.
const WEAK: u64 = 105;
const STATIC: u64 = 3;
/// A section that is there if another one is.
const ASSOCIATIVE: u64 = 5;

/// The parts of an object file or an image; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut builder = Builder::new(text)?;
    let start = if text.starts_with(b"MZ") {
        let header = builder.number(HEADER_AT, 4, Encoding::Little)?;
        let at = usize::try_from(header.value).ok()?;
        let is_image = text.get(at..)?.starts_with(b"PE\0\0");
        if !is_image {
            return None;
        }
        builder.offset(header, 0, at);
        builder.payload(HEADER_AT + 4, at);
        at + 4
    } else {
        0
    };
    let (sections, symbols) = (builder.space(), builder.space());
    // Sections are counted from one.
    builder.member(sections, (0, 2));
    let contents = builder.group(0);
    let mut file = File {
        to: &mut builder,
        sections,
        symbols,
        contents,
        read: Vec::new(),
    };
    let is_read = file.headers(start).is_some();
    (is_read || start > 0).then(|| builder.finish())
}

/// A section, as its header describes it.
#[derive(Clone, Copy)]
struct Section {
    header: Range,
    len: Number,
    content: Option<(Number, Range)>,
    /// Its relocations: what says where they are, what says how many, in bytes, and where they are.
    relocations: Option<(Number, Number, Range)>,
    line_numbers: Option<(Number, Number, Range)>,
}

struct File<'a, 'b> {
    to: &'b mut Builder<'a>,
    /// The spaces of sections and of symbols.
    sections: u32,
    symbols: u32,
    contents: u32,
    read: Vec<Section>,
}

impl File<'_, '_> {
    fn number(&self, at: usize, width: usize) -> Option<Number> {
        self.to.number(at, width, Encoding::Little)
    }

    /// Reads the header at `at` and all that it leads to.
    fn headers(&mut self, at: usize) -> Option<()> {
        let len = self.to.text().len();
        let [machine, count] = [0, 2].map(|field| self.number(at + field, 2));
        let [table, symbols] = [8, 12].map(|field| self.number(at + field, 4));
        let (machine, count, table, symbols) = (machine?, count?, table?, symbols?);
        let options = usize::try_from(self.number(at + 16, 2)?.value).ok()?;
        let first = at + HEADER_LEN + options;
        let sections = usize::try_from(count.value).ok()?;
        let end = first + sections * SECTION_LEN;
        let is_known = at > 0 || MACHINES.contains(&machine.value) && options == 0;
        if !is_known || sections == 0 || end > len {
            return None;
        }
        for at in (first..end).step_by(SECTION_LEN) {
            // An object in which one of them leads nowhere is something else.
            self.read.push(self.section(at)?);
        }
        let symbols_at = usize::try_from(table.value).ok()?;
        let symbols_end = usize::try_from(symbols.value)
            .ok()?
            .checked_mul(SYMBOL_LEN)?;
        let symbols_end = symbols_at.checked_add(symbols_end)?;
        if symbols_end > len {
            return None;
        }
        let group = self.to.group(1);
        for section in &self.read {
            let (start, end) = section.header;
            self.to.part(group, start as usize, end as usize);
            self.to.member(self.sections, section.header);
        }
        self.to.count(count, group);
        if symbols_at > 0 {
            self.to.offset(table, 0, symbols_at);
            let _ = self.symbols(symbols, symbols_at, symbols_end);
        }
        self.contents();
        Some(())
    }

    fn section(&self, at: usize) -> Option<Section> {
        let [len, content, relocations, lines] =
            [16, 20, 24, 28].map(|field| self.number(at + field, 4));
        let (len, content, relocations, lines) = (len?, content?, relocations?, lines?);
        let counted = |at: usize, width: usize, len: usize| {
            self.to.number(at, width, Encoding::LittleIn(len as u8))
        };
        let mut count = counted(at + 32, 2, RELOCATION_LEN)?;
        let lines_count = counted(at + 34, 2, LINE_NUMBER_LEN)?;
        let flags = self.number(at + 36, 4)?.value;
        let part = |number: Number, len: u64| -> Option<Option<(Number, Range)>> {
            if number.value == 0 || len == 0 {
                return Some(None);
            }
            let start = u32::try_from(number.value).ok()?;
            let end = start.checked_add(u32::try_from(len).ok()?)?;
            let is_inside = end as usize <= self.to.text().len();
            is_inside.then_some(Some((number, (start, end))))
        };
        let has_content = flags & UNINITIALIZED == 0;
        if flags & MANY_RELOCATIONS != 0 && count.value == 0xffff * RELOCATION_LEN as u64 {
            count = counted(usize::try_from(relocations.value).ok()?, 4, RELOCATION_LEN)?;
        }
        let relocated = part(relocations, count.value)?;
        let lined = part(lines, lines_count.value)?;
        Some(Section {
            header: (at as u32, (at + SECTION_LEN) as u32),
            len,
            content: if has_content {
                part(content, len.value)?
            } else {
                None
            },
            relocations: relocated.map(|(number, range)| (number, count, range)),
            line_numbers: lined.map(|(number, range)| (number, lines_count, range)),
        })
    }

    /// The table of symbols, and that of strings behind it.
    fn symbols(&mut self, count: Number, start: usize, end: usize) -> Option<()> {
        let group = self.to.group(1);
        let mut uses = Vec::new();
        let mut at = start;
        while at < end && self.to.has_room() {
            let more = usize::try_from(self.number(at + 17, 1)?.value).ok()?;
            let next = (at + SYMBOL_LEN * (1 + more)).min(end);
            let whole = (at as u32, next as u32);
            let records = (at..next).step_by(SYMBOL_LEN);
            let records: Vec<Range> = records
                .map(|at| (at as u32, (at + SYMBOL_LEN) as u32))
                .collect();
            for &record in &records {
                self.to.part(group, record.0 as usize, record.1 as usize);
                self.to.member(self.symbols, record);
            }
            if records.len() > 1 {
                self.to.tie(records);
            }
            if self.number(at, 4)?.value == 0 {
                let name = self.number(at + 4, 4)?;
                if let Some(to) = end.checked_add(usize::try_from(name.value).ok()?) {
                    self.to.offset(name, end, to);
                    uses.push((to, whole));
                }
            }
            let section = self.number(at + 12, 2)?;
            if 0 < section.value && section.value < SPECIAL {
                self.to.index(section, self.sections, Orphan::Cut(whole));
            }
            if more > 0 {
                let _ = self.more_of_symbol(at, section.value, whole);
            }
            at = next;
        }
        self.to.count(count, group);
        let len = self.number(end, 4)?;
        let names_end = end.checked_add(usize::try_from(len.value).ok()?)?;
        if len.value < 4 || names_end > self.to.text().len() {
            return None;
        }
        self.to.length(len, end, names_end);
        for section in self.read.clone() {
            let at = section.header.0 as usize;
            // A name of more than eight letters stands there as well.
            if self.to.text()[at] == b'/'
                && let Some(name) = self.to.number(at + 1, 7, Encoding::SpacedDecimal)
                && let Some(to) = end.checked_add(usize::try_from(name.value).ok()?)
            {
                self.to.offset(name, end, to);
                uses.push((to, section.header));
            }
        }
        objects::add_strings(self.to, (end + 4, names_end), 1, uses);
        Some(())
    }

    /// What a symbol says in the records behind its own.
    fn more_of_symbol(&mut self, at: usize, section: u64, whole: Range) -> Option<()> {
        let class = self.number(at + 16, 1)?.value;
        let more = at + SYMBOL_LEN;
        if class == WEAK {
            let other = self.number(more, 4)?;
            self.to.index(other, self.symbols, Orphan::Cut(whole));
        }
        let of = usize::try_from(section).ok()?.checked_sub(1);
        let of = of.and_then(|number| self.read.get(number)).copied();
        if class == STATIC
            && self.number(at + 8, 4)?.value == 0
            && let Some(section) = of
        {
            let len = self.number(more, 4)?;
            if let Some((_, (start, end))) = section.content {
                self.to.length(len, start as usize, end as usize);
            }
            if self.number(more + 14, 1)?.value == ASSOCIATIVE {
                let other = self.number(more + 12, 2)?;
                self.to.index(other, self.sections, Orphan::Cut(whole));
            }
        }
        Some(())
    }

    /// What the sections hold.
    fn contents(&mut self) {
        let mut parts = Vec::new();
        for section in core::mem::take(&mut self.read) {
            if let Some((offset, range)) = section.content {
                self.to.offset(offset, 0, range.0 as usize);
                self.to
                    .length(section.len, range.0 as usize, range.1 as usize);
                parts.push(Content {
                    range,
                    header: Some(section.header),
                    is_payload: true,
                });
            }
            if let Some((offset, count, range)) = section.relocations {
                self.to.offset(offset, 0, range.0 as usize);
                self.to.follow(section.header, vec![range]);
                parts.push(Content {
                    range,
                    header: None,
                    is_payload: false,
                });
                self.relocations(count, range);
            }
            if let Some((offset, count, range)) = section.line_numbers {
                self.to.offset(offset, 0, range.0 as usize);
                self.to.follow(section.header, vec![range]);
                parts.push(Content {
                    range,
                    header: None,
                    is_payload: false,
                });
                let group = self.to.group(2);
                for at in (range.0..range.1).step_by(LINE_NUMBER_LEN) {
                    self.to
                        .part(group, at as usize, at as usize + LINE_NUMBER_LEN);
                }
                self.to.length(count, range.0 as usize, range.1 as usize);
            }
        }
        objects::add_contents(self.to, self.contents, parts);
    }

    /// Relocations, with how many there are as the number of their bytes.
    fn relocations(&mut self, count: Number, (start, end): Range) {
        let group = self.to.group(2);
        // The first one of very many only says how many there are.
        let is_counted_within = count.start == start as usize;
        let skipped = if is_counted_within { RELOCATION_LEN } else { 0 };
        for at in (start as usize + skipped..end as usize).step_by(RELOCATION_LEN) {
            if !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + RELOCATION_LEN);
            if let Some(symbol) = self.number(at + 4, 4) {
                let range = (at as u32, (at + RELOCATION_LEN) as u32);
                self.to.index(symbol, self.symbols, Orphan::Cut(range));
            }
        }
        self.to.length(count, start as usize, end as usize);
    }
}
