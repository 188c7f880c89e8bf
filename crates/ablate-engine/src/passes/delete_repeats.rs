//! Deletes a run of one and the same element, or half of it.
//!
//! Padding is long and its length seldom matters: of `a        b` remains `ab`, or as many spaces
//! as the test needs, found by growing the half.
//!
//! Costs two tests for each run of at least four elements; what can be cut out of shorter runs,
//! `delete_short_runs` cuts.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeleteRepeats;
//! use ablate_engine::patch::Patch;
//!
//! assert_eq!(reductions(&DeleteRepeats, b"x----y"), [&b"xy"[..], b"x--y"]);
//! let larger = grown(&DeleteRepeats, b"x----y", &Patch::cut(1, 3), 0);
//! assert_eq!(larger, [&b"x-y"[..], b"xy"]);
//! ```

use alloc::vec::Vec;

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// The length of the shortest run that is worth a step of this pass.
const SHORTEST: usize = 4;
/// Longer targets are left alone: finding their runs would cost more than it is worth.
const LONGEST_TARGET: usize = 16 << 20;

/// Deletes a run of one and the same element, or half of it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteRepeats;

/// Runs of one element, by position.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of<E: Element>(target: &Target<E>) -> Runs {
        let elements = target.elements();
        let mut runs = Vec::new();
        if elements.len() > LONGEST_TARGET {
            return Runs(runs);
        }
        let mut start = 0;
        for end in 1..=elements.len() {
            if elements.get(end) != Some(&elements[start]) {
                if end - start >= SHORTEST {
                    runs.push((start as u32, end as u32));
                }
                start = end;
            }
        }
        Runs(runs)
    }
}

impl<E: Element> Pass<E> for DeleteRepeats {
    fn name(&self) -> &'static str {
        "delete_repeats"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let runs = target.analysis(Runs::of);
        let (start, end) = runs.0[chooser.any(0..runs.0.len())?];
        let (start, end) = (start as usize, end as usize);
        match chooser.prefer(2)? {
            0 => Ok(Patch::cut(start, end)),
            _ => Ok(Patch::cut(start, start + (end - start) / 2)),
        }
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let (start, end) = patch.single_cut()?;
        let runs = target.analysis(Runs::of);
        let run = runs.0.partition_point(|run| (run.0 as usize) <= start);
        let run_end = runs.0.get(run.checked_sub(1)?)?.1 as usize;
        let end = end.checked_add(amount).filter(|&end| end <= run_end)?;
        Some(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        6
    }
}
