//! Deletes instructions of code in static single assignment form, and leaves what they compute
//! undefined where it is used.
//!
//! In LLVM's intermediate code nothing can go that something else uses, but `undef` can stand for any
//! value: of `%a = add i32 1, 2 ret i32 %a`, `ret i32 undef` is left. What ends a block stays.
//!
//! Costs up to two tests for each instruction: all of a function, then halves, their halves, down to
//! single ones, the largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "define i32 @f() {\n%a = add i32 1, 2\nret i32 %a\n}";
//! let seen = reductions("delete_instructions", "llvm", text);
//! assert_eq!(seen, ["define i32 @f() {\nret i32 undef\n}"]);
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::blocks::Functions;
use crate::tree::Syntax;

/// Deletes instructions; see the module.
#[derive(Clone, Debug)]
pub struct DeleteInstructions(pub Rc<Syntax>);

/// Functions, and runs of those of their instructions that can go.
struct Runs(Vec<(usize, Range<usize>)>);

impl Pass<u8> for DeleteInstructions {
    fn name(&self) -> &'static str {
        "delete_instructions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let functions = Functions::of(target, &self.0);
        let runs = target.analysis(|_| {
            Runs(functions.runs(
                |f| 0..f.deletable.len(),
                |f, at| f.instructions[f.deletable[at]].range.clone(),
            ))
        });
        let (function, run) = &runs.0[chooser.any(0..runs.0.len())?];
        let function = &functions.0[*function];
        let gone = &function.deletable[run.clone()];
        Ok(function.without_instructions(target.elements(), gone))
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
