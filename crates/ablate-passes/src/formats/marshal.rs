//! Python's compiled modules, and code that its `marshal` has written: a code object with its constants, names
//! and the code objects in it, of Python 2.7 and from 3.4 on. What is shared is counted from the front. Where it is
//! gone, the first that used it takes its place, if nothing is in it; else `None` stands for it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::formats::container::{
    Builder, Container, Defined, Encoding, Number, Orphan, Range, Reader,
};

/// Values that are nested deeper are not looked into, and neither is the file.
const DEPTH_MAX: u32 = 200;
/// The bit that says that a value is shared.
const SHARED: u8 = 0x80;
/// What stands for a code object.
const CODE: u8 = b'c';
/// What strings, bytes and numbers begin with.
const LEAVES: &[u8] = b"sutaAzZilIgfy";
/// `None`.
const NONE: &[u8] = b"N";

/// How many values follow on the first numbers of a code object.
const VALUES: u32 = 8;

/// What a code object consists of: so many numbers, eight values, a number, and so many values more.
struct Layout {
    numbers: u64,
    more: u32,
    /// Whether names are shared, and nothing else: they have no bit that says so.
    shares_names: bool,
}

/// Those of Python 3.11 and later, 3.8 and later, 3.4 and later, and 2.7.
const LAYOUTS: [Layout; 4] = [
    Layout {
        numbers: 5,
        more: 2,
        shares_names: false,
    },
    Layout {
        numbers: 6,
        more: 1,
        shares_names: false,
    },
    Layout {
        numbers: 5,
        more: 1,
        shares_names: false,
    },
    Layout {
        numbers: 4,
        more: 1,
        shares_names: true,
    },
];

/// How long what stands before the code in a module may be.
const HEADERS: [usize; 3] = [16, 12, 8];

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
        groups: BTreeMap::new(),
        shared: Vec::new(),
        fetched: Vec::new(),
    };
    let mut reader = Reader::new(text, start, text.len());
    file.value(&mut reader, 0)?;
    if !reader.is_at_end() {
        return None;
    }
    let space = file.builder.space();
    let mut uses: Vec<Vec<Range>> = alloc::vec![Vec::new(); file.shared.len()];
    for (range, number) in &file.fetched {
        let of_it = usize::try_from(number.value).ok();
        if let Some(uses) = of_it.and_then(|shared| uses.get_mut(shared)) {
            uses.push(*range);
        }
    }
    for ((member, range), uses) in (0..).zip(file.shared).zip(uses) {
        file.builder.member(space, range);
        // What has nothing in it may stand wherever it is used.
        if LEAVES.contains(&(text[range.0 as usize] & !SHARED)) {
            file.builder.defined(Defined {
                space,
                member,
                definition: range,
                uses,
            });
        }
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
    /// The groups of what is in others, by where these start.
    groups: BTreeMap<usize, u32>,
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
        let is_shared = match self.layout.shares_names {
            true => head == b't',
            false => head & SHARED != 0,
        };
        let shared = is_shared.then(|| {
            self.shared.push((0, 0));
            self.shared.len() - 1
        });
        match head & !SHARED {
            b'0' => return Some(false),
            b'N' | b'F' | b'T' | b'S' | b'.' => {}
            b'i' => drop(reader.take(4)?),
            b'g' | b'I' => drop(reader.take(8)?),
            b'y' => drop(reader.take(16)?),
            b'f' | b'z' | b'Z' => self.bytes(reader, 1)?,
            b's' | b'u' | b't' | b'a' | b'A' => self.bytes(reader, 4)?,
            b'l' => {
                let digits = reader.number(4, Encoding::Little)?.value as u32 as i32;
                reader.take(u64::from(digits.unsigned_abs()) * 2)?;
            }
            b')' => self.items(reader, start, 1, depth)?,
            b'(' | b'[' | b'<' | b'>' => self.items(reader, start, 4, depth)?,
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
            b'r' | b'R' => {
                let number = reader.number(4, Encoding::Little)?;
                let range = (start as u32, reader.at as u32);
                self.fetched.push((range, number));
            }
            CODE => {
                let layout = self.layout;
                reader.take(layout.numbers * 4)?;
                let values = self.values(reader, VALUES, depth)?;
                reader.take(4)?;
                self.values(reader, layout.more, depth)?;
                if layout.more == 2 {
                    self.say_kinds(values[3], values[4]);
                }
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

    /// Reads so many values: where each of them starts.
    fn values(&mut self, reader: &mut Reader<'_>, count: u32, depth: u32) -> Option<Vec<usize>> {
        let value = |_| {
            let start = reader.at;
            self.value(reader, depth + 1)?.then_some(start)
        };
        (0..count).map(value).collect()
    }

    /// Says that each local name goes with the byte that says its kind.
    fn say_kinds(&mut self, names: usize, kinds: usize) {
        let text = self.builder.text();
        let names = self
            .groups
            .get(&names)
            .map(|group| self.builder.parts_of(*group));
        let len = self.builder.number(kinds + 1, 4, Encoding::Little);
        let (Some(names), Some(len)) = (names, len) else {
            return;
        };
        if text[kinds] & !SHARED == b's' && len.value == names.len() as u64 {
            for (name, kind) in names.into_iter().zip(len.end as u32..) {
                self.builder.follow(name, [(kind, kind + 1)].into());
            }
        }
    }

    fn items(
        &mut self,
        reader: &mut Reader<'_>,
        whole: usize,
        width: usize,
        depth: u32,
    ) -> Option<()> {
        let count = reader.number(width, Encoding::Little)?;
        let group = self.builder.group(depth);
        for _ in 0..count.value {
            let start = reader.at;
            self.value(reader, depth + 1)?.then_some(())?;
            self.builder.part(group, start, reader.at);
        }
        self.builder.count(count, group);
        self.groups.insert(whole, group);
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
