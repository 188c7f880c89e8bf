//! Merges blocks of a SPIR-V module, as text or as binary, with the block before them that leads nowhere
//! else.
//!
//! Costs a test for each block that nothing else leads to, and as many for halves, quarters and so on of all
//! of them; all of them come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::MergeSpirvBlocks;
//!
//! let text = "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpBranch %5\n%5 = OpLabel\nOpReturn\n\
//!             OpFunctionEnd\n";
//! let seen = reductions(&MergeSpirvBlocks, text);
//! assert_eq!(seen, ["%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::spirv::{Module, Op, Parts};

/// Merges blocks; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeSpirvBlocks;

/// The number of a block that can be merged with the one before it.
struct Part(usize);

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

impl Pass<u8> for MergeSpirvBlocks {
    fn name(&self) -> &'static str {
        "merge_spirv_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        Parts::of(target, parts).step(target, chooser, |module, plan, parts| {
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
        })
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_taken_at_once(&self) -> bool {
        true
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
