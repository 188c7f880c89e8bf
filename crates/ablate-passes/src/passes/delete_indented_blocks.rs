//! Deletes a line together with the deeper indented lines below it, or only those.
//!
//! Indentation shows what belongs to what, in Python by rule and elsewhere by habit: of `if a:`,
//! `␣b`, `c` remains `c` after one test, and the head of a block goes with its body.
//!
//! Costs two tests for each line that has deeper indented lines below it, and a third where the
//! line after these is indented like the head (`end`, `}`). A success is grown over the blocks and
//! lines of the same depth before and after.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteIndentedBlocks;
//!
//! let text = "if a:\n b\nc\n";
//! assert_eq!(reductions(&DeleteIndentedBlocks, text), ["c\n", "", "if a:\nc\n"]);
//! assert_eq!(grown(&DeleteIndentedBlocks, "x\na\n b\nc\n", "a\n b\n", 0), ["c\n"]);
//! assert_eq!(grown(&DeleteIndentedBlocks, "a\n b\nc\n d\ne\n", "a\n b\n", 1), ["e\n", ""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::{Heads, Indents, Lines};
use crate::passes::one_of;

/// Deletes a line with what is indented below it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteIndentedBlocks;

impl Pass<u8> for DeleteIndentedBlocks {
    fn name(&self) -> &'static str {
        "delete_indented_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let head = *one_of(chooser, &Heads::of(target).0)? as usize;
        let after = head + indents.body(head) + 1;
        let is_closed = after < lines.len() && indents.depth(after) == indents.depth(head);
        // A sweep tries the last variant first.
        let variant = chooser.choose(0..3, |variant| variant != 1 || is_closed)?;
        let (first, after) = match variant {
            2 => (head, after),
            1 => (head, after + 1),
            _ => (head + 1, after),
        };
        Ok(Patch::cut(lines.start(first), lines.start(after)))
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
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let (mut first, mut after) = (lines.starting_at(start)?, lines.starting_at(end)?);
        let depth = (first..after)
            .map(|line| indents.depth(line))
            .find(|&depth| depth != Indents::EMPTY)?;
        for _ in 0..amount {
            if direction == 0 {
                first = (0..first)
                    .rev()
                    .find(|&line| indents.depth(line) <= depth)
                    .filter(|&line| indents.depth(line) == depth)?;
            } else {
                let next = (after..lines.len())
                    .find(|&line| indents.depth(line) != Indents::EMPTY)
                    .filter(|&line| indents.depth(line) == depth)?;
                after = next + indents.body(next) + 1;
            }
        }
        Some(Patch::cut(lines.start(first), lines.start(after)))
    }

    fn rank(&self) -> u8 {
        9
    }
}
