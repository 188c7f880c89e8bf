//! Deletes lines of the hunks of a unified difference, and sets right the numbers that count them.
//!
//! In `@@ -1,2 +1,3 @@` stands how many lines of the old and of the new text follow. Where one of
//! them goes and the numbers stay, what reads the difference says no more than that it is damaged.
//! What has no number, whole hunks and whole files, goes here too, as its bounds are known.
//!
//! Costs one test for each file, hunk and line, and for each run of them that halving leads to, the
//! largest first; none where there is no hunk.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteHunkLines;
//!
//! let seen = reductions(&DeleteHunkLines, "@@ -1,2 +1 @@\n-a\n b\n");
//! assert_eq!(seen, ["", "@@ -1,0 +1,0 @@\n", "@@ -1 +1,0 @@\n-a\n", "@@ -1 +1 @@\n b\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::hunks::Hunks;
use crate::formats::lines::Lines;

/// Deletes lines of hunks; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteHunkLines;

/// What to cut, the largest part first.
struct HunkParts(Vec<(u32, u32)>);

impl HunkParts {
    fn of(target: &Target<u8>) -> HunkParts {
        let (lines, hunks) = (Lines::of(target), Hunks::of(target));
        let mut parts = Vec::new();
        let file = |index: usize| match hunks.files.get(index) {
            Some((_, line)) => lines.start(*line),
            None => hunks
                .hunks
                .last()
                .map_or(0, |last| lines.start(last.body.end)),
        };
        add_runs(&file, 0, hunks.files.len(), &mut parts);
        for (of_file, _) in &hunks.files {
            let end = of_file.end - 1;
            let hunk = |index: usize| {
                let line = if index > end {
                    hunks.hunks[end].body.end
                } else {
                    hunks.hunks[index].header
                };
                lines.start(line)
            };
            add_runs(&hunk, of_file.start, of_file.end, &mut parts);
        }
        for hunk in &hunks.hunks {
            add_runs(
                &|line| lines.start(line),
                hunk.body.start,
                hunk.body.end,
                &mut parts,
            );
        }
        // From the end to the start among parts of the same size, up to a factor of two.
        parts.sort_unstable_by_key(|&(start, end): &(u32, u32)| {
            let size = u32::leading_zeros((end - start).max(1));
            (size, u32::MAX - start, end)
        });
        parts.dedup();
        HunkParts(parts)
    }
}

/// Adds the run `first..after`, its halves, their halves, and so on, by where each of them starts.
fn add_runs(
    start: &impl Fn(usize) -> usize,
    first: usize,
    after: usize,
    parts: &mut Vec<(u32, u32)>,
) {
    if first < after {
        parts.push((start(first) as u32, start(after) as u32));
    }
    if after > first + 1 {
        let middle = first + (after - first).div_ceil(2);
        add_runs(start, first, middle, parts);
        add_runs(start, middle, after, parts);
    }
}

impl Pass<u8> for DeleteHunkLines {
    fn name(&self) -> &'static str {
        "delete_hunk_lines"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let parts = target.analysis(HunkParts::of);
        let (start, end) = parts.0[chooser.prefer(parts.0.len())?];
        let cut = Patch::cut(start as usize, end as usize);
        let (lines, hunks) = (Lines::of(target), Hunks::of(target));
        let edit = hunks.edit(target.elements(), &lines, &cut);
        edit.map_err(|_| DeadBranch)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let (lines, hunks) = (Lines::of(target), Hunks::of(target));
        let other = hunks.without_counts(other);
        let cuts = hunks.without_counts(one).combined(&other)?;
        hunks.edit(target.elements(), &lines, &cuts)
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
