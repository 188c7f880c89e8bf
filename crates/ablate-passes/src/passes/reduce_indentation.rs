//! Deletes the indentation of a line, or brings that of all lines down to one character a level.
//!
//! Where indentation means nothing it can all go; where it means something, `␣␣␣␣a` in a block
//! means the same as `␣a`.
//!
//! Costs one test for each indented line, and one for the text as a whole. A success is grown over
//! the lines before and after.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::ReduceIndentation;
//!
//! let seen = reductions(&ReduceIndentation, "a:\n    b:\n        c\n");
//! assert_eq!(seen, ["a:\n b:\n  c\n", "a:\n    b:\nc\n", "a:\nb:\n        c\n"]);
//! assert_eq!(grown(&ReduceIndentation, " a\n b\n", " ", 1), ["a\nb\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::passes::choose_place;

/// Makes lines less indented; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceIndentation;

fn is_indented(indents: &Indents, line: usize) -> bool {
    !matches!(indents.depth(line), 0 | Indents::EMPTY)
}

/// The blanks that a line starts with.
fn indentation(lines: &Lines, indents: &Indents, line: usize) -> (usize, usize) {
    let start = lines.start(line);
    (start, start + usize::from(indents.depth(line)))
}

/// Takes from every line so much that the n-th depth there is becomes n.
fn level_by_level(lines: &Lines, indents: &Indents) -> Patch<u8> {
    let mut depths: Vec<u16> = (0..indents.len()).map(|line| indents.depth(line)).collect();
    depths.sort_unstable();
    depths.dedup();
    let base = usize::from(depths.first() != Some(&0));
    let indented = (0..indents.len()).filter(|&line| is_indented(indents, line));
    Patch::cuts(indented.map(|line| {
        let level = depths.binary_search(&indents.depth(line)).unwrap_or(0);
        let (start, end) = indentation(lines, indents, line);
        (start, end.saturating_sub(level + base).max(start))
    }))
}

impl Pass<u8> for ReduceIndentation {
    fn name(&self) -> &'static str {
        "reduce_indentation"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        // The number after the last line, which sweeps try first, stands for all of them.
        let line = choose_place::<Self>(target, chooser, indents.len() + 1, |&line| {
            line == indents.len() || is_indented(&indents, line)
        })?;
        if line < indents.len() {
            let (start, end) = indentation(&lines, &indents, line);
            return Ok(Patch::cut(start, end));
        }
        let patch = level_by_level(&lines, &indents);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let (start, end) = patch.extent()?;
        let (first, last) = (lines.around(start), lines.around(end.checked_sub(1)?));
        let is_whole = |line: usize| {
            let (start, end) = indentation(&lines, &indents, line);
            patch.covers(&Patch::cut(start, end))
        };
        if !is_whole(first) {
            return None;
        }
        let before = (0..first).rev().filter(|&line| is_indented(&indents, line));
        let after = (last + 1..indents.len()).filter(|&line| is_indented(&indents, line));
        let further: Vec<usize> = if direction == 0 {
            before.take(amount).collect()
        } else {
            after.take(amount).collect()
        };
        if further.len() < amount {
            return None;
        }
        let further = further
            .iter()
            .map(|&line| indentation(&lines, &indents, line));
        let cuts = patch.edits().iter().map(|edit| (edit.start, edit.end));
        Some(Patch::cuts(cuts.chain(further)))
    }

    fn rank(&self) -> u8 {
        4
    }
}
