//! Modules as words of four bytes: each instruction begins with its length and its number.

use alloc::vec::Vec;

use super::opcodes::{Op, numbered};
use super::{Form, Instruction, Operand, Read};

/// What every module begins with.
const MAGIC: u32 = 0x0723_0203;
/// The words of the header; the fourth says how many names there can be.
const HEADER: usize = 5;
const BOUND: usize = 3;
/// In modules with more names this stands for something else.
const NAMES_MAX: usize = 1 << 22;

/// The words of a module.
#[derive(Clone, Copy)]
struct Words<'a> {
    text: &'a [u8],
    is_little: bool,
}

impl Words<'_> {
    fn get(self, at: usize) -> Option<u32> {
        let word = self.text.get(at * 4..at * 4 + 4)?.try_into().ok()?;
        Some(match self.is_little {
            true => u32::from_le_bytes(word),
            false => u32::from_be_bytes(word),
        })
    }
}

/// A word as it is written down.
pub(super) fn written(word: u32, is_little: bool) -> [u8; 4] {
    match is_little {
        true => word.to_le_bytes(),
        false => word.to_be_bytes(),
    }
}

/// Reads a module; `None` for anything else.
pub(super) fn read(text: &[u8]) -> Option<Read> {
    let magic: [u8; 4] = text.get(..4)?.try_into().ok()?;
    let is_little = match MAGIC {
        magic_is if u32::from_le_bytes(magic) == magic_is => true,
        magic_is if u32::from_be_bytes(magic) == magic_is => false,
        _ => return None,
    };
    let words = Words { text, is_little };
    let names = words.get(BOUND)? as usize;
    if names > NAMES_MAX {
        return None;
    }
    let (mut instructions, mut operands) = (Vec::new(), Vec::new());
    let mut at = HEADER;
    while let Some(first) = words.get(at) {
        let end = at + (first >> 16) as usize;
        if end == at || end * 4 > text.len() {
            return None;
        }
        let known = numbered(first as u16);
        instructions.push(instruction(words, at, end, known, names, &mut operands)?);
        at = end;
    }
    Some(Read {
        form: Form::Binary { is_little },
        instructions,
        operands,
        names,
    })
}

/// One instruction; where its operands are not known, each of its words may be a name.
fn instruction(
    words: Words<'_>,
    at: usize,
    end: usize,
    known: Option<(Op, &'static str)>,
    names: usize,
    operands: &mut Vec<Operand>,
) -> Option<Instruction> {
    let (op, pattern) = known.unwrap_or((Op::Effect, "I"));
    let first = operands.len();
    let (mut result, mut of_type) = (None, None);
    let mut kinds = pattern.bytes();
    let mut kind = kinds.next();
    let mut place = at + 1;
    while place < end {
        let word = words.get(place)?;
        let is_used = match kind {
            Some(b'R') => {
                result = Some(word);
                false
            }
            Some(b's') => {
                // The last word of a string has a zero in it.
                while place + 1 < end && !words.get(place)?.to_le_bytes().contains(&0) {
                    place += 1;
                }
                false
            }
            Some(b'P') => !(end - place).is_multiple_of(2),
            Some(b'Q') => (end - place).is_multiple_of(2),
            Some(b'T' | b'i' | b'I') => true,
            _ => false,
        };
        if kind == Some(b'T') {
            of_type = Some(word);
        }
        if (is_used || kind == Some(b'R')) && word as usize >= names && known.is_some() {
            return None;
        }
        if is_used && (word as usize) < names {
            operands.push(Operand {
                start: place as u32 * 4,
                end: place as u32 * 4 + 4,
                of: word,
            });
        }
        if !matches!(kind, Some(b'I' | b'L' | b'P' | b'Q')) {
            kind = kinds.next();
        }
        place += 1;
    }
    Some(Instruction {
        start: at as u32 * 4,
        end: end as u32 * 4,
        op,
        result,
        of_type,
        operands: first..operands.len(),
        is_known: known.is_some(),
    })
}
