//! What of TypeScript its grammar can't read: the variance of type parameters, and signatures that begin
//! with a bracket on a line of their own.

use std::ops::Range;

use crate::conditionals::quoted;
use crate::readable::word;

/// What a grammar can't read, in the order of the text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Unread {
    /// The words `in` and `out` before type parameters, with the blanks behind them.
    pub variances: Vec<Range<usize>>,
    /// The ends of lines that end a member of a type, where what comes next could go on with it.
    pub ends: Vec<usize>,
}

/// What brackets are around something.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// The members of a type.
    Members,
    /// Those of a type, if a signature is the first.
    Maybe,
    Other,
}

/// What the grammar can't read of a text.
pub(crate) fn unread(text: &[u8]) -> Unread {
    let mut unread = Unread::default();
    let mut around = vec![Around::Other];
    let (mut is_interface, mut last, mut line) = (false, b';', None);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let byte = rest[0];
        let len = match byte {
            b'\n' => {
                line.get_or_insert(at);
                at += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() => 1,
            b'/' if rest.starts_with(b"//") => {
                // The end of this line is one of the comment.
                at += line_end(rest) + 1;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let close = rest.windows(2).skip(2).position(|two| two == b"*/");
                close.map_or(rest.len(), |close| close + 4)
            }
            b'"' | b'\'' => string(rest),
            _ => word(rest).max(1),
        };
        let is_comment = byte == b'/' && len > 1;
        if byte.is_ascii_whitespace() || is_comment {
            at += len;
            continue;
        }
        let end = line.take().filter(|_| ends_member(last));
        let inner = around.last_mut();
        if let (b'(' | b'<', Some(inner)) = (byte, inner) {
            match *inner {
                Around::Maybe if last == b'{' => *inner = Around::Members,
                Around::Members => unread.ends.extend(end),
                _ => {}
            }
        }
        match &rest[..len] {
            b"in" | b"out" if matches!(last, b'<' | b',') => {
                let blanks = rest[len..].iter().take_while(|&&it| it == b' ').count();
                let next = &rest[len + blanks..];
                let next = &next[..word(next)];
                let is_value = matches!(next, b"" | b"as" | b"satisfies" | b"in" | b"instanceof");
                if blanks > 0 && !is_value {
                    unread.variances.push(at..at + len + blanks);
                    at += len + blanks;
                    continue;
                }
            }
            b"interface" => is_interface = true,
            b";" => is_interface = false,
            b"{" => {
                // Right behind `=` it may be the value of an attribute in JSX.
                let is_in_type = matches!(last, b':' | b'<' | b'|' | b'&' | b',' | b'(')
                    || last == b'=' && (is_interface || text[at - 1] != b'=');
                around.push(match is_in_type {
                    true => Around::Maybe,
                    false if is_interface => Around::Members,
                    false => Around::Other,
                });
                is_interface &= is_in_type;
            }
            b"(" | b"[" => around.push(Around::Other),
            b")" | b"]" | b"}" => {
                around.pop();
            }
            _ => {}
        }
        last = rest[len - 1];
        at += len;
    }
    unread
}

/// Whether a member of a type can end with this.
fn ends_member(byte: u8) -> bool {
    word(&[byte]) > 0 || matches!(byte, b'>' | b')' | b']' | b'}' | b'"' | b'\'' | b'`')
}

/// The length of the string that a text starts with, or 1 where none ends on its line: in JSX quotes stand
/// for themselves.
fn string(text: &[u8]) -> usize {
    let len = quoted(text);
    let is_closed = len > 1 && text[len - 1] == text[0];
    if is_closed { len } else { 1 }
}

fn line_end(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| byte == b'\n');
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut read = text.as_bytes().to_vec();
        let unread = unread(text.as_bytes());
        for variance in unread.variances {
            read[variance].fill(b'-');
        }
        for end in unread.ends {
            read[end] = b';';
        }
        assert_eq!(String::from_utf8(read).unwrap(), expected);
    }

    #[test]
    fn the_variance_of_type_parameters_is_unread() {
        check("type A<in B,/**/out C> = B", "type A<---B,/**/----C> = B");
        check("type A<\nin out B> = B", "type A<\n-------B> = B");
        for text in [
            "a<out,b",
            "a = {in: 1, out: 2}",
            "a, out\nb()",
            "a(b, out as c)",
            "'a, in b'",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn the_end_of_a_line_ends_a_member_before_a_bracket() {
        check("interface A{b:c\n<D>():D}", "interface A{b:c;<D>():D}");
        check(
            "interface A<B={}> extends C {b:c // d\n /**/\n (d): e\n}",
            "interface A<B={}> extends C {b:c // d\n /**/; (d): e\n}",
        );
        check("let a: {():b\n():c}", "let a: {():b;():c}");
        check("let a: {():b\n// d\n():c}", "let a: {():b;// d\n():c}");
        check("let a: {():b|\n(c)}", "let a: {():b|\n(c)}");
    }

    #[test]
    fn what_goes_on_behind_its_line_is_read_as_it_is() {
        for text in [
            "if (a) {(b)\n(c)}",
            "interface A{(b\n<C>):D}\nlet a=b\n(c)",
            "a = <B c={<D>\n<E/></D>}/>",
            "f({a:b\n<c})",
        ] {
            check(text, text);
        }
    }
}
