//! Class files of Java: constants that everything names by their numbers, fields, methods, their
//! attributes, and the instructions in these.
//!
//! Where an attribute is not known constants stay, as it might name them.

use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Reader};

const MAGIC: &[u8] = b"\xca\xfe\xba\xbe";
/// Other formats begin in the same way, but go on with a small number.
const VERSION_MIN: u64 = 45;
/// Attributes in attributes are not looked into any deeper.
const DEPTH_MAX: u32 = 4;
/// How wide the number of rows is that each attribute has, if it has any number of them, and what is in a
/// row: `i` the number of a constant, `p` a position in the code, `l` how many bytes of it, `n` others.
const TABLES: &[(&[u8], usize, &[u8])] = &[
    (b"ConstantValue", 0, b"i"),
    (b"Deprecated", 0, b""),
    (b"EnclosingMethod", 0, b"ii"),
    (b"Exceptions", 2, b"i"),
    (b"InnerClasses", 2, b"iiin"),
    (b"LineNumberTable", 2, b"pn"),
    (b"LocalVariableTable", 2, b"pliin"),
    (b"LocalVariableTypeTable", 2, b"pliin"),
    (b"MethodParameters", 1, b"in"),
    (b"NestHost", 0, b"i"),
    (b"NestMembers", 2, b"i"),
    (b"PermittedSubclasses", 2, b"i"),
    (b"Signature", 0, b"i"),
    (b"SourceFile", 0, b"i"),
    (b"Synthetic", 0, b""),
];
/// What is in a row of the table of exceptions.
const HANDLERS: &[u8] = b"pppi";

struct Class<'a, 'b> {
    to: &'b mut Builder<'a>,
    reader: Reader<'a>,
    space: u32,
    constants: Vec<Constant>,
    /// The constants that something else names.
    roots: Vec<usize>,
    /// Whether all that names constants is known.
    is_known: bool,
}

#[derive(Clone, Copy, Default)]
struct Constant {
    start: usize,
    end: usize,
    /// What is in it, if that is a text.
    text: Option<(usize, usize)>,
    /// The constants that it names.
    named: [usize; 2],
}

/// The parts of a class file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut reader = Reader::new(text, 0, text.len());
    reader.expect(MAGIC)?;
    reader.take(2)?;
    let version = reader.number(2, Encoding::Big)?.value;
    if version < VERSION_MIN {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let space = builder.space();
    let mut class = Class {
        to: &mut builder,
        reader,
        space,
        constants: Vec::new(),
        roots: Vec::new(),
        is_known: true,
    };
    class.constants()?;
    class.reader.take(2)?;
    class.indices(2)?;
    class.rows(2, b"i", 0, 0)?;
    class.members()?;
    class.members()?;
    class.attributes(0, 0)?;
    if !class.reader.is_at_end() {
        return None;
    }
    class.unneeded();
    Some(builder.finish())
}

impl Class<'_, '_> {
    fn number(&mut self, width: usize) -> Option<Number> {
        self.reader.number(width, Encoding::Big)
    }

