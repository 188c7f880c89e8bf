//! Deletes statements that name files of a folder together with the files that nothing else names, and
//! so on, runs of statements, the largest first.
//!
//! A file that another one includes can't go alone: `@import "a"` finds nothing then. What comes late in
//! a file mostly needs what is included before it, and not the other way, so the last half of all
//! `@import`s often goes at once. What names a file is found by looking: `#include "a.h"`,
//! `import { a } from './a'`, `mod a;`, `source a.sh`, `a.c \` in a list; any language may have it.
//!
//! Costs one test for each such statement, for those of each file, and for their halves, quarters and so
//! on; one for each file that several name; and as much for the files that nothing names. A success is
//! grown over the statements before and after it. Where no folder is reduced, there is nothing to do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::DeleteIncludedFiles;
//!
//! let folder = b"\x1ca.css\x1c\np {}\n\x1cb.css\x1c\n@import 'a';\nq {}\n";
//! let seen = reductions(&DeleteIncludedFiles, folder);
//! assert!(seen.contains(&b"\x1cb.css\x1c\nq {}\n".to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::includes::{Group, Includes};

/// What takes off less than this share of the folder is left for later.
const SMALLEST_SHARE: usize = 1024;

/// Deletes files of a folder with what names them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteIncludedFiles;

/// What may go together, that with which most goes last.
struct Groups(Vec<Group>);

impl Groups {
    fn of(includes: &Includes, folder: &[u8]) -> Groups {
        let len = |group: &Group| -> usize {
            let cuts = includes.removal(group);
            cuts.iter().map(|(start, end)| end - start).sum()
        };
        let groups = includes.groups().into_iter();
        let mut groups: Vec<(usize, Group)> = groups.map(|it| (len(&it), it)).collect();
        groups.retain(|(len, _)| *len >= folder.len() / SMALLEST_SHARE);
        groups.sort_by_cached_key(|(len, _)| usize::BITS - len.leading_zeros());
        Groups(groups.into_iter().map(|(_, group)| group).collect())
    }
}

impl Pass<u8> for DeleteIncludedFiles {
    fn name(&self) -> &'static str {
        "delete_included_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let includes = Includes::of(target);
        let groups = target.analysis(|target| Groups::of(&includes, target.elements()));
        let group = &groups.0[chooser.any(0..groups.0.len())?];
        Ok(Patch::cuts(includes.removal(group)))
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
        let includes = Includes::of(target);
        let run = includes.run_of(patch)?;
        let (before, behind) = if direction == 0 {
            (amount, 0)
        } else {
            (0, amount)
        };
        let statements = includes.widened(run, before, behind)?.collect();
        let files = Vec::new();
        Some(Patch::cuts(includes.removal(&Group { statements, files })))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
