//! Kotlin as its grammar can read it: words that are modifiers in some places are names in others, behind a
//! semicolon it knows no accessors, and annotations of what stands on the next line have no arguments. Says
//! nothing of errors.

use std::ops::Range;

use crate::readable::word;

/// Words that a declaration may begin with, but which are names as well.
const MODIFIERS: &[&[u8]] = &[
    b"abstract",
    b"crossinline",
    b"external",
    b"final",
    b"infix",
    b"inline",
    b"internal",
    b"lateinit",
    b"noinline",
    b"open",
    b"override",
    b"private",
    b"protected",
    b"public",
    b"reified",
    b"sealed",
    b"suspend",
    b"tailrec",
    b"vararg",
];

/// Longer arguments of annotations are not looked for: each that has no end would be read to that of the text.
const LONGEST_ARGUMENTS: usize = 4096;

/// What the grammar does not read as it should, each in the order of the text.
#[derive(Default)]
pub(crate) struct Unread {
    /// Where a byte has to be another one.
    pub bytes: Vec<(usize, u8)>,
    /// The arguments of annotations that begin a line, each behind where the name of the annotation begins: it may
    /// take them for an expression that is annotated, and what stands on the next line for something of its own.
    pub arguments: Vec<(usize, Range<usize>)>,
    /// Words that say of a class that it is an annotation: behind other annotations it takes them for names.
    pub prefixes: Vec<Range<usize>>,
}

/// What has to be other than it is in a text for the grammar to read it.
pub(crate) fn unread(text: &[u8]) -> Unread {
    let mut unread = Unread::default();
    let mut is_first = true;
    let mut at = 0;
    while at < text.len() {
        let len = word(&text[at..]);
        if len > 0 {
            let this = &text[at..at + len];
            if MODIFIERS.contains(&this) && is_name(this, &text[at + len..]) {
                unread.bytes.push((at, b'_'));
            }
            if this == b"annotation" && begins_with_class(&text[at + len..]) {
                unread.prefixes.push(at..at + len);
            }
        } else if text[at] == b';' && begins_with_accessor(&text[at + 1..]) {
            unread.bytes.push((at, b'\n'));
        } else if text[at] == b'@' && is_first {
            let open = at + 1 + path(&text[at + 1..]);
            let close = open + arguments(&text[open..]);
            let next = text[close..].trim_ascii_start();
            if close > open && (word(next) > 0 || next.starts_with(b"@")) {
                unread.arguments.push((at + 1, open..close));
                at = close;
                continue;
            }
        }
        is_first = text[at] == b'\n' || is_first && text[at].is_ascii_whitespace();
        at += len.max(1);
    }
    unread
}

/// The length of the names, joined by dots, that a text begins with.
fn path(text: &[u8]) -> usize {
    let is_part = |byte: &&u8| word(&[**byte]) > 0 || **byte == b'.';
    text.iter().take_while(is_part).count()
}

/// The length of the arguments in parentheses that a text begins with; 0 if it does not.
fn arguments(text: &[u8]) -> usize {
    let text = &text[..text.len().min(LONGEST_ARGUMENTS)];
    let (mut depth, mut is_in_string) = (0_usize, false);
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if is_in_string => at += 1,
            b'"' => is_in_string = !is_in_string,
            _ if is_in_string => (),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => (),
        }
        at += 1;
        if depth == 0 {
            return if *byte == b')' { at } else { 0 };
        }
    }
    0
}

/// Whether a word is a name by what stands behind it: what a modifier belongs to would begin with a word.
fn is_name(this: &[u8], behind: &[u8]) -> bool {
    let rest = behind.trim_ascii_start();
    match rest {
        [] | [b'@' | b'/' | b'`' | b'<', ..] => false,
        // The type of a function may begin with a modifier.
        [b'(', ..] => this != b"suspend" && rest.len() == behind.len(),
        _ => word(rest) == 0,
    }
}

fn begins_with_class(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    &text[..word(text)] == b"class"
}

/// Whether a text begins with `get` or `set`, or with who may see it.
fn begins_with_accessor(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let first = &text[..word(text)];
    let text = match first {
        b"private" | b"protected" | b"internal" | b"public" => {
            text[first.len()..].trim_ascii_start()
        }
        _ => text,
    };
    matches!(&text[..word(text)], b"get" | b"set")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut shown = text.as_bytes().to_vec();
        let unread = unread(text.as_bytes());
        for (at, byte) in unread.bytes {
            shown[at] = byte;
        }
        let arguments = unread.arguments.into_iter().map(|(_, range)| range);
        for range in arguments.chain(unread.prefixes) {
            shown[range].fill(b' ');
        }
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }

    #[test]
    fn modifiers_are_names_where_no_word_follows_them() {
        check("inline(true); infix = a", "_nline(true); _nfix = a");
        check("suspend { a }; open.b", "_uspend { a }; _pen.b");
        check("f(infix, a) { external }", "f(_nfix, a) { _xternal }");
        for text in [
            "inline fun f(a: suspend () -> Unit) {}",
            "private constructor(a)",
            "a: suspend() -> Unit",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn annotations_belong_to_what_follows_them() {
        check(
            "@a.B(\"(\\\")\")\n@C(d(1)) fun f() {}",
            "@a.B        \n@C       fun f() {}",
        );
        check("@A\nannotation class B", "@A\n           class B");
        for text in ["fun f(@A(1) b: C) {}", "@A(1) (b)", "@A(", "@A", "@"] {
            check(text, text);
        }
    }

    #[test]
    fn accessors_stand_on_a_line_of_their_own() {
        check(
            "var a = 1; private set\nval b = 2; val c",
            "var a = 1\n private set\nval b = 2; val c",
        );
    }
}
