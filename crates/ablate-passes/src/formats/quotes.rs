//! Quoted strings: `"…"`, `'…'`, `` `…` `` within a line, and `"""…"""` over several; and comments, in
//! which nothing is quoted: an apostrophe or a bracket in prose has no partner in the code.
//!
//! Of comments only those are known that hardly mean anything else in any language.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::is_word;
use crate::formats::lisp::Lisp;

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

/// The quoted strings and the comments of a text, by position; none within another.
#[derive(Debug)]
pub struct Quotes {
    quoted: Vec<Quoted>,
    /// Where comments start and end; those of a line end before the line feed.
    comments: Vec<(u32, u32)>,
}

/// The longest text that is searched for quotes, and for what is only known with them: brackets and items.
pub const LONGEST_TEXT: usize = 64 << 20;
/// The longest string within a line. Without a bound, a line of escaped quotes would cost the
/// square of its length.
const LONGEST_STRING: usize = 4096;

impl Quotes {
    /// The quoted strings of `target`; none if it is longer than 64 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Quotes> {
        let lisp = Lisp::of(target);
        target.analysis(|target| {
            if lisp.is_empty() {
                Quotes::new(target.elements())
            } else {
                Quotes::of_lisp(target.elements(), &lisp)
            }
        })
    }

    fn of_lisp(text: &[u8], lisp: &Lisp) -> Quotes {
        let quoted = lisp.strings(text).map(|(start, end)| Quoted {
            start,
            end,
            width: 1,
        });
        Quotes {
            quoted: quoted.collect(),
            comments: lisp.comments().to_vec(),
        }
    }

    pub(crate) fn new(text: &[u8]) -> Quotes {
        let (mut quoted, mut comments) = (Vec::new(), Vec::new());
        let mut is_unclosed = false;
        let mut at = if text.len() > LONGEST_TEXT {
            text.len()
        } else {
            0
        };
        while at < text.len() {
            let mut rest = text[at..].iter();
            let Some(next) = rest.position(|byte| is_quote(*byte) || is_sign(*byte)) else {
                break;
            };
            at += next;
            if is_sign(text[at]) {
                let end = comment_end(text, at, &mut is_unclosed);
                if let Some(end) = end {
                    comments.push((at as u32, end as u32));
                }
                at = end.unwrap_or(at + 1);
                continue;
            }
            match quoted_at(text, at) {
                Some(found) => {
                    at = found.end as usize;
                    quoted.push(found);
                }
                None => at += 1,
            }
        }
        Quotes { quoted, comments }
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

    /// The position after the string or the comment that starts at `at`, where the byte `byte` is.
    pub fn end_from(&self, at: usize, byte: u8) -> Option<usize> {
        if is_quote(byte) {
            return self.starting_at(at).map(|quoted| quoted.end as usize);
        }
        let comments = is_sign(byte).then_some(&self.comments)?;
        let index = comments.binary_search_by_key(&at, |comment| comment.0 as usize);
        index.ok().map(|index| comments[index].1 as usize)
    }

    /// Whether the byte at `at` is in a comment.
    pub fn is_comment(&self, at: usize) -> bool {
        let next = self.comments.partition_point(|c| c.1 as usize <= at);
        let comment = self.comments.get(next);
        comment.is_some_and(|comment| comment.0 as usize <= at)
    }

    /// What is between the comments in `start..end`.
    pub fn without_comments(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let first = self.comments.partition_point(|c| c.1 as usize <= start);
        let mut code = Vec::new();
        let mut at = start;
        for &(from, to) in &self.comments[first..] {
            if from as usize >= end {
                break;
            }
            code.push((at, at.max(from as usize)));
            at = end.min(to as usize);
        }
        code.push((at, end));
        code
    }
}

/// Whether `byte` can start a comment.
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'/' | b'#' | b'-' | b';' | b'%' | b'!')
}

/// Where the comment ends that starts at `at`: one in `/* */`; one behind `//` that begins a line or follows
/// a statement; or a line that starts with another usual sign, so that nothing but prose can follow.
fn comment_end(text: &[u8], at: usize, is_unclosed: &mut bool) -> Option<usize> {
    let rest = &text[at..];
    let blanks = text[..at].iter().rev();
    let blanks = blanks
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let before = text[..at - blanks].last();
    let is_line = before.is_none_or(|&byte| byte == b'\n');
    // In `url(//a.b)` there is none.
    let follows_statement =
        before.is_some_and(|byte| b";{}".contains(byte) || blanks > 0 && b",(".contains(byte));
    if rest.starts_with(b"/*") && (is_line || follows_statement || blanks > 0) && !*is_unclosed {
        let close = rest[2..].windows(2).position(|two| two == b"*/");
        *is_unclosed = close.is_none();
        return close.map(|close| at + close + 4);
    }
    let next = *rest.get(1)?;
    let is_repeated = next == rest[0];
    let is_comment = match rest[0] {
        b'/' => is_repeated && (is_line || follows_statement),
        b'#' | b'!' => is_line && (is_repeated || next == b' '),
        b'-' => is_line && rest.starts_with(b"-- "),
        // What ends a statement may stand before anything.
        b';' => is_line && is_repeated,
        // A line that goes on with a sum or a list may start so, where it is indented.
        _ => is_line && (is_repeated || blanks == 0 && next == b' '),
    };
    is_comment.then(|| {
        let length = rest.iter().position(|&byte| byte == b'\n');
        at + length.unwrap_or(rest.len())
    })
}

/// The length of the comment that `text` starts with, in which may be others of its kind if it nests.
pub(crate) fn comment_length(
    text: &[u8],
    (open, close): (&[u8], &[u8]),
    nests: bool,
) -> Option<usize> {
    let (mut depth, mut at) = (1_usize, open.len());
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(close) {
            at += close.len();
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else if nests && rest.starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    None
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
    fn nothing_is_quoted_in_comments() {
        check_quoted("// don't \"\na; // I'd\n'b' // 'c'\n", &["'b'", "'c'"]);
        check_quoted("/* it's\n a 'b' */ 'c' x/* 'd'\n", &["'c'", "'d'"]);
        check_quoted("# 'a'\n#'b'\n-- 'c'\n--'d'\n;; 'e'\n", &["'b'", "'d'"]);
        check_quoted(
            "% 'a'\n  % ('b',\n'http://c // d'",
            &["'b'", "'http://c // d'"],
        );
        check_quoted("url(//a/'b') f(c, // 'd'\n'e')", &["'b'", "'e'"]);
    }

    #[test]
    fn what_is_not_closed_is_not_quoted() {
        check_quoted("\"a\nb\"", &[]);
        check_quoted("don't and can't", &[]);
        check_quoted("\"\"\"a", &["\"\""]);
        check_quoted("\"\\", &[]);
    }
}
