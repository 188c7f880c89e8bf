//! Tokens of any language, crudely: words, numbers, operators, single marks, white space.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::is_word;
use crate::formats::lisp::Lisp;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A word that starts with a digit, with its fraction.
    Number,
    /// A run of bytes that operators are made of, such as `->`.
    Operator,
    /// A bracket, quote, comma, semicolon, or a byte that is no text.
    Mark,
    /// A run of spaces, tabs and line ends.
    Space,
}

/// One token: `start..end` of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The first position.
    pub start: u32,
    /// The position after the last.
    pub end: u32,
    /// What it is made of.
    pub kind: Kind,
}

impl Token {
    /// The first position, and the one after the last.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// The token's text.
    pub fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start as usize..self.end as usize]
    }
}

/// The tokens of a text without its white space, by position.
#[derive(Debug)]
pub struct Tokens {
    tokens: Vec<Token>,
}

/// The longest text that is divided into tokens.
pub const LONGEST_TEXT: usize = 4 << 20;

impl Tokens {
    /// The tokens of `target`; none if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Tokens> {
        let lisp = Lisp::of(target);
        target.analysis(|target| Tokens::new(target.elements(), &lisp))
    }

    fn new(text: &[u8], lisp: &Lisp) -> Tokens {
        let mut tokens = Vec::new();
        if text.len() > LONGEST_TEXT {
            return Tokens { tokens };
        }
        let mut atoms = lisp.symbols(text).peekable();
        let mut start = 0;
        while start < text.len() {
            while atoms.next_if(|atom| (atom.0 as usize) < start).is_some() {}
            let token = match atoms.next_if(|atom| atom.0 as usize == start) {
                Some((start, end)) => atom(text, start, end),
                None => token_at(text, start),
            };
            if token.kind != Kind::Space {
                tokens.push(token);
            }
            start = token.end as usize;
        }
        Tokens { tokens }
    }

    /// All tokens.
    pub fn all(&self) -> &[Token] {
        &self.tokens
    }

    /// The first token that starts at `at` or after it.
    pub fn from(&self, at: usize) -> usize {
        self.tokens.partition_point(|t| (t.start as usize) < at)
    }
}

/// The token that starts at `start`, white space included.
pub fn token_at(text: &[u8], start: usize) -> Token {
    let first = text[start];
    let run = |belongs: fn(u8) -> bool| {
        let rest = &text[start..];
        start + rest.iter().position(|&b| !belongs(b)).unwrap_or(rest.len())
    };
    let (kind, end) = if first.is_ascii_digit() {
        (Kind::Number, number_end(text, run(is_word)))
    } else if is_word(first) {
        (Kind::Word, run(is_word))
    } else if first.is_ascii_whitespace() {
        (Kind::Space, run(|b| b.is_ascii_whitespace()))
    } else if is_operator(first) {
        (Kind::Operator, run(is_operator))
    } else {
        (Kind::Mark, start + 1)
    };
    Token {
        start: start as u32,
        end: end as u32,
        kind,
    }
}

/// An atom of a Lisp, in which a word may have almost any signs.
fn atom(text: &[u8], start: u32, end: u32) -> Token {
    let bytes = &text[start as usize..end as usize];
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let kind = if unsigned.first().is_some_and(u8::is_ascii_digit) {
        Kind::Number
    } else if bytes.iter().any(|&byte| is_word(byte)) {
        Kind::Word
    } else {
        Kind::Operator
    };
    Token { start, end, kind }
}

/// The end of the number whose digits before the point end at `end`.
fn number_end(text: &[u8], end: usize) -> usize {
    let has_fraction =
        text.get(end) == Some(&b'.') && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    if !has_fraction {
        return end;
    }
    let fraction = text[end + 1..].iter().take_while(|&&b| is_word(b)).count();
    end + 1 + fraction
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%=<>!&|^~?:.@#\\$".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_divided_into_what_reads_as_one() {
        let text = b"x1 += foo->bar(0x1F, 1.5e3);\n";
        let tokens = Tokens::new(text, &Lisp::default());
        let seen: Vec<&str> = tokens
            .all()
            .iter()
            .map(|t| std::str::from_utf8(t.text(text)).unwrap())
            .collect();
        let expected = [
            "x1", "+=", "foo", "->", "bar", "(", "0x1F", ",", "1.5e3", ")", ";",
        ];
        assert_eq!(seen, expected);
        assert_eq!(tokens.from(3), 1);
    }

    #[test]
    fn a_symbol_of_a_lisp_is_one_word() {
        let text = "(a-b! -1 (+ 'c:d \"e-f\"))";
        let tokens = Tokens::of(&Target::new(text.as_bytes().to_vec()));
        let seen: Vec<(&str, Kind)> = tokens
            .all()
            .iter()
            .map(|t| (&text[t.start as usize..t.end as usize], t.kind))
            .filter(|(_, kind)| *kind != Kind::Mark)
            .collect();
        let expected = [
            ("a-b!", Kind::Word),
            ("-1", Kind::Number),
            ("+", Kind::Operator),
            ("c:d", Kind::Word),
            ("e", Kind::Word),
            ("-", Kind::Operator),
            ("f", Kind::Word),
        ];
        assert_eq!(seen, expected);
    }
}
