//! Deletes basic blocks of code in static single assignment form, with every way that leads to them.
//!
//! A branch to a block that goes leads to the other one that it names, or nowhere; a `switch` loses
//! the case, a `phi` what came from there, and `undef` stands for what was computed in it.
//!
//! Costs up to two tests for each block but the first of a function: all of them, then halves, their
//! halves, down to single ones, the largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "define void @f(i1 %x) {\nbr i1 %x, label %a, label %b\na:\nret void\nb:\nret void\n}";
//! let seen = reductions("delete_blocks", "llvm", text);
//! assert_eq!(seen[0], "define void @f(i1 %x) {\nunreachable\n}");
//! assert_eq!(seen[1], "define void @f(i1 %x) {\nbr label %a\na:\nret void\n}");
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::blocks::Functions;
use crate::tree::Syntax;

/// Deletes basic blocks; see the module.
#[derive(Clone, Debug)]
pub struct DeleteBlocks(pub Rc<Syntax>);

/// Functions, and the blocks in them that can go.
struct Runs(Vec<(usize, Range<usize>)>);

impl Pass<u8> for DeleteBlocks {
    fn name(&self) -> &'static str {
        "delete_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let functions = Functions::of(target, &self.0);
        let runs = target.analysis(|_| {
            Runs(functions.runs(|f| 1..f.blocks.len(), |f, at| f.blocks[at].range.clone()))
        });
        let (function, run) = &runs.0[chooser.any(0..runs.0.len())?];
        Ok(functions.0[*function].without_blocks(target.elements(), run.clone()))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        8
    }
}
