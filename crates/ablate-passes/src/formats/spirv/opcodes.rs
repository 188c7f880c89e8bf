//! What the instructions of SPIR-V are, as far as it matters here, and where their operands stand.
//! ("SPIR-V Specification", section 3, Khronos.)

/// What an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The value that is left open.
    Undef,
    /// Says something about what its first operand names.
    Annotation,
    /// Where a program begins, with what it reads and writes.
    EntryPoint,
    /// A type of which there can be values that are left open.
    ValueType,
    /// Any other type.
    Type,
    /// A constant, an import or a string: nothing happens there.
    Constant,
    /// Opens a function.
    Function,
    /// What a function is called with.
    Parameter,
    /// Ends a function.
    FunctionEnd,
    /// A place in memory.
    Variable,
    /// Opens a block.
    Label,
    /// What a block got, by where it was entered from.
    Phi,
    /// Where what comes behind a loop stands, and where it goes on.
    LoopMerge,
    /// Where ways that split here meet again.
    SelectionMerge,
    /// Leads to another block.
    Branch,
    /// Leads to one of two blocks.
    BranchConditional,
    /// Leads to one of several blocks.
    Switch,
    /// The end of a block without another one behind it.
    Leave,
    /// A computation: it can go when nobody uses its result.
    Value,
    /// Whatever else has a result, or does something.
    Effect,
}

/// The number of an instruction, its name behind `Op`, what it is, and its operands in words: `T` its type,
/// `R` its result, `i` a name, `l` a literal, `s` a text; what stands last can be left out: `I` only names
/// follow, `L` only literals, `P` pairs of a literal and a name, `Q` pairs of a name and a literal.
type Opcode = (u16, &'static str, Op, &'static str);

/// The number and the name of `OpUndef`.
pub const UNDEF: (u16, &str) = (1, "Undef");
/// The number and the name of `OpTypeFunction`.
pub const TYPE_FUNCTION: (u16, &str) = (33, "TypeFunction");
/// The number and the name of `OpBranch`.
pub const BRANCH: (u16, &str) = (249, "Branch");

const OPCODES: &[Opcode] = &[
    (0, "Nop", Op::Effect, ""),
    (UNDEF.0, UNDEF.1, Op::Undef, "TR"),
    (2, "SourceContinued", Op::Effect, "s"),
    (3, "Source", Op::Effect, "llis"),
    (4, "SourceExtension", Op::Effect, "s"),
    (5, "Name", Op::Annotation, "is"),
    (6, "MemberName", Op::Annotation, "ils"),
    (7, "String", Op::Constant, "Rs"),
    (8, "Line", Op::Effect, "iL"),
    (10, "Extension", Op::Effect, "s"),
    (11, "ExtInstImport", Op::Constant, "Rs"),
    (12, "ExtInst", Op::Value, "TRilI"),
    (14, "MemoryModel", Op::Effect, "L"),
    (15, "EntryPoint", Op::EntryPoint, "lisI"),
    (16, "ExecutionMode", Op::Annotation, "iL"),
    (17, "Capability", Op::Effect, "l"),
    (19, "TypeVoid", Op::Type, "R"),
    (20, "TypeBool", Op::ValueType, "R"),
    (21, "TypeInt", Op::ValueType, "RL"),
    (22, "TypeFloat", Op::ValueType, "RL"),
    (23, "TypeVector", Op::ValueType, "RiL"),
    (24, "TypeMatrix", Op::ValueType, "RiL"),
    (25, "TypeImage", Op::Type, "RiL"),
    (26, "TypeSampler", Op::Type, "R"),
    (27, "TypeSampledImage", Op::Type, "Ri"),
    (28, "TypeArray", Op::ValueType, "Rii"),
    (29, "TypeRuntimeArray", Op::Type, "Ri"),
    (30, "TypeStruct", Op::ValueType, "RI"),
    (31, "TypeOpaque", Op::Type, "Rs"),
    (32, "TypePointer", Op::Type, "Rli"),
    (TYPE_FUNCTION.0, TYPE_FUNCTION.1, Op::Type, "RI"),
    (39, "TypeForwardPointer", Op::Annotation, "il"),
    (41, "ConstantTrue", Op::Constant, "TR"),
    (42, "ConstantFalse", Op::Constant, "TR"),
    (43, "Constant", Op::Constant, "TRL"),
    (44, "ConstantComposite", Op::Constant, "TRI"),
    (45, "ConstantSampler", Op::Constant, "TRL"),
    (46, "ConstantNull", Op::Constant, "TR"),
    (48, "SpecConstantTrue", Op::Constant, "TR"),
    (49, "SpecConstantFalse", Op::Constant, "TR"),
    (50, "SpecConstant", Op::Constant, "TRL"),
    (51, "SpecConstantComposite", Op::Constant, "TRI"),
    (54, "Function", Op::Function, "TRli"),
    (55, "FunctionParameter", Op::Parameter, "TR"),
    (56, "FunctionEnd", Op::FunctionEnd, ""),
    (57, "FunctionCall", Op::Effect, "TRI"),
    (59, "Variable", Op::Variable, "TRlI"),
    (61, "Load", Op::Value, "TRiL"),
    (62, "Store", Op::Effect, "iiL"),
    (63, "CopyMemory", Op::Effect, "iiL"),
    (64, "CopyMemorySized", Op::Effect, "iiiL"),
    (68, "ArrayLength", Op::Value, "TRil"),
    (71, "Decorate", Op::Annotation, "iL"),
    (72, "MemberDecorate", Op::Annotation, "iL"),
    (73, "DecorationGroup", Op::Constant, "R"),
    (74, "GroupDecorate", Op::Annotation, "I"),
    (75, "GroupMemberDecorate", Op::Annotation, "iQ"),
    (79, "VectorShuffle", Op::Value, "TRiiL"),
    (81, "CompositeExtract", Op::Value, "TRiL"),
    (82, "CompositeInsert", Op::Value, "TRiiL"),
    (99, "ImageWrite", Op::Effect, "iiilI"),
    (218, "EmitVertex", Op::Effect, ""),
    (219, "EndPrimitive", Op::Effect, ""),
    (228, "AtomicStore", Op::Effect, "I"),
    (245, "Phi", Op::Phi, "TRI"),
    (246, "LoopMerge", Op::LoopMerge, "iiL"),
    (247, "SelectionMerge", Op::SelectionMerge, "il"),
    (248, "Label", Op::Label, "R"),
    (BRANCH.0, BRANCH.1, Op::Branch, "i"),
    (250, "BranchConditional", Op::BranchConditional, "iiiL"),
    (251, "Switch", Op::Switch, "iiP"),
    (252, "Kill", Op::Leave, ""),
    (253, "Return", Op::Leave, ""),
    (254, "ReturnValue", Op::Leave, "i"),
    (255, "Unreachable", Op::Leave, ""),
    (256, "LifetimeStart", Op::Effect, "il"),
    (257, "LifetimeStop", Op::Effect, "il"),
    (317, "NoLine", Op::Effect, ""),
    (330, "ModuleProcessed", Op::Effect, "s"),
    (331, "ExecutionModeId", Op::Annotation, "ilI"),
    (332, "DecorateId", Op::Annotation, "ilI"),
    (4416, "TerminateInvocation", Op::Leave, ""),
    (5632, "DecorateString", Op::Annotation, "iL"),
    (5633, "MemberDecorateString", Op::Annotation, "iL"),
];

