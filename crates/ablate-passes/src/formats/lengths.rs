//! Lengths in texts, found by looking: a number of bytes in front of a colon and the bytes, that of a
//! string near it, or that of all that comes behind an empty line.

use crate::formats::container::{Builder, Container, Encoding, Number};

/// Longer texts are not looked at.
const LONGEST_TEXT: usize = 1 << 20;
/// How far a string may be from its length.
const NEAR: usize = 64;
/// Strings of fewer bytes are chance.
const SHORTEST: u64 = 4;

/// The lengths in a text, and what they are the lengths of; `None` if there seem to be none.
pub fn container(text: &[u8]) -> Option<Container> {
    if text.len() > LONGEST_TEXT {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut is_found = false;
    let mut at = 0;
    while at < text.len() {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let end = at + digits.count();
        if at < end
            && let Some(value) = Encoding::Decimal.read(&text[at..end])
            && let Some((from, to)) = counted(text, end, value)
        {
            let number = Number {
                start: at,
                end,
                encoding: Encoding::Decimal,
                value,
            };
            builder.length(number, from, to);
            builder.payload(from, to);
            is_found = true;
        }
        at = end.max(at + 1);
    }
    is_found.then(|| builder.finish())
}

/// The bytes that a number which ends at `at` counts.
fn counted(text: &[u8], at: usize, value: u64) -> Option<(usize, usize)> {
    let len = usize::try_from(value).ok().filter(|&len| len > 0)?;
    let rest = text.get(at..)?;
    if rest.first() == Some(&b':') {
        let (from, to) = (at + 1, at.checked_add(1)?.checked_add(len)?);
        if text.get(to..).is_some_and(goes_on) {
            return Some((from, to));
        }
    }
    if value < SHORTEST {
        return None;
    }
    // All that is behind an empty line.
    let from = text.len().checked_sub(len).filter(|&from| from > at)?;
    let before = &text[at..from];
    if before.ends_with(b"\n\n") || before.ends_with(b"\r\n\r\n") {
        return Some((from, text.len()));
    }
    // The next string.
    let near = &rest[..rest.len().min(NEAR)];
    let open = near.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let from = at + open + 1;
    let to = from.checked_add(len)?;
    let is_string = text.get(to) == Some(&rest[open]) && !text[from..to].contains(&rest[open]);
    is_string.then_some((from, to))
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
        check_payload(b"{'n': 5, 'text': 'hello'}", &[]);
        check_payload(b"{'n': 5, x: 'hello'}", &[b"hello"]);
        check_payload(b"12:30 and 7 or 99999999999999999999", &[]);
    }
}
