//! Deletes large parts of a binary file, or runs of them, the largest first; lengths, counts,
//! checksums, offsets and numbers of things are set right in the same edit.
//!
//! A file that says how long its parts are can't be cut anywhere: of a WebAssembly module, a whole
//! section goes, or half of its functions, with the calls and exports of what is gone, and all that
//! stays keeps its meaning. A file in no known format is left to other passes.
//!
//! Costs one test for each part, and for each half, quarter and so on of a row of parts, that is at
//! least a 256th of the file. A success is grown over the parts before and after it.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{DeleteLargeParts, InContainer};
//!
//! // A module with one section, and two memories in it.
//! let module = b"\0asm\x01\0\0\0\x05\x05\x02\0\x01\0\x02";
//! let seen = reductions(&InContainer(DeleteLargeParts), module);
//! assert!(seen.contains(&b"\0asm\x01\0\0\0".to_vec()));
//! assert!(seen.contains(&b"\0asm\x01\0\0\0\x05\x03\x01\0\x01".to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::Container;
use crate::passes::delete_parts::cut_of_part;
use crate::passes::{DeleteParts, EditsContainer};

/// Parts below this share of the file are left to `delete_parts`.
const SMALLEST_SHARE: usize = 256;

/// Deletes large parts of a binary file; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLargeParts;

/// What to cut, the largest run first.
struct LargeRuns(Vec<(u32, u32)>);

impl LargeRuns {
    fn of(target: &Target<u8>, container: &Container) -> LargeRuns {
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut runs = Vec::new();
        for (group, number) in container.groups().iter().zip(0..) {
            if let Some(last) = group.parts.len().checked_sub(1) {
                container.halves(number, 0, last, smallest, &mut |start, end, _| {
                    runs.push((start as u32, end as u32));
                });
            }
        }
        // From the end to the start among runs of the same size, up to a factor of two.
        runs.sort_by_cached_key(|&(start, end)| {
            (u32::leading_zeros(end - start), u32::MAX - start, end)
        });
        runs.dedup();
        LargeRuns(runs)
    }
}

impl EditsContainer for DeleteLargeParts {
    const NAME: &'static str = "delete_large_parts";
    const RANK: u8 = 9;
    const DIRECTIONS: usize = DeleteParts::DIRECTIONS;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let runs = target.analysis(|target| LargeRuns::of(target, container));
        let run = runs.0[chooser.prefer(runs.0.len())?];
        cut_of_part(target, container, chooser, run)
    }

    fn grow(
        &self,
        target: &Target<u8>,
        container: &Container,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        DeleteParts.grow(target, container, patch, direction, amount)
    }
}
