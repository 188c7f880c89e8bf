//! Conditional parts of a text in C or C# that are no whole pieces of it, as in
//! `#ifdef __cplusplus / extern "C" { / #endif`: where brackets open or close in one, a grammar that
//! takes each for a whole gets lost until the end of the file.

use std::ops::Range;

/// A text with more conditional parts in each other means ill.
const DEEPEST: usize = 100;

/// Longer words are none of those that count.
const LONGEST_WORD: usize = 16;

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
    /// Its last byte that is neither blank nor in a comment; 0 if there is none.
    last: u8,
    /// Whether it begins in the middle of something that a grammar takes for one.
    is_inside: bool,
}

/// What C#'s grammar wants to see right behind what it belongs to.
const GOES_ON: &[&[u8]] = &[
    b"add", b"catch", b"else", b"finally", b"get", b"remove", b"set",
];

/// A conditional part that has not ended yet.
#[derive(Debug)]
struct Part {
    start: usize,
    branches: Vec<Branch>,
}

impl Part {
    /// The branch that a reader of one piece has to take; `None` for none of them.
    fn taken(&self, is_strict: bool) -> Option<&Branch> {
        let mut branches = self.branches.iter();
        let whole = |it: &&Branch| it.is_whole(is_strict);
        match self.branches.len() {
            1 => None,
            _ => branches.find(whole).or(self.branches.first()),
        }
    }
}

impl Branch {
    fn at(start: usize, is_inside: bool) -> Branch {
        Branch {
            lines: start..start,
            depths: [Depth::default(); 2],
            last: 0,
            is_inside,
        }
    }

    fn is_whole(&self, is_strict: bool) -> bool {
        let has_end = matches!(self.last, 0 | b';' | b'}' | b']');
        let is_piece = !is_strict || has_end && !self.is_inside;
        is_piece && self.depths == [Depth::default(); 2]
    }
}

