//! Puts other values of the same type in the place of values of a SPIR-V module, as text or as binary.
//!
//! An instruction goes, and what it is made of is used instead, the last or the first of that; or a constant
//! or variable of its type that all functions can see; or what was stored last where it loads from. What
//! nobody uses any more goes too.
//!
//! Costs four tests for each value, and as many for halves, quarters and so on of all of them; the largest
//! come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{ReplaceSpirvValues, InModule};
//!
//! let text = "%2 = OpTypeFloat 32\n%6 = OpConstant %2 1\n%1 = OpFunction %2 None %3\n%4 = OpLabel\n\
//!             %7 = OpLoad %2 %9\n%5 = OpFAdd %2 %6 %7\nOpReturnValue %5\nOpFunctionEnd\n";
//! let seen = reductions(&InModule(ReplaceSpirvValues), text);
//! let text = text.replace("%6 = OpConstant %2 1\n", "");
//! assert!(seen.contains(&text.replace("%5 = OpFAdd %2 %6 %7\n", "").replace("%5", "%7")));
//! ```

use alloc::vec::Vec;

use super::ChangesModule;
use crate::formats::spirv::{Instruction, Module, Op, Plan};

/// Puts other values in the place of values; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceSpirvValues;

/// What takes the place of a value.
#[derive(Clone, Copy)]
enum Instead {
    LastPart,
    FirstPart,
    Global,
    Stored,
}

/// An instruction, and the name of what takes the place of the value that it defines.
pub struct Part(usize, u32);

/// Whether it stands for a value.
fn is_value(instruction: &Instruction) -> bool {
    !instruction.op.is_frame() || instruction.op == Op::Parameter
}

/// What can take the place of what an instruction defines.
fn replacement(module: &Module, number: usize, instead: Instead) -> Option<u32> {
    let instructions = module.instructions();
    let instruction = &instructions[number];
    let of_type = Some(instruction.of_type?);
    if instruction.op.is_frame() || instruction.op == Op::Undef {
        return None;
    }
    let fits = |name: &u32| {
        let definition = module.definition(*name).map(|other| &instructions[other]);
        definition.is_some_and(|other| other.of_type == of_type && is_value(other))
    };
    let mut parts = module
        .arguments(instruction)
        .iter()
        .map(|operand| operand.of);
    match instead {
        Instead::LastPart => parts.rfind(fits),
        Instead::FirstPart => parts.find(fits),
        Instead::Global => {
            let before = number.min(module.first_of_functions());
            let users = module.users(of_type?).iter().map(|&user| user as usize);
            let mut users = users.take_while(|&user| user < before);
            let is_global = |&user: &usize| {
                let other = &instructions[user];
                other.of_type == of_type && matches!(other.op, Op::Constant | Op::Variable)
            };
            instructions[users.find(is_global)?].result
        }
        Instead::Stored => {
            let from = parts.next()?;
            let users = module.users(from).iter().map(|&user| user as usize);
            let stored = users.take_while(|&user| user < number).filter_map(|user| {
                let store = &instructions[user];
                let [to, value, ..] = module.operands(store) else {
                    return None;
                };
                let is_store = store.op == Op::Effect && store.result.is_none() && to.of == from;
                is_store.then_some(value.of).filter(fits)
            });
            stored.last()
        }
    }
}

impl ChangesModule for ReplaceSpirvValues {
    const NAME: &'static str = "replace_spirv_values";
    const RANK: u8 = 8;
    type Part = Part;

    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let ways = [
            Instead::LastPart,
            Instead::FirstPart,
            Instead::Global,
            Instead::Stored,
        ];
        let groups = ways.into_iter().map(|instead| {
            let numbers = 0..module.instructions().len();
            let found = numbers.filter_map(|number| {
                let other = replacement(module, number, instead)?;
                (module.instructions()[number].result != Some(other))
                    .then_some((Part(number, other), 1))
            });
            found.collect()
        });
        groups.collect()
    }

    fn change(_: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        parts.iter().for_each(|part| plan.replace(part.0, part.1));
    }
}
