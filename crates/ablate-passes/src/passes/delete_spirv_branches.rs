//! Deletes branches of a SPIR-V module, as text or as binary, with the blocks that nothing leads to then.
//!
//! Where a block splits, it goes on in one of the ways only, or where they meet again; loops are not entered,
//! or left after the first time. A phi does not come any more from blocks that don't lead to its own; where
//! another one does, its value is left open.
//!
//! Costs up to five tests for each block that splits, and as many for halves, quarters and so on of all of
//! them; the largest come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{DeleteSpirvBranches, InModule};
//!
//! let text = "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpSelectionMerge %6 None\n\
//!             OpBranchConditional %9 %5 %6\n%5 = OpLabel\nOpStore %7 %8\nOpBranch %6\n\
//!             %6 = OpLabel\nOpReturn\nOpFunctionEnd\n";
//! let seen = reductions(&InModule(DeleteSpirvBranches), text);
//! assert!(seen.contains(
//!     &"%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpBranch %6\n%6 = OpLabel\nOpReturn\n\
//!       OpFunctionEnd\n".to_owned()
//! ));
//! ```

use alloc::vec::Vec;

use super::ChangesModule;
use crate::formats::spirv::{Block, Module, Op, Plan};

/// Deletes branches; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSpirvBranches;

/// How a block that splits goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Where what is split meets again, or what comes behind the loop.
    Merge,
    /// The last way there is, or the first.
    Last,
    First,
    /// As before, but nobody is told where that meets again.
    Unmerged,
}

/// A block that splits, by its number, and how it goes on.
pub struct Part(usize, Way);

/// Whether a block can go on in a way.
fn fits(module: &Module, block: &Block, way: Way) -> bool {
    let splits = module.instructions()[block.range.end - 1].op != Op::Branch;
    match way {
        Way::Merge | Way::Unmerged => module.merge(block).is_some(),
        Way::Last | Way::First => splits && target_of(module, block, way).is_some(),
    }
}

/// The label that a block leads to then.
fn target_of(module: &Module, block: &Block, way: Way) -> Option<u32> {
    let last = &module.instructions()[block.range.end - 1];
    match way {
        Way::Merge => {
            let merge = &module.instructions()[module.merge(block)?];
            module.operands(merge).first().map(|label| label.of)
        }
        Way::Last => module.labels(last).last(),
        Way::First => module.labels(last).next(),
        Way::Unmerged => None,
    }
}

/// The labels that a block leads to as a plan has it, and those that it names.
fn leads(module: &Module, plan: &Plan<'_>, block: &Block, with_merge: bool) -> Vec<u32> {
    let number = block.range.end - 1;
    let mut labels: Vec<u32> = match plan.branched(number) {
        Some(label) => alloc::vec![label],
        None => module.labels(&module.instructions()[number]).collect(),
    };
    let merge = module
        .merge(block)
        .filter(|&merge| with_merge && !plan.is_gone(merge));
    if let Some(merge) = merge {
        labels.extend(module.labels(&module.instructions()[merge]));
    }
    labels
}

/// Removes the blocks that nothing leads to any more, and has phis come from those that do.
fn prune(module: &Module, plan: &mut Plan<'_>, changed: &[bool]) {
    let blocks = module.blocks();
    let mut is_reached = alloc::vec![false; blocks.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut concerned: Vec<usize> = Vec::new();
    for function in module.functions() {
        let numbers = module.blocks_of(function);
        if changed[numbers.clone()].contains(&true) {
            open.push(numbers.start);
            concerned.extend(numbers);
        }
    }
    while let Some(number) = open.pop() {
        if !core::mem::replace(&mut is_reached[number], true) {
            let labels = leads(module, plan, &blocks[number], true).into_iter();
            open.extend(labels.filter_map(|label| module.block(label)));
        }
    }
    for number in concerned {
        let block = &blocks[number];
        if !is_reached[number] {
            plan.remove_all(block.range.clone());
        } else if changed[number] {
            let last = &module.instructions()[block.range.end - 1];
            let before: Vec<u32> = module.labels(last).collect();
            let after = leads(module, plan, block, false);
            for &label in before.iter().filter(|label| !after.contains(label)) {
                phis(module, label).for_each(|phi| plan.unlink(phi, block.label));
            }
            for &label in after.iter().filter(|label| !before.contains(label)) {
                phis(module, label).for_each(|phi| plan.remove(phi));
            }
        }
    }
}

/// The phis of the block with a label.
fn phis(module: &Module, label: u32) -> impl Iterator<Item = usize> {
    let range = module
        .block(label)
        .map(|number| module.blocks()[number].range.clone());
    let is_phi = |number: &usize| module.instructions()[*number].op == Op::Phi;
    range.into_iter().flatten().filter(is_phi)
}

impl ChangesModule for DeleteSpirvBranches {
    const NAME: &'static str = "delete_spirv_branches";
    const RANK: u8 = 8;
    type Part = Part;

    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let ways = [Way::Merge, Way::Last, Way::First, Way::Unmerged].into_iter();
        let groups = ways.map(|way| {
            let blocks = module.blocks().iter().enumerate();
            let splits = blocks.filter(|(_, block)| fits(module, block, way));
            splits.map(|(number, _)| (Part(number, way), 1)).collect()
        });
        groups.collect()
    }

    fn change(module: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        let mut changed = alloc::vec![false; module.blocks().len()];
        for &Part(number, way) in parts {
            let block = &module.blocks()[number];
            if let Some(merge) = module.merge(block) {
                plan.remove(merge);
            }
            if let Some(label) = target_of(module, block, way) {
                plan.branch(block.range.end - 1, label);
            }
            changed[number] = true;
        }
        prune(module, plan, &changed);
    }
}
