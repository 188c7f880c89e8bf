//! ELF files: sections, segments, symbols and relocations.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range};
use crate::formats::objects::{self, Content};

/// How many headers of sections are read if the file does not say how many there are.
const UNCOUNTED_MAX: u64 = 64;

/// Kinds of sections.
const SYMBOLS: u64 = 2;
const RELOCATIONS_WITH_ADDENDS: u64 = 4;
const DYNAMIC: u64 = 6;
const NO_BITS: u64 = 8;
const RELOCATIONS: u64 = 9;
const DYNAMIC_SYMBOLS: u64 = 11;
const GROUP: u64 = 17;
/// Numbers of sections from here on are none.
const SPECIAL: u64 = 0xff00;
/// What the dynamic linker is told by where its name stands: what is needed, its own name, two kinds of paths.
const NAMES: &[u64] = &[1, 14, 15, 29];
/// How long the names for the dynamic linker are.
const NAMES_LEN: u64 = 10;
/// The processor whose wide relocations begin with the symbol whatever comes first in a number.
const MIPS: u64 = 8;

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
    /// The space of the symbols of each section that has some.
    symbols: Vec<(u64, u32)>,
    /// Where names stand, with what is named: the table, the place in the file, a header or a symbol.
    names: Vec<(Range, usize, Range)>,
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
        symbols: Vec::new(),
        names: Vec::new(),
    };
    let _ = elf.segments();
    if elf.headers().is_some() {
        elf.contents();
        // Relocations name symbols.
        for are_symbols in [true, false] {
            for number in 0..elf.sections.len() {
                if has_symbols(elf.sections[number].kind) == are_symbols {
                    let _ = elf.section(number);
                }
            }
        }
        elf.strings();
    }
    Some(builder.finish())
}

/// Whether a section of this kind has symbols: all, or those for the dynamic linker.
fn has_symbols(kind: u64) -> bool {
    matches!(kind, SYMBOLS | DYNAMIC_SYMBOLS)
}

