//! What a grammar makes of a text, within bounds that are the same on every machine.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use crate::language::Language;

/// How often a parser may report progress, besides once for each byte.
const CHECKS_MIN: usize = 10_000;
/// How many bytes it may read, and how many times each; how many at once.
const READ_MIN: usize = 1 << 20;
const READ_PER_BYTE: usize = 64;
const CHUNK: usize = 1 << 14;
/// Grammars whose scanners keep the levels of indentation in 1,024 bytes, and end the process where these
/// are not enough: at two bytes a level and more for the brackets of strings, or at two times four.
const INDENTED: [&str; 2] = ["python", "yaml"];
/// What is indented in more levels has no tree with them. Python itself permits 100.
const MOST_LEVELS: usize = 120;

/// A grammar whose scanner looks for a blank behind an annotation, and for the end of the line behind one with
/// arguments, beyond the end of the text as well, for ever.
const NEEDS_LINE_END: &str = "kotlin";

/// Parses a text, from the tree of one before, if there is one.
pub(crate) fn parse_all(language: &Language, text: &[u8], before: Option<&Tree>) -> Option<Tree> {
    let rest = |at: usize| &text[at.min(text.len())..];
    let bounds = Bounds {
        checks: &mut checks(text.len()),
        has_error: None,
    };
    parse(language, text.len(), rest, before, bounds)
}

/// How often parsing a text of `len` bytes may report progress.
pub(crate) fn checks(len: usize) -> usize {
    CHECKS_MIN + len
}

/// When parsing ends early.
pub(crate) struct Bounds<'a> {
    /// Reports of progress are taken off these.
    pub checks: &'a mut usize,
    /// Where there is one, parsing ends where no way to read the text is without an error, and it is set.
    pub has_error: Option<&'a Cell<bool>>,
}

