//! Pickles, what Python's objects are stored as, from protocol 2 on: instructions for a machine with a stack, so
//! that a value is the range of the instructions that make it. What is remembered is counted from the front. Where it
//! is gone, the first that fetched it makes it from then on, if one instruction is enough for that; else `None` stands
//! for it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::formats::container::{
    Builder, Container, Defined, Encoding, Number, Orphan, Range, Reader,
};

/// The first and the last protocol that are read.
const PROTOCOLS: core::ops::RangeInclusive<u8> = 2..=5;
/// The instruction that ends a pickle.
const STOP: u8 = b'.';
/// The instruction for `None`.
const NONE: &[u8] = b"N";

/// The parts of one pickle or more; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut builder = Builder::new(text)?;
    let mut reader = Reader::new(text, 0, text.len());
    let whole = builder.group(0);
    while !reader.is_at_end() {
        let start = reader.at;
        reader.expect(&[0x80])?;
        PROTOCOLS.contains(&reader.byte()?).then_some(())?;
        let space = builder.space();
        let mut machine = Machine {
            builder: &mut builder,
            stack: Vec::new(),
            space,
            remembered: 0,
            values: Vec::new(),
            plain: Vec::new(),
            gets: Vec::new(),
            puts: Vec::new(),
            is_counted: true,
        };
        while machine.step(&mut reader)? != STOP {
            machine.builder.has_room().then_some(())?;
        }
        machine.finish()?;
        builder.part(whole, start, reader.at);
    }
    (builder.parts_in(whole) > 0).then(|| builder.finish())
}

/// What is on the stack: a value with where it is made, or a mark.
#[derive(Clone, Copy)]
struct Item {
    start: usize,
    end: usize,
    is_mark: bool,
    /// Whether one instruction made it, which fetched nothing.
    is_plain: bool,
}

struct Machine<'a, 'b> {
    builder: &'b mut Builder<'a>,
    stack: Vec<Item>,
    /// What is remembered.
    space: u32,
    remembered: u64,
    /// What has been taken from the stack.
    values: Vec<Item>,
    /// The number of what is remembered without saying so and could be made elsewhere, and what makes it.
    plain: Vec<(u32, Range)>,
    /// Where something is fetched, and the number of it.
    gets: Vec<(Range, Number)>,
    /// The numbers of what is remembered, where they are written.
    puts: Vec<Number>,
    /// Whether these are the numbers that come from counting.
    is_counted: bool,
}

/// What an instruction does to the stack.
enum Effect {
    Nothing,
    /// It puts a mark there.
    Mark,
    /// It takes so many values and puts one there.
    Makes(usize),
    /// It takes what is above the last mark and puts one there, made of items of so many values.
    MakesOfMarked(usize),
    /// It takes so many values and changes the one below.
    Adds(usize),
    /// It takes what is above the last mark, items of so many values, and changes the one below.
    AddsMarked(usize),
    /// It remembers the topmost value.
    Remembers,
    /// It drops the topmost thing.
    Drops,
}

impl Machine<'_, '_> {
    /// Reads an instruction, and says which it was.
    fn step(&mut self, reader: &mut Reader<'_>) -> Option<u8> {
        use Effect::{Adds, AddsMarked, Drops, Makes, MakesOfMarked, Mark, Nothing, Remembers};
        let start = reader.at;
        let code = reader.byte()?;
        let effect = match code {
            b'(' => Mark,
            STOP => Nothing,
            b'0' => Drops,
            b'N' | b']' | b'}' | b')' | 0x88 | 0x89 | 0x8f | 0x97 => Makes(0),
            b'I' | b'F' | b'L' | b'S' | b'P' | b'V' => {
                line(reader)?;
                Makes(0)
            }
            b'c' => {
                line(reader)?;
                line(reader)?;
                Makes(0)
            }
            b'K' | 0x82 => taken(reader, 1)?,
            b'M' | 0x83 => taken(reader, 2)?,
            b'J' | 0x84 => taken(reader, 4)?,
            b'G' => taken(reader, 8)?,
            b'U' | b'C' | 0x8a | 0x8c => self.bytes(reader, 1)?,
            b'T' | b'X' | b'B' | 0x8b => self.bytes(reader, 4)?,
            0x8d | 0x8e | 0x96 => self.bytes(reader, 8)?,
            b'Q' | 0x85 | 0x98 => Makes(1),
            b'R' | 0x81 | 0x86 | 0x93 => Makes(2),
            0x87 | 0x92 => Makes(3),
            b't' | b'l' | b'o' | 0x91 => MakesOfMarked(1),
            b'd' => MakesOfMarked(2),
            b'i' => {
                line(reader)?;
                line(reader)?;
                MakesOfMarked(1)
            }
            b'a' | b'b' => Adds(1),
            b's' => Adds(2),
            b'e' | 0x90 => AddsMarked(1),
            b'u' => AddsMarked(2),
            b'h' => self.fetched(start, reader.number(1, Encoding::Little)?, reader),
            b'j' => self.fetched(start, reader.number(4, Encoding::Little)?, reader),
            b'g' => self.fetched(start, line(reader)?, reader),
            b'q' => self.put(reader.number(1, Encoding::Little)?),
            b'r' => self.put(reader.number(4, Encoding::Little)?),
            b'p' => self.put(line(reader)?),
            0x94 => Remembers,
            0x95 => {
                let len = reader.number(8, Encoding::Little)?;
                let end = usize::try_from(len.value).ok()?.checked_add(reader.at)?;
                if end <= self.builder.text().len() {
                    self.builder.length(len, reader.at, end);
                }
                self.lone_part(start, reader.at);
                Nothing
            }
            _ => return None,
        };
        self.run(&effect, start, reader.at)?;
        if let Some(top) = self.stack.last_mut() {
            top.is_plain &= !matches!(code, b'h' | b'j' | b'g');
        }
        Some(code)
    }