impl Elf<'_, '_> {
    fn number(&self, at: usize, width: usize) -> Option<Number> {
        self.to.number(at, width, self.layout.encoding)
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
            let section = &self.sections[number];
            self.name(section.name, names, section.header);
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
        let has_content = kind != NO_BITS && kind != 0 && size.value > 0;
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

    /// `number` is where the name of something is in a table of them.
    fn name(&mut self, number: Number, table: Option<Range>, of: Range) {
        if let Some(table) = table
            && let Some(at) = (table.0 as usize).checked_add(number.value as usize)
        {
            self.to.offset(number, table.0 as usize, at);
            self.names.push((table, at, of));
        }
    }

    /// The tables of names, but for those that the dynamic linker reads: more names stand there than are known of.
    fn strings(&mut self) {
        let linked = self
            .sections
            .iter()
            .filter(|it| matches!(it.kind, DYNAMIC | DYNAMIC_SYMBOLS));
        let linked = linked.filter_map(|it| {
            self.sections
                .get(usize::try_from(it.link.value).ok()?)?
                .content
        });
        let linked: Vec<Range> = linked.collect();
        let mut names = core::mem::take(&mut self.names);
        names.retain(|it| !linked.contains(&it.0));
        names.sort_unstable();
        for of_table in names.chunk_by(|a, b| a.0 == b.0) {
            let (start, end) = of_table[0].0;
            let uses = of_table.iter().map(|&(_, at, of)| (at, of));
            objects::add_strings(self.to, (start as usize, end as usize), 2, uses.collect());
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
        let contents = contents.into_iter().map(|(range, header)| Content {
            range,
            header: Some(header),
            is_payload: false,
        });
        objects::add_contents(self.to, group, contents.collect());
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
        let is_relocations = matches!(kind, RELOCATIONS_WITH_ADDENDS | RELOCATIONS);
        if is_relocations && info.value > 0 {
            self.to.index(info, self.space, Orphan::Cut(header));
        }
        let (start, end) = content?;
        self.to.offset(offset, 0, start as usize);
        self.to.length(size, start as usize, end as usize);
        let (start, end) = (start as usize, end as usize);
        match kind {
            SYMBOLS | DYNAMIC_SYMBOLS => self.symbols(start, end, number as u64, link.value, info),
            RELOCATIONS_WITH_ADDENDS | RELOCATIONS => {
                self.relocations(start, end, kind == RELOCATIONS_WITH_ADDENDS, link.value)
            }
            GROUP => self.members(start, end, link.value, info, header),
            DYNAMIC => self.dynamic(start, end, link.value),
            _ => {
                self.to.payload(start, end);
                Some(())
            }
        }
    }

    /// The symbols of section `number`, with their names in section `names`; `locals` says how many there are
    /// before the first one that others may use.
    fn symbols(
        &mut self,
        start: usize,
        end: usize,
        number: u64,
        names: u64,
        locals: Number,
    ) -> Option<()> {
        let names = self.sections.get(usize::try_from(names).ok()?)?.content;
        let (size, section_at) = if self.layout.is_wide {
            (24, 6)
        } else {
            (16, 14)
        };
        let space = self.to.space();
        self.symbols.push((number, space));
        let groups = [(); 2].map(|()| self.to.group(2));
        for (place, at) in (0..).zip((start..end).step_by(size)) {
            if at + size > end || !self.to.has_room() {
                break;
            }
            let range = (at as u32, (at + size) as u32);
            self.to
                .part(groups[usize::from(place >= locals.value)], at, at + size);
            self.to.member(space, range);
            let name = self.number(at, 4)?;
            if name.value > 0 {
                self.name(name, names, range);
            }
            let section = self.number(at + section_at, 2)?;
            if 0 < section.value && section.value < SPECIAL {
                self.to.index(section, self.space, Orphan::Cut(range));
            }
        }
        self.to.count(locals, groups[0]);
        Some(())
    }

    /// The space of the symbols of a section.
    fn symbols_of(&self, section: u64) -> Option<u32> {
        let mut symbols = self.symbols.iter();
        symbols.find(|it| it.0 == section).map(|it| it.1)
    }

    /// Relocations, which name symbols of section `link`.
    fn relocations(&mut self, start: usize, end: usize, has_addend: bool, link: u64) -> Option<()> {
        let size = match (self.layout.is_wide, has_addend) {
            (true, true) => 24,
            (true, false) => 16,
            (false, true) => 12,
            (false, false) => 8,
        };
        // Where the number of the symbol is in a relocation, and how wide.
        let is_mips = self.number(0x12, 2)?.value == MIPS;
        let (symbol_at, width) = match (self.layout.is_wide, self.layout.encoding) {
            (true, Encoding::Little) if !is_mips => (12, 4),
            (true, _) => (8, 4),
            (false, Encoding::Little) => (5, 3),
            (false, _) => (4, 3),
        };
        let symbols = self.symbols_of(link);
        let group = self.to.group(2);
        for at in (start..end).step_by(size) {
            if at + size > end || !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + size);
            let symbol = self.number(at + symbol_at, width)?;
            if let Some(symbols) = symbols.filter(|_| symbol.value > 0) {
                let orphan = Orphan::Cut((at as u32, (at + size) as u32));
                self.to.index(symbol, symbols, orphan);
            }
        }
        Some(())
    }

    /// What the dynamic linker is told, with names in section `names`.
    fn dynamic(&mut self, start: usize, end: usize, names: u64) -> Option<()> {
        let names = self.sections.get(usize::try_from(names).ok()?)?.content;
        let width = if self.layout.is_wide { 8 } else { 4 };
        let group = self.to.group(2);
        for at in (start..end).step_by(2 * width) {
            let (tag, value) = (self.number(at, width)?, self.number(at + width, width)?);
            if at + 2 * width > end || !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + 2 * width);
            match (tag.value, names) {
                (NAMES_LEN, Some((from, to))) => self.to.length(value, from as usize, to as usize),
                (tag, _) if NAMES.contains(&tag) => {
                    self.name(value, names, (at as u32, (at + 2 * width) as u32));
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Sections that are there together, and the symbol that names them.
    fn members(
        &mut self,
        start: usize,
        end: usize,
        link: u64,
        name: Number,
        header: Range,
    ) -> Option<()> {
        if let Some(symbols) = self.symbols_of(link) {
            self.to.index(name, symbols, Orphan::Cut(header));
        }
        let group = self.to.group(2);
        for at in (start..end).step_by(4).skip(1) {
            let section = self.number(at, 4).filter(|_| at + 4 <= end)?;
            self.to.part(group, at, at + 4);
            let orphan = Orphan::Cut((at as u32, (at + 4) as u32));
            self.to.index(section, self.space, orphan);
        }
        Some(())
    }
}
