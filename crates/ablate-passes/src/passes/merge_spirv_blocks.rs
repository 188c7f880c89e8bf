//! Merges blocks of a SPIR-V module, as text or as binary, with the block before them that leads nowhere
//! else.
//!
//! Costs a test for each block that nothing else leads to, and as many for halves, quarters and so on of all
//! of them; all of them come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{MergeSpirvBlocks, InModule};
//!
//! let text = "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpBranch %5\n%5 = OpLabel\nOpReturn\n\
//!             OpFunctionEnd\n";
//! let seen = reductions(&InModule(MergeSpirvBlocks), text);
//! assert_eq!(seen, ["%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n"]);
//! ```

use alloc::vec::Vec;

use super::ChangesModule;
use crate::formats::spirv::{Module, Op, Plan};

/// Merges blocks; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeSpirvBlocks;

/// The number of a block that can be merged with the one before it.
pub struct Part(usize);

impl ChangesModule for MergeSpirvBlocks {
    const NAME: &'static str = "merge_spirv_blocks";
    const RANK: u8 = 8;
    type Part = Part;

    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let (blocks, instructions) = (module.blocks(), module.instructions());
        let fits = |&number: &usize| {
            let (before, block) = (&blocks[number - 1], &blocks[number]);
            let last = before.range.end - 1;
            let users = module.users(block.label).iter().map(|&user| user as usize);
            let mut leading =
                users.filter(|&user| !matches!(instructions[user].op, Op::Annotation | Op::Phi));
            before.range.end == block.range.start
                && instructions[last].op == Op::Branch
                && module.merge(before).is_none()
                && leading.all(|user| user == last)
                && module.labels(&instructions[last]).eq([block.label])
        };
        let found = (1..blocks.len()).filter(fits);
        alloc::vec![found.map(|number| (Part(number), 1)).collect()]
    }

    fn change(module: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        for &Part(number) in parts {
            let (before, block) = (&module.blocks()[number - 1], &module.blocks()[number]);
            plan.replace(block.range.start, before.label);
            plan.remove(before.range.end - 1);
            // A phi of one way is what it came from.
            for phi in block.range.clone() {
                let instruction = &module.instructions()[phi];
                if let (Op::Phi, [from, ..]) = (instruction.op, module.arguments(instruction)) {
                    plan.replace(phi, from.of);
                }
            }
        }
    }
}
