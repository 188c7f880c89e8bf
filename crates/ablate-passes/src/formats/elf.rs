//! ELF files: sections, segments, symbols and relocations.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range};

/// How many headers of sections are read if the file does not say how many there are.
const UNCOUNTED_MAX: u64 = 64;

/// How the file is laid out.
#[derive(Clone, Copy)]
struct Layout {
    is_wide: bool,
    encoding: Encoding,
}

/// A section, as its header describes it.
struct Section {
    header: Range,
    kind: u64,
    name: Number,
    offset: Number,
    size: Number,
    link: Number,
    info: Number,
    /// Where its content is, if it has some in the file.
    content: Option<Range>,
}

struct Elf<'a, 'b> {
    to: &'b mut Builder<'a>,
    layout: Layout,
    sections: Vec<Section>,
    /// The space of the sections.
    space: u32,
}

/// The parts of an ELF file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(b"\x7fELF") {
        return None;
    }
    let layout = Layout {
        is_wide: *text.get(4)? == 2,
        encoding: match text.get(5)? {
            2 => Encoding::Big,
            _ => Encoding::Little,
        },
    };
    let mut builder = Builder::new(text)?;
    let space = builder.space();
    let mut elf = Elf {
        to: &mut builder,
        layout,
        sections: Vec::new(),
        space,
    };
    let _ = elf.segments();
    if elf.headers().is_some() {
        elf.contents();
        for number in 0..elf.sections.len() {
            let _ = elf.section(number);
        }
    }
    Some(builder.finish())
}

impl Elf<'_, '_> {
    fn number(&self, at: usize, width: usize) -> Option<Number> {
        let bytes = self.to.text().get(at..at.checked_add(width)?)?;
        Some(Number {
            start: at,
            end: at + width,
            encoding: self.layout.encoding,
            value: self.layout.encoding.read(bytes)?,
        })
    }

    /// A field that is as wide as an address, at one place or another.
    fn address(&self, base: usize, wide: usize, narrow: usize) -> Option<Number> {
        if self.layout.is_wide {
            self.number(base.checked_add(wide)?, 8)
        } else {
            self.number(base.checked_add(narrow)?, 4)
        }
    }

    /// A field of two bytes of the file's header; `at` is where it is in narrow files.
    fn small(&self, at: usize) -> Option<Number> {
        self.number(if self.layout.is_wide { at + 12 } else { at }, 2)
    }

    fn segments(&mut self) -> Option<()> {
        let table = self.address(0, 0x20, 0x1c)?;
        let (size, count) = (self.small(0x2a)?, self.small(0x2c)?);
        let mut at = usize::try_from(table.value).ok()?;
        if count.value == 0 || size.value < 0x20 {
            return None;
        }
        self.to.offset(table, 0, at);
        let group = self.to.group(1);
        for _ in 0..count.value {
            let offset = self.address(at, 8, 4)?;
            let len = self.address(at, 0x20, 0x10)?;
            let start = usize::try_from(offset.value).ok()?;
            self.to.offset(offset, 0, start);
            if let Some(end) = start.checked_add(usize::try_from(len.value).ok()?) {
                self.to.length(len, start, end);
            }
            self.to.part(group, at, at + size.value as usize);
            at += size.value as usize;
        }
        self.to.count(count, group);
        Some(())
    }

    /// Reads the table of sections.
    fn headers(&mut self) -> Option<()> {
        let table = self.address(0, 0x28, 0x20)?;
        let (size, count, names) = (self.small(0x2e)?, self.small(0x30)?, self.small(0x32)?);
        let mut at = usize::try_from(table.value).ok()?;
        if at == 0 || size.value < 0x28 {
            return None;
        }
        self.to.offset(table, 0, at);
        let group = self.to.group(1);
        // Where the count says nothing, as many are read as there is room for.
        let room = self.to.text().len().saturating_sub(at) as u64 / size.value;
        let sections = if count.value == 0 {
            room.min(UNCOUNTED_MAX)
        } else {
            count.value
        };
        for _ in 0..sections {
            let end = at.checked_add(size.value as usize)?;
            let section = self.header(at, end)?;
            self.to.part(group, at, end);
            self.to.member(self.space, section.header);
            self.sections.push(section);
            at = end;
        }
        self.to.count(count, group);
        self.to.index(names, self.space, Orphan::Refuse);
        let names = self.sections.get(names.value as usize)?.content;
        for number in 0..self.sections.len() {
            self.name(self.sections[number].name, names);
        }
        Some(())
    }

