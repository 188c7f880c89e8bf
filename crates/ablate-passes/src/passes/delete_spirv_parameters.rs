//! Deletes parameters of the functions of a SPIR-V module, as text or as binary, and what these are called
//! with.
//!
//! What a parameter was used for goes too, or its value is left open. The function gets a type without it.
//!
//! Costs a test for each parameter, and as many for halves, quarters and so on of all of them; all of them
//! come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::{DeleteSpirvParameters, InModule};
//!
//! let text = "%2 = OpTypeVoid\n%3 = OpTypeFunction %2 %9\n%1 = OpFunction %2 None %3\n\
//!             %5 = OpFunctionParameter %9\n%4 = OpLabel\n%6 = OpFunctionCall %2 %1 %7\nOpReturn\n\
//!             OpFunctionEnd\n";
//! let seen = reductions(&InModule(DeleteSpirvParameters), text);
//! assert_eq!(
//!     seen,
//!     ["%2 = OpTypeVoid\n%5 = OpTypeFunction %2\n%1 = OpFunction %2 None %5\n%4 = OpLabel\n\
//!       %6 = OpFunctionCall %2 %1\nOpReturn\nOpFunctionEnd\n"]
//! );
//! ```

use alloc::vec::Vec;

use super::ChangesModule;
use crate::formats::spirv::{Module, Op, Plan};

/// Deletes parameters; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSpirvParameters;

/// A function, by the number of its first instruction, and the place of a parameter among its own.
#[derive(Clone, Copy)]
pub struct Part(usize, usize);

/// The instructions that are the parameters of a function.
fn parameters(module: &Module, function: usize) -> impl Iterator<Item = usize> {
    let is_parameter = |number: &usize| module.instructions()[*number].op == Op::Parameter;
    let numbers = function + 1..module.instructions().len();
    numbers.take_while(is_parameter)
}

/// Takes parameters from one function.
fn delete(module: &Module, plan: &mut Plan<'_>, function: usize, places: &[Part]) {
    let instructions = module.instructions();
    let instruction = &instructions[function];
    let is_gone = |place: usize| places.iter().any(|part| part.1 == place);
    let gone = parameters(module, function).enumerate();
    let gone: Vec<usize> = gone
        .filter(|(place, _)| is_gone(*place))
        .map(|(_, number)| number)
        .collect();
    gone.iter().for_each(|&number| plan.remove(number));
    let name = instruction.result.unwrap_or_default();
    for &user in module.users(name) {
        let call = &instructions[user as usize];
        let mut operands = module.places(call);
        let is_call = operands.next().map(|first| module.operand(first).of) == Some(name);
        if call.op == Op::Effect && is_call {
            let dropped = operands.enumerate().filter(|(place, _)| is_gone(*place));
            dropped.for_each(|(_, operand)| plan.drop_operand(operand));
        }
    }
    let of_type = module.arguments(instruction).first();
    let of_type = of_type.and_then(|of_type| module.definition(of_type.of));
    let free = gone.first().and_then(|&number| instructions[number].result);
    if let (Some(of_type), Some(free)) = (of_type, free) {
        // The first is the type of what the function returns.
        let names = module.operands(&instructions[of_type]).iter().enumerate();
        let rest = names.filter(|(place, _)| *place == 0 || !is_gone(place - 1));
        plan.retype(
            function,
            rest.map(|(_, operand)| operand.of).collect(),
            free,
        );
    }
}

impl ChangesModule for DeleteSpirvParameters {
    const NAME: &'static str = "delete_spirv_parameters";
    const RANK: u8 = 8;
    type Part = Part;

    fn parts(module: &Module) -> Vec<Vec<(Part, u32)>> {
        let functions = module.functions().iter().map(|range| range.start);
        let found = functions.flat_map(|function| {
            let count = parameters(module, function).count();
            (0..count).map(move |place| (Part(function, place), 1))
        });
        alloc::vec![found.collect()]
    }

    fn change(module: &Module, plan: &mut Plan<'_>, parts: &[Part]) {
        for places in parts.chunk_by(|one, next| one.0 == next.0) {
            delete(module, plan, places[0].0, places);
        }
    }
}
