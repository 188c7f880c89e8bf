//! Paragraphs of a text: what stands between empty lines, or the blocks of a text without these; in a Lisp
//! the forms.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::identity::{Digest, Identity};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::is_word;
use crate::formats::lines::{Indents, Lines};
use crate::formats::lisp::Lisp;
use crate::formats::quotes::{Quotes, comment_length};
use crate::formats::runs::add_runs;
use crate::formats::tokens::LONGEST_TEXT;

/// Fewer paragraphs are left to other passes.
const HARDLY_ANY: usize = 6;
/// Where empty lines make fewer paragraphs than this, the heads of blocks begin some too.
const FEW: usize = 8;

/// Runs are not looked for among more: it takes time to find what goes together.
const MOST_PARAGRAPHS: usize = 1 << 13;
/// Where there are more paragraphs than this, there are no runs of one, and so on.
const MANY: usize = 512;
/// What takes off more than this share of the text will take what matters with it.
const MOST: (usize, usize) = (3, 4);

/// The paragraphs of a text.
#[derive(Debug)]
pub struct Paragraphs {
    /// The line with which each begins.
    firsts: Vec<usize>,
    /// Where each starts, and where the last one ends.
    bounds: Vec<u32>,
    /// Which lines start in a comment of several lines, or with one.
    is_comment: Vec<bool>,
}

impl Paragraphs {
    /// The paragraphs of `target`; none if there are hardly any, or if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Paragraphs> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let (lisp, quotes) = (Lisp::of(target), Quotes::of(target));
        target.analysis(|target| {
            let text = target.elements();
            let mut is_comment = Vec::new();
            let mut firsts = match text.len() {
                0..=LONGEST_TEXT if !lisp.is_empty() => lines_of_forms(text, &lines, &lisp),
                0..=LONGEST_TEXT => {
                    is_comment = comments(text, &lines);
                    first_lines(text, &lines, &indents, &quotes, &is_comment)
                }
                _ => Vec::new(),
            };
            if firsts.len() < HARDLY_ANY {
                firsts.clear();
            }
            let starts = firsts.iter().map(|&line| lines.start(line) as u32);
            let mut bounds: Vec<u32> = starts.collect();
            bounds.push(target.len() as u32);
            Paragraphs {
                firsts,
                bounds,
                is_comment,
            }
        })
    }

    /// Whether a line starts in a comment of several lines, or with one.
    pub fn is_comment(&self, line: usize) -> bool {
        self.is_comment.get(line).is_some_and(|&is| is)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.firsts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// The line with which each begins.
    pub fn first_lines(&self) -> &[usize] {
        &self.firsts
    }

    /// The first position of a paragraph, and that of the next one.
    pub fn range(&self, paragraph: usize) -> (usize, usize) {
        let bound = |at: usize| self.bounds[at] as usize;
        (bound(paragraph), bound(paragraph + 1))
    }

    /// The paragraph in which a position is; none before the first.
    pub fn around(&self, at: usize) -> Option<usize> {
        let behind = self.bounds.partition_point(|&bound| bound as usize <= at);
        behind.checked_sub(1).filter(|&last| last < self.len())
    }

    /// The runs of paragraphs, halves, quarters and so on of all, for which `patch` has something to
    /// delete that no other run has, and not too much: its bytes, with the first and the last paragraph,
    /// the largest first.
    pub fn largest_runs(
        &self,
        patch: impl Fn(usize, usize) -> Option<Patch<u8>>,
    ) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        let mut known: BTreeSet<Identity> = BTreeSet::new();
        if self.is_empty() || self.len() > MOST_PARAGRAPHS {
            return runs;
        }
        let total = self.range(self.len() - 1).1;
        let shortest = self.len().div_ceil(MANY);
        add_runs(0, self.len() - 1, &mut |first, last| {
            if let Some(patch) = patch(first, last) {
                let cuts = patch.edits().iter().map(|edit| [edit.start, edit.end]);
                let cuts: Vec<u32> = cuts.flatten().map(|at| at as u32).collect();
                let removed = cuts.chunks(2).map(|cut| (cut[1] - cut[0]) as usize).sum();
                let is_new = known.insert(Digest::of(&cuts).identity());
                if is_new && removed <= total / MOST.1 * MOST.0 {
                    runs.push((removed, first, last));
                }
            }
            last - first >= shortest
        });
        runs.sort_unstable_by(|one, other| other.cmp(one));
        runs
    }
}