    /// Reads the numbers of constants that stay as long as these do.
    fn indices(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            let number = self.number(2)?;
            self.index(number);
        }
        Some(())
    }

    fn index(&mut self, number: Number) {
        let member = number.value as usize;
        if (1..self.constants.len()).contains(&member) {
            self.to.index(number, self.space, Orphan::Refuse);
            self.roots.push(member);
        }
    }

    /// The constants are numbered from one, and some take two numbers.
    fn constants(&mut self) -> Option<()> {
        let count = self.number(2)?;
        self.constants.push(Constant::default());
        while (self.constants.len() as u64) < count.value {
            let constant = self.constant()?;
            let numbers = match self.to.text()[constant.start] {
                5 | 6 => 2,
                _ => 1,
            };
            self.constants.extend(vec![constant; numbers]);
        }
        if self.constants.len() as u64 != count.value.max(1) {
            return None;
        }
        // What stands before the first one, and behind the last one, always stays.
        let stays = (0, MAGIC.len() as u32);
        self.to.member(self.space, stays);
        for constant in self.constants.iter().skip(1) {
            self.to
                .member(self.space, (constant.start as u32, constant.end as u32));
        }
        self.to.member(self.space, stays);
        self.to.index(count, self.space, Orphan::Refuse);
        Some(())
    }

    fn constant(&mut self) -> Option<Constant> {
        let start = self.reader.at;
        let kind = self.reader.byte()?;
        let (mut text, mut named) = (None, [0; 2]);
        let names = match kind {
            1 => {
                let len = self.number(2)?;
                let content = self.reader.part(len.value)?;
                self.to.length(len, content.at, content.end);
                self.to.payload(content.at, content.end);
                text = Some((content.at, content.end));
                0
            }
            3 | 4 => self.reader.take(4).map(|_| 0)?,
            5 | 6 => self.reader.take(8).map(|_| 0)?,
            7 | 8 | 16 | 19 | 20 => 1,
            9..=12 => 2,
            15 => self.reader.take(1).map(|_| 1)?,
            17 | 18 => self.reader.take(2).map(|_| 1)?,
            _ => return None,
        };
        let mut numbers = Vec::new();
        for named in named.iter_mut().take(names) {
            let number = self.number(2)?;
            *named = number.value as usize;
            numbers.push(number);
        }
        let end = self.reader.at;
        for number in numbers {
            let orphan = Orphan::Cut((start as u32, end as u32));
            self.to.index(number, self.space, orphan);
        }
        Some(Constant {
            start,
            end,
            text,
            named,
        })
    }

    /// Fields or methods.
    fn members(&mut self) -> Option<()> {
        let count = self.number(2)?;
        let group = self.to.group(0);
        for _ in 0..count.value {
            let start = self.reader.at;
            self.reader.take(2)?;
            self.indices(2)?;
            self.attributes(1, 0)?;
            self.to.part(group, start, self.reader.at);
        }
        self.to.count(count, group);
        Some(())
    }

    fn attributes(&mut self, level: u32, code: usize) -> Option<()> {
        let count = self.number(2)?;
        let group = self.to.group(level);
        for _ in 0..count.value {
            let start = self.reader.at;
            let name = self.number(2)?;
            self.index(name);
            let len = self.number(4)?;
            let content = self.reader.part(len.value)?;
            self.to.length(len, content.at, content.end);
            self.to.part(group, start, content.end);
            let behind = core::mem::replace(&mut self.reader, content);
            let read = self.attribute(name.value as usize, level, code);
            self.is_known &= read.is_some() && self.reader.is_at_end();
            self.reader = behind;
        }
        self.to.count(count, group);
        Some(())
    }

    /// Reads what is in an attribute; `None` if it is not known, or can't be read.
    fn attribute(&mut self, name: usize, level: u32, code: usize) -> Option<()> {
        let (start, end) = self.constants.get(name)?.text?;
        let name = &self.to.text()[start..end];
        match name {
            b"Code" if level < DEPTH_MAX => self.code(level),
            b"StackMapTable" => self.frames(),
            b"BootstrapMethods" => {
                for _ in 0..self.number(2)?.value {
                    self.indices(1)?;
                    let count = self.number(2)?.value;
                    self.indices(count as usize)?;
                }
                Some(())
            }
            _ => {
                let (_, width, row) = TABLES.iter().find(|(known, ..)| *known == name)?;
                self.rows(*width, row, level + 1, code)
            }
        }
    }

    /// Reads rows, as many as a number of this width says, or one.
    fn rows(&mut self, width: usize, row: &[u8], level: u32, code: usize) -> Option<()> {
        let count = match width {
            0 => None,
            _ => Some(self.number(width)?),
        };
        let group = self.to.group(level);
        for _ in 0..count.map_or(1, |count| count.value) {
            let (start, mut place) = (self.reader.at, code);
            for column in row {
                let number = self.number(2)?;
                match column {
                    b'i' => self.index(number),
                    b'p' => {
                        place = code + number.value as usize;
                        self.to.offset(number, code, place);
                    }
                    b'l' => self.to.length(number, place, place + number.value as usize),
                    _ => {}
                }
            }
            if count.is_some() {
                self.to.part(group, start, self.reader.at);
            }
        }
        if let Some(count) = count {
            self.to.count(count, group);
        }
        Some(())
    }

    fn code(&mut self, level: u32) -> Option<()> {
        self.reader.take(4)?;
        let len = self.number(4)?;
        let code = self.reader.part(len.value)?;
        self.to.length(len, code.at, code.end);
        let (start, behind) = (code.at, core::mem::replace(&mut self.reader, code));
        let group = self.to.group(level + 2);
        while !self.reader.is_at_end() {
            let at = self.reader.at;
            self.instruction(start)?;
            self.to.part(group, at, self.reader.at);
        }
        self.reader = behind;
        self.rows(2, HANDLERS, level + 1, start)?;
        self.attributes(level + 1, start)
    }

    /// Reads an instruction of a code that starts at `code`.
    fn instruction(&mut self, code: usize) -> Option<()> {
        let at = self.reader.at;
        let rest = match self.reader.byte()? {
            0x12 => {
                let number = self.number(1)?;
                self.index(number);
                0
            }
            0x13 | 0x14 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => self.indices(1).map(|()| 0)?,
            0xb9 | 0xba => self.indices(1).map(|()| 2)?,
            0xc5 => self.indices(1).map(|()| 1)?,
            0x99..=0xa8 | 0xc6 | 0xc7 => {
                // Those that go back stay as they are.
                let to = self.number(2)?;
                if to.value < 1 << 15 {
                    self.to.offset(to, at, at + to.value as usize);
                }
                0
            }
            0x10 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 1,
            0x11 | 0x84 => 2,
            0xc8 | 0xc9 => 4,
            0xc4 => match self.reader.byte()? {
                0x84 => 4,
                _ => 2,
            },
            switch @ (0xaa | 0xab) => {
                let padding = 3 - (at - code) % 4;
                self.reader.take(padding as u64 + 4)?;
                let first = self.number(4)?.value;
                if switch == 0xab {
                    first * 8
                } else {
                    let last = self.number(4)?.value as u32 as i32;
                    let count = i64::from(last) - i64::from(first as u32 as i32) + 1;
                    u64::try_from(count).ok()? * 4
                }
            }
            0x00..=0xc9 => 0,
            _ => return None,
        };
        self.reader.take(rest)?;
        Some(())
    }

    /// What is on the stack and in variables at some positions.
    fn frames(&mut self) -> Option<()> {
        for _ in 0..self.number(2)?.value {
            let kind = self.reader.byte()?;
            if kind >= 247 {
                self.reader.take(2)?;
            }
            match kind {
                64..=127 | 247 => self.types(1)?,
                252..=254 => self.types(u64::from(kind) - 251)?,
                255 => {
                    for _ in 0..2 {
                        let count = self.number(2)?.value;
                        self.types(count)?;
                    }
                }
                128..=246 => return None,
                _ => {}
            }
        }
        Some(())
    }

    fn types(&mut self, count: u64) -> Option<()> {
        for _ in 0..count {
            match self.reader.byte()? {
                0..=6 => {}
                7 => self.indices(1)?,
                8 => self.reader.take(2).map(|_| ())?,
                _ => return None,
            }
        }
        Some(())
    }

    /// Constants can go, and all at once that nothing needs.
    fn unneeded(&mut self) {
        if !self.is_known {
            return;
        }
        let group = self.to.group(1);
        for constant in &self.constants {
            self.to.part(group, constant.start, constant.end);
        }
        let mut is_needed = vec![false; self.constants.len()];
        let mut open = core::mem::take(&mut self.roots);
        while let Some(constant) = open.pop() {
            if let Some(is_needed) = is_needed.get_mut(constant)
                && !core::mem::replace(is_needed, true)
            {
                open.extend(self.constants[constant].named);
            }
        }
        let constants = self.constants.iter().zip(is_needed).skip(1);
        // The second number of a constant is never named.
        let mut before = 0;
        let unneeded = constants.filter(|(constant, is_needed)| {
            let is_second = core::mem::replace(&mut before, constant.start) == constant.start;
            !is_second && !is_needed
        });
        let cuts = Patch::cuts(unneeded.map(|(constant, _)| (constant.start, constant.end)));
        if !cuts.is_empty() {
            self.to.alternative(cuts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class with a field, a constant of type `long`, and three methods.
    const FILE: &[u8] = include_bytes!("../../tests/samples/small.class");

    fn has(file: &[u8], bytes: &[u8]) -> bool {
        file.windows(bytes.len()).any(|window| window == bytes)
    }

    fn constants(file: &[u8]) -> u64 {
        Encoding::Big.read(&file[8..10]).unwrap()
    }

    fn check_true(file: &[u8]) -> Container {
        let known = container(file).unwrap();
        assert_eq!(known.lies(), 0);
        known
    }

    fn without(file: &[u8], cut: &Patch<u8>) -> Option<Vec<u8>> {
        let left = check_true(file).patch(file, cut)?.applied(file);
        check_true(&left);
        Some(left)
    }

    /// Where the constants of a class are.
    fn places(file: &[u8]) -> Vec<(usize, usize)> {
        let known = check_true(file);
        let parts = known.parts();
        let group = parts.iter().find(|part| part.start == 10).unwrap().group;
        let parts = parts.iter().filter(|part| part.group == group);
        parts
            .map(|part| (part.start as usize, part.end as usize))
            .collect()
    }

    #[test]
    fn constants_go_once_nothing_needs_them() {
        let known = check_true(FILE);
        assert!(known.alternatives().is_empty());
        // The largest part outside of the constants is the method with a handler.
        let end_of_constants = places(FILE).last().unwrap().1 as u32;
        let methods = known.parts().iter();
        let methods = methods.filter(|part| part.start >= end_of_constants);
        let method = methods.max_by_key(|part| part.end - part.start).unwrap();
        let cut = Patch::cut(method.start as usize, method.end as usize);
        let left = without(FILE, &cut).unwrap();
        let known = check_true(&left);
        let [unneeded] = known.alternatives() else {
            panic!("there is something that nothing needs");
        };
        let last = without(&left, unneeded).unwrap();
        assert!(has(&left, b"Exceptions") && !has(&last, b"Exceptions"));
        assert!(constants(&last) < constants(FILE));
        assert!(check_true(&last).alternatives().is_empty());
    }

    #[test]
    fn what_is_needed_stays() {
        let known = check_true(FILE);
        let can_go = |&(start, end): &(usize, usize)| known.patch(FILE, &Patch::cut(start, end));
        assert!(places(FILE).iter().all(|place| can_go(place).is_none()));
    }

    #[test]
    fn a_constant_of_two_numbers_goes_with_both() {
        let fields = check_true(FILE).parts().to_vec();
        let long = places(FILE).into_iter().find(|place| FILE[place.0] == 5);
        let (start, end) = long.unwrap();
        let field = fields
            .iter()
            .filter(|part| part.end - part.start == 16)
            .find(|part| part.start as usize > end)
            .unwrap();
        let both = [(start, end), (field.start as usize, field.end as usize)];
        let left = without(FILE, &Patch::cuts(both)).unwrap();
        assert_eq!(constants(&left), constants(FILE) - 2);
    }

    #[test]
    fn constants_stay_where_an_attribute_is_not_known() {
        let mut file = FILE.to_vec();
        let at = file.windows(9).position(|text| text == b"Exception");
        file[at.unwrap()] = b'e';
        let known = container(&file).unwrap();
        assert!(known.parts().iter().all(|part| part.start > 10));
        assert!(!known.parts().is_empty());
    }

    #[test]
    fn other_files_that_begin_in_the_same_way_are_none() {
        assert!(container(b"\xca\xfe\xba\xbe\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").is_none());
        assert!(container(&FILE[..FILE.len() - 1]).is_none());
        assert!(container(&[FILE, b"\0"].concat()).is_none());
    }
}
