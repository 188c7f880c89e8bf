//! Deletes a line and brings the deeper indented lines below it to its own depth.
//!
//! The condition, loop or class around what matters is often not needed: `if a:`, `␣b` becomes `b`,
//! which Python would not take without the loss of indentation.
//!
//! Costs one test for each line that has deeper indented lines below it, the least indented ones
//! first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::LiftIndentedBlocks;
//!
//! assert_eq!(reductions(&LiftIndentedBlocks, "if a:\n  b\n  c\n"), ["b\nc\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::{Heads, Indents, Lines};
use crate::passes::one_of;

/// Deletes a line and lifts what is indented below it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiftIndentedBlocks;

impl Pass<u8> for LiftIndentedBlocks {
    fn name(&self) -> &'static str {
        "lift_indented_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let head = *one_of(chooser, &Heads::of(target).0)? as usize;
        let body = head + 1..=head + indents.body(head);
        let full = body.filter(|&line| indents.depth(line) != Indents::EMPTY);
        let least = full.clone().map(|line| indents.depth(line)).min();
        let lift = usize::from(least.unwrap_or(0).saturating_sub(indents.depth(head)));
        let lifted = full.map(|line| (lines.start(line), lines.start(line) + lift));
        Ok(Patch::cuts(
            core::iter::once(lines.range(head)).chain(lifted),
        ))
    }

    fn rank(&self) -> u8 {
        7
    }
}
