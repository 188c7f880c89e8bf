//! Empties files of a folder, and runs of files, the largest first; their names stay.
//!
//! That there is a file often matters where what is in it does not: a package needs its
//! `__init__.py`, a module is imported and never used.
//!
//! Costs one test for each file that is not empty, for each folder within, and for their halves,
//! quarters and so on. Where no folder is reduced, there is nothing to do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::EmptyFiles;
//!
//! let seen = reductions(&EmptyFiles, b"\x1ca\x1c\none\x1cb\x1c\n");
//! assert_eq!(seen, [b"\x1ca\x1c\n\x1cb\x1c\n".to_vec()]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::folder::Entries;

/// Empties files of a folder; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyFiles;

/// Runs of files, those with most in them last.
struct Runs(Vec<(u32, u32)>);

impl Pass<u8> for EmptyFiles {
    fn name(&self) -> &'static str {
        "empty_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let entries = Entries::of(target);
        let files = entries.all();
        let runs = target.analysis(|target| {
            let len = |first: usize, last: usize| {
                let files = files[first..=last].iter();
                files.map(|file| file.end - file.content).sum()
            };
            Runs(entries.runs(target.elements(), len))
        });
        let (first, last) = runs.0[chooser.any(0..runs.0.len())?];
        let files = files[first as usize..=last as usize].iter();
        Ok(Patch::cuts(files.map(|file| (file.content, file.end))))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