/// Instructions that stand together and are made alike: from the first number to the last, what they are,
/// and their operands.
const RANGES: &[(u16, u16, Op, &str)] = &[
    (60, 70, Op::Value, "TRI"),
    (77, 86, Op::Value, "TRI"),
    (87, 88, Op::Value, "TRiilI"),
    (89, 90, Op::Value, "TRiiilI"),
    (91, 92, Op::Value, "TRiilI"),
    (93, 94, Op::Value, "TRiiilI"),
    (95, 95, Op::Value, "TRiilI"),
    (96, 97, Op::Value, "TRiiilI"),
    (98, 98, Op::Value, "TRiilI"),
    (100, 215, Op::Value, "TRI"),
    (220, 221, Op::Effect, "I"),
    (224, 225, Op::Effect, "I"),
    (227, 242, Op::Effect, "TRI"),
    (333, 341, Op::Value, "TRI"),
    (342, 342, Op::Value, "TRilI"),
    (343, 348, Op::Value, "TRI"),
    (349, 364, Op::Value, "TRilI"),
    (365, 366, Op::Value, "TRI"),
    (400, 403, Op::Value, "TRI"),
];

/// The instruction with a number, with its operands; `None` for what is not known here.
pub fn numbered(number: u16) -> Option<(Op, &'static str)> {
    let found = OPCODES.binary_search_by_key(&number, |opcode| opcode.0);
    if let Ok(at) = found {
        return Some((OPCODES[at].2, OPCODES[at].3));
    }
    let mut ranges = RANGES.iter();
    let range = ranges.find(|range| (range.0..=range.1).contains(&number))?;
    Some((range.2, range.3))
}

/// The instruction with a name, which `Op` was left out of, and whether it says which type it has: what is
/// not known here is a computation where it has a result.
pub fn named(name: &[u8], has_result: bool) -> (Op, bool) {
    let known = OPCODES.iter().find(|opcode| opcode.1.as_bytes() == name);
    match known {
        Some(known) => (known.2, known.3.starts_with('T')),
        None if name.starts_with(b"Type") => (Op::Type, false),
        None if name.starts_with(b"SpecConstant") => (Op::Constant, true),
        None if has_result && !name.starts_with(b"Atomic") => (Op::Value, true),
        None => (Op::Effect, has_result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stand_in_the_order_of_their_numbers() {
        assert!(OPCODES.is_sorted_by_key(|opcode| opcode.0));
        assert!(RANGES.is_sorted_by(|one, next| one.0 <= one.1 && one.1 < next.0));
    }
}
