//! Replaces parts of a binary file by the shortest thing that can stand for any of them.
//!
//! In WebAssembly that is the instruction `unreachable`: after it, whatever follows finds what it
//! needs on the stack, so that any row of instructions can be replaced by it and the module remains
//! valid. Bodies of functions become empty in this way, and the functions that they call needless.
//!
//! A PNG image becomes a single pixel.
//!
//! Costs one test for each row of instructions, for each half of it, each quarter and so on, the
//! largest first. A success is grown over the instructions before and after it.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::{InContainer, StubParts};
//!
//! // A function that takes 1 and 2 away from the stack again.
//! let module = b"\0asm\x01\0\0\0\x0a\x0a\x01\x08\0\x41\x01\x41\x02\x1a\x1a\x0b";
//! let seen = reductions(&InContainer(StubParts), module);
//! assert!(seen.contains(&b"\0asm\x01\0\0\0\x0a\x05\x01\x03\0\0\x0b".to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::Container;
use crate::passes::EditsContainer;

/// Replaces parts of a binary file by stubs; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct StubParts;

/// Rows of parts and their group, the largest first.
struct Runs(Vec<(u32, u32, u32)>);

impl Runs {
    fn of(container: &Container) -> Runs {
        let mut runs = Vec::new();
        for (group, number) in container.groups().iter().zip(0_u32..) {
            let (stub, last) = (group.stub.len(), group.parts.len().checked_sub(1));
            if let Some(last) = last.filter(|_| stub > 0) {
                container.halves(number, 0, last, stub + 1, &mut |start, end, _| {
                    runs.push((start as u32, end as u32, number));
                });
            }
        }
        runs.sort_by_cached_key(|&(start, end, _)| {
            (u32::leading_zeros(end - start), u32::MAX - start, end)
        });
        Runs(runs)
    }
}

impl EditsContainer for StubParts {
    const NAME: &'static str = "stub_parts";
    const RANK: u8 = 9;
    const DIRECTIONS: usize = 2;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let runs = target.analysis(|_| Runs::of(container));
        let alternatives = container.alternatives();
        let number = chooser.prefer(alternatives.len() + runs.0.len())?;
        if let Some(alternative) = alternatives.get(number) {
            return container
                .patch(target.elements(), alternative)
                .filter(|patch| patch.growth() < 0)
                .ok_or(DeadBranch);
        }
        let (start, end, group) = runs.0[number - alternatives.len()];
        let stub = container.groups()[group as usize].stub;
        let wanted = Patch::replace(start as usize, end as usize, stub);
        container
            .patch(target.elements(), &wanted)
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
        let wanted = container.wanted(patch);
        let [edit] = wanted.edits() else {
            return None;
        };
        let (group, first, last) = container.find_run(edit.start, edit.end)?;
        let (start, end) = container.larger_run(group, first, last, direction, amount)?;
        let stub = container.groups()[group as usize].stub;
        let larger = Patch::replace(start, end, stub);
        container.patch(target.elements(), &larger)
    }
}
