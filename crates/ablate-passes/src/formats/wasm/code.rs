//! WebAssembly instructions: where each one ends, what is nested in it, and what it refers to.

use alloc::vec::Vec;

use super::Module;
use crate::formats::container::Reader;

/// The instruction that can stand for any others.
pub const UNREACHABLE: &[u8] = &[0];
/// Blocks that are nested deeper are not looked into.
const DEPTH_MAX: usize = 200;

/// What comes after an opcode.
enum Operands {
    /// So many bytes.
    Bytes(u64),
    /// So many numbers.
    Numbers(u8),
    /// A number of something in a space, then so many numbers.
    Reference(u32, u8),
    /// A list of numbers, and one more.
    Table,
    /// A list of single bytes.
    List,
    /// The type of what a block has to do with the stack; then its instructions.
    Block,
}

struct Block {
    group: u32,
    /// Where its instruction begins.
    start: usize,
}

impl Module<'_, '_> {
    /// Instructions up to the `end` that closes them; each one, with what is nested in it, is a part.
    pub(super) fn instructions(&mut self, reader: &mut Reader<'_>, level: u32) -> Option<()> {
        let group = self.to.stubbed_group(level, UNREACHABLE);
        let mut open = Vec::new();
        open.push(Block {
            group,
            start: reader.at,
        });
        while self.to.has_room() {
            let start = reader.at;
            let opcode = reader.byte()?;
            match opcode {
                0x0b => {
                    let block = open.pop()?;
                    let Some(outer) = open.last() else {
                        return Some(());
                    };
                    self.to.part(outer.group, block.start, reader.at);
                }
                // `else`
                0x05 => {
                    let next = self
                        .to
                        .stubbed_group(level + open.len() as u32, UNREACHABLE);
                    open.last_mut()?.group = next;
                }
                _ => match self.operands(opcode, reader)? {
                    Operands::Block => {
                        self.block_type(reader)?;
                        let next = self
                            .to
                            .stubbed_group(level + open.len() as u32, UNREACHABLE);
                        open.push(Block { group: next, start });
                        if open.len() > DEPTH_MAX {
                            return None;
                        }
                    }
                    operands => {
                        self.skip(&operands, reader)?;
                        let group = open.last()?.group;
                        self.to.part(group, start, reader.at);
                    }
                },
            }
        }
        None
    }

    fn block_type(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        // One byte for nothing or one value; else the number of a type.
        if reader.rest().first()? & 0xc0 == 0x40 {
            reader.byte()?;
            return Some(());
        }
        self.reference(reader, self.spaces.types)
    }

    fn skip(&mut self, operands: &Operands, reader: &mut Reader<'_>) -> Option<()> {
        match operands {
            Operands::Bytes(count) => drop(reader.take(*count)?),
            Operands::Numbers(count) => skip_numbers(reader, u64::from(*count))?,
            Operands::Reference(space, more) => {
                self.reference(reader, *space)?;
                skip_numbers(reader, u64::from(*more))?;
            }
            Operands::Table => {
                let count = reader.leb128()?.value;
                skip_numbers(reader, count.checked_add(1)?)?;
            }
            Operands::List => {
                let count = reader.leb128()?.value;
                reader.take(count)?;
            }
            Operands::Block => return None,
        }
        Some(())
    }

    fn operands(&self, opcode: u8, reader: &mut Reader<'_>) -> Option<Operands> {
        let spaces = &self.spaces;
        Some(match opcode {
            0x00 | 0x01 | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => Operands::Bytes(0),
            0x02..=0x04 => Operands::Block,
            0x0c | 0x0d | 0x20..=0x22 | 0x41 | 0x42 | 0xd0 => Operands::Numbers(1),
            0x0e => Operands::Table,
            0x10 | 0x12 | 0xd2 => Operands::Reference(spaces.functions, 0),
            0x11 | 0x13 => Operands::Reference(spaces.types, 1),
            0x1c => Operands::List,
            0x23 | 0x24 => Operands::Reference(spaces.globals, 0),
            0x25 | 0x26 => Operands::Reference(spaces.tables, 0),
            0x28..=0x3e => Operands::Numbers(2),
            0x3f | 0x40 => Operands::Reference(spaces.memories, 0),
            0x43 => Operands::Bytes(4),
            0x44 => Operands::Bytes(8),
            0xfc => match reader.leb128()?.value {
                0..=7 => Operands::Bytes(0),
                8 => Operands::Reference(spaces.data, 1),
                9 => Operands::Reference(spaces.data, 0),
                10 | 14 => Operands::Numbers(2),
                11 | 15..=17 => Operands::Numbers(1),
                12 => Operands::Reference(spaces.elements, 1),
                13 => Operands::Reference(spaces.elements, 0),
                _ => return None,
            },
            0xfd => match reader.leb128()?.value {
                0..=11 | 92 | 93 => Operands::Numbers(2),
                12 | 13 => Operands::Bytes(16),
                21..=34 => Operands::Bytes(1),
                // A place in memory, and one in the vector.
                84..=91 => Operands::Numbers(3),
                _ => Operands::Bytes(0),
            },
            0xfe => match reader.leb128()?.value {
                3 => Operands::Bytes(1),
                _ => Operands::Numbers(2),
            },
            _ => return None,
        })
    }
}

fn skip_numbers(reader: &mut Reader<'_>, count: u64) -> Option<()> {
    (0..count).try_for_each(|_| reader.skip_leb128(10))
}
