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
use crate::formats::runs::{add_runs, sort_largest_first};

/// Deletes lines of hunks; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteHunkLines;

/// What to cut, the largest part first.
struct HunkParts(Vec<(u32, u32)>);

impl HunkParts {
    fn of(target: &Target<u8>) -> HunkParts {
        let (lines, hunks) = (Lines::of(target), Hunks::of(target));
        let mut parts = Vec::new();
        // The runs of what starts at `starts`, but for the last of these, where the last one ends.
        let mut add = |starts: &[usize]| {
            if starts.len() > 1 {
                add_runs(0, starts.len() - 2, &mut |first, last| {
                    let line = |index: usize| lines.start(starts[index]) as u32;
                    parts.push((line(first), line(last + 1)));
                    true
                });
            }
        };
        let all = &hunks.hunks;
        let files = hunks.files.iter().map(|(_, line)| *line);
        let end = all.last().map(|last| last.body.end);
        add(&files.chain(end).collect::<Vec<_>>());
        for (of_file, _) in &hunks.files {
            let headers = all[of_file.clone()].iter().map(|hunk| hunk.header);
            let end = all[of_file.end - 1].body.end;
            add(&headers.chain([end]).collect::<Vec<_>>());
        }
        for hunk in all {
            add(&(hunk.body.start..=hunk.body.end).collect::<Vec<_>>());
        }
        sort_largest_first(&mut parts);
        HunkParts(parts)
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
