//! Deletes large parts of a long string or line of words, the largest first.
//!
//! The outline of a drawing, a list of points, or what is packed or encoded, is one string for those who
//! look for statements, members and lines; halves of it go as those of a list do.
//!
//! Costs one test for each half, quarter and so on that is at least a 256th of the text, from the end to
//! the start among those of the same size, and nothing where no string or line has an eighth of the text.
//! Lines with many marks are left to other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLargeWords;
//!
//! let text = format!("<a b=\"{}{}\"/>", "l1 2".repeat(50), "c3 4".repeat(50));
//! let seen = reductions(&DeleteLargeWords, &text);
//! assert_eq!(seen[0], "<a b=\"\"/>");
//! assert!(seen.contains(&format!("<a b=\"{}\"/>", "c3 4".repeat(50))));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::is_control;
use crate::formats::lines::Lines;
use crate::formats::runs::{add_runs, sort_largest_first};
use crate::formats::tokens::Tokens;

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 256;
/// So much of the text has to be in a string or a line, and so many bytes.
const LONG_SHARE: usize = 8;
const LONG_MIN: usize = 256;
/// A word without an end in sight is divided after so many bytes: what is encoded often comes in groups
/// of that size.
const WORD_MAX: usize = 16;
/// Letters say where words start if there are so many: one for so many tokens.
const LETTERS_SHARE: usize = 8;
/// Where one byte in so many is a mark, there are statements and members.
const MARKS_SHARE: usize = 64;

/// Deletes large parts of a long string or line of words; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLargeWords;

/// What to cut, the largest part first.
struct LargeParts(Vec<(u32, u32)>);

impl LargeParts {
    fn of(target: &Target<u8>) -> LargeParts {
        let (text, tokens) = (target.elements(), Tokens::of(target));
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut parts = Vec::new();
        for (start, end) in long_spans(text, &Lines::of(target)) {
            let starts = word_starts(text, &tokens, start, end);
            let Some(last) = starts.len().checked_sub(1) else {
                continue;
            };
            add_runs(0, last, &mut |first, last| {
                let to = starts.get(last + 1).copied().unwrap_or(end);
                let is_large = to - starts[first] >= smallest;
                if is_large {
                    parts.push((starts[first] as u32, to as u32));
                }
                is_large
            });
        }
        sort_largest_first(&mut parts);
        LargeParts(parts)
    }
}

/// Where words start within `start..end`. Where letters stand between numbers, as in `m1 2l3 4`, these are
/// what goes with the numbers behind them.
fn word_starts(text: &[u8], tokens: &Tokens, start: usize, end: usize) -> Vec<usize> {
    let all = &tokens.all()[tokens.from(start)..tokens.from(end)];
    let is_letter = |at: usize| text[at].is_ascii_alphabetic();
    let begins = |&at: &usize| is_letter(at) && (at == start || !is_letter(at - 1));
    let letters: Vec<usize> = (start..end).filter(begins).collect();
    if end - start <= all.len() * WORD_MAX && letters.len() * LETTERS_SHARE >= all.len() {
        return letters;
    }
    let mut starts = Vec::new();
    for token in all {
        let (from, to) = token.range();
        starts.extend((from..to.min(end)).step_by(WORD_MAX));
    }
    starts
}

/// What is in long strings, and long lines that have none.
fn long_spans(text: &[u8], lines: &Lines) -> Vec<(usize, usize)> {
    let long = (text.len() / LONG_SHARE).max(LONG_MIN);
    let mut spans = strings(text);
    spans.retain(|&(start, end)| {
        let inner = &text[start..end];
        end - start >= long && is_text(inner) && (!inner.contains(&b'\n') || has_few_marks(inner))
    });
    let strings = spans.len();
    for line in 0..lines.len() {
        let (start, end) = lines.range(line);
        let end = start + text[start..end].trim_ascii_end().len();
        let overlaps = |span: &(usize, usize)| span.0 < end && start < span.1;
        let line = &text[start..end];
        let is_long = line.len() >= long && is_text(line) && has_few_marks(line);
        if is_long && !spans[..strings].iter().any(overlaps) {
            spans.push((start, end));
        }
    }
    spans
}

/// What stands between one quote and the next of its kind, whatever is in it.
fn strings(text: &[u8]) -> Vec<(usize, usize)> {
    let mut strings = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    while at < text.len() {
        match (open, text[at]) {
            (Some(_), b'\\') => at += 1,
            (None, b'"' | b'\'' | b'`') => open = Some(at),
            (Some(start), byte) if byte == text[start] => {
                strings.push((start + 1, at));
                open = None;
            }
            _ => (),
        }
        at += 1;
    }
    strings
}

fn is_text(bytes: &[u8]) -> bool {
    !bytes.iter().any(|&byte| is_control(byte))
}

fn has_few_marks(text: &[u8]) -> bool {
    let is_mark = |byte: &&u8| b"()[]{}<>;=\"'`".contains(byte);
    text.iter().filter(is_mark).count() * MARKS_SHARE <= text.len()
}

impl Pass<u8> for DeleteLargeWords {
    fn name(&self) -> &'static str {
        "delete_large_words"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let parts = target.analysis(LargeParts::of);
        let (start, end) = parts.0[chooser.prefer(parts.0.len())?];
        Ok(Patch::cut(start as usize, end as usize))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;
    use std::string::String;

    fn check(text: &str, expected: &str) {
        let seen = reductions(&DeleteLargeWords, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn a_long_line_of_words_is_divided() {
        check(
            &std::format!("a\n{}{}\nb\n", "x 1 ".repeat(100), "y 2 ".repeat(100)),
            &std::format!("a\n{}\nb\n", "y 2 ".repeat(100)),
        );
    }

    #[test]
    fn numbers_go_with_the_letters_before_them() {
        check(
            &std::format!("d='{}{}'", "m1-2 3l4 5".repeat(40), "c1 2,3s4".repeat(40)),
            &std::format!("d='{}'", "c1 2,3s4".repeat(40)),
        );
    }

    #[test]
    fn what_is_encoded_is_divided_into_groups() {
        check(
            &std::format!("f('{}{}')", "0".repeat(512), "1".repeat(512)),
            &std::format!("f('{}')", "1".repeat(512)),
        );
    }

    #[test]
    fn a_string_may_have_quotes_and_lines_in_it() {
        let half = std::format!("{}\\\"\n", "a b ".repeat(31)).repeat(4);
        check(
            &std::format!("\"{half}{half}\""),
            &std::format!("\"{half}\""),
        );
    }

    #[test]
    fn short_strings_and_code_are_left_alone() {
        for text in [
            "\"a b c\"",
            &"f(a);".repeat(100),
            &"\"a\"\n".repeat(500),
            &"\"a\0 b \"".repeat(99),
        ] {
            assert_eq!(reductions(&DeleteLargeWords, text), Vec::<String>::new());
        }
    }
}
