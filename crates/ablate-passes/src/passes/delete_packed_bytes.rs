//! Deletes bytes of what is compressed in a binary file, and compresses it again.
//!
//! No byte of a compressed stream can go alone. What is in it can: rows of a PNG image with its
//! height, a part of a file in a zip archive with its length and its checksum.
//!
//! Costs one test for each content, for its halves, quarters and so on down to its bytes (or rows),
//! the largest first, as long as that makes the file smaller. A success is grown to the left and to
//! the right. Of a content of more than some thousand bytes the smallest pieces are left out until
//! it has become less, since each takes as long to compress as the whole.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{DeletePackedBytes, InContainer};
//!
//! // The compressed text `abcabcabc`, in a gzip file.
//! let file = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff\x4b\x4c\x4a\x4e\x04\x23\0\x18\x48\x2d\x46\x09\0\0\0";
//! let seen = reductions(&InContainer(DeletePackedBytes), file);
//! assert_eq!(seen[0], b"\x1f\x8b\x08\0\0\0\0\0\x02\xff\x03\0\0\0\0\0\0\0\0\0");
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::{Container, Packed, Pieces};
use crate::passes::EditsContainer;

/// Deletes bytes of what is compressed in a binary file; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePackedBytes;

/// How many bytes are packed in all to try every piece of a content, about.
const PACKED_MAX: u64 = 1 << 25;

struct PackedPieces(Pieces);

impl PackedPieces {
    fn of(container: &Container) -> PackedPieces {
        let units = |packed: &Packed| (packed.content.len() / packed.unit.max(1) as usize) as u32;
        // What is packed again for all pieces of a content is bounded.
        let smallest = |packed: &Packed| {
            let len = packed.content.len() as u64;
            u32::try_from(len * len / PACKED_MAX / u64::from(packed.unit.max(1)))
                .unwrap_or(u32::MAX)
        };
        let sizes = container.packed().iter().map(|p| (units(p), smallest(p)));
        PackedPieces(Pieces::down_to(sizes))
    }
}

/// The edit that cuts a part of what is packed.
fn cut(
    target: &Target<u8>,
    container: &Container,
    packed: &Packed,
    start: usize,
    end: usize,
) -> Option<Patch<u8>> {
    let content = [packed.content.get(..start)?, packed.content.get(end..)?].concat();
    container.patch(target.elements(), &packed.with(&content)?)
}

impl EditsContainer for DeletePackedBytes {
    const NAME: &'static str = "delete_packed_bytes";
    const RANK: u8 = 9;
    const DIRECTIONS: usize = 2;
    const IS_FOR_CHAINS: bool = false;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let pieces = target.analysis(|_| PackedPieces::of(container));
        let number = chooser.prefer(pieces.0.count())?;
        let (content, start, end) = pieces.0.piece(number).ok_or(DeadBranch)?;
        let packed = &container.packed()[content];
        let unit = packed.unit.max(1) as usize;
        let (start, end) = (start as usize * unit, end as usize * unit);
        cut(target, container, packed, start, end)
            .filter(|patch| patch.growth() < 0)
            .ok_or(DeadBranch)
    }

    fn grow(
        &self,
        target: &Target<u8>,
        container: &Container,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let cuts = container.packed().iter();
        let mut cuts = cuts.filter_map(|packed| Some((packed, packed.cut_by(patch)?)));
        let (packed, (mut start, mut end)) = cuts.next()?;
        let more = amount.checked_mul(packed.unit.max(1) as usize)?;
        if direction == 0 {
            start = start.checked_sub(more)?;
        } else {
            end = end.checked_add(more)?;
        }
        cut(target, container, packed, start, end)
    }
}
