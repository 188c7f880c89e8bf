//! Deletes blocks and instructions of LLVM's machine code as text (MIR).
//!
//! Instructions go with those that use what they leave in registers of the machine. A virtual register that
//! is still used is left open: it is defined by `IMPLICIT_DEF` then. What names a block that goes, goes too, or
//! does not name it any more. What instructions say of memory can go alone.
//!
//! Costs a test for each block, each such run of instructions, and each that speaks of memory, and as many for halves,
//! quarters and so on of all of them; the largest come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteMachineInstructions;
//!
//! let text = "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1(0x40), %bb.2(0x40)\n\
//!             \x20   %0:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg :: (load (s32))\n    JCC_1 %bb.2, 5\n\
//!             \x20 bb.1:\n    NOOP\n  bb.2:\n    $eax = COPY %0\n...\n";
//! let seen = reductions(&DeleteMachineInstructions, text);
//! let first = "%0:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg :: (load (s32))";
//! assert!(seen.contains(&text.replace(first, "%0:gr32 = IMPLICIT_DEF")));
//! assert!(seen.contains(&text.replace(" :: (load (s32))", "")));
//! assert!(seen.contains(&text.replace("%bb.1(0x40), ", "").replace("  bb.1:\n    NOOP\n", "")));
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::mir::{Mir, Plan};
use crate::formats::runs::runs_largest_first;

/// Deletes blocks and instructions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteMachineInstructions;

/// What goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Block,
    Unit(usize),
    Memory(usize),
}

/// A function, a block of it, and what of it goes.
#[derive(Clone, Copy)]
struct Part {
    function: usize,
    block: usize,
    what: What,
}

/// What can go, in three groups, and the runs of it that are tried, the largest first.
struct Choices {
    parts: Vec<Part>,
    runs: Vec<(u32, u32)>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let mir = Mir::of(target);
        let mut groups: [Vec<(Part, u32)>; 3] = Default::default();
        for (function, its) in mir.functions().iter().enumerate() {
            for (block, its) in its.blocks.iter().enumerate() {
                let part = |what| Part {
                    function,
                    block,
                    what,
                };
                groups[0].push((part(What::Block), its.range.len() as u32));
                for (number, unit) in its.units.iter().enumerate() {
                    let lines = its.instructions[unit.clone()].iter();
                    let size = lines.map(|its| its.line.len() as u32).sum();
                    groups[1].push((part(What::Unit(number)), size));
                }
                for (number, its) in its.instructions.iter().enumerate() {
                    let memory = its.memory.iter().map(Range::len);
                    groups[2].extend(memory.map(|len| (part(What::Memory(number)), len as u32)));
                }
            }
        }
        let (mut parts, mut sizes) = (Vec::new(), Vec::new());
        for group in groups {
            let (new, of_new): (Vec<Part>, Vec<u32>) = group.into_iter().unzip();
            parts.extend(new);
            sizes.push(of_new);
        }
        let runs = runs_largest_first(&sizes);
        Choices { parts, runs }
    }
}

impl Pass<u8> for DeleteMachineInstructions {
    fn name(&self) -> &'static str {
        "delete_machine_instructions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (text, mir) = (target.elements(), Mir::of(target));
        let choices = target.analysis(Choices::of);
        let (first, end) = choices.runs[chooser.prefer(choices.runs.len())?];
        let mut edits: Vec<Edit<u8>> = Vec::new();
        let parts = &choices.parts[first as usize..end as usize];
        for parts in parts.chunk_by(|one, next| one.function == next.function) {
            let function = &mir.functions()[parts[0].function];
            let mut plan = Plan::new(text, function);
            for part in parts {
                match part.what {
                    What::Block => plan.remove_block(part.block),
                    What::Unit(number) => {
                        let unit = function.blocks[part.block].units[number].clone();
                        unit.for_each(|number| plan.remove(part.block, number));
                    }
                    What::Memory(number) => {
                        let instruction = &function.blocks[part.block].instructions[number];
                        let memory = instruction.memory.clone();
                        let cuts = memory.map(|memory| Patch::cut(memory.start, memory.end));
                        edits.extend(cuts.iter().flat_map(Patch::edits).cloned());
                    }
                }
            }
            plan.add_edits(&mut edits);
        }
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    takes_largest_at_once!();

    fn rank(&self) -> u8 {
        8
    }
}
