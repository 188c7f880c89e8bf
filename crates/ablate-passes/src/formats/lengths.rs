//! Lengths in texts, found by looking: a number of bytes in front of a colon and the bytes, that of a
//! string near it, or that of all that comes behind the next empty line; and numbers at the ends of lines
//! that begin alike, each of the lines behind its own.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::formats::container::{Builder, Container, Encoding, Number};

/// Longer texts are not looked at.
const LONGEST_TEXT: usize = 1 << 20;
/// How far a string may be from its length.
const NEAR: usize = 64;
/// How far an empty line may be from the length of what comes behind it.
const HEADERS: usize = 4096;
/// Strings of fewer bytes are chance.
const SHORTEST: u64 = 4;
/// So many lines that begin alike say by chance how long the lines behind them are.
const CHANCE_MAX: usize = 1;

/// The lengths in a text, and what they are the lengths of; `None` if there seem to be none.
pub fn container(text: &[u8]) -> Option<Container> {
    if text.len() > LONGEST_TEXT {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let announced = announced(text);
    let mut last_end = None;
    let mut at = 0;
    while at < text.len() {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let end = at + digits.count();
        if at < end
            && let Some(value) = Encoding::Decimal.read(&text[at..end])
            && let Some((from, to)) = announced
                .get(&at)
                .copied()
                .or_else(|| counted(text, at..end, last_end, value))
        {
            let number = Number {
                start: at,
                end,
                encoding: Encoding::Decimal,
                value,
            };
            builder.length(number, from, to);
            builder.payload(from, to);
            last_end = Some(to);
        }
        at = end.max(at + 1);
    }
    last_end.map(|_| builder.finish())
}

/// Where a number stands, and the lines of which it says how long they are.
type Announced = (usize, (usize, usize));

/// The lines that stand behind others which say how long they are: `data 5`, as git's streams have it,
/// `$5`, or `Content-length: 5` with an empty line between.
fn announced(text: &[u8]) -> BTreeMap<usize, (usize, usize)> {
    let mut found = BTreeMap::new();
    for start_behind in [line_behind, empty_line_behind] {
        let mut by_words: BTreeMap<&[u8], Option<Vec<Announced>>> = BTreeMap::new();
        let mut start = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let (number, end) = (start, start + line.len());
            start = end;
            let Some((words, len)) = announcing(line) else {
                continue;
            };
            let of_words = by_words.entry(words).or_insert_with(|| Some(Vec::new()));
            let Some(before) = of_words else { continue };
            // What looks like such a line may stand in what another one is about.
            if before.last().is_some_and(|(_, last)| number < last.1) {
                continue;
            }
            match start_behind(text, end).and_then(|from| lines_of(text, from, len)) {
                Some(lines) => before.push((number + words.len(), lines)),
                None => *of_words = None,
            }
        }
        let sure = by_words.into_values().flatten();
        let sure = sure.filter(|lines| lines.len() > CHANCE_MAX).flatten();
        for (number, lines) in sure.filter(|(_, (from, to))| from < to) {
            found.entry(number).or_insert(lines);
        }
    }
    found
}

/// What a line begins with, and the number that it ends with.
fn announcing(line: &[u8]) -> Option<(&[u8], usize)> {
    let line = line.trim_ascii_end();
    let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (words, digits) = line.split_at(line.len() - digits.count());
    let is_word = words
        .last()
        .is_some_and(|byte| !byte.is_ascii_alphanumeric());
    let number = Encoding::Decimal.read(digits)?;
    (is_word && !digits.is_empty()).then_some((words, usize::try_from(number).ok()?))
}

fn line_behind(text: &[u8], at: usize) -> Option<usize> {
    (at < text.len()).then_some(at)
}

fn empty_line_behind(text: &[u8], at: usize) -> Option<usize> {
    let from = at.checked_sub(1)?;
    let head = &text[from..text.len().min(from + HEADERS)];
    let empty = head.windows(2).position(|two| two == b"\n\n")?;
    Some(from + empty + 2)
}

/// Whole lines of so many bytes; a line feed may be the last of these bytes or stand behind them.
fn lines_of(text: &[u8], from: usize, len: usize) -> Option<(usize, usize)> {
    let to = from.checked_add(len).filter(|to| *to <= text.len())?;
    let is_end = len == 0 || to == text.len() || text[to - 1] == b'\n';
    (is_end || matches!(text[to], b'\n' | b'\r')).then_some((from, to))
}

