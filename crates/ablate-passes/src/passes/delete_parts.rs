//! Deletes a part of a binary file: a section, an entry, a chunk, an instruction; what depends on it
//! is set right in the same edit.
//!
//! A part can only go when the lengths around it, the count of its siblings, checksums, offsets and
//! the numbers of what comes behind it change with it. What names the part goes as well.
//!
//! A cell of a page leaves unused bytes behind. Where these are enough, all pages become smaller in the
//! same edit; where that fails, the cell may still go alone.
//!
//! Costs one test for each part, the outermost first, from the end to the start, and one more where pages
//! can be smaller. A success is grown over the parts before and after it.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{DeleteParts, InContainer};
//!
//! let module = b"\0asm\x01\0\0\0\x05\x05\x02\0\x01\0\x02";
//! assert_eq!(
//!     reductions(&InContainer(DeleteParts), module),
//!     [
//!         &b"\0asm\x01\0\0\0"[..],
//!         b"\0asm\x01\0\0\0\x05\x03\x01\0\x01",
//!         b"\0asm\x01\0\0\0\x05\x03\x01\0\x02",
//!     ]
//! );
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::container::{Container, Range};
use crate::passes::{EditsContainer, one_of};

/// Deletes a part of a binary file; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteParts;

/// The parts of each level, the outermost level first, by position.
struct Levels(Vec<Vec<u32>>);

impl Levels {
    fn of(container: &Container) -> Levels {
        let mut parts: Vec<(u32, u32, u32)> = container
            .parts()
            .iter()
            .zip(0..)
            .map(|(part, number)| {
                let level = container.groups()[part.group as usize].level;
                (level, part.start, number)
            })
            .collect();
        parts.sort_unstable();
        let levels = parts.chunk_by(|a, b| a.0 == b.0);
        Levels(
            levels
                .map(|of| of.iter().map(|part| part.2).collect())
                .collect(),
        )
    }
}

/// The edit without a part, or a row of them; and first with smaller pages, where that makes room for it.
pub(super) fn cut_of_part(
    target: &Target<u8>,
    container: &Container,
    chooser: &mut Chooser<'_>,
    (start, end): Range,
) -> Result<Patch<u8>, DeadBranch> {
    let cut = Patch::cut(start as usize, end as usize);
    let text = target.elements();
    if let Some(smaller) = container.patch_with_smaller_pages(text, &cut)
        && chooser.prefer(2)? == 0
    {
        return Ok(smaller);
    }
    container.patch(text, &cut).ok_or(DeadBranch)
}

impl EditsContainer for DeleteParts {
    const NAME: &'static str = "delete_parts";
    const RANK: u8 = 9;
    const DIRECTIONS: usize = 2;
    const IS_FOR_CHAOS: bool = true;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let levels = target.analysis(|_| Levels::of(container));
        let level = &levels.0[chooser.prefer(levels.0.len())?];
        let part = container.parts()[*one_of(chooser, level)? as usize];
        cut_of_part(target, container, chooser, (part.start, part.end))
    }

    fn grow(
        &self,
        target: &Target<u8>,
        container: &Container,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let wanted = container.wanted(patch);
        // Of all that went, the largest is what was meant.
        let cuts = wanted.edits().iter().filter(|edit| edit.is_cut());
        let largest = cuts.max_by_key(|edit: &&Edit<u8>| (edit.end - edit.start, edit.start))?;
        let (group, first, last) = container.find_run(largest.start, largest.end)?;
        let (start, end) = container.larger_run(group, first, last, direction, amount)?;
        let larger = wanted.combined(&Patch::cut(start, end)).ok()?;
        container.patch(target.elements(), &larger)
    }
}