/// The lines with which paragraphs begin: those behind empty lines, but for what goes on behind a comma;
/// where there are few of these, also words at the start of a line with something else below it: blanks,
/// or a sign that closes nothing.
fn first_lines(
    text: &[u8],
    lines: &Lines,
    indents: &Indents,
    quotes: &Quotes,
    is_comment: &[bool],
) -> Vec<usize> {
    let is_full = |line: &usize| indents.depth(*line) != Indents::EMPTY;
    let ends_with_comma = |line: usize| {
        let (start, end) = lines.range(line);
        text[start..end].trim_ascii_end().ends_with(b",")
    };
    let is_code = |line: &usize| {
        let visible = lines.start(*line) + usize::from(indents.depth(*line));
        is_full(line) && !is_comment[*line] && !quotes.is_comment(visible)
    };
    let is_within = |line: usize| is_comment[line] && line > 0 && is_comment[line - 1];
    // Behind which lines the last code ends with a comma.
    let mut goes_on = Vec::with_capacity(indents.len() + 1);
    goes_on.push(false);
    for line in 0..indents.len() {
        goes_on.push(if is_code(&line) {
            ends_with_comma(line)
        } else {
            goes_on[line]
        });
    }
    let is_behind = |line: &usize| *line == 0 || !is_full(&(line - 1)) && !goes_on[*line];
    let full = (0..indents.len()).filter(|line| is_full(line) && !is_within(*line));
    let apart: Vec<usize> = full.clone().filter(is_behind).collect();
    if apart.len() >= FEW {
        return apart;
    }
    let starts_with_word = |line: usize| {
        let first = text.get(lines.start(line));
        first.is_some_and(|&byte| is_word(byte))
    };
    let has_more = |line: usize| {
        let next = (line + 1..indents.len()).find(is_full);
        let next = next.and_then(|next| text.get(lines.start(next)));
        next.is_some_and(|&byte| !is_word(byte) && !b")]}".contains(&byte))
    };
    let is_head = |line: usize| starts_with_word(line) && has_more(line);
    let firsts = full.filter(|line| is_behind(line) || is_head(*line));
    firsts.collect()
}

/// How comments of several lines start, how they end, and whether others may be in them.
const COMMENTS: [(&[u8], &[u8], bool); 5] = [
    (b"/*", b"*/", false),
    (b"(*", b"*)", true),
    (b"{-", b"-}", true),
    (b"<!--", b"-->", false),
    (b"=begin", b"\n=end", false),
];

/// Which lines start in a comment of several lines, or with one.
fn comments(text: &[u8], lines: &Lines) -> Vec<bool> {
    let mut is_comment = alloc::vec![false; lines.len()];
    let mut is_unclosed = [false; COMMENTS.len()];
    let mut line = 0;
    while line < lines.len() {
        let (start, end) = lines.range(line);
        let visible = text[start..end].trim_ascii_start();
        let kind = COMMENTS
            .iter()
            .position(|(open, ..)| visible.starts_with(open));
        if let Some(kind) = kind.filter(|&kind| !is_unclosed[kind]) {
            let at = end - visible.len();
            let (open, close, nests) = COMMENTS[kind];
            match comment_length(&text[at..], (open, close), nests) {
                Some(length) => {
                    let last = lines.around(at + length - 1);
                    is_comment[line..=last].fill(true);
                    line = last;
                }
                None => is_unclosed[kind] = true,
            }
        }
        line += 1;
    }
    is_comment
}

/// The lines with which the forms of a Lisp begin, with the comments before them.
fn lines_of_forms(text: &[u8], lines: &Lines, lisp: &Lisp) -> Vec<usize> {
    let is_comment = |line: usize| {
        let (start, end) = lines.range(line);
        text[start..end].trim_ascii_start().starts_with(b";")
    };
    let mut firsts: Vec<usize> = Vec::new();
    let mut end = 0;
    for form in lisp.sexprs().top() {
        let node = lisp.sexprs().node(form);
        let line = lines.around(lisp.start(text, node));
        let behind = if end == 0 {
            0
        } else {
            lines.around(end - 1) + 1
        };
        end = node.end as usize;
        if line >= behind {
            let before = (behind..line).rev().take_while(|&line| is_comment(line));
            firsts.push(line - before.count());
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn check(text: &str, expected: &[&str]) {
        let paragraphs = Paragraphs::of(&Target::new(text.as_bytes().to_vec()));
        let seen: Vec<&str> = (0..paragraphs.len())
            .map(|paragraph| {
                let (start, end) = paragraphs.range(paragraph);
                &text[start..end]
            })
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn none_begins_within_a_comment() {
        check(
            "/* a\n\nb */\n\nc\n\n(* d (* e\n\n*)\n\n*)\n\nf\n\ng\n\nh\n\ni\n\nj\n",
            &[
                "/* a\n\nb */\n\n",
                "c\n\n",
                "(* d (* e\n\n*)\n\n*)\n\n",
                "f\n\n",
                "g\n\n",
                "h\n\n",
                "i\n\n",
                "j\n",
            ],
        );
        // One that is not closed is none.
        check(
            "/* a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n",
            &[
                "/* a\n\n", "b\n\n", "c\n\n", "d\n\n", "e\n\n", "f\n\n", "g\n\n", "h\n",
            ],
        );
    }

    #[test]
    fn none_begins_behind_a_comma_and_comments() {
        check(
            "a\n\nb,\n\n% c\n\n% d\ne\n\nf\n\ng\n\nh\n\ni\n\nj\n\nk\n",
            &[
                "a\n\n",
                "b,\n\n% c\n\n% d\ne\n\n",
                "f\n\n",
                "g\n\n",
                "h\n\n",
                "i\n\n",
                "j\n\n",
                "k\n",
            ],
        );
    }

    #[test]
    fn forms_are_those_of_a_lisp_with_the_comments_before_them() {
        check(
            "; a\n\n; b\n(c \"d\n\n\"\n\n e)\n(f) ; g\n(h) (i)\n\n(j)\n(k)\n(l)\n",
            &[
                "; b\n(c \"d\n\n\"\n\n e)\n",
                "(f) ; g\n",
                "(h) (i)\n\n",
                "(j)\n",
                "(k)\n",
                "(l)\n",
            ],
        );
    }
}
