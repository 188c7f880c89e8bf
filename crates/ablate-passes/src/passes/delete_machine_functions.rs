//! Deletes functions of LLVM's machine code as text (MIR), and what their counterparts in LLVM's IR hold.
//!
//! The document of the function goes, and in the module before it the function is only declared, as one
//! can't be without the other. In another step the body of the IR goes alone, with all that the machine code
//! says of it: it may return nothing at all then.
//!
//! Costs a test for each function, and as many for halves, quarters and so on of all of them, twice.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteMachineFunctions;
//!
//! let text = "--- |\n  define internal i32 @f(i32 %0) #0 {\n    ret i32 %0\n  }\n...\n---\nname: f\n\
//!             body: |\n  bb.0 (%ir-block.1):\n    RET 0, $eax\n...\n";
//! let seen = reductions(&DeleteMachineFunctions, text);
//! assert_eq!(
//!     seen,
//!     [
//!         "--- |\n  declare i32 @f(i32 %0)\n...\n",
//!         "--- |\n  define internal i32 @f(i32 %0) #0 {\n    unreachable\n  }\n...\n---\nname: f\n\
//!          body: |\n  bb.0:\n    RET 0, $eax\n...\n",
//!     ]
//! );
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::mir::{Mir, declared};
use crate::formats::runs::runs_largest_first;

/// Deletes functions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteMachineFunctions;

/// What the body of a function of the IR becomes.
const HOLLOW: &[u8] = b"    unreachable\n";

/// The runs of functions that are tried.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of(target: &Target<u8>) -> Runs {
        let functions = Mir::of(target).functions().len();
        Runs(runs_largest_first(&[alloc::vec![1; functions]]))
    }
}

impl Pass<u8> for DeleteMachineFunctions {
    fn name(&self) -> &'static str {
        "delete_machine_functions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (text, mir) = (target.elements(), Mir::of(target));
        let runs = target.analysis(Runs::of);
        let is_hollowed = chooser.prefer(2)? == 1;
        let (first, end) = runs.0[chooser.prefer(runs.0.len())?];
        let (first, last) = (first as usize, end as usize - 1);
        let mut edits: Vec<Edit<u8>> = Vec::new();
        for function in &mir.functions()[first..=last] {
            let definition = function.definition.as_ref();
            if !is_hollowed {
                let document = function.document.clone();
                edits.extend(
                    Patch::cut(document.start, document.end)
                        .edits()
                        .iter()
                        .cloned(),
                );
                let declared = definition.and_then(|definition| declared(text, definition));
                edits.extend(declared.iter().flat_map(Patch::edits).cloned());
                continue;
            }
            let Some(definition) = definition else {
                continue;
            };
            let body = definition.body.clone();
            if text[body.clone()] == *HOLLOW {
                continue;
            }
            edits.extend(
                Patch::replace(body.start, body.end, HOLLOW)
                    .edits()
                    .iter()
                    .cloned(),
            );
            for block in &function.blocks {
                let said = block
                    .instructions
                    .iter()
                    .filter_map(|one| one.memory.clone());
                let said = block.memory.iter().cloned().chain(said);
                edits.extend(
                    said.flat_map(|said| Patch::cut(said.start, said.end).edits().to_vec()),
                );
            }
        }
        edits.sort_by_key(|edit| edit.start);
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    takes_largest_at_once!();

    fn rank(&self) -> u8 {
        9
    }
}