/// Parses a text of which `rest` gives what stands at a position and behind it, from the tree of a
/// text before, if there is one.
pub(crate) fn parse<'a>(
    language: &Language,
    len: usize,
    rest: impl Fn(usize) -> &'a [u8],
    before: Option<&Tree>,
    bounds: Bounds<'_>,
) -> Option<Tree> {
    if INDENTED.contains(&language.name) && has_too_many_levels(&rest) {
        return None;
    }
    let needs_line_end = language.name == NEEDS_LINE_END;
    if needs_line_end && ends_with_annotation(&rest) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.facts().grammar).ok()?;
    // Bounds in operations and in bytes, not in time, so that they are the same everywhere. Error
    // recovery takes long in what nests deeply, and some scanners look for the end of a string
    // from every byte.
    let read = Cell::new(0);
    let most_read = READ_MIN + READ_PER_BYTE * len;
    let Bounds { checks, has_error } = bounds;
    let mut progress = |state: &ParseState| {
        if let Some(has_error) = has_error.filter(|_| state.has_error()) {
            has_error.set(true);
            return ControlFlow::Break(());
        }
        match checks.checked_sub(1) {
            Some(less) if read.get() <= most_read => {
                *checks = less;
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let last_end = Cell::new(0);
    let has_ended = Cell::new(false);
    let mut chunk = |at: usize, _: Point| {
        let rest = rest(at);
        let chunk = &rest[..rest.len().min(CHUNK)];
        read.set(read.get() + chunk.len());
        // Beyond the bound the text seems to end, which ends the scanning. But not within what was given
        // already: to read the rest of a character the parser needs something there.
        let chunk = match read.get() <= most_read {
            true => chunk,
            false if needs_line_end && !has_ended.replace(true) => b"\n",
            false if at < last_end.get() => b"\0",
            false => &[],
        };
        last_end.set(at + chunk.len());
        chunk
    };
    let tree = parser.parse_with_options(&mut chunk, before, Some(options))?;
    (read.get() <= most_read).then_some(tree)
}

/// Whether there is an annotation in the last line of a text, and no end of that line.
fn ends_with_annotation<'a>(rest: impl Fn(usize) -> &'a [u8]) -> bool {
    let (mut at, mut has_annotation) = (0, false);
    loop {
        let part = rest(at);
        if part.is_empty() {
            return has_annotation;
        }
        at += part.len();
        let line = part.iter().rposition(|byte| *byte == b'\n');
        has_annotation &= line.is_none();
        has_annotation |= part[line.unwrap_or(0)..].contains(&b'@');
    }
}

/// Whether the lines of a text are indented in more levels than a scanner can keep. `- ` before an item,
/// and its like, begin a level too.
fn has_too_many_levels<'a>(rest: impl Fn(usize) -> &'a [u8]) -> bool {
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut column, mut is_leading) = (0, 0, true);
    // What may be a mark that begins a level, if a blank follows.
    let mut mark: Option<usize> = None;
    loop {
        let part = rest(at);
        if part.is_empty() {
            return false;
        }
        at += part.len();
        let mut bytes = part.iter();
        loop {
            if !is_leading {
                // Mostly this is all there is to do: texts are read often.
                if !bytes.any(|&byte| byte == b'\n') {
                    break;
                }
                (column, is_leading) = (0, true);
            }
            let Some(&byte) = bytes.next() else {
                break;
            };
            let is_blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            let is_mark = mark.is_none() && matches!(byte, b'-' | b'?' | b':');
            if !is_mark && (mark.is_some() || !is_blank) {
                let begin = mark.take().unwrap_or(column);
                open.truncate(open.partition_point(|&outer| outer < begin));
                open.push(begin);
                is_leading = is_blank;
            }
            mark = is_mark.then_some(column);
            column = if byte == b'\n' { 0 } else { column + 1 };
            if open.len() > MOST_LEVELS {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::find;

    fn tree(language: &str, text: &str) -> Option<Tree> {
        parse_all(find(language).unwrap(), text.as_bytes(), None)
    }

    /// So many lines, each indented by one more than that before it.
    fn indented(levels: usize, content: &str) -> String {
        let line = |level: usize| " ".repeat(level) + content + "\n";
        (0..levels).map(line).collect()
    }

    #[test]
    fn what_a_scanner_can_not_keep_is_not_shown_to_it() {
        for (language, text) in [
            ("yaml", indented(300, "a:")),
            ("yaml", indented(300, "- a:")),
            ("yaml", "- ".repeat(300)),
            ("yaml", "? ".repeat(300)),
            ("python", indented(600, "if a:")),
            (
                "python",
                indented(600, "if a:") + &" ".repeat(600) + "f'{a}'",
            ),
        ] {
            assert!(tree(language, &text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_with_an_annotation_is_not_shown_to_a_scanner_that_would_go_on() {
        let ends = |text: &'static str| ends_with_annotation(|at| &text.as_bytes()[at..]);
        assert!(ends("val a = 1\n@B") && ends("@B(c) d") && !ends("@B\n") && !ends("@B\nval a"));
        assert!(tree("kotlin", "val a = 1\n\n@B").is_none());
        assert!(tree("kotlin", "val a = 1\n\n@B(").is_none());
        assert!(tree("kotlin", "val a = 1\n\n@B(\n").is_some());
    }

    #[test]
    fn what_is_no_utf_8_ends_where_reading_does() {
        // Scanners look for the end of a string from every byte.
        let text = [0xff; 60_000];
        for language in ["lua", "scala"] {
            assert!(parse_all(find(language).unwrap(), &text, None).is_none());
        }
    }

    #[test]
    fn marks_and_lines_side_by_side_are_no_levels() {
        for (language, text) in [
            ("yaml", "-".repeat(300) + "\n"),
            ("yaml", "- a\n".repeat(300)),
            ("yaml", "a: b: ".repeat(300)),
            ("yaml", "- ".repeat(100)),
            ("yaml", indented(100, "a:") + "b:\n" + &indented(100, "- c")),
            ("python", indented(100, "if a:")),
        ] {
            assert!(tree(language, &text).is_some(), "{text}");
        }
    }

    #[test]
    fn as_many_levels_as_are_permitted_fit_into_a_scanner() {
        for content in ["- a:", "a:", "? a", "- - a: |", "a:\n"] {
            assert!(tree("yaml", &indented(MOST_LEVELS - 4, content)).is_some());
        }
        for marks in ["- - ", "? ? ", ": : ", "- ? "] {
            let text = marks.repeat(MOST_LEVELS / 2 - 1) + "a: b";
            assert!(tree("yaml", &text).is_some(), "{text}");
        }
    }
}