    fn header(&self, at: usize, end: usize) -> Option<Section> {
        let kind = self.number(at + 4, 4)?.value;
        let offset = self.address(at, 0x18, 0x10)?;
        let size = self.address(at, 0x20, 0x14)?;
        let start = u32::try_from(offset.value).ok()?;
        let content_end = u32::try_from(offset.value.checked_add(size.value)?).ok()?;
        // Some sections only take up memory.
        let has_content = kind != 8 && kind != 0 && size.value > 0;
        let is_inside = content_end as usize <= self.to.text().len();
        let place = if self.layout.is_wide { 0x28 } else { 0x18 };
        Some(Section {
            header: (at as u32, end as u32),
            kind,
            name: self.number(at, 4)?,
            offset,
            size,
            link: self.number(at + place, 4)?,
            info: self.number(at + place + 4, 4)?,
            content: (has_content && is_inside).then_some((start, content_end)),
        })
    }

    /// `number` is where a name is in a table of them.
    fn name(&mut self, number: Number, table: Option<Range>) {
        if let Some((start, _)) = table
            && let Some(at) = (start as usize).checked_add(number.value as usize)
        {
            self.to.offset(number, start as usize, at);
        }
    }

    /// What the sections hold, by position.
    fn contents(&mut self) {
        let mut contents: Vec<(Range, Range)> = self
            .sections
            .iter()
            .filter_map(|section| Some((section.content?, section.header)))
            .collect();
        contents.sort_unstable();
        self.gaps(&contents);
        let group = self.to.group(0);
        let mut end = 0;
        for (content, header) in contents {
            // What belongs to two sections goes with neither.
            if end <= content.0 {
                end = content.1;
                self.to.part(group, content.0 as usize, content.1 as usize);
                self.to.tie(vec![content, header]);
            }
        }
    }

    /// What belongs to nothing can go, byte by byte.
    fn gaps(&mut self, contents: &[(Range, Range)]) {
        let header = if self.layout.is_wide { 64 } else { 52 };
        let mut taken: Vec<Range> = vec![(0, header)];
        taken.extend(
            contents
                .iter()
                .flat_map(|&(content, header)| [content, header]),
        );
        taken.extend(self.sections.iter().map(|section| section.header));
        taken.extend(self.segment_table());
        taken.sort_unstable();
        let mut end = 0;
        let len = self.to.text().len() as u32;
        for (from, to) in taken.into_iter().chain([(len, len)]) {
            if end < from {
                self.to.payload(end as usize, from.min(len) as usize);
            }
            end = end.max(to);
        }
    }

    /// Where the headers of the segments are.
    fn segment_table(&self) -> Option<Range> {
        let table = self.address(0, 0x20, 0x1c)?.value;
        let (size, count) = (self.small(0x2a)?.value, self.small(0x2c)?.value);
        let end = table.checked_add(size * count)?;
        Some((u32::try_from(table).ok()?, u32::try_from(end).ok()?))
    }

    fn section(&mut self, number: usize) -> Option<()> {
        let section = &self.sections[number];
        let (header, kind) = (section.header, section.kind);
        let (offset, size, link, info) = (section.offset, section.size, section.link, section.info);
        let content = section.content;
        if link.value > 0 {
            self.to.index(link, self.space, Orphan::Cut(header));
        }
        let is_relocations = matches!(kind, 4 | 9);
        if is_relocations && info.value > 0 {
            self.to.index(info, self.space, Orphan::Cut(header));
        }
        let (start, end) = content?;
        self.to.offset(offset, 0, start as usize);
        self.to.length(size, start as usize, end as usize);
        match kind {
            2 | 11 => self.symbols(start as usize, end as usize, link.value),
            4 | 9 => self.relocations(start as usize, end as usize, kind == 4),
            _ => {
                self.to.payload(start as usize, end as usize);
                Some(())
            }
        }
    }

    fn symbols(&mut self, start: usize, end: usize, names: u64) -> Option<()> {
        let names = self.sections.get(usize::try_from(names).ok()?)?.content;
        let (size, section_at) = if self.layout.is_wide {
            (24, 6)
        } else {
            (16, 14)
        };
        let group = self.to.group(2);
        for at in (start..end).step_by(size) {
            if at + size > end || !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + size);
            let name = self.number(at, 4)?;
            self.name(name, names);
            let section = self.number(at + section_at, 2)?;
            if 0 < section.value && section.value < 0xff00 {
                let orphan = Orphan::Cut((at as u32, (at + size) as u32));
                self.to.index(section, self.space, orphan);
            }
        }
        Some(())
    }

    fn relocations(&mut self, start: usize, end: usize, has_addend: bool) -> Option<()> {
        let size = match (self.layout.is_wide, has_addend) {
            (true, true) => 24,
            (true, false) => 16,
            (false, true) => 12,
            (false, false) => 8,
        };
        let group = self.to.group(2);
        for at in (start..end).step_by(size) {
            if at + size <= end && self.to.has_room() {
                self.to.part(group, at, at + size);
            }
        }
        Some(())
    }
}
