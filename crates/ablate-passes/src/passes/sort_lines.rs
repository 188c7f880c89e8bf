//! Sorts all lines, or all but the first, or else moves a line before the one above it, if it is the simpler of
//! the two.
//!
//! Where order does not matter, a sorted text says so, and equal or similar lines come together:
//! `b`, `a` becomes `a`, `b`. The first line may be the head of a table.
//!
//! Costs two tests, and one for each line that is simpler than the line before it. A success with a single
//! line is grown to move the line further up.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::SortLines;
//!
//! let seen = reductions(&SortLines, "c\nd\nb\na\n");
//! assert_eq!(seen, ["a\nb\nc\nd\n", "c\na\nb\nd\n", "c\nd\na\nb\n", "c\nb\nd\na\n"]);
//! let patch = Patch::replace(2, 6, b"a\nc\n");
//! assert_eq!(grown_patch(&SortLines, "b\nc\na\n", &patch, 0), ["a\nb\nc\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::Text;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::lines::Lines;
use crate::passes::choose_place;

/// Longer texts are left alone.
const LONGEST_TEXT: usize = 4 << 20;

/// Moves simple lines up; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SortLines;

/// How many lines a text may begin with that stay where they are, at most.
const LONGEST_HEAD: usize = 1;

/// Puts the lines from `first` on in order.
fn sorted_from(target: &Target<u8>, first: usize) -> Result<Patch<u8>, DeadBranch> {
    let (lines, text) = (Lines::of(target), target.elements());
    if lines.len() < first + 2 || target.len() > LONGEST_TEXT {
        return Err(DeadBranch);
    }
    let start = lines.start(first);
    let end = text.len() - usize::from(text.ends_with(b"\n"));
    let mut sorted: Vec<&[u8]> = text[start..end].split(|&byte| byte == b'\n').collect();
    sorted.sort_by_cached_key(|line| ranked(line).collect::<Vec<u16>>());
    simpler(target, Patch::replace(start, end, &sorted.join(&b'\n')))
}

/// Puts line `last` before the lines from `first` on, if that is simpler.
fn moved_up(target: &Target<u8>, first: usize, last: usize) -> Result<Patch<u8>, DeadBranch> {
    let (lines, text) = (Lines::of(target), target.elements());
    let (start, (middle, end)) = (lines.start(first), lines.range(last));
    let mut moved = text[middle..end].to_vec();
    let mut others = &text[start..middle];
    if moved.last() != Some(&b'\n') {
        // The last line of the text has no line feed; the new last one has none either.
        moved.push(b'\n');
        others = others.strip_suffix(b"\n").unwrap_or(others);
    }
    moved.extend_from_slice(others);
    simpler(target, Patch::replace(start, end, &moved))
}

impl Pass<u8> for SortLines {
    fn name(&self) -> &'static str {
        "sort_lines"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let head = chooser.prefer(LONGEST_HEAD + 2)?;
        if head <= LONGEST_HEAD {
            return sorted_from(target, head);
        }
        let lines = Lines::of(target);
        let count = if target.len() > LONGEST_TEXT {
            0
        } else {
            lines.len()
        };
        let line = choose_place::<Self>(target, chooser, count, |&line| {
            line > 0 && is_before(target, line, line - 1)
        })?;
        moved_up(target, line - 1, line)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let _ = direction;
        let lines = Lines::of(target);
        let (start, end) = patch.extent()?;
        let last = lines.around(end.checked_sub(1)?);
        let mut first = lines.starting_at(start)?;
        if last != first + 1 {
            // All have their places.
            return None;
        }
        for _ in 0..amount {
            first = first.checked_sub(1)?;
            if !is_before(target, last, first) {
                return None;
            }
        }
        moved_up(target, first, last).ok()
    }

    fn rank(&self) -> u8 {
        2
    }
}

/// Whether line `a` reads more simply than line `b`, with a line feed at the end of each.
fn is_before(target: &Target<u8>, a: usize, b: usize) -> bool {
    let lines = Lines::of(target);
    let read = |line: usize| {
        let (start, end) = lines.range(line);
        let line = &target.elements()[start..end];
        ranked(line.strip_suffix(b"\n").unwrap_or(line))
    };
    read(a).lt(read(b))
}

/// What tells the order of a line, with a line feed at its end.
fn ranked(line: &[u8]) -> impl Iterator<Item = u16> {
    line.iter().chain(b"\n").map(|&byte| Text::rank(byte))
}
