//! SPIR-V modules, as text that an assembler reads or as binary words: instructions with what they use,
//! functions and their blocks. ("SPIR-V Specification", Khronos.)

mod binary;
mod opcodes;
mod plan;
mod text;

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::runs::runs_largest_first;
pub use opcodes::Op;
pub use plan::Plan;

/// Longer modules are not looked at.
const LONGEST: usize = 1 << 24;
/// Fewer instructions are left to other passes.
const HARDLY_ANY: usize = 3;

/// A name that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Where it stands.
    pub start: u32,
    /// The position after it.
    pub end: u32,
    /// The number of the name.
    pub of: u32,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Where it stands: a line, or words.
    pub start: u32,
    /// The position after it.
    pub end: u32,
    /// What it is.
    pub op: Op,
    /// The number of the name that it defines.
    pub result: Option<u32>,
    /// The number of the type of what it defines.
    pub of_type: Option<u32>,
    /// What it uses, its type among it, among all operands.
    pub operands: Range<usize>,
    /// Whether all that it uses is known.
    pub is_known: bool,
}

/// The blocks of a function begin with a label and end with what leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of the name of its label.
    pub label: u32,
    /// Its instructions, the label among them.
    pub range: Range<usize>,
}

/// How a module is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// As text, with these names.
    Text(Vec<Range<usize>>),
    /// As words, with the last byte first or not.
    Binary { is_little: bool },
}

/// The instructions of a module.
#[derive(Debug)]
pub struct Module {
    form: Form,
    instructions: Vec<Instruction>,
    operands: Vec<Operand>,
    /// For each name the instruction that defines it.
    definitions: Vec<Option<u32>>,
    /// The instructions that use each name, in order, each as often as it does.
    users: Vec<Vec<u32>>,
    functions: Vec<Range<usize>>,
    blocks: Vec<Block>,
}

impl Module {
    /// The module that `target` is; `None` for anything else.
    pub fn of(target: &Target<u8>) -> Rc<Option<Module>> {
        target.analysis(|target| Module::new(target.elements()))
    }

    fn new(text: &[u8]) -> Option<Module> {
        if text.len() > LONGEST {
            return None;
        }
        let read = binary::read(text).or_else(|| text::read(text))?;
        let Read {
            form,
            instructions,
            operands,
            names,
        } = read;
        if instructions.len() < HARDLY_ANY {
            return None;
        }
        let mut module = Module {
            form,
            definitions: alloc::vec![None; names],
            users: alloc::vec![Vec::new(); names],
            functions: Vec::new(),
            blocks: Vec::new(),
            instructions,
            operands,
        };
        module.connect();
        module.divide();
        Some(module)
    }

    /// Finds out what defines and uses which names.
    fn connect(&mut self) {
        for (number, instruction) in (0..).zip(&self.instructions) {
            if let Some(result) = instruction.result {
                self.definitions[result as usize] = Some(number);
            }
            for operand in &self.operands[instruction.operands.clone()] {
                self.users[operand.of as usize].push(number);
            }
        }
    }

    /// Finds functions and blocks.
    fn divide(&mut self) {
        let (mut function, mut block) = (None, None);
        for (number, instruction) in self.instructions.iter().enumerate() {
            match instruction.op {
                Op::Function => (function, block) = (Some(number), None),
                Op::FunctionEnd => {
                    (self.functions).extend(function.take().map(|first| first..number + 1));
                    block = None;
                }
                Op::Label if function.is_some() => {
                    block = instruction.result.map(|label| (label, number));
                }
                op if op.is_leave() => {
                    self.blocks.extend(block.take().map(|(label, first)| Block {
                        label,
                        range: first..number + 1,
                    }));
                }
                _ => {}
            }
        }
    }

    /// All instructions, in order.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// The instructions of each function, with what opens and ends it.
    pub fn functions(&self) -> &[Range<usize>] {
        &self.functions
    }

    /// The blocks of all functions, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The numbers of the blocks of a function.
    pub fn blocks_of(&self, function: &Range<usize>) -> Range<usize> {
        let first_of = |at: usize| (self.blocks).partition_point(|block| block.range.start < at);
        first_of(function.start)..first_of(function.end)
    }

    /// The number of the block with a label.
    pub fn block(&self, label: u32) -> Option<usize> {
        let start = self.definition(label)?;
        (self.blocks)
            .binary_search_by_key(&start, |block| block.range.start)
            .ok()
    }

    /// The number of the block that an instruction stands in.
    pub fn block_around(&self, number: usize) -> Option<usize> {
        let at = (self.blocks).partition_point(|block| block.range.end <= number);
        self.blocks
            .get(at)
            .filter(|block| block.range.contains(&number))?;
        Some(at)
    }

