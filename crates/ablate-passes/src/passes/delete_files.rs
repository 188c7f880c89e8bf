//! Deletes files of a folder, folders within it, and runs of files, the largest first.
//!
//! Most of a project has nothing to do with a bug in one of its files: of `a/b`, `a/c` and `d`, the
//! folder `a` goes before any of its files is looked at.
//!
//! Costs one test for each file, for each folder within, and for their halves, quarters and so on. A
//! success is grown over the files before and after it. Where no folder is reduced, there is nothing to
//! do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::DeleteFiles;
//!
//! let seen = reductions(&DeleteFiles, b"\x1ca\x1c\none\x1cb/c\x1c\ntwo");
//! assert!(seen.contains(&b"\x1ca\x1c\none".to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::folder::Entries;

/// Deletes files of a folder; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteFiles;

/// Runs of files, the longest last.
struct Runs(Vec<(u32, u32)>);

impl Pass<u8> for DeleteFiles {
    fn name(&self) -> &'static str {
        "delete_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let entries = Entries::of(target);
        let files = entries.all();
        let runs = target.analysis(|target| {
            let len = |first: usize, last: usize| files[last].end - files[first].start;
            Runs(entries.runs(target.elements(), len))
        });
        let (first, last) = runs.0[chooser.any(0..runs.0.len())?];
        let (first, last) = (files[first as usize], files[last as usize]);
        Ok(Patch::cut(first.start, last.end))
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
        let entries = Entries::of(target);
        let files = entries.all();
        let (start, end) = patch.single_cut()?;
        let first = files.iter().position(|file| file.start == start)?;
        let last = files.iter().position(|file| file.end == end)?;
        let (first, last) = match direction {
            0 => (first.checked_sub(amount)?, last),
            _ => (first, last.checked_add(amount)?),
        };
        Some(Patch::cut(files[first].start, files.get(last)?.end))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
