//! Modules as text that an assembler reads, mostly with a line for each instruction.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::opcodes::named;
use super::{Form, Instruction, Operand, Read};

/// So many words an instruction has until it says which one it is.
const FIRST: usize = 3;

/// The names of a text, each with its number.
#[derive(Default)]
struct Names<'a> {
    numbers: BTreeMap<&'a [u8], u32>,
    places: Vec<Range<usize>>,
}

impl<'a> Names<'a> {
    fn number(&mut self, text: &'a [u8], place: Range<usize>) -> u32 {
        let next = self.places.len() as u32;
        let number = *self.numbers.entry(&text[place.clone()]).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        number
    }
}

/// Reads a module; `None` for other text. An instruction goes as far as to the next one, which mostly is the
/// next line.
pub(super) fn read(text: &[u8]) -> Option<Read> {
    let words = words(text)?;
    let word = |at: usize| words.get(at).map(|word| &text[word.clone()]);
    let is_opcode = |at: usize| {
        let name = word(at).and_then(|word| word.strip_prefix(b"Op"));
        name.and_then(<[u8]>::first)
            .is_some_and(u8::is_ascii_uppercase)
    };
    let is_name = |at: usize| word(at).is_some_and(|word| word[0] == b'%' && word.len() > 1);
    let is_start =
        |at: usize| is_opcode(at) || is_name(at) && word(at + 1) == Some(b"=") && is_opcode(at + 2);
    let (mut instructions, mut operands) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    let mut at = 0;
    while at < words.len() {
        let start = words[at].start;
        let result = (!is_opcode(at)).then(|| names.number(text, words[at].clone()));
        at += if result.is_some() { 2 } else { 0 };
        let (op, has_type) = named(&text[words[at].clone()][2..], result.is_some());
        at += 1;
        let first = operands.len();
        while at < words.len() && !is_start(at) {
            if is_name(at) {
                operands.push(Operand {
                    start: words[at].start as u32,
                    end: words[at].end as u32,
                    of: names.number(text, words[at].clone()),
                });
            }
            at += 1;
        }
        let of_type = operands[first..].first().filter(|_| has_type);
        instructions.push(Instruction {
            start: line_start(text, start) as u32,
            end: words
                .get(at)
                .map_or(text.len(), |next| line_start(text, next.start)) as u32,
            op,
            result,
            of_type: of_type.map(|operand| operand.of),
            operands: first..operands.len(),
            is_known: true,
        });
    }
    Some(Read {
        form: Form::Text(names.places.clone()),
        instructions,
        operands,
        names: names.places.len(),
    })
}

fn is_opcode(text: &[u8], words: &[Range<usize>], at: usize) -> bool {
    let word = words.get(at).map(|word| &text[word.clone()]);
    let name = word.and_then(|word| word.strip_prefix(b"Op"));
    name.and_then(<[u8]>::first)
        .is_some_and(u8::is_ascii_uppercase)
}

fn is_name(text: &[u8], words: &[Range<usize>], at: usize) -> bool {
    let word = words.get(at);
    word.is_some_and(|word| text[word.start] == b'%' && word.len() > 1)
}

/// Whether an instruction begins with a word.
fn is_start(text: &[u8], words: &[Range<usize>], at: usize) -> bool {
    let is_sign = |word: &Range<usize>| text[word.clone()] == *b"=";
    is_opcode(text, words, at)
        || is_name(text, words, at)
            && words.get(at + 1).is_some_and(is_sign)
            && is_opcode(text, words, at + 2)
}

/// Where the blanks begin that stand before a word at the start of its line; else where the word does.
fn line_start(text: &[u8], word: usize) -> usize {
    let before = &text[..word];
    let blanks = before
        .iter()
        .rev()
        .take_while(|byte| is_space(**byte))
        .count();
    match before[..word - blanks].last() {
        Some(b'\n') | None => word - blanks,
        _ => word,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The words of a text: what blanks and comments divide, and strings; `None` where the first of them says that
/// it is no module.
fn words(text: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        let rest = text[at..].iter();
        at += match text[start] {
            byte if is_space(byte) || byte == b'\n' => continue,
            b';' => {
                at += rest.take_while(|byte| **byte != b'\n').count();
                continue;
            }
            b'"' => {
                let mut is_escaped = false;
                let is_inside = |byte: &&u8| {
                    let is_end = !is_escaped && **byte == b'"';
                    is_escaped = !is_escaped && **byte == b'\\';
                    !is_end
                };
                (rest.take_while(is_inside).count() + 1).min(text.len() - at)
            }
            _ => {
                let is_end = |byte: u8| is_space(byte) || matches!(byte, b'\n' | b';' | b'"');
                rest.take_while(|byte| !is_end(**byte)).count()
            }
        };
        words.push(start..at);
        // What does not begin with an instruction is something else.
        if words.len() == FIRST && !is_start(text, &words, 0) {
            return None;
        }
    }
    is_start(text, &words, 0).then_some(words)
}
