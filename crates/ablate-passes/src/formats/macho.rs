//! Mach-O files: load commands, segments, sections, symbols and relocations.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range};
use crate::formats::objects::{self, Content};

/// Load commands, and the kinds of them that say where something is.
const LC_SEGMENT: u64 = 0x1;
const LC_SYMTAB: u64 = 0x2;
const LC_DYSYMTAB: u64 = 0xb;
const LC_SEGMENT_64: u64 = 0x19;
const LC_NOTE: u64 = 0x31;
/// The dynamic linker's tables: five pairs of an offset and a length.
const LC_DYLD_INFO: u64 = 0x22;
/// What has an offset and a length: signatures, starts of functions, data in code, hints, exports, fixups.
const LC_DATA: &[u64] = &[0x1d, 0x1e, 0x26, 0x29, 0x2b, 0x2e, 0x33, 0x34];
/// Set in the numbers of those that a linker has to understand.
const LC_REQ_DYLD: u64 = 0x8000_0000;
/// Kinds of sections that only take up memory.
const ZERO_FILLED: &[u64] = &[0x1, 0xc, 0x12];
/// An indirect symbol that is none, and one that is absolute; together they are both.
const INDIRECT_SYMBOLS: u64 = 0xc000_0000;
const INDIRECT_SYMBOL_LOCAL: [[u8; 4]; 2] = [[0, 0, 0, 0x80], [0x80, 0, 0, 0]];
/// Kinds of processors, and their relocations that belong to the next one.
const PAIRED: &[(u64, &[u8])] = &[(0x0100_0007, &[5]), (0x0100_000c, &[1, 10])];

/// The parts of a Mach-O file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let (encoding, is_wide) = match text.get(..4)? {
        b"\xce\xfa\xed\xfe" => (Encoding::Little, false),
        b"\xcf\xfa\xed\xfe" => (Encoding::Little, true),
        b"\xfe\xed\xfa\xce" => (Encoding::Big, false),
        b"\xfe\xed\xfa\xcf" => (Encoding::Big, true),
        _ => return None,
    };
    let mut builder = Builder::new(text)?;
    let (sections, symbols) = (builder.space(), builder.space());
    // Sections are counted from one.
    builder.member(sections, (0, 4));
    let contents = builder.group(0);
    let mut file = File {
        to: &mut builder,
        encoding,
        is_wide,
        sections,
        symbols,
        contents,
        content: Vec::new(),
        relocations: Vec::new(),
        indirect: None,
    };
    let _ = file.commands();
    objects::add_contents(file.to, file.contents, file.content);
    Some(builder.finish())
}

struct File<'a, 'b> {
    to: &'b mut Builder<'a>,
    encoding: Encoding,
    is_wide: bool,
    /// The spaces of sections and of symbols.
    sections: u32,
    symbols: u32,
    /// The group of what the commands say is somewhere.
    contents: u32,
    /// What the commands say is somewhere in the file.
    content: Vec<Content>,
    /// Where there are tables of relocations, with what says how many.
    relocations: Vec<(usize, Number)>,
    /// Where the table of indirect symbols is.
    indirect: Option<(usize, Number)>,
}

impl File<'_, '_> {
    fn number(&self, at: usize, width: usize) -> Option<Number> {
        self.to.number(at, width, self.encoding)
    }

    /// A field that is as wide as an address.
    fn address(&self, at: usize) -> Option<Number> {
        self.number(at, if self.is_wide { 8 } else { 4 })
    }

    /// Reads the load commands.
    fn commands(&mut self) -> Option<()> {
        let (count, size) = (self.number(16, 4)?, self.number(20, 4)?);
        let start = if self.is_wide { 32 } else { 28 };
        let group = self.to.group(1);
        let mut at = start;
        let mut commands = Vec::new();
        for _ in 0..count.value {
            let (kind, len) = (self.number(at, 4)?, self.number(at + 4, 4)?);
            let end = at.checked_add(usize::try_from(len.value).ok()?)?;
            if len.value < 8 || end > self.to.text().len() || !self.to.has_room() {
                break;
            }
            self.to.part(group, at, end);
            self.to.length(len, at, end);
            commands.push((kind.value, at, end));
            at = end;
        }
        self.to.count(count, group);
        self.to.length(size, start, at);
        // Symbols name sections, and relocations name symbols.
        for &(kind, at, end) in &commands {
            if matches!(kind, LC_SEGMENT | LC_SEGMENT_64) {
                let _ = self.segment(at, end);
            }
        }
        let dynamic = commands.iter().find(|command| command.0 == LC_DYSYMTAB);
        let dynamic = dynamic.map(|&(_, at, end)| (at as u32, end as u32));
        for &(kind, at, end) in &commands {
            let command = (at as u32, end as u32);
            let _ = match kind & !LC_REQ_DYLD {
                LC_SYMTAB => self.symbol_table(at, dynamic, command),
                LC_DYSYMTAB => self.dynamic_symbols(at),
                LC_DYLD_INFO => {
                    for pair in (8..48).step_by(8) {
                        let _ = self.data(at + pair, 4, None);
                    }
                    Some(())
                }
                LC_NOTE => self.data(at + 24, 8, Some(command)),
                kind if LC_DATA.contains(&kind) => self.data(at + 8, 4, Some(command)),
                _ => Some(()),
            };
        }
        let processor = self.number(4, 4)?.value;
        let paired = PAIRED.iter().find(|row| row.0 == processor);
        let paired = paired.map_or(&[][..], |row| row.1);
        for (start, count) in core::mem::take(&mut self.relocations) {
            let _ = self.relocations(start, count, paired);
        }
        if let Some((start, count)) = self.indirect {
            let _ = self.indirect_symbols(start, count);
        }
        Some(())
    }