    fn run(&mut self, effect: &Effect, start: usize, end: usize) -> Option<()> {
        match *effect {
            Effect::Nothing => {}
            Effect::Mark => self.stack.push(Item {
                start,
                end,
                is_mark: true,
                is_plain: false,
            }),
            Effect::Drops => drop(self.stack.pop()?),
            Effect::Makes(count) => {
                let taken = self.values(count)?;
                let start = taken.first().map_or(start, |first| first.start);
                self.push(start, end, count == 0);
            }
            Effect::MakesOfMarked(of_item) => {
                let mark = self.marked(of_item)?;
                self.push(mark.start, end, false);
            }
            Effect::Adds(count) => {
                let first = *self.values(count)?.first()?;
                self.lone_part(first.start, end);
                self.changed(end)?;
            }
            Effect::AddsMarked(of_item) => {
                let mark = self.marked(of_item)?;
                self.lone_part(mark.start, end);
                self.changed(end)?;
            }
            Effect::Remembers => {
                self.builder.member(self.space, (start as u32, end as u32));
                let top = self.stack.last()?;
                if top.is_plain && top.end == start && self.puts.is_empty() {
                    let made = (top.start as u32, end as u32);
                    self.plain.push((self.remembered as u32, made));
                }
                self.remembered += 1;
                self.lone_part(start, end);
                self.changed(end)?;
            }
        }
        Some(())
    }

    /// Reads bytes behind a length of some bytes.
    fn bytes(&mut self, reader: &mut Reader<'_>, width: usize) -> Option<Effect> {
        let len = reader.number(width, Encoding::Little)?;
        let content = reader.part(len.value)?;
        self.builder.length(len, content.at, content.end);
        self.builder.payload(content.at, content.end);
        Some(Effect::Makes(0))
    }

    fn fetched(&mut self, start: usize, number: Number, reader: &Reader<'_>) -> Effect {
        self.gets.push(((start as u32, reader.at as u32), number));
        Effect::Makes(0)
    }

    fn put(&mut self, number: Number) -> Effect {
        self.is_counted &= number.value == self.remembered;
        self.puts.push(number);
        Effect::Remembers
    }

    /// Takes so many values from the stack.
    fn values(&mut self, count: usize) -> Option<Vec<Item>> {
        let taken = self.stack.split_off(self.stack.len().checked_sub(count)?);
        for item in &taken {
            if item.is_mark {
                return None;
            }
            self.values.push(*item);
        }
        Some(taken)
    }

    /// Takes what is above the last mark, and the mark.
    fn marked(&mut self, of_item: usize) -> Option<Item> {
        let place = self.stack.iter().rposition(|item| item.is_mark)?;
        let values = self.values(self.stack.len() - place - 1)?;
        let mark = self.stack.pop()?;
        let group = self.builder.group(self.stack.len() as u32 + 1);
        for item in values.chunks(of_item) {
            let (first, last) = (item.first()?, item.last()?);
            self.builder.part(group, first.start, last.end);
        }
        values.len().is_multiple_of(of_item).then_some(mark)
    }

    fn push(&mut self, start: usize, end: usize, is_plain: bool) {
        self.stack.push(Item {
            start,
            end,
            is_mark: false,
            is_plain,
        });
    }

    /// The topmost value goes on until `end`.
    fn changed(&mut self, end: usize) -> Option<()> {
        let top = self.stack.last_mut().filter(|top| !top.is_mark)?;
        top.end = end;
        Some(())
    }

    /// Something that can go by itself.
    fn lone_part(&mut self, start: usize, end: usize) {
        let group = self.builder.group(self.stack.len() as u32 + 1);
        self.builder.part(group, start, end);
    }

    /// Says how what is remembered is counted.
    fn finish(mut self) -> Option<()> {
        let [_] = self.values(1)?[..] else {
            return None;
        };
        // The inner ones first.
        self.values
            .sort_unstable_by_key(|item| (item.end, Reverse(item.start)));
        for item in self.values {
            self.builder.value(item.start, item.end);
        }
        // Where the numbers don't come from counting, they stay as they are.
        if self.is_counted {
            for number in self.puts {
                self.builder.index(number, self.space, Orphan::Refuse);
            }
            let mut uses: BTreeMap<u64, Vec<Range>> = BTreeMap::new();
            for (range, number) in self.gets {
                uses.entry(number.value).or_default().push(range);
                let orphan = Orphan::Stub(range, NONE);
                self.builder.index(number, self.space, orphan);
            }
            for (member, definition) in self.plain {
                self.builder.defined(Defined {
                    space: self.space,
                    member,
                    definition,
                    uses: uses.remove(&member.into()).unwrap_or_default(),
                });
            }
        }
        self.stack.is_empty().then_some(())
    }
}

fn taken(reader: &mut Reader<'_>, len: u64) -> Option<Effect> {
    reader.take(len)?;
    Some(Effect::Makes(0))
}

/// Reads a line, which may be a number.
fn line(reader: &mut Reader<'_>) -> Option<Number> {
    let start = reader.at;
    let len = reader.rest().iter().position(|&byte| byte == b'\n')?;
    let digits = reader.take(len as u64)?;
    reader.byte()?;
    Some(Number {
        start,
        end: start + len,
        encoding: Encoding::Decimal,
        value: Encoding::Decimal.read(digits).unwrap_or(u64::MAX),
    })
}
