//! Deletes bytes of what a binary file holds, and sets the lengths around them right.
//!
//! What is in a chunk, a member or a segment is the file's own: any bytes of it may go, as long as
//! what is said about its length and its checksum stays true.
//!
//! Costs one test for each such content, for its halves, quarters and so on down to its bytes, the
//! largest first. A success is grown to the left and to the right.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{DeletePartBytes, InContainer};
//!
//! // A section of one's own: its name `n`, and what is in it.
//! let module = b"\0asm\x01\0\0\0\0\x04\x01nab";
//! let seen = reductions(&InContainer(DeletePartBytes), module);
//! assert_eq!(seen[0], b"\0asm\x01\0\0\0\0\x02\x01n");
//! assert_eq!(seen[1], b"\0asm\x01\0\0\0\0\x03\x01na");
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::{Container, Pieces, Range};
use crate::passes::EditsContainer;

/// Deletes bytes of what a binary file holds; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePartBytes;

/// The pieces of the payloads.
struct PayloadPieces(Pieces);

impl PayloadPieces {
    fn of(payloads: &[Range]) -> PayloadPieces {
        let lengths: Vec<u32> = payloads.iter().map(|(start, end)| end - start).collect();
        PayloadPieces(Pieces::of(&lengths))
    }
}

impl EditsContainer for DeletePartBytes {
    const NAME: &'static str = "delete_part_bytes";
    const RANK: u8 = 9;
    const DIRECTIONS: usize = 2;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let pieces = target.analysis(|_| PayloadPieces::of(container.payloads()));
        let number = chooser.prefer(pieces.0.count())?;
        let (payload, start, end) = pieces.0.piece(number).ok_or(DeadBranch)?;
        let base = container.payloads()[payload].0;
        let cut = Patch::cut((base + start) as usize, (base + end) as usize);
        container.patch(target.elements(), &cut).ok_or(DeadBranch)
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
        let [edit] = wanted.edits() else {
            return None;
        };
        let payloads = container.payloads();
        let at = payloads.partition_point(|payload| (payload.1 as usize) < edit.end);
        let (start, end) = payloads.get(at)?;
        let (mut from, mut to) = (edit.start, edit.end);
        if direction == 0 {
            from = from.checked_sub(amount)?;
        } else {
            to = to.checked_add(amount)?;
        }
        if from < *start as usize || *end as usize <= to.checked_sub(1)? {
            return None;
        }
        container.patch(target.elements(), &Patch::cut(from, to))
    }
}