    /// Whatever has an offset of `width` bytes at `at` and a length behind that.
    fn data(&mut self, at: usize, width: usize, command: Option<Range>) -> Option<()> {
        let (offset, len) = (self.number(at, width)?, self.number(at + width, width)?);
        let start = usize::try_from(offset.value).ok()?;
        let end = start.checked_add(usize::try_from(len.value).ok()?)?;
        if start == 0 || end > self.to.text().len() {
            return None;
        }
        self.to.offset(offset, 0, start);
        self.to.length(len, start, end);
        self.content.push(Content {
            range: (start as u32, end as u32),
            header: command,
            is_payload: true,
        });
        Some(())
    }

    fn segment(&mut self, at: usize, end: usize) -> Option<()> {
        let (offset, len, count, head, size) = if self.is_wide {
            (
                self.number(at + 40, 8)?,
                self.number(at + 48, 8)?,
                self.number(at + 64, 4)?,
                72,
                80,
            )
        } else {
            (
                self.number(at + 32, 4)?,
                self.number(at + 36, 4)?,
                self.number(at + 48, 4)?,
                56,
                68,
            )
        };
        let start = usize::try_from(offset.value).ok()?;
        self.to.offset(offset, 0, start);
        if let Some(end) = start.checked_add(usize::try_from(len.value).ok()?) {
            self.to.length(len, start, end);
        }
        let group = self.to.group(2);
        let mut at = at + head;
        for _ in 0..count.value {
            if at + size > end || !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + size);
            self.to
                .member(self.sections, (at as u32, (at + size) as u32));
            let _ = self.section(at, size);
            at += size;
        }
        self.to.count(count, group);
        Some(())
    }

    fn section(&mut self, at: usize, size: usize) -> Option<()> {
        let header = (at as u32, (at + size) as u32);
        let len = self.address(if self.is_wide { at + 40 } else { at + 36 })?;
        let place = if self.is_wide { at + 48 } else { at + 40 };
        let [offset, _, first, count, flags] =
            [0, 4, 8, 12, 16].map(|field| self.number(place + field, 4));
        let (offset, first, count) = (offset?, first?, count?);
        let table = usize::try_from(first.value).ok()?;
        if count.value > 0
            && let Some(end) = table.checked_add(usize::try_from(count.value).ok()?.checked_mul(8)?)
            && end <= self.to.text().len()
        {
            self.to.offset(first, 0, table);
            self.relocations.push((table, count));
            self.to.follow(header, vec![(table as u32, end as u32)]);
            self.content.push(Content {
                range: (table as u32, end as u32),
                header: None,
                is_payload: false,
            });
        }
        let start = usize::try_from(offset.value).ok()?;
        let end = start.checked_add(usize::try_from(len.value).ok()?)?;
        let has_content = !ZERO_FILLED.contains(&(flags?.value & 0xff));
        if has_content && start > 0 && start < end && end <= self.to.text().len() {
            self.to.offset(offset, 0, start);
            self.to.length(len, start, end);
            self.content.push(Content {
                range: (start as u32, end as u32),
                header: Some(header),
                is_payload: true,
            });
        }
        Some(())
    }

    /// The table of symbols, in the three groups that the command at `dynamic` says there are.
    fn symbol_table(&mut self, at: usize, dynamic: Option<Range>, command: Range) -> Option<()> {
        let [offset, count, names, len] = [8, 12, 16, 20].map(|field| self.number(at + field, 4));
        let (offset, count, names, len) = (offset?, count?, names?, len?);
        let size = if self.is_wide { 16 } else { 12 };
        let start = usize::try_from(offset.value).ok()?;
        let end = start.checked_add(usize::try_from(count.value).ok()?.checked_mul(size)?)?;
        let names_at = usize::try_from(names.value).ok()?;
        let names_end = names_at.checked_add(usize::try_from(len.value).ok()?)?;
        if end.max(names_end) > self.to.text().len() || start == 0 || names_at == 0 {
            return None;
        }
        self.to.offset(offset, 0, start);
        self.to.offset(names, 0, names_at);
        self.to.length(len, names_at, names_end);
        let tables = [
            (start as u32, end as u32),
            (names_at as u32, names_end as u32),
        ];
        let following = tables.into_iter().chain(dynamic);
        self.to.follow(command, following.collect());
        let dynamic = dynamic.map(|command| command.0 as usize);
        // Local ones, those that others may use, those of others; each with how many there are.
        let counts = |field: usize| dynamic.and_then(|at| self.number(at + field, 4));
        let counts = [12, 20, 28].map(counts);
        let [local, global, _] = counts.map(|count| count.map_or(0, |count| count.value));
        let firsts = [0, local, local.saturating_add(global)];
        let groups = [(); 3].map(|()| self.to.group(1));
        let mut uses = Vec::new();
        for (number, at) in (0..).zip((start..end).step_by(size)) {
            if !self.to.has_room() {
                break;
            }
            let group = firsts
                .iter()
                .rposition(|&first| first <= number)
                .unwrap_or(0);
            self.to.part(groups[group], at, at + size);
            let range = (at as u32, (at + size) as u32);
            self.to.member(self.symbols, range);
            let name = self.number(at, 4)?;
            if let Some(to) = names_at.checked_add(usize::try_from(name.value).ok()?) {
                self.to.offset(name, names_at, to);
                uses.push((to, range));
            }
            let section = self.number(at + 5, 1)?;
            let is_debugging = self.number(at + 4, 1)?.value & 0xe0 != 0;
            if section.value > 0 && !is_debugging {
                self.to.index(section, self.sections, Orphan::Cut(range));
            }
        }
        self.to.count_of(count, groups[0], 3);
        for (group, count) in groups.into_iter().zip(counts) {
            if let Some(count) = count {
                self.to.count(count, group);
            }
        }
        if let Some(at) = dynamic {
            self.to.count(self.number(at + 16, 4)?, groups[0]);
            self.to.count_of(self.number(at + 24, 4)?, groups[0], 2);
        }
        objects::add_strings(self.to, (names_at, names_end), 1, uses);
        Some(())
    }

    /// What more there is on symbols for the dynamic linker.
    fn dynamic_symbols(&mut self, at: usize) -> Option<()> {
        for place in [64, 72] {
            let (offset, count) = (self.number(at + place, 4)?, self.number(at + place + 4, 4)?);
            if count.value > 0 {
                let start = usize::try_from(offset.value).ok()?;
                self.to.offset(offset, 0, start);
                self.relocations.push((start, count));
            }
        }
        let (offset, count) = (self.number(at + 56, 4)?, self.number(at + 60, 4)?);
        if count.value > 0 {
            let start = usize::try_from(offset.value).ok()?;
            self.to.offset(offset, 0, start);
            self.indirect = Some((start, count));
        }
        Some(())
    }

    fn relocations(&mut self, start: usize, count: Number, paired: &[u8]) -> Option<()> {
        let group = self.to.group(2);
        let is_little = self.encoding == Encoding::Little;
        let mut before: Option<Range> = None;
        for number in 0..usize::try_from(count.value).ok()? {
            let at = start.checked_add(number.checked_mul(8)?)?;
            if at + 8 > self.to.text().len() || !self.to.has_room() {
                break;
            }
            let range = (at as u32, (at + 8) as u32);
            self.to.part(group, at, at + 8);
            if let Some(before) = before.take() {
                self.to.tie(vec![before, range]);
            }
            let is_scattered = !self.is_wide && self.number(at, 4)?.value & 0x8000_0000 != 0;
            if is_scattered {
                continue;
            }
            let symbol = self.number(at + 4, 3)?;
            let bits = self.number(at + 7, 1)?.value as u8;
            // From the lowest bit, or from the highest: whether it counts in words, how long, a symbol, its kind.
            let (is_symbol, kind) = if is_little {
                (bits & 0x8 != 0, bits >> 4)
            } else {
                (bits & 0x10 != 0, bits & 0xf)
            };
            if is_symbol {
                self.to.index(symbol, self.symbols, Orphan::Cut(range));
            } else if symbol.value > 0 && !paired.contains(&kind) {
                self.to.index(symbol, self.sections, Orphan::Cut(range));
            }
            before = paired.contains(&kind).then_some(range);
        }
        self.to.count(count, group);
        Some(())
    }

    fn indirect_symbols(&mut self, start: usize, count: Number) -> Option<()> {
        let group = self.to.group(1);
        let is_little = self.encoding == Encoding::Little;
        for number in 0..usize::try_from(count.value).ok()? {
            let at = start.checked_add(number.checked_mul(4)?)?;
            let symbol = self.number(at, 4)?;
            if !self.to.has_room() {
                break;
            }
            self.to.part(group, at, at + 4);
            if symbol.value & INDIRECT_SYMBOLS == 0 {
                let none = &INDIRECT_SYMBOL_LOCAL[usize::from(!is_little)];
                let orphan = Orphan::Stub((at as u32, (at + 4) as u32), none);
                self.to.index(symbol, self.symbols, orphan);
            }
        }
        self.to.count(count, group);
        Some(())
    }
}