/// What to leave out of a text so that each of its conditional parts is a whole: of those that are
/// none, all but one branch; if there is only one, all. In the order of the text. Where a grammar
/// `is_strict`, it knows whole statements and members only.
pub(crate) fn conditionals(text: &[u8], is_strict: bool) -> Vec<Range<usize>> {
    let mut left_out: Vec<Range<usize>> = Vec::new();
    let mut directives = text.split(|&byte| byte == b'#').skip(1);
    if !directives.any(|it| it.trim_ascii_start().starts_with(b"if")) {
        return left_out;
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut outermost = Branch::at(0, false);
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let indent = text[start..].iter().take_while(|&&byte| is_blank(byte));
        let sign = start + indent.count();
        let Some(directive) = text[sign..].strip_prefix(b"#") else {
            let branch = parts.last_mut().and_then(|it| it.branches.last_mut());
            at = line_of_code(text, start, branch.unwrap_or(&mut outermost));
            continue;
        };
        at = end_of_directive(text, sign);
        let directive = directive.trim_ascii_start();
        let is = |word: &[u8]| directive.starts_with(word);
        let around = parts.last().and_then(|it| it.branches.last());
        let before = around.unwrap_or(&outermost).last;
        let is_inside = !matches!(before, 0 | b';' | b'{' | b'}' | b']' | b':');
        if is(b"if") {
            if parts.len() == DEEPEST {
                return Vec::new();
            }
            parts.push(Part {
                start,
                branches: vec![Branch::at(at, is_inside)],
            });
        } else if is(b"el") || is(b"endif") {
            let Some(part) = parts.last_mut() else {
                continue;
            };
            if let Some(branch) = part.branches.last_mut() {
                branch.lines.end = start;
            }
            if is(b"el") {
                let is_inside = part.branches.first().is_some_and(|it| it.is_inside);
                part.branches.push(Branch::at(at, is_inside));
                continue;
            }
            let Some(part) = parts
                .pop()
                .filter(|it| !it.branches.iter().all(|it| it.is_whole(is_strict)))
            else {
                continue;
            };
            // What is left out within what goes as a whole.
            let taken = part.taken(is_strict).map_or(at..at, |it| it.lines.clone());
            let first = |from: usize| left_out.partition_point(|it| it.start < from);
            let [within, inner, behind] = [part.start, taken.start, taken.end].map(first);
            left_out.truncate(behind);
            left_out.drain(within..inner.min(behind));
            match part.taken(is_strict) {
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
fn end_of_directive(text: &[u8], start: usize) -> usize {
    let mut ends = (start..text.len()).filter(|&at| text[at] == b'\n');
    let goes_on = |end: usize| {
        let mut before = text[start..end].iter().rev();
        before.find(|&&byte| !is_blank(byte)) == Some(&b'\\')
    };
    let last = ends.find(|&end| !goes_on(end));
    last.map_or(text.len(), |end| end + 1)
}

/// The lines of a text that are directives, each with those that go on with it, and without what it is
/// indented by.
pub(crate) fn directives(text: &[u8]) -> Vec<Range<usize>> {
    let mut directives = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let len = text[at..].iter().position(|&byte| byte == b'\n');
        let end = len.map_or(text.len(), |len| at + len + 1);
        let line = text[at..end].trim_ascii_start();
        at = if line.starts_with(b"#") {
            let start = end - line.len();
            let end = end_of_directive(text, start);
            directives.push(start..end);
            end
        } else {
            end
        };
    }
    directives
}

/// The lines of a text by which a preprocessor says where what follows comes from, such as `# 1 "a.h" 3` and
/// `#line 1 "a.h"`, without what they are indented by and without their ends.
pub(crate) fn line_markers(text: &[u8]) -> Vec<Range<usize>> {
    let signs = (0..text.len()).filter(|&at| text[at] == b'#');
    let begins_line = |&at: &usize| {
        let before = text[..at].iter().rev();
        let mut before = before.skip_while(|byte| is_blank(**byte));
        before.next().is_none_or(|&byte| byte == b'\n')
    };
    let marker = |at: usize| {
        let len = text[at..].iter().position(|&byte| byte == b'\n');
        let end = len.map_or(text.len(), |len| at + len);
        let rest = text[at + 1..end].trim_ascii_start();
        let rest = rest
            .strip_prefix(b"line")
            .unwrap_or(rest)
            .trim_ascii_start();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = rest[digits..].trim_ascii_start().first();
        (digits > 0 && matches!(behind, None | Some(b'"'))).then_some(at..end)
    };
    signs.filter(begins_line).filter_map(marker).collect()
}

/// Counts the brackets of the line that begins at `start`, and of those that a comment in it goes on
/// over; says where the next begins.
fn line_of_code(text: &[u8], start: usize, branch: &mut Branch) -> usize {
    if branch.last == 0 {
        let indent = text[start..].iter().take_while(|&&byte| is_blank(byte));
        let line = &text[start + indent.count()..];
        let word = line.iter().take_while(|byte| byte.is_ascii_lowercase());
        let longest = word.take(LONGEST_WORD).count();
        branch.is_inside |= GOES_ON.contains(&&line[..longest]);
    }
    let [braces, parentheses] = &mut branch.depths;
    let last = &mut branch.last;
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
            b'"' | b'\'' => {
                *last = rest[0];
                quoted(rest)
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    *last = byte;
                }
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
pub(crate) fn quoted(text: &[u8]) -> usize {
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
        for range in conditionals(text.as_bytes(), false).into_iter().rev() {
            text.replace_range(range, "");
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn a_strict_grammar_knows_whole_statements_and_members_only() {
        let left_out = |text: &str| {
            let ranges = conditionals(text.as_bytes(), true);
            let parts = ranges.into_iter().map(|it| text[it].to_owned());
            parts.collect::<Vec<_>>()
        };
        assert!(left_out("{\n#if A\nint b;\n#endif\n}").is_empty());
        let in_value = "int a =\n#if B\n1;\n#else\n2;\n#endif\n";
        assert_eq!(left_out(in_value), ["#if B\n", "#else\n2;\n#endif\n"]);
        let in_list = "{1,\n#if B\n2,\n#endif\n3}";
        assert_eq!(left_out(in_list), ["#if B\n2,\n#endif\n"]);
        let in_property = "{\n#if B\nget { return c; }\n#endif\n}";
        assert_eq!(left_out(in_property).len(), 1);
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
        assert!(conditionals(blank.as_bytes(), false).is_empty());
        let many = "#if A\n{\n#else\n{\n#endif\n".repeat(100_000);
        assert_eq!(conditionals(many.as_bytes(), false).len(), 200_000);
        let deep = "#if A\n{\n#else\n{\n".repeat(100_000) + &"#endif\n".repeat(100_000);
        assert!(conditionals(deep.as_bytes(), false).is_empty());
        let nested = "#if A\n{\n#else\n{\n".repeat(99) + &"#endif\n".repeat(99);
        assert!(!conditionals(nested.as_bytes(), false).is_empty());
    }

    #[test]
    fn line_markers_are_directives_with_a_number() {
        let text = "# 0 \"a\"\nint b =\n  # 12 \"c d\" 3 4\n 1; // # 1 \"e\"\n#line 5\n#line 6 \"f\"\n\
                    #define g 1\n# h 2\n#1i\n# 7";
        let markers = line_markers(text.as_bytes()).into_iter();
        let markers: Vec<&str> = markers.map(|range| &text[range]).collect();
        let expected = [
            "# 0 \"a\"",
            "# 12 \"c d\" 3 4",
            "#line 5",
            "#line 6 \"f\"",
            "# 7",
        ];
        assert_eq!(markers, expected);
    }

    #[test]
    fn what_is_within_what_is_left_out_goes_once() {
        let text = "#if A\n{\n#if B\n}\n#endif\n#if C\n(\n#else\n)\n#endif\n#endif\nint a;\n";
        check(text, "int a;\n");
        let text = "#if A\n{\n#if B\n}\n#endif\n#else\n#if C\n(\n#endif\n{\n#endif\n";
        check(text, "{\n");
    }
}
