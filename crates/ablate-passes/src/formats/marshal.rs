//! Python's compiled modules, and code that its `marshal` has written: a code object with its constants, names
//! and the code objects in it, from Python 3.4 on. What is shared is counted from the front, and `None` stands
//! for what was shared and is gone.

use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range, Reader};

/// Values that are nested deeper are not looked into, and neither is the file.
const DEPTH_MAX: u32 = 200;
/// The bit that says that a value is shared.
const SHARED: u8 = 0x80;
/// What stands for a code object.
const CODE: u8 = b'c';
/// `None`.
const NONE: &[u8] = b"N";

/// What a code object consists of: so many numbers, so many values, a number, and so many values more.
struct Layout {
    numbers: u64,
    values: u32,
    more: u32,
}

/// Those of Python 3.11 and later, 3.8 and later, and earlier.
const LAYOUTS: [Layout; 3] = [
    Layout {
        numbers: 5,
        values: 8,
        more: 2,
    },
    Layout {
        numbers: 6,
        values: 8,
        more: 1,
    },
    Layout {
        numbers: 5,
        values: 8,
        more: 1,
    },
];

/// How long what stands before the code in a module may be.
const HEADERS: [usize; 2] = [16, 12];

/// The parts of a compiled module, or of code by itself; `None` for what is neither.
pub fn container(text: &[u8]) -> Option<Container> {
    let is_module = text.get(2..4) == Some(b"\r\n");
    let headers: &[usize] = if is_module { &HEADERS } else { &[0] };
    let starts = headers.iter().filter(|start| {
        let first = text.get(**start);
        first.is_some_and(|first| first & !SHARED == CODE)
    });
    let mut both = starts.flat_map(|start| LAYOUTS.iter().map(move |layout| (*start, layout)));
    both.find_map(|(start, layout)| read(text, start, layout))
}

fn read(text: &[u8], start: usize, layout: &Layout) -> Option<Container> {
    let mut file = File {
        builder: Builder::new(text)?,
        layout,
        shared: Vec::new(),
        fetched: Vec::new(),
    };
    let mut reader = Reader::new(text, start, text.len());
    file.value(&mut reader, 0)?;
    if !reader.is_at_end() {
        return None;
    }
    let space = file.builder.space();
    for range in file.shared {
        file.builder.member(space, range);
    }
    for (range, number) in file.fetched {
        let orphan = Orphan::Stub(range, NONE);
        file.builder.index(number, space, orphan);
    }
    Some(file.builder.finish())
}

struct File<'a> {
    builder: Builder<'a>,
    layout: &'a Layout,
    /// What is shared, by number.
    shared: Vec<Range>,
    /// Where it is fetched, and the number of it.
    fetched: Vec<(Range, Number)>,
}

impl File<'_> {
    /// Reads a value; whether there is one: zero ends a dictionary.
    fn value(&mut self, reader: &mut Reader<'_>, depth: u32) -> Option<bool> {
        if depth > DEPTH_MAX || !self.builder.has_room() {
            return None;
        }
        let start = reader.at;
        let head = reader.byte()?;
        let shared = (head & SHARED != 0).then(|| {
            self.shared.push((0, 0));
            self.shared.len() - 1
        });
        match head & !SHARED {
            b'0' => return Some(false),
            b'N' | b'F' | b'T' | b'S' | b'.' => {}
            b'i' => drop(reader.take(4)?),
            b'g' | b'I' => drop(reader.take(8)?),
            b'y' => drop(reader.take(16)?),
            b'f' => self.bytes(reader, 1)?,
            b'z' | b'Z' => self.bytes(reader, 1)?,
            b's' | b'u' | b't' | b'a' | b'A' => self.bytes(reader, 4)?,
            b'l' => {
                let digits = reader.number(4, Encoding::Little)?.value as u32 as i32;
                reader.take(u64::from(digits.unsigned_abs()) * 2)?;
            }
            b')' => self.items(reader, 1, depth)?,
            b'(' | b'[' | b'<' | b'>' => self.items(reader, 4, depth)?,
            b'{' => {
                let group = self.builder.group(depth);
                loop {
                    let start = reader.at;
                    if !self.value(reader, depth + 1)? {
                        break;
                    }
                    self.value(reader, depth + 1)?.then_some(())?;
                    self.builder.part(group, start, reader.at);
                }
            }
            b'r' => {
                let number = reader.number(4, Encoding::Little)?;
                let range = (start as u32, reader.at as u32);
                self.fetched.push((range, number));
            }
            CODE => {
                let layout = self.layout;
                reader.take(layout.numbers * 4)?;
                self.values(reader, layout.values, depth)?;
                reader.take(4)?;
                self.values(reader, layout.more, depth)?;
            }
            _ => return None,
        }
        let range = (start as u32, reader.at as u32);
        if let Some(shared) = shared {
            self.shared[shared] = range;
        }
        self.builder.value(start, reader.at);
        Some(true)
    }

    fn values(&mut self, reader: &mut Reader<'_>, count: u32, depth: u32) -> Option<()> {
        (0..count).try_for_each(|_| self.value(reader, depth + 1)?.then_some(()))
    }

    fn items(&mut self, reader: &mut Reader<'_>, width: usize, depth: u32) -> Option<()> {
        let count = reader.number(width, Encoding::Little)?;
        let group = self.builder.group(depth);
        for _ in 0..count.value {
            let start = reader.at;
            self.value(reader, depth + 1)?.then_some(())?;
            self.builder.part(group, start, reader.at);
        }
        self.builder.count(count, group);
        Some(())
    }

    fn bytes(&mut self, reader: &mut Reader<'_>, width: usize) -> Option<()> {
        let len = reader.number(width, Encoding::Little)?;
        let content = reader.part(len.value)?;
        self.builder.length(len, content.at, content.end);
        self.builder.payload(content.at, content.end);
        Some(())
    }
}
