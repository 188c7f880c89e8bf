//! Deletes functions and instructions of a SPIR-V module, as text or as binary.
//!
//! A value that is still used is left open: what used it uses an `OpUndef` of its type instead, one for
//! each type. What can't be left open, as a pointer, takes with it what uses it, and what nobody uses any
//! more goes too, with its names and decorations. So most of what is left is well-formed.
//!
//! Costs a test for all functions, their halves, quarters and so on, down to each, and as many for the
//! instructions in functions, and for what stands before them and nobody uses; the largest come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{DeleteSpirvInstructions, InModule};
//!
//! let text = "%2 = OpTypeFloat 32\n%1 = OpFunction %2 None %3\n%4 = OpLabel\n%5 = OpFAdd %2 %6 %7\n\
//!             OpReturnValue %5\nOpFunctionEnd\n";
//! let seen = reductions(&InModule(DeleteSpirvInstructions), text);
//! assert!(seen.contains(
//!     &"%2 = OpTypeFloat 32\n%5 = OpUndef %2\n%1 = OpFunction %2 None %3\n%4 = OpLabel\n\
//!       OpReturnValue %5\nOpFunctionEnd\n".to_owned()
//! ));
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use super::ChangesModule;
use crate::formats::spirv::{Module, Op, Plan};

/// Deletes functions and instructions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSpirvInstructions;

/// Instructions that only go together.
pub struct Part(Range<usize>);

impl ChangesModule for DeleteSpirvInstructions {
    const NAME: &'static str = "delete_spirv_instructions";
    const RANK: u8 = 9;
    type Part = Part;

    /// All functions, what stands in them, and what stands before them and is not needed there.
    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let instructions = module.instructions();
        let part = |range: Range<usize>| {
            let size = instructions[range.end - 1].end - instructions[range.start].start;
            (Part(range), size)
        };
        let functions = module.functions().iter().cloned();
        let inner = functions.clone().flatten();
        let inner = inner.filter(|&number| !instructions[number].op.is_frame());
        let outer = (0..module.first_of_functions()).filter(|&number| {
            let instruction = &instructions[number];
            match instruction.result {
                Some(name) => module.is_unused(name),
                None => instruction.op != Op::EntryPoint,
            }
        });
        let alone = |number: usize| part(number..number + 1);
        alloc::vec![
            functions.map(part).collect(),
            inner.map(alone).collect(),
            outer.map(alone).collect(),
        ]
    }

    fn change(_: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        parts
            .iter()
            .for_each(|part| plan.remove_all(part.0.clone()));
    }
}
