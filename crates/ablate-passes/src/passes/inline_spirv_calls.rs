//! Puts the bodies of functions of a SPIR-V module, as text or as binary, in the place of calls, where a
//! function is called once.
//!
//! The blocks of the function come to stand in the block of the call, which goes on behind the one that
//! returned. What it was called with is used instead of its parameters, and its variables become the
//! caller's.
//!
//! Costs a test for each such call, and as many for halves, quarters and so on of all of them.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{InlineSpirvCalls, InModule};
//!
//! let text = "%1 = OpFunction %2 None %3\n%4 = OpLabel\n%5 = OpFunctionCall %6 %7 %8\nOpStore %9 %5\n\
//!             OpReturn\nOpFunctionEnd\n%7 = OpFunction %6 None %10\n%11 = OpFunctionParameter %6\n\
//!             %12 = OpLabel\n%13 = OpFNegate %6 %11\nOpReturnValue %13\nOpFunctionEnd\n";
//! let seen = reductions(&InModule(InlineSpirvCalls), text);
//! assert_eq!(
//!     seen,
//!     ["%1 = OpFunction %2 None %3\n%4 = OpLabel\n%13 = OpFNegate %6 %8\nOpStore %9 %13\nOpReturn\n\
//!       OpFunctionEnd\n"]
//! );
//! ```

use alloc::vec::Vec;

use super::ChangesModule;
use crate::formats::spirv::{Module, Op, Plan};

/// Puts bodies in the place of calls; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineSpirvCalls;

/// A call, by its number, the number of the function among all, and that of the block that returns.
#[derive(Clone, Copy)]
pub struct Part {
    call: usize,
    function: usize,
    returns: usize,
}

/// The only call of a function that can be put in its place.
fn only_call(module: &Module, function: usize) -> Option<Part> {
    let instructions = module.instructions();
    let range = &module.functions()[function];
    let name = instructions[range.start].result?;
    let users = module.users(name).iter().map(|&user| user as usize);
    let mut users = users.filter(|&user| instructions[user].op != Op::Annotation);
    let call = users.next().filter(|_| users.next().is_none())?;
    let is_call = module.arguments(&instructions[call]).first()?.of == name;
    if instructions[call].op != Op::Effect || !is_call || range.contains(&call) {
        return None;
    }
    let returns = |&block: &usize| {
        let last = &instructions[module.blocks()[block].range.end - 1];
        last.op == Op::Leave && (last.operands.is_empty() || is_value(module, last.operands.start))
    };
    let mut blocks = module.blocks_of(range).filter(returns);
    let returns = blocks.next().filter(|_| blocks.next().is_none())?;
    let caller = &module.blocks()[module.block_around(call)?];
    let is_loop = module
        .merge(caller)
        .is_some_and(|merge| instructions[merge].op == Op::LoopMerge);
    (!is_loop).then_some(Part {
        call,
        function,
        returns,
    })
}

/// Whether an operand is a value, no label.
fn is_value(module: &Module, place: usize) -> bool {
    let definition = module.definition(module.operand(place).of);
    definition.is_some_and(|number| module.instructions()[number].op != Op::Label)
}

/// Puts the body of a function in the place of a call.
fn inline(module: &Module, plan: &mut Plan<'_>, part: Part) -> Option<()> {
    let Part {
        call,
        function,
        returns,
    } = part;
    let instructions = module.instructions();
    let range = module.functions()[function].clone();
    let blocks = module.blocks_of(&range);
    let inner = &module.blocks()[blocks];
    let outer = &module.blocks()[module.block_around(call)?];
    let last = &module.blocks()[returns];
    let first = inner.first()?;
    // What it was called with, and what it returns.
    let parameters = range.start + 1..first.range.start;
    let given = module.arguments(&instructions[call]).iter().skip(1);
    for (number, given) in parameters.zip(given) {
        plan.replace(number, given.of);
    }
    match module.operands(&instructions[last.range.end - 1]) {
        [value, ..] => plan.replace(call, value.of),
        [] => plan.remove(call),
    }
    plan.remove(range.start);
    plan.remove(range.end - 1);
    plan.remove(last.range.end - 1);
    plan.replace(first.range.start, outer.label);
    let caller = (module.functions()).partition_point(|range| range.end <= call);
    let caller = module.functions()[caller].clone();
    // Where the caller came from its block, it comes from the one that returned.
    if last.label != first.label {
        let phis = caller.clone();
        let phis = phis.filter(|&number| instructions[number].op == Op::Phi);
        phis.for_each(|phi| plan.relink(phi, outer.label, last.label));
    }
    let is_variable = |number: &usize| instructions[*number].op == Op::Variable;
    let entry = &module.blocks()[module.blocks_of(&caller).start];
    let (variables, body): (Vec<usize>, Vec<usize>) =
        (first.range.start + 1..last.range.end - 1).partition(is_variable);
    plan.move_behind(entry.range.start, variables);
    plan.move_behind(call, body);
    let rest = last.range.end..range.end - 1;
    plan.move_behind(outer.range.end - 1, rest.collect());
    Some(())
}

impl ChangesModule for InlineSpirvCalls {
    const NAME: &'static str = "inline_spirv_calls";
    const RANK: u8 = 7;
    type Part = Part;

    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let functions = 0..module.functions().len();
        let found = functions.filter_map(|function| {
            let part = only_call(module, function)?;
            Some((part, module.functions()[function].len() as u32))
        });
        alloc::vec![found.collect()]
    }

    fn change(module: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        for &part in parts {
            // Where another one of them is called, or calls, is for a step of its own.
            let is_apart = |other: &Part| {
                let range = &module.functions()[other.function];
                !range.contains(&part.call)
            };
            if parts.iter().all(is_apart) {
                let _ = inline(module, plan, part);
            }
        }
    }
}
