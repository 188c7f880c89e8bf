//! Unified differences between texts: of each file its hunks, and of each hunk its lines, which two
//! numbers in its header count. Whether they apply to any text is not looked at.

use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::lines::Lines;

/// What comes before the numbers of a hunk.
const HEADER: &[u8] = b"@@ -";

/// A hunk: a header, and the lines that it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The line of the header.
    pub header: usize,
    /// The lines that follow.
    pub body: Range<usize>,
    /// How many lines of the old text and of the new one there are.
    counts: [Count; 2],
}

/// A number of lines, as a header says it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Count {
    /// Where it stands, with the comma before it; an empty range where one line goes without saying.
    range: (usize, usize),
    value: usize,
}

/// The hunks of a text.
#[derive(Debug, Default)]
pub struct Hunks {
    /// From the first to the last.
    pub hunks: Vec<Hunk>,
    /// The hunks of each file, and where the file starts: with the lines before its first hunk.
    pub files: Vec<(Range<usize>, usize)>,
}

impl Hunks {
    /// The hunks of `target`.
    pub fn of(target: &Target<u8>) -> alloc::rc::Rc<Hunks> {
        let lines = Lines::of(target);
        target.analysis(|target| Hunks::new(target.elements(), &lines))
    }

    fn new(text: &[u8], lines: &Lines) -> Hunks {
        let mut found = Hunks::default();
        // The line after the hunk before.
        let mut after = 0;
        let mut line = 0;
        while line < lines.len() {
            let start = lines.start(line);
            let Some(counts) = counts(&text[start..lines.start(line + 1)], start) else {
                line += 1;
                continue;
            };
            let end = end_of_body(text, lines, line + 1, &counts);
            let this = found.hunks.len();
            match found.files.last_mut() {
                Some((hunks, _)) if after == line => hunks.end = this + 1,
                _ => found.files.push((this..this + 1, after)),
            }
            found.hunks.push(Hunk {
                header: line,
                body: line + 1..end,
                counts,
            });
            (line, after) = (end, end);
        }
        found
    }

    /// A patch that cuts lines of hunks, with the numbers in their headers set right.
    pub fn edit(
        &self,
        text: &[u8],
        lines: &Lines,
        cuts: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let mut right = Vec::new();
        let mut seen = 0;
        for cut in cuts.edits().iter().filter(|edit| edit.is_cut()) {
            let from = self
                .hunks
                .partition_point(|hunk| lines.start(hunk.body.end) <= cut.start);
            for (index, hunk) in self.hunks.iter().enumerate().skip(from.max(seen)) {
                if lines.start(hunk.header) >= cut.end {
                    break;
                }
                seen = index + 1;
                right.extend(hunk.set_right(text, lines, cuts));
            }
        }
        cuts.combined(&Patch::edits_of(right)?)
    }

    /// The patch without what [`Hunks::edit`] has added to it.
    pub fn without_counts(&self, patch: &Patch<u8>) -> Patch<u8> {
        let is_count = |edit: &&Edit<u8>| {
            let after = self
                .hunks
                .partition_point(|hunk| hunk.counts[0].range.0 <= edit.end);
            let before = after.checked_sub(1).map(|index| &self.hunks[index].counts);
            before.is_some_and(|counts| {
                let range = (edit.start, edit.end);
                counts.iter().any(|count| count.range == range)
            })
        };
        let wanted = patch.edits().iter().filter(|edit| !is_count(edit));
        Patch::edits_of(wanted.cloned()).unwrap_or_default()
    }
}

impl Hunk {
    /// What the numbers have to be replaced by after these cuts; nothing where the header goes too.
    fn set_right(&self, text: &[u8], lines: &Lines, cuts: &Patch<u8>) -> Vec<Edit<u8>> {
        let is_cut = |line: usize| {
            let (start, end) = lines.range(line);
            let edits = cuts.edits();
            let at = edits.partition_point(|edit| edit.end < end);
            let edit = edits.get(at);
            edit.is_some_and(|edit| edit.start <= start && edit.is_cut())
        };
        let mut removed = [0; 2];
        if !is_cut(self.header) {
            for line in self.body.clone().filter(|&line| is_cut(line)) {
                let counted = counted(text[lines.start(line)]);
                (removed[0], removed[1]) = (removed[0] + counted[0], removed[1] + counted[1]);
            }
        }
        let changed = self.counts.iter().zip(removed);
        let changed = changed.filter(|(_, removed)| *removed > 0);
        let edits = changed.map(|(count, removed)| count.replaced(count.value - removed));
        edits.collect()
    }
}

