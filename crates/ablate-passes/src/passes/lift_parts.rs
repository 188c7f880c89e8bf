//! Replaces a value of a binary file by one that is inside of it.
//!
//! What matters may be deep in lists and maps, of which each has to have an item for that: in
//! MessagePack, of a list of lists of a map only the map is left. A file in a format whose values
//! don't fit everywhere is left to other passes.
//!
//! Costs one test for each value, the largest first.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{InContainer, LiftParts};
//!
//! // In MessagePack, a list of a number and of a list of nothing.
//! let seen = reductions(&InContainer(LiftParts), b"\x92\x01\x91\xc0");
//! assert_eq!(seen, [&b"\x91\xc0"[..], b"\x92\x01\xc0", b"\x01"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::{Container, Range};
use crate::passes::EditsContainer;

/// Replaces a value of a binary file by one inside of it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiftParts;

/// The values that are in others: what is around each, and itself, the largest first.
struct Lifts(Vec<(Range, Range)>);

impl Lifts {
    fn of(container: &Container) -> Lifts {
        let mut lifts = Vec::new();
        // Those that have not met what is around them yet.
        let mut free: Vec<Range> = Vec::new();
        for &value in container.values() {
            while let Some(inner) = free.pop_if(|inner| value.0 <= inner.0) {
                lifts.push((value, inner));
            }
            free.push(value);
        }
        lifts.sort_by_cached_key(|(_, inner)| (inner.0.abs_diff(inner.1), inner.0));
        lifts.reverse();
        Lifts(lifts)
    }
}

fn lifted(
    target: &Target<u8>,
    container: &Container,
    outer: Range,
    inner: Range,
) -> Option<Patch<u8>> {
    let before = Patch::cut(outer.0 as usize, inner.0 as usize);
    let behind = Patch::cut(inner.1 as usize, outer.1 as usize);
    let both = if inner.1 == outer.1 {
        before
    } else {
        before.combined(&behind).ok()?
    };
    container.patch(target.elements(), &both)
}

impl EditsContainer for LiftParts {
    const NAME: &'static str = "lift_parts";
    const RANK: u8 = 9;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let lifts = target.analysis(|_| Lifts::of(container));
        let (outer, inner) = lifts.0[chooser.prefer(lifts.0.len())?];
        lifted(target, container, outer, inner).ok_or(DeadBranch)
    }
}
