//! Conditional parts of a C text that are no whole pieces of it, as in
//! `#ifdef __cplusplus / extern "C" { / #endif`: where brackets open or close in one, a grammar that
//! takes each for a whole gets lost until the end of the file.

use std::ops::Range;

/// A text with more conditional parts in each other means ill.
const DEEPEST: usize = 100;

/// How many brackets of a kind are open at the end of a part that were not at its beginning, and how
/// many of those before it it closes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Depth {
    open: i32,
    lowest: i32,
}

impl Depth {
    fn add(&mut self, other: Depth) {
        self.lowest = self.lowest.min(self.open + other.lowest);
        self.open += other.open;
    }
}

/// One of the alternatives of a conditional part.
#[derive(Debug)]
struct Branch {
    /// Its first line, and the line behind its last.
    lines: Range<usize>,
    /// Of braces, and of parentheses.
    depths: [Depth; 2],
}

/// A conditional part that has not ended yet.
#[derive(Debug)]
struct Part {
    start: usize,
    branches: Vec<Branch>,
}

impl Part {
    /// The branch that a reader of one piece has to take; `None` for none of them.
    fn taken(&self) -> Option<&Branch> {
        let mut branches = self.branches.iter();
        match self.branches.len() {
            1 => None,
            _ => branches.find(|it| it.is_whole()).or(self.branches.first()),
        }
    }
}

impl Branch {
    fn is_whole(&self) -> bool {
        self.depths == [Depth::default(); 2]
    }
}

/// What to leave out of a text so that each of its conditional parts is a whole: of those that are
/// none, all but one branch; if there is only one, all. In the order of the text.
pub(crate) fn conditionals(text: &[u8]) -> Vec<Range<usize>> {
    let mut left_out: Vec<Range<usize>> = Vec::new();
    let mut directives = text.split(|&byte| byte == b'#').skip(1);
    if !directives.any(|it| it.trim_ascii_start().starts_with(b"if")) {
        return left_out;
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let indent = text[start..].iter().take_while(|&&byte| is_blank(byte));
        let sign = start + indent.count();
        let Some(directive) = text[sign..].strip_prefix(b"#") else {
            at = line_of_code(text, start, parts.last_mut());
            continue;
        };
        at = end_of_directive(text, sign);
        let directive = directive.trim_ascii_start();
        let is = |word: &[u8]| directive.starts_with(word);
        let new = Branch {
            lines: at..at,
            depths: [Depth::default(); 2],
        };
        if is(b"if") {
            if parts.len() == DEEPEST {
                return Vec::new();
            }
            parts.push(Part {
                start,
                branches: vec![new],
            });
        } else if is(b"el") || is(b"endif") {
            let Some(part) = parts.last_mut() else {
                continue;
            };
            if let Some(branch) = part.branches.last_mut() {
                branch.lines.end = start;
            }
            if is(b"el") {
                part.branches.push(new);
                continue;
            }
            let Some(part) = parts
                .pop()
                .filter(|it| !it.branches.iter().all(Branch::is_whole))
            else {
                continue;
            };
            // What is left out within what goes as a whole.
            let taken = part.taken().map_or(at..at, |it| it.lines.clone());
            let first = |from: usize| left_out.partition_point(|it| it.start < from);
            let [within, inner, behind] = [part.start, taken.start, taken.end].map(first);
            left_out.truncate(behind);
            left_out.drain(within..inner.min(behind));
            match part.taken() {
                None => left_out.push(part.start..at),
                Some(taken) => {
                    left_out.insert(within, part.start..taken.lines.start);
                    left_out.push(taken.lines.end..at);
                    let around = parts.last_mut().and_then(|it| it.branches.last_mut());
                    if let Some(around) = around {
                        let depths = around.depths.iter_mut().zip(taken.depths);
                        depths.for_each(|(depth, of_taken)| depth.add(of_taken));
                    }
                }
            }
        }
    }
    left_out
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Where the directive with its sign at `start` ends, with the lines that go on with it.
pub(crate) fn end_of_directive(text: &[u8], start: usize) -> usize {
    let mut ends = (start..text.len()).filter(|&at| text[at] == b'\n');
    let goes_on = |end: usize| {
        let mut before = text[start..end].iter().rev();
        before.find(|&&byte| !is_blank(byte)) == Some(&b'\\')
    };
    let last = ends.find(|&end| !goes_on(end));
    last.map_or(text.len(), |end| end + 1)
}

/// Counts the brackets of the line that begins at `start`, and of those that a comment in it goes on
/// over; says where the next begins.
fn line_of_code(text: &[u8], start: usize, part: Option<&mut Part>) -> usize {
    let mut unused = [Depth::default(); 2];
    let branch = part.and_then(|it| it.branches.last_mut());
    let [braces, parentheses] = branch.map_or(&mut unused, |it| &mut it.depths);
    let mut at = start;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest[0] {
            b'\n' => return at + 1,
            b'/' if rest.starts_with(b"//") => return end_of_directive(text, at),
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|it| it == b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            b'"' | b'\'' => quoted(rest),
            byte => {
                let add = |depth: &mut Depth, open| {
                    let lowest = i32::min(open, 0);
                    depth.add(Depth { open, lowest });
                };
                match byte {
                    b'{' => add(braces, 1),
                    b'}' => add(braces, -1),
                    b'(' => add(parentheses, 1),
                    b')' => add(parentheses, -1),
                    _ => {}
                }
                1
            }
        };
    }
    text.len()
}

