//! Quoted strings: `"…"`, `'…'`, `` `…` `` within a line, and `"""…"""` over several.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::is_word;

/// A quoted string: `start..end` with its quotes, each of which is `width` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// The first position of the opening quote.
    pub start: u32,
    /// The position after the closing quote.
    pub end: u32,
    /// The length of the opening quote and of the closing one.
    pub width: u32,
}

impl Quoted {
    /// The string with its quotes.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// The string without its quotes.
    pub fn interior(&self) -> (usize, usize) {
        (
            (self.start + self.width) as usize,
            (self.end - self.width) as usize,
        )
    }
}

/// The quoted strings of a text, by position; none within another.
#[derive(Debug)]
pub struct Quotes {
    quoted: Vec<Quoted>,
}

/// The longest text that is searched for quotes.
const LONGEST_TEXT: usize = 4 << 20;
/// The longest string within a line. Without a bound, a line of escaped quotes would cost the
/// square of its length.
const LONGEST_STRING: usize = 4096;

impl Quotes {
    /// The quoted strings of `target`; none if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Quotes> {
        target.analysis(|target| Quotes::new(target.elements()))
    }

    pub(crate) fn new(text: &[u8]) -> Quotes {
        let mut quoted = Vec::new();
        let mut at = if text.len() > LONGEST_TEXT {
            text.len()
        } else {
            0
        };
        while at < text.len() {
            let Some(next) = text[at..].iter().position(|byte| is_quote(*byte)) else {
                break;
            };
            at += next;
            match quoted_at(text, at) {
                Some(found) => {
                    at = found.end as usize;
                    quoted.push(found);
                }
                None => at += 1,
            }
        }
        Quotes { quoted }
    }

    /// All of them.
    pub fn all(&self) -> &[Quoted] {
        &self.quoted
    }

    /// The string whose opening quote starts at `at`.
    pub fn starting_at(&self, at: usize) -> Option<&Quoted> {
        let index = self.quoted.binary_search_by_key(&at, |q| q.start as usize);
        index.ok().map(|index| &self.quoted[index])
    }
}

/// Whether `byte` can open a string.
pub fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn quoted_at(text: &[u8], start: usize) -> Option<Quoted> {
    let quote = text[start];
    let triple = [quote; 3];
    if quote != b'`' && text[start..].starts_with(&triple) {
        let rest = &text[start + 3..];
        let length = rest.windows(3).position(|window| window == triple)?;
        return Some(Quoted {
            start: start as u32,
            end: (start + length + 6) as u32,
            width: 3,
        });
    }
    // An apostrophe within a word quotes nothing.
    if quote == b'\'' && start > 0 && is_word(text[start - 1]) && !is_prefix(text, start) {
        return None;
    }
    let mut at = start + 1;
    let limit = text.len().min(start + LONGEST_STRING);
    while at < limit {
        match text[at] {
            b'\\' => at += 1,
            b'\n' => return None,
            byte if byte == quote => {
                return Some(Quoted {
                    start: start as u32,
                    end: (at + 1) as u32,
                    width: 1,
                });
            }
            _ => (),
        }
        at += 1;
    }
    None
}

/// Whether the quote at `start` follows a one-letter word, as in `b'…'` and `u8'…'`.
fn is_prefix(text: &[u8], start: usize) -> bool {
    let letters = text[..start]
        .iter()
        .rev()
        .take_while(|&&b| is_word(b))
        .count();
    letters <= 2 && text[start - letters].is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_quoted(text: &str, expected: &[&str]) {
        let quotes = Quotes::new(text.as_bytes());
        let seen: Vec<&str> = quotes
            .all()
            .iter()
            .map(|q| &text[q.start as usize..q.end as usize])
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn strings_end_at_their_own_quote() {
        check_quoted(
            r#"a "b 'c' \" d" 'e' `f`"#,
            &[r#""b 'c' \" d""#, "'e'", "`f`"],
        );
        check_quoted("'''a\n'b' ''' \"\"", &["'''a\n'b' '''", "\"\""]);
    }

    #[test]
    fn what_is_not_closed_is_not_quoted() {
        check_quoted("\"a\nb\"", &[]);
        check_quoted("don't and can't", &[]);
        check_quoted("\"\"\"a", &["\"\""]);
        check_quoted("\"\\", &[]);
    }
}
