//! Deletes a line.
//!
//! Most formats put on a line what belongs together, so a line can often go as a whole: of
//! `a = 1`, `b = 2` on two lines remains the one that matters.
//!
//! Costs one test for each line. A cut that succeeds is grown over the lines before and after, so
//! a block of any length goes in a number of tests that grows with its logarithm.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteLines;
//!
//! assert_eq!(reductions(&DeleteLines, "a\nb\nc\n"), ["a\nb\n", "a\nc\n", "b\nc\n"]);
//! assert_eq!(grown(&DeleteLines, "a\nb\nc\n", "c\n", 0), ["a\n", ""]);
//! assert_eq!(grown(&DeleteLines, "a\nb\nc\n", "b\n", 1), ["a\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::Lines;

/// Deletes a line; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLines;

impl Pass<u8> for DeleteLines {
    fn name(&self) -> &'static str {
        "delete_lines"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let lines = Lines::of(target);
        let (start, end) = lines.range(chooser.any(0..lines.len())?);
        Ok(Patch::cut(start, end))
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
        let (start, end) = patch.single_cut()?;
        let lines = Lines::of(target);
        if direction == 0 {
            let first = lines.starting_at(start)?.checked_sub(amount)?;
            return Some(Patch::cut(lines.start(first), end));
        }
        let after = lines.starting_at(end)?.checked_add(amount)?;
        (after <= lines.len()).then(|| Patch::cut(start, lines.start(after)))
    }

    fn rank(&self) -> u8 {
        8
    }
}
