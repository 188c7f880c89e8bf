//! WebAssembly modules: sections, their entries, functions with their bodies, and everything that
//! is referred to by its number.

mod code;

use alloc::vec;
use alloc::vec::Vec;

use self::code::UNREACHABLE;
use crate::formats::container::{Builder, Container, Number, Orphan, Range, Reader};

/// What every module begins with.
const MAGIC: &[u8] = b"\0asm\x01\0\0\0";

/// The spaces of things that have numbers.
struct Spaces {
    types: u32,
    functions: u32,
    tables: u32,
    memories: u32,
    globals: u32,
    elements: u32,
    data: u32,
}

struct Section {
    id: u8,
    whole: Range,
    content: Range,
}

/// A module, taken apart.
struct Module<'a, 'b> {
    to: &'b mut Builder<'a>,
    spaces: Spaces,
    /// Where the types' numbers of the functions in the module stand, and those entries' ends.
    declared: Vec<Number>,
    /// Fields that say how many functions with code there are.
    function_counts: Vec<Number>,
    /// References that were met in the entry that is being read, and what space they are about.
    references: Vec<(Number, u32)>,
    /// Fields that say how many data segments there are.
    data_counts: Vec<Number>,
}

/// The parts of a WebAssembly module; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MAGIC) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let spaces = Spaces {
        types: builder.space(),
        functions: builder.space(),
        tables: builder.space(),
        memories: builder.space(),
        globals: builder.space(),
        elements: builder.space(),
        data: builder.space(),
    };
    let mut module = Module {
        to: &mut builder,
        spaces,
        declared: Vec::new(),
        function_counts: Vec::new(),
        references: Vec::new(),
        data_counts: Vec::new(),
    };
    let sections = module.sections();
    for section in &sections {
        // What a section of an unknown version holds is left alone.
        let _ = module.section(section);
        module.references.clear();
    }
    Some(builder.finish())
}

impl Module<'_, '_> {
    fn sections(&mut self) -> Vec<Section> {
        let mut reader = Reader::new(self.to.text(), MAGIC.len(), usize::MAX);
        let group = self.to.group(0);
        let mut sections = Vec::new();
        while self.to.has_room() {
            let start = reader.at;
            let (Some(id), Some(size)) = (reader.byte(), reader.leb128()) else {
                break;
            };
            let Some(content) = reader.part(size.value) else {
                break;
            };
            self.to.part(group, start, reader.at);
            self.to.length(size, content.at, content.end);
            sections.push(Section {
                id,
                whole: (start as u32, reader.at as u32),
                content: (content.at as u32, content.end as u32),
            });
        }
        sections
    }

    fn section(&mut self, section: &Section) -> Option<()> {
        let (start, end) = section.content;
        let mut reader = Reader::new(self.to.text(), start as usize, end as usize);
        let spaces = &self.spaces;
        let (types, globals, elements) = (spaces.types, spaces.globals, spaces.elements);
        let (tables, memories, data) = (spaces.tables, spaces.memories, spaces.data);
        let reader = &mut reader;
        match section.id {
            0 => self.custom(reader)?,
            1 => drop(self.entries(reader, Some(types), Self::function_type)?),
            2 => drop(self.entries(reader, None, Self::import)?),
            3 => self.declarations(reader)?,
            4 => drop(self.entries(reader, Some(tables), |_, reader| {
                skip_table_type(reader).map(|()| None)
            })?),
            5 => drop(self.entries(reader, Some(memories), |_, reader| {
                skip_limits(reader).map(|()| None)
            })?),
            6 => drop(self.entries(reader, Some(globals), Self::global)?),
            7 => drop(self.entries(reader, None, Self::export)?),
            8 => {
                self.reference(reader, self.spaces.functions)?;
                self.name_all(Orphan::Cut(section.whole));
            }
            9 => drop(self.entries(reader, Some(elements), Self::element)?),
            10 => self.functions(reader)?,
            11 => {
                let group = self.entries(reader, Some(data), Self::data)?;
                for count in core::mem::take(&mut self.data_counts) {
                    self.to.count(count, group);
                }
            }
            12 => self.data_counts.push(reader.leb128()?),
            _ => self.to.payload(reader.at, reader.end),
        }
        Some(())
    }

    fn custom(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        self.name(reader)?;
        self.to.payload(reader.at, reader.end);
        Some(())
    }

    /// A name: any of its bytes may go.
    fn name(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let len = reader.leb128()?;
        let name = reader.part(len.value)?;
        self.to.length(len, name.at, name.end);
        self.to.payload(name.at, name.end);
        Some(())
    }

