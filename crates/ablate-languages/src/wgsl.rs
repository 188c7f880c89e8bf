//! WGSL as its grammar can read it, which is for an older one: it knows neither constants and other names
//! for types by today's words, nor calls as statements, nor arrays of bindings. Says nothing of errors.

use crate::readable::{Readable, Rewriter, word};

/// What makes a statement of a call: it is assigned to nothing.
const CALL: &[u8] = b"_=";
/// What makes a constant outside of functions one that may be any expression.
const CONSTANT: &[u8] = b"override";
/// Words behind which a bracket does not open the arguments of a call.
const HEADS: &[&[u8]] = &[
    b"break", b"case", b"for", b"if", b"return", b"switch", b"while",
];

/// The text as the grammar can read it; `None` if there is nothing to change.
pub(crate) fn readable_wgsl(text: &[u8]) -> Option<Readable> {
    let mut reader = Rewriter::of(text);
    // How many braces and parentheses are open, and whether a statement may start.
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let mut is_start = true;
    let mut at = 0;
    while at < text.len() {
        let comment = comment(&text[at..]);
        if comment > 0 || text[at].is_ascii_whitespace() {
            at += comment.max(1);
            continue;
        }
        let len = word(&text[at..]);
        if len == 0 {
            match text[at] {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                b'(' => parentheses += 1,
                b')' => parentheses = parentheses.saturating_sub(1),
                _ => (),
            }
            is_start = parentheses == 0 && matches!(text[at], b'{' | b'}' | b';' | b':');
            at += 1;
            continue;
        }
        let behind = text[at + len..].trim_ascii_start();
        match &text[at..at + len] {
            b"const" if is_start && braces == 0 => {
                reader.put_in(at, CONSTANT);
                reader.replace(at, len, b"");
            }
            b"const" if is_start => reader.replace(at, len, b"let"),
            b"alias" if is_start && braces == 0 => reader.replace(at, len, b"type"),
            b"binding_array" if behind.starts_with(b"<") => reader.replace(at, len, b"array"),
            this if is_start
                && braces > 0
                && behind.starts_with(b"(")
                && !HEADS.contains(&this) =>
            {
                reader.put_in(at, CALL);
            }
            _ => (),
        }
        is_start = false;
        at += len;
    }
    reader.finished()
}

/// The length of the comment that a text starts with; 0 if there is none.
fn comment(text: &[u8]) -> usize {
    if text.starts_with(b"//") {
        let end = text.iter().position(|&byte| byte == b'\n');
        return end.unwrap_or(text.len());
    }
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(two) = text.get(at..at + 2) {
        match two {
            b"/*" => depth += 1,
            b"*/" if depth > 0 => depth -= 1,
            _ if depth == 0 => return 0,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    if depth > 0 { text.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::readable::tests::check_in;

    fn check(text: &str, expected: &str) {
        check_in("wgsl", text, expected);
    }

    #[test]
    fn constants_may_be_any_expression() {
        check("const a = b * 2;", "override      a = b * 2;");
        check("fn f() { const a = 1; }", "fn f() { let   a = 1; }");
        check("alias a = b;", "type  a = b;");
        check("var a: binding_array<b>;", "var a: array        <b>;");
    }

    #[test]
    fn calls_are_statements() {
        check("fn f() { g(1); a = h(2); }", "fn f() { _=g(1); a = h(2); }");
        check(
            "fn f() { if (a) { g(); } for (g(); a; g()) {} return (a); }",
            "fn f() { if (a) { _=g(); } for (g(); a; g()) {} return (a); }",
        );
        check("fn f() {\n  // a\n  g(); }", "fn f() {\n  // a\n  _=g(); }");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        check("fn f(a: b) {}", "fn f(a: b) {}");
        check("/* const a /* */ g(); */ a", "/* const a /* */ g(); */ a");
        check("struct a { @size(4) b: c }", "struct a { @size(4) b: c }");
        check("/*", "/*");
    }
}
