//! Kotlin as its grammar can read it: words that are modifiers in some places are names in others, behind a
//! semicolon it knows no accessors, annotations of what stands on the next line have no arguments, and there
//! are neither context parameters nor conditions of what `when` matches. Says nothing of errors.

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
    /// Words that say of a class that it is an annotation: behind other annotations it takes them for names. What
    /// says that an interface is one of a function, and what the context of a function has to have.
    pub prefixes: Vec<Range<usize>>,
    /// What else has to hold where something of a `when` matches.
    pub conditions: Vec<Range<usize>>,
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
            let behind = &text[at + len..];
            let is_prefix = match this {
                b"annotation" => begins_with(behind, b"class"),
                b"fun" => begins_with(behind, b"interface"),
                _ => false,
            };
            if is_prefix {
                unread.prefixes.push(at..at + len);
            }
            if this == b"context" && is_context(&text[..at], behind) {
                let end = at + len + arguments(behind);
                unread.prefixes.push(at..end);
                at = end;
                continue;
            }
            let condition = match this {
                b"if" if ends_with_value(&text[..at]) => condition(&text[at..]),
                _ => 0,
            };
            if condition > 0 {
                unread.conditions.push(at..at + condition);
                at += condition;
                continue;
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

fn begins_with(text: &[u8], expected: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    &text[..word(text)] == expected
}

/// Whether `context` between two texts has parameters, and what it is said of stands behind them.
fn is_context(before: &[u8], behind: &[u8]) -> bool {
    if !behind.starts_with(b"(") {
        return false;
    }
    let rest = behind[arguments(behind)..].trim_ascii_start();
    let next = &rest[..word(rest)];
    let is_declared = matches!(next, b"fun" | b"val" | b"var" | b"class" | b"operator")
        || MODIFIERS.contains(&next)
        || rest.starts_with(b"@");
    match before.trim_ascii_end().last() {
        // The type of a function.
        Some(b':' | b'<' | b',' | b'(') => rest.starts_with(b"("),
        Some(b'=' | b'.' | b'+' | b'-' | b'*' | b'&' | b'|' | b'>' | b'!' | b'?' | b'[') => false,
        _ => is_declared && rest.len() < behind.len(),
    }
}

/// Whether a text ends with a value or a type on the same line.
fn ends_with_value(text: &[u8]) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let text = &text[..text.len() - text.iter().rev().take_while(is_blank).count()];
    let is_part = |byte: &&u8| word(&[**byte]) > 0;
    let len = text.iter().rev().take_while(is_part).count();
    match &text[text.len() - len..] {
        b"" => matches!(text.last(), Some(b')' | b'"' | b'>' | b'\'')) && !text.ends_with(b"->"),
        b"else" | b"return" | b"throw" | b"in" | b"is" | b"as" | b"do" | b"by" => false,
        _ => true,
    }
}

/// The length of the condition that a text begins with, up to the arrow on the same line; 0 if there is none.
fn condition(text: &[u8]) -> usize {
    let line = text.iter().take_while(|byte| **byte != b'\n').count();
    let (mut depth, mut at) = (0_usize, 0);
    while at < line {
        match text[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => return 0,
            b')' => depth -= 1,
            b'{' | b'}' | b';' => return 0,
            b'-' if depth == 0 && text[at..].starts_with(b"->") => return at,
            _ => {}
        }
        at += 1;
    }
    0
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
        for range in arguments.chain(unread.prefixes).chain(unread.conditions) {
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

    #[test]
    fn contexts_and_functions_that_are_interfaces_are_prefixes() {
        check("context(a: A) fun f() {}", "              fun f() {}");
        check("val a: context(A) () -> B", "val a:            () -> B");
        for text in ["context(a)", "= context()\nfun a()", "(context)\nfun a()"] {
            check(text, text);
        }
        check("fun interface A", "    interface A");
    }

    #[test]
    fn conditions_of_what_matches_are_left_out() {
        check(
            "when (a) { in b if (c > 1) -> d; is E if f -> g\n else if h -> i }",
            "when (a) { in b            -> d; is E      -> g\n else if h -> i }",
        );
        check(
            "val a = b\nif (c) { d -> e }",
            "val a = b\nif (c) { d -> e }",
        );
    }
}
