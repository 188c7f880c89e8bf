//! Words of a text, each with all of its occurrences.

use ablate_engine::insert::Insert;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use ablate_engine::order::{ElementOrder, Text};
use ablate_engine::patch::Edit;
use ablate_engine::target::Target;

use crate::formats::tokens::{Kind, Token, Tokens};

/// The longest text whose words are listed.
const LONGEST_TEXT: usize = 1 << 20;

/// The different tokens of a text; brackets and quotes, which come in pairs, are left out.
#[derive(Debug)]
pub struct Words {
    /// The occurrences of each token, by position; the tokens by their first occurrences.
    occurrences: Vec<Vec<Token>>,
    /// The numbers of those tokens that are words, the simplest first.
    by_simplicity: Vec<u32>,
}

impl Words {
    /// The words of `target`; none if it is longer than 1 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Words> {
        let tokens = Tokens::of(target);
        target.analysis(|target| {
            let is_long = target.len() > LONGEST_TEXT;
            let tokens = if is_long { &[] } else { tokens.all() };
            Words::new(target.elements(), tokens)
        })
    }

    fn new(text: &[u8], tokens: &[Token]) -> Words {
        let mut all: Vec<Token> = tokens.to_vec();
        all.retain(|token| token.kind != Kind::Mark || b",;".contains(&token.text(text)[0]));
        all.sort_by_cached_key(|token| (token.text(text), token.start));
        let mut occurrences: Vec<Vec<Token>> = all
            .chunk_by(|a, b| a.text(text) == b.text(text))
            .map(<[Token]>::to_vec)
            .collect();
        occurrences.sort_by_cached_key(|tokens| tokens[0].start);
        let is_word = |number: &u32| occurrences[*number as usize][0].kind == Kind::Word;
        let mut by_simplicity: Vec<u32> = (0..occurrences.len() as u32).filter(is_word).collect();
        by_simplicity.sort_by(|a, b| {
            let word = |number: u32| occurrences[number as usize][0].text(text);
            compare(word(*a), word(*b))
        });
        Words {
            occurrences,
            by_simplicity,
        }
    }

    /// The occurrences of every different token.
    pub fn all(&self) -> &[Vec<Token>] {
        &self.occurrences
    }

    /// All occurrences of the token whose first one starts at `start`.
    pub fn starting_at(&self, start: u32) -> Option<&[Token]> {
        let starts = |tokens: &Vec<Token>| tokens[0].start;
        let number = self.occurrences.binary_search_by_key(&start, starts);
        number
            .ok()
            .map(|number| self.occurrences[number].as_slice())
    }

    /// The words, the simplest first: the first occurrence of each.
    pub fn simplest_first(&self) -> impl Iterator<Item = &Token> {
        let numbers = self.by_simplicity.iter();
        numbers.map(|&number| &self.occurrences[number as usize][0])
    }

    /// Whether `name` is one of the words.
    pub fn contains(&self, text: &[u8], name: &[u8]) -> bool {
        self.by_simplicity
            .binary_search_by(|&number| {
                compare(self.occurrences[number as usize][0].text(text), name)
            })
            .is_ok()
    }
}

/// The edits that spell whatever stands at `ranges` as `name`.
pub fn respelled(
    ranges: impl IntoIterator<Item = (usize, usize)>,
    name: &[u8],
) -> impl Iterator<Item = Edit<u8>> {
    let insert = Insert::from(name);
    ranges.into_iter().map(move |(start, end)| Edit {
        start,
        end,
        insert: Some(insert.clone()),
    })
}

/// Which of two texts is simpler: the shorter one, or the one that reads more simply.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let bytes = || a.iter().zip(b).map(|(a, b)| Text.compare(a, b));
    a.len()
        .cmp(&b.len())
        .then_with(|| bytes().find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
}

/// The `number`-th of the names `a`, `b`, …, `z`, `aa`, `ab`, …
pub fn name(number: usize) -> Vec<u8> {
    let mut name = Vec::new();
    let mut rest = number + 1;
    while rest > 0 {
        rest -= 1;
        name.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    name.reverse();
    name
}

/// Whether `word` means something by itself in many languages, so that it can't stand for a name.
pub fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"as"
            | b"and"
            | b"break"
            | b"case"
            | b"class"
            | b"const"
            | b"def"
            | b"do"
            | b"elif"
            | b"else"
            | b"end"
            | b"enum"
            | b"extern"
            | b"float"
            | b"fn"
            | b"for"
            | b"from"
            | b"goto"
            | b"if"
            | b"impl"
            | b"import"
            | b"in"
            | b"int"
            | b"is"
            | b"lambda"
            | b"let"
            | b"long"
            | b"not"
            | b"or"
            | b"pass"
            | b"pub"
            | b"raise"
            | b"return"
            | b"short"
            | b"static"
            | b"struct"
            | b"switch"
            | b"try"
            | b"type"
            | b"union"
            | b"unsigned"
            | b"use"
            | b"var"
            | b"void"
            | b"while"
            | b"with"
            | b"yield"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_occurrences_and_their_order() {
        let target = Target::new(b"foo, x + foo(B, b)".to_vec());
        let words = Words::of(&target);
        let seen: Vec<&[u8]> = words
            .simplest_first()
            .map(|token| token.text(target.elements()))
            .collect();
        assert_eq!(seen, [&b"b"[..], b"x", b"B", b"foo"]);
        assert_eq!(words.all()[0].len(), 2);
        assert!(words.contains(target.elements(), b"B"));
        assert!(!words.contains(target.elements(), b"bar"));
        assert!(is_keyword(b"if") && !is_keyword(b"foo") && !is_keyword(b""));
    }
}