/// The length of the string or character that a text starts with, which ends with its line at the
/// latest.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if byte == text[0] => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut text = text.to_owned();
        for range in conditionals(text.as_bytes()).into_iter().rev() {
            text.replace_range(range, "");
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_for_another_language_only_is_left_out() {
        let text = "#ifndef A\n#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n\
                    #ifdef __cplusplus\n}\n#endif\n#endif\n";
        check(text, "#ifndef A\nint a;\n#endif\n");
    }

    #[test]
    fn one_branch_stays_of_those_that_open_the_same() {
        let text = "#ifdef A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n g();\n}\n";
        check(text, "void f(int a) {\n g();\n}\n");
        let text = "#if A\nif (a) {\n# if B\nb();\n# endif\n#else\n{\n#endif\n}\n";
        check(text, "if (a) {\n# if B\nb();\n# endif\n}\n");
    }

    #[test]
    fn whole_parts_stay() {
        for text in [
            "#if A\nint f() { return '{'; } // {\n#else\n/* {\n#endif\n{ */ char *a = \"{\";\n#endif\n",
            "#if A\n#define B { \\\n (\n#endif\n",
            "#endif\n#else\n}\n#if A\n{\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn many_parts_take_no_longer_than_their_length_says() {
        let blank = "#if A\n".to_owned() + &"\n".repeat(1 << 20) + "#\\" + &"\n".repeat(1 << 20);
        assert!(conditionals(blank.as_bytes()).is_empty());
        let many = "#if A\n{\n#else\n{\n#endif\n".repeat(100_000);
        assert_eq!(conditionals(many.as_bytes()).len(), 200_000);
        let deep = "#if A\n{\n#else\n{\n".repeat(100_000) + &"#endif\n".repeat(100_000);
        assert!(conditionals(deep.as_bytes()).is_empty());
        let nested = "#if A\n{\n#else\n{\n".repeat(99) + &"#endif\n".repeat(99);
        assert!(!conditionals(nested.as_bytes()).is_empty());
    }

    #[test]
    fn what_is_within_what_is_left_out_goes_once() {
        let text = "#if A\n{\n#if B\n}\n#endif\n#if C\n(\n#else\n)\n#endif\n#endif\nint a;\n";
        check(text, "int a;\n");
        let text = "#if A\n{\n#if B\n}\n#endif\n#else\n#if C\n(\n#endif\n{\n#endif\n";
        check(text, "{\n");
    }
}