/// The bytes that a number counts; `last_end` is where those that were counted last end.
fn counted(
    text: &[u8],
    number: Range<usize>,
    last_end: Option<usize>,
    value: u64,
) -> Option<(usize, usize)> {
    let at = number.end;
    let len = usize::try_from(value).ok().filter(|&len| len > 0)?;
    let rest = text.get(at..)?;
    let starts = number.start == 0 || last_end == Some(number.start);
    if rest.first() == Some(&b':') && (starts || may_start_after(text[number.start - 1])) {
        let (from, to) = (at + 1, at.checked_add(1)?.checked_add(len)?);
        if text.get(to..).is_some_and(goes_on) {
            return Some((from, to));
        }
    }
    if value < SHORTEST {
        return None;
    }
    // All that is behind the next empty line.
    let from = text.len().checked_sub(len).filter(|&from| from > at);
    let before = from.map(|from| &text[at..from]);
    let before = before.filter(|before| before.len() <= HEADERS);
    let is_up_to = |line: &[u8]| {
        let before = before.filter(|before| before.ends_with(line));
        let first = before.and_then(|before| before.windows(line.len()).position(|at| at == line));
        first
            .zip(before)
            .is_some_and(|(first, before)| first + line.len() == before.len())
    };
    if is_up_to(b"\r\n\r\n") || is_up_to(b"\n\n") {
        return Some((text.len() - len, text.len()));
    }
    // The next string.
    let near = &rest[..rest.len().min(NEAR)];
    let open = near.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let from = at + open + 1;
    let to = from.checked_add(len)?;
    let is_string = text.get(to) == Some(&rest[open]) && !text[from..to].contains(&rest[open]);
    is_string.then_some((from, to))
}

/// Whether a counted string may start behind this byte: in a time of day, hours stand behind a
/// letter and minutes behind a colon.
fn may_start_after(byte: u8) -> bool {
    matches!(byte, b'd' | b'l' | b'e' | b',') || byte.is_ascii_whitespace()
}

/// Whether what comes behind a counted string looks like it: a comma, an end, another such string.
fn goes_on(rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_next = digits > 0 && rest.get(digits) == Some(&b':');
    is_next || matches!(rest.trim_ascii().first(), None | Some(b',' | b'e'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_payload(text: &[u8], expected: &[&[u8]]) {
        let container = container(text).unwrap_or_default();
        let payloads = container.payloads().iter();
        let found: std::vec::Vec<&[u8]> = payloads
            .map(|&(start, end)| &text[start as usize..end as usize])
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lengths_are_found_near_what_they_count() {
        check_payload(b"4:spam,", &[b"spam"]);
        check_payload(b"Length: 6\r\n\r\nabcdef", &[b"abcdef"]);
        check_payload(b"Length: 6\nType: a\n\nabcdef", &[b"abcdef"]);
        check_payload(b"Fixed #6\n\nFixed 7\n\nabcdef", &[]);
        check_payload(b"{'n': 5, 'text': 'hello'}", &[]);
        check_payload(b"{'n': 5, x: 'hello'}", &[b"hello"]);
        check_payload(b"d4:spam3:egg", &[b"spam", b"egg"]);
        check_payload(b"2024-01-01T07:02:31e", &[]);
        check_payload(b"12:30 and 7 or 99999999999999999999", &[]);
    }

    #[test]
    fn lines_that_begin_alike_say_how_long_those_behind_them_are() {
        let stream = b"blob\ndata 4\nabc\nblob\ndata 0\nblob\ndata 7\ndata 3\n\nreset\n";
        check_payload(stream, &[b"abc\n", b"data 3\n"]);
        check_payload(b"*2\r\n$4\r\nspam\r\n$2\r\neg\r\n", &[b"spam", b"eg"]);
        let dump = b"Len: 5\nA: bcdefg\n\nabcd\n\nLen: 3\n\nef\n";
        check_payload(dump, &[b"abcd\n", b"ef\n"]);
        // One of them is chance, and so are some that not all say it.
        check_payload(b"data 4\nabc\n", &[]);
        check_payload(b"data 4\nabc\ndata 4\nabcdef\n", &[]);
    }
}
