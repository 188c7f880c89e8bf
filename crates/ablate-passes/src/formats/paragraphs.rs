//! Paragraphs of a text: what stands between empty lines, or the blocks of a text without these.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::identity::{Digest, Identity};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::is_word;
use crate::formats::lines::{Indents, Lines};
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
}

impl Paragraphs {
    /// The paragraphs of `target`; none if there are hardly any, or if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Paragraphs> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        target.analysis(|target| {
            let mut firsts = match target.len() {
                0..=LONGEST_TEXT => first_lines(target.elements(), &lines, &indents),
                _ => Vec::new(),
            };
            if firsts.len() < HARDLY_ANY {
                firsts.clear();
            }
            let starts = firsts.iter().map(|&line| lines.start(line) as u32);
            let mut bounds: Vec<u32> = starts.collect();
            bounds.push(target.len() as u32);
            Paragraphs { firsts, bounds }
        })
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
fn first_lines(text: &[u8], lines: &Lines, indents: &Indents) -> Vec<usize> {
    let is_full = |line: &usize| indents.depth(*line) != Indents::EMPTY;
    let goes_on_from = |before: usize| {
        let (start, end) = lines.range(before);
        text[start..end].trim_ascii_end().ends_with(b",")
    };
    let is_behind = |line: &usize| {
        let before = (0..*line).rev().find(is_full);
        *line == 0 || !is_full(&(line - 1)) && !before.is_some_and(goes_on_from)
    };
    let full = (0..indents.len()).filter(is_full);
    let apart: Vec<usize> = full.clone().filter(is_behind).collect();
    if apart.len() >= FEW {
        return apart;
    }
    let starts_with_word = |line: usize| {
        let first = text.get(lines.start(line));
        first.is_some_and(|&byte| is_word(byte))
    };
    let goes_on = |line: usize| {
        let next = (line + 1..indents.len()).find(is_full);
        let next = next.and_then(|next| text.get(lines.start(next)));
        next.is_some_and(|&byte| !is_word(byte) && !b")]}".contains(&byte))
    };
    let is_head = |line: usize| starts_with_word(line) && goes_on(line);
    let firsts = full.filter(|line| is_behind(line) || is_head(*line));
    firsts.collect()
}