    /// An operand, by its place among all.
    pub fn operand(&self, place: usize) -> Operand {
        self.operands[place]
    }

    /// What an instruction uses.
    pub fn operands(&self, instruction: &Instruction) -> &[Operand] {
        &self.operands[instruction.operands.clone()]
    }

    /// What an instruction uses besides its type.
    pub fn arguments(&self, instruction: &Instruction) -> &[Operand] {
        &self.operands[self.places(instruction)]
    }

    /// The instruction that defines a name.
    pub fn definition(&self, name: u32) -> Option<usize> {
        self.definitions[name as usize].map(|number| number as usize)
    }

    /// The instructions that use a name, in order, each as often as it does.
    pub fn users(&self, name: u32) -> &[u32] {
        &self.users[name as usize]
    }

    /// The first instruction of the first function: what stands before it can be seen from everywhere.
    pub fn first_of_functions(&self) -> usize {
        let first = self.functions.first();
        first.map_or(self.instructions.len(), |first| first.start)
    }

    /// Whether nobody but annotations uses a name.
    pub fn is_unused(&self, name: u32) -> bool {
        let mut users = self.users(name).iter();
        users.all(|&user| self.instructions[user as usize].op == Op::Annotation)
    }

    /// The instruction before the last one of a block, if it says where what is split there meets again.
    pub fn merge(&self, block: &Block) -> Option<usize> {
        let before = block.range.end.checked_sub(2)?;
        let is_merge = matches!(
            self.instructions[before].op,
            Op::LoopMerge | Op::SelectionMerge
        );
        (is_merge && before > block.range.start).then_some(before)
    }

    /// The labels that an instruction names.
    pub fn labels(&self, instruction: &Instruction) -> impl Iterator<Item = u32> + '_ {
        let names = self.operands(instruction).iter().map(|operand| operand.of);
        names.filter(|&name| {
            let definition = self.definition(name);
            definition.is_some_and(|number| self.instructions[number].op == Op::Label)
        })
    }
}

impl Op {
    /// Whether it ends a block.
    pub fn is_leave(self) -> bool {
        matches!(
            self,
            Op::Leave | Op::Branch | Op::BranchConditional | Op::Switch
        )
    }

    /// Whether it holds blocks and functions together.
    pub fn is_frame(self) -> bool {
        self.is_leave()
            || matches!(
                self,
                Op::Function
                    | Op::Parameter
                    | Op::FunctionEnd
                    | Op::Label
                    | Op::LoopMerge
                    | Op::SelectionMerge
            )
    }

    /// Whether nothing is lost with it when nobody uses its result.
    pub fn is_pure(self) -> bool {
        matches!(
            self,
            Op::Undef
                | Op::ValueType
                | Op::Type
                | Op::Constant
                | Op::Variable
                | Op::Phi
                | Op::Value
        )
    }
}

/// What can go or change in a module, and which runs of it are tried together.
#[derive(Debug)]
pub struct Parts<P> {
    parts: Vec<P>,
    /// The first part of each run, and the one behind its last.
    runs: Vec<(u32, u32)>,
}

impl<P: 'static> Parts<P> {
    /// Those of `target` that `find` finds in groups, each with its size: the largest runs of each group come
    /// first, with halves, quarters and so on, down to each part.
    pub fn of(
        target: &Target<u8>,
        find: impl FnOnce(&Module) -> Vec<Vec<(P, u32)>>,
    ) -> Rc<Parts<P>> {
        target.analysis(|target| {
            let module = Module::of(target);
            let groups = (*module).as_ref().map(find).unwrap_or_default();
            let (mut parts, mut sizes) = (Vec::new(), Vec::new());
            for group in groups {
                let (new, of_new): (Vec<P>, Vec<u32>) = group.into_iter().unzip();
                parts.extend(new);
                sizes.push(of_new);
            }
            let runs = runs_largest_first(&sizes);
            Parts { parts, runs }
        })
    }

    /// A step that changes the parts of a run as `change` says.
    ///
    /// # Errors
    /// [`DeadBranch`] when there is none (any more), or nothing comes of it.
    pub fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
        change: impl FnOnce(&Module, &mut Plan<'_>, &[P]),
    ) -> Result<Patch<u8>, DeadBranch> {
        let (first, end) = self.runs[chooser.prefer(self.runs.len())?];
        let module = Module::of(target);
        let module = (*module).as_ref().ok_or(DeadBranch)?;
        let mut plan = Plan::new(module, target.elements());
        change(module, &mut plan, &self.parts[first as usize..end as usize]);
        simpler(target, plan.patch().ok_or(DeadBranch)?)
    }
}

/// What was read of a module.
struct Read {
    form: Form,
    instructions: Vec<Instruction>,
    operands: Vec<Operand>,
    /// How many names there are.
    names: usize,
}