impl Count {
    fn replaced(&self, value: usize) -> Edit<u8> {
        let written = match value {
            1 => alloc::string::String::new(),
            _ => alloc::format!(",{value}"),
        };
        let insert = (!written.is_empty()).then(|| written.as_bytes().into());
        Edit {
            start: self.range.0,
            end: self.range.1,
            insert,
        }
    }
}

/// In how many lines of the old and the new text a line of a hunk counts, by its first character.
fn counted(first: u8) -> [usize; 2] {
    match first {
        b'-' => [1, 0],
        b'+' => [0, 1],
        b'\\' => [0, 0],
        _ => [1, 1],
    }
}

/// The numbers of lines in a header that starts at `at`: `@@ -1,2 +3 @@` has two and one.
fn counts(line: &[u8], at: usize) -> Option<[Count; 2]> {
    let mut place = HEADER.len();
    let rest = line.strip_prefix(HEADER)?;
    let (old, len) = count(rest, at + place)?;
    place += len;
    let rest = rest[len..].strip_prefix(b" +")?;
    let (new, len) = count(rest, at + place + 2)?;
    rest[len..].starts_with(b" @@").then_some([old, new])
}

/// The number of lines in `1,2`, or in `1`, and how long that is.
fn count(text: &[u8], at: usize) -> Option<(Count, usize)> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let first = digits(text);
    let has_count = text.get(first) == Some(&b',');
    let len = first
        + if has_count {
            1 + digits(&text[first + 1..])
        } else {
            0
        };
    let value = match core::str::from_utf8(text.get(first + 1..len).unwrap_or_default()) {
        Ok(digits) if has_count => digits.parse().ok()?,
        _ => 1,
    };
    let range = (at + first, at + len);
    (first > 0).then_some((Count { range, value }, len))
}

/// The line after those that are counted, as far as they are there.
fn end_of_body(text: &[u8], lines: &Lines, start: usize, counts: &[Count; 2]) -> usize {
    let mut left = [counts[0].value, counts[1].value];
    for line in start..lines.len() {
        let first = text[lines.start(line)];
        let [old, new] = counted(first);
        let is_of_hunk = matches!(first, b' ' | b'+' | b'-' | b'\\' | b'\n' | b'\r' | b'\t');
        if !is_of_hunk || old > left[0] || new > left[1] {
            return line;
        }
        left = [left[0] - old, left[1] - new];
    }
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    const TEXT: &str = "From: a\n--- a\n+++ b\n@@ -1,3 +1,2 @@ f\n-a\n b\n-- c\n+d\n@@ -9 +8 @@\n-e\n+f\n--- c\n+++ d\n@@ -1 +0,0 @@\n-x\n";

    fn check(cuts: &[(&str, &str)], expected: &str) {
        let target = Target::new(TEXT.as_bytes().to_vec());
        let (lines, hunks) = (Lines::of(&target), Hunks::of(&target));
        let cuts = cuts.iter().map(|(from, to)| {
            let start = TEXT.find(from).unwrap();
            (start, start + TEXT[start..].find(to).unwrap() + to.len())
        });
        let cuts = Patch::cuts(cuts);
        let edit = hunks.edit(TEXT.as_bytes(), &lines, &cuts).unwrap();
        let found = edit.applied(TEXT.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected);
        assert_eq!(hunks.without_counts(&edit), cuts);
    }

    #[test]
    fn a_file_has_the_lines_before_its_first_hunk() {
        let target = Target::new(TEXT.as_bytes().to_vec());
        let hunks = Hunks::of(&target);
        assert_eq!(hunks.files, [(0..2, 0), (2..3, 11)]);
        let bodies = hunks.hunks.iter().map(|hunk| hunk.body.clone());
        assert_eq!(bodies.collect::<Vec<_>>(), [4..8, 9..11, 14..15]);
    }

    #[test]
    fn numbers_follow_the_lines_that_are_left() {
        check(
            &[("-- c\n", "\n"), ("-e\n", "\n")],
            "From: a\n--- a\n+++ b\n@@ -1,2 +1,2 @@ f\n-a\n b\n+d\n@@ -9,0 +8 @@\n+f\n--- c\n+++ d\n@@ -1 +0,0 @@\n-x\n",
        );
        check(
            &[("-- c\n", "+d\n"), ("-x\n", "\n")],
            "From: a\n--- a\n+++ b\n@@ -1,2 +1 @@ f\n-a\n b\n@@ -9 +8 @@\n-e\n+f\n--- c\n+++ d\n@@ -1,0 +0,0 @@\n",
        );
    }

    #[test]
    fn what_goes_with_its_header_is_not_counted() {
        check(
            &[("@@ -9", "+f\n")],
            "From: a\n--- a\n+++ b\n@@ -1,3 +1,2 @@ f\n-a\n b\n-- c\n+d\n--- c\n+++ d\n@@ -1 +0,0 @@\n-x\n",
        );
    }
}