    /// A vector of entries, each read by `entry`, that are members of `space`.
    fn entries(
        &mut self,
        reader: &mut Reader<'_>,
        space: Option<u32>,
        entry: impl Fn(&mut Self, &mut Reader<'_>) -> Option<Option<u32>>,
    ) -> Option<u32> {
        let count = reader.leb128()?;
        let group = self.to.group(1);
        self.to.count(count, group);
        for _ in 0..count.value {
            if !self.to.has_room() {
                return None;
            }
            let start = reader.at;
            let own_space = entry(self, reader)?;
            let whole = (start as u32, reader.at as u32);
            self.to.part(group, start, reader.at);
            if let Some(space) = own_space.or(space) {
                self.to.member(space, whole);
            }
            self.name_all(Orphan::Cut(whole));
        }
        Some(group)
    }

    /// Says what becomes of the references that were met when what they name goes.
    fn name_all(&mut self, orphan: Orphan) {
        for (number, space) in core::mem::take(&mut self.references) {
            self.to.index(number, space, orphan);
        }
    }

    /// A number of something in a space.
    fn reference(&mut self, reader: &mut Reader<'_>, space: u32) -> Option<()> {
        self.references.push((reader.leb128()?, space));
        Some(())
    }

    /// A vector of single bytes.
    fn bytes(&mut self, reader: &mut Reader<'_>, level: u32) -> Option<()> {
        let count = reader.leb128()?;
        let group = self.to.group(level);
        let part = reader.part(count.value)?;
        self.to.count(count, group);
        (part.at..part.end).for_each(|at| self.to.part(group, at, at + 1));
        Some(())
    }

    fn function_type(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        reader.expect(&[0x60])?;
        self.bytes(reader, 2)?;
        self.bytes(reader, 2)?;
        Some(None)
    }

    fn import(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        self.name(reader)?;
        self.name(reader)?;
        let space = match reader.byte()? {
            0 => {
                self.reference(reader, self.spaces.types)?;
                self.spaces.functions
            }
            1 => {
                skip_table_type(reader)?;
                self.spaces.tables
            }
            2 => {
                skip_limits(reader)?;
                self.spaces.memories
            }
            3 => {
                reader.take(2)?;
                self.spaces.globals
            }
            _ => return None,
        };
        Some(Some(space))
    }

    fn global(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        reader.take(2)?;
        self.constant(reader)?;
        Some(None)
    }

    fn export(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        self.name(reader)?;
        let space = match reader.byte()? {
            0 => self.spaces.functions,
            1 => self.spaces.tables,
            2 => self.spaces.memories,
            3 => self.spaces.globals,
            _ => return None,
        };
        self.reference(reader, space)?;
        Some(None)
    }

    fn element(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        let kind = reader.byte()?;
        let (is_passive, has_kind, is_by_expression) =
            (kind & 1 != 0, kind & 3 != 0, kind & 4 != 0);
        if kind > 7 {
            return None;
        }
        if !is_passive {
            if kind & 2 != 0 {
                self.reference(reader, self.spaces.tables)?;
            }
            self.constant(reader)?;
        }
        if has_kind {
            reader.byte()?;
        }
        // What refers to a missing function goes alone, not the whole segment.
        let outer = core::mem::take(&mut self.references);
        let functions = self.spaces.functions;
        self.entries(reader, None, |module, reader| {
            if is_by_expression {
                module.constant(reader)?;
            } else {
                module.reference(reader, functions)?;
            }
            Some(None)
        })?;
        self.references = outer;
        Some(None)
    }

    fn data(&mut self, reader: &mut Reader<'_>) -> Option<Option<u32>> {
        let kind = reader.byte()?;
        if kind > 2 {
            return None;
        }
        if kind == 2 {
            self.reference(reader, self.spaces.memories)?;
        }
        if kind != 1 {
            self.constant(reader)?;
        }
        self.name(reader)?;
        Some(None)
    }

    /// The functions' types.
    fn declarations(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let count = reader.leb128()?;
        self.function_counts.push(count);
        while !reader.is_at_end() && self.to.has_room() {
            self.declared.push(reader.leb128()?);
        }
        Some(())
    }

    fn functions(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let functions = Some(self.spaces.functions);
        let mut declared = core::mem::take(&mut self.declared).into_iter();
        let declared = core::cell::RefCell::new(&mut declared);
        let group = self.entries(reader, functions, |module, reader| {
            let start = reader.at;
            let size = reader.leb128()?;
            let body = reader.part(size.value)?;
            module.to.length(size, body.at, body.end);
            let whole = (start as u32, reader.at as u32);
            if let Some(number) = declared.borrow_mut().next() {
                let declaration = (number.start as u32, number.end as u32);
                module.to.tie(vec![declaration, whole]);
                let orphan = Orphan::Cut(whole);
                module.to.index(number, module.spaces.types, orphan);
            }
            // What is no known instruction is left alone.
            let mut body = body;
            let _ = module.body(&mut body);
            Some(None)
        })?;
        for count in core::mem::take(&mut self.function_counts) {
            self.to.count(count, group);
        }
        Some(())
    }

    fn body(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        self.entries(reader, None, |_, reader| {
            reader.leb128()?;
            reader.byte()?;
            Some(None)
        })?;
        let start = reader.at;
        let is_known = self.instructions(reader, 3).is_some() && reader.is_at_end();
        let code = (start as u32, (reader.end as u32).saturating_sub(1));
        if !is_known {
            self.references.clear();
        }
        self.name_all(Orphan::Stub(code, UNREACHABLE));
        Some(())
    }

    /// An expression that has one value.
    fn constant(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        self.instructions(reader, 3)
    }
}

fn skip_limits(reader: &mut Reader<'_>) -> Option<()> {
    let has_max = reader.byte()? & 1 != 0;
    reader.leb128()?;
    if has_max {
        reader.leb128()?;
    }
    Some(())
}

fn skip_table_type(reader: &mut Reader<'_>) -> Option<()> {
    reader.byte()?;
    skip_limits(reader)
}
