//! A SPIR-V module is the same as text and as binary: so is what the passes make of it.

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::target::Target;
use ablate_passes::formats::spirv::{Module, Op};
use ablate_passes::registry::PASSES;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const TEXT: &[u8] = include_bytes!("samples/small.spvasm");
const BINARY: &[u8] = include_bytes!("samples/small.spv");

type Shape = Vec<(Op, Option<usize>, Vec<usize>)>;

/// What each instruction is, whether it defines something, and how many names it uses; names are numbered as
/// they come. Nothing for what is no module.
fn shape(text: &[u8]) -> Shape {
    let module = Module::of(&Target::new(text.to_vec()));
    let Some(module) = &*module else {
        return Vec::new();
    };
    let mut names = Vec::new();
    let mut number = |name: u32| {
        let known = names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let shapes = module.instructions().iter().map(|instruction| {
        let result = instruction.result.map(&mut number);
        let used = module.operands(instruction).iter();
        (
            instruction.op,
            result,
            used.map(|operand| number(operand.of)).collect(),
        )
    });
    shapes.collect()
}

/// The shapes of all that a pass proposes for a module.
fn proposed(pass: &str, text: &[u8]) -> Vec<Shape> {
    let entry = PASSES.iter().find(|entry| entry.description.name == pass);
    let pass = (entry.expect("a pass").make)();
    let target = Target::new(text.to_vec());
    let (mut tree, walk) = (ChoiceTree::new(), Walk::Sweep { from: vec![] });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut seen = Vec::new();
    while let Some((_, step)) = tree.step(&walk, &mut random, |chooser| pass.step(&target, chooser))
    {
        let candidate = step.ok().map(|patch| target.candidate(patch).build());
        seen.extend(candidate.map(|candidate| shape(&candidate)));
    }
    let key = |shape: &Shape| format!("{shape:?}");
    seen.sort_by_cached_key(key);
    seen
}

#[test]
fn a_module_is_read_alike_as_text_and_as_binary() {
    assert_eq!(shape(TEXT), shape(BINARY));
    let big: Vec<u8> = BINARY
        .chunks(4)
        .flat_map(|word| word.iter().rev().copied())
        .collect();
    assert_eq!(shape(&big), shape(BINARY));
    let line = String::from_utf8(TEXT.to_vec()).unwrap().replace('\n', " ");
    assert_eq!(shape(line.as_bytes()), shape(BINARY));
}

#[test]
fn what_does_not_begin_with_an_instruction_is_no_module() {
    for start in ["%PDF-1.4\n", "Object.a(b)\n", "%a %b = OpLabel\n", "x "] {
        let text = [start.as_bytes(), TEXT].concat();
        assert!(shape(&text).is_empty(), "{start}");
    }
    let text = [b"; a comment\n", TEXT].concat();
    assert_eq!(shape(&text), shape(BINARY));
}

#[test]
fn passes_make_the_same_of_text_and_of_binary() {
    for pass in [
        "delete_spirv_instructions",
        "replace_spirv_values",
        "delete_spirv_branches",
        "delete_spirv_parameters",
        "inline_spirv_calls",
        "merge_spirv_blocks",
    ] {
        let (text, binary) = (proposed(pass, TEXT), proposed(pass, BINARY));
        assert!(!text.is_empty(), "{pass}");
        assert_eq!(text, binary, "{pass}");
    }
}

#[test]
fn a_function_of_several_blocks_is_put_in_the_place_of_its_call() {
    let inlined = &proposed("inline_spirv_calls", TEXT)[0];
    let ops: Vec<Op> = inlined.iter().map(|(op, ..)| *op).collect();
    let start = ops.iter().position(|op| *op == Op::Function).unwrap();
    assert_eq!(
        ops[start..],
        [
            Op::Function,
            Op::Label,
            Op::Value,
            Op::SelectionMerge,
            Op::BranchConditional,
            Op::Label,
            Op::Value,
            Op::Branch,
            Op::Label,
            Op::Value,
            Op::Branch,
            Op::Label,
            Op::Phi,
            Op::Branch,
            Op::Label,
            Op::Effect,
            Op::Leave,
            Op::FunctionEnd,
        ]
    );
}
