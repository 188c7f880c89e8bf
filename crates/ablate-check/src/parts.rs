//! Where the parts of a shown value stand in its text: what is between brackets and commas.

use std::ops::Range;

/// The places of the parts of a text, and of the whole: elements, fields, arguments. Only the whole
/// where the brackets of the text don't match.
pub(crate) fn parts(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let is_sound = each_part(text, |part| found.push(part));
    if !is_sound {
        found.clear();
    }
    if found.last() != Some(&(0..text.len())) {
        found.push(0..text.len());
    }
    found
}

/// The smallest part whose text is all that differs where other values stand in its place.
pub(crate) fn part_that_differs(
    text: &str,
    parts: &[Range<usize>],
    others: &[String],
) -> Option<Range<usize>> {
    let differs = |part: &&Range<usize>| {
        let (before, after) = (&text[..part.start], &text[part.end..]);
        let is_only = |other: &String| {
            other.len() >= before.len() + after.len()
                && other.starts_with(before)
                && other.ends_with(after)
                && is_one_part(&other[before.len()..other.len() - after.len()])
        };
        others.iter().all(is_only)
    };
    let differing = parts.iter().filter(differs);
    differing.min_by_key(|part| part.len()).cloned()
}

/// Whether there is one value, and not several or none.
fn is_one_part(text: &str) -> bool {
    let mut is_whole = false;
    let is_sound = each_part(text, |part| is_whole |= part == (0..text.len()));
    is_sound && is_whole && !text.is_empty()
}

/// Tells of all parts, those inside others first; `false` where brackets don't match.
fn each_part(text: &str, mut found: impl FnMut(Range<usize>)) -> bool {
    // The brackets around, and where in each of them the part begins that is being read.
    let mut around: Vec<(char, usize)> = Vec::new();
    let (mut start, mut quote, mut is_escaped) = (0, None, false);
    let bytes = text.as_bytes();
    let mut end_part = |start: usize, end: usize| {
        let inner = &text[start..end];
        let start = start + inner.len() - inner.trim_start().len();
        let end = start + inner.trim().len();
        if start < end {
            found(start..end);
        }
    };
    for (at, character) in text.char_indices() {
        match (quote, character) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '\'') if is_char_literal(&bytes[at..]) => quote = Some('\''),
            (None, '(' | '[' | '{') => {
                around.push((character, start));
                start = at + 1;
            }
            (None, ')' | ']' | '}') => {
                end_part(start, at);
                let Some((open, before)) = around.pop() else {
                    return false;
                };
                if !matches!((open, character), ('(', ')') | ('[', ']') | ('{', '}')) {
                    return false;
                }
                start = before;
            }
            (None, ',') => {
                end_part(start, at);
                start = at + 1;
            }
            // Behind the name of a field, or a key.
            (None, ':') if bytes.get(at + 1) == Some(&b' ') => {
                end_part(start, at);
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    end_part(start, text.len());
    around.is_empty() && quote.is_none()
}

/// Whether a quote starts a character, and not the name of a lifetime.
pub(crate) fn is_char_literal(bytes: &[u8]) -> bool {
    bytes.get(1) == Some(&b'\\') || bytes.iter().skip(2).take(4).any(|b| *b == b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_between_brackets_and_commas() {
        let text = r#"(P { x: 10, s: "a, b".to_string() }, vec![','])"#;
        let mut found: Vec<&str> = parts(text).into_iter().map(|part| &text[part]).collect();
        found.sort_by_key(|part| part.len());
        assert_eq!(
            found,
            [
                "x",
                "s",
                "10",
                "','",
                "vec![',']",
                r#""a, b".to_string()"#,
                r#"P { x: 10, s: "a, b".to_string() }"#,
                text
            ]
        );
        assert_eq!(parts("a) [b").len(), 1);
    }

    #[test]
    fn a_part_is_found_by_what_differs() {
        let check = |text: &str, others: &[&str], expected: Option<&str>| {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            let found = part_that_differs(text, &parts(text), &others);
            assert_eq!(found.map(|part| &text[part]), expected, "{text}");
        };
        check("P { x: 10, y: 5 }", &["P { x: 15, y: 5 }"], Some("10"));
        check("(vec![1], 5)", &["(vec![2], 5)"], Some("1"));
        // Not only the element, but how many there are.
        let others = ["(vec![2], 5)", "(vec![], 5)", "(vec![1, 2], 5)"];
        check("(vec![1], 5)", &others, Some("vec![1]"));
        check("{0, 1}", &["{1, 7}"], Some("{0, 1}"));
        check("(1, 2)", &["(3, 4)"], Some("(1, 2)"));
        check("1", &["1, 2"], None);
    }
}
