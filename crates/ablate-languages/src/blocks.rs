//! Functions in static single assignment form, as in LLVM's intermediate code: basic blocks,
//! instructions, and where what they compute is used. What goes is replaced by `undef` where it was
//! used, branches to it lead elsewhere, and names that are numbers are counted anew, so that what is
//! left is well-formed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::passes::{add_runs, sort_largest_last};
use crate::tree::{Syntax, SyntaxTree};

/// Instructions that end a block.
const LAST: &[&str] = &[
    "ret",
    "br",
    "switch",
    "indirectbr",
    "invoke",
    "resume",
    "unreachable",
    "callbr",
    "catchswitch",
    "catchret",
    "cleanupret",
];
/// Instructions that compute nothing; and some calls do not.
const WITHOUT_RESULT: &[&str] = &[
    "store",
    "fence",
    "ret",
    "br",
    "switch",
    "indirectbr",
    "resume",
    "unreachable",
    "catchret",
    "cleanupret",
];
/// What stands for any value of any type.
const UNDEFINED: &str = "undef";

/// The functions of a text; none where the language has no blocks.
#[derive(Debug, Default)]
pub(crate) struct Functions(pub Vec<Function>);

/// A function with a body.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub blocks: Vec<Block>,
    pub instructions: Vec<Instruction>,
    /// The numbers of those that can go without another one in their place.
    pub deletable: Vec<usize>,
    /// For each name the places where its value is used.
    uses: Vec<Vec<Range<usize>>>,
    /// For each name its number, if it is one.
    numbers: Vec<Option<u64>>,
    /// Every number that stands for a name, and where: the digits.
    numbered: Vec<(u64, Range<usize>)>,
}

/// A basic block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Its label and its instructions, with the blanks behind them.
    pub range: Range<usize>,
    name: u32,
    instructions: Range<usize>,
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// Its bytes, with the blanks behind them.
    pub range: Range<usize>,
    /// Without these.
    node: Range<usize>,
    kind: &'static str,
    /// The name of what it computes.
    result: Option<u32>,
    /// Whether it computes something.
    has_result: bool,
    /// What it depends on where it leads; empty if on nothing.
    condition: Range<usize>,
    /// Where it may lead: the block, and where that is named, with the case of a `switch`.
    targets: Vec<(u32, Range<usize>)>,
    /// What a `phi` takes, by the block that it comes from: `[1, %a]`.
    entries: Vec<(u32, Range<usize>)>,
}

impl Instruction {
    fn can_go(&self) -> bool {
        !LAST.contains(&self.kind) && !self.kind.ends_with("pad")
    }
}

impl Functions {
    /// The functions of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Functions> {
        let types = &syntax.language().facts().types;
        let kinds = [
            types.kinds_named("instruction"),
            types.kinds_named("function_body"),
        ];
        let [Some(_), Some(bodies)] = kinds else {
            return Rc::default();
        };
        let tree = syntax.tree(target);
        target.analysis(|target| {
            let nodes = tree.nodes().iter().enumerate();
            let bodies = nodes.filter(|(_, node)| bodies.has(node.kind));
            let bodies = bodies.map(|(number, _)| number);
            let functions = bodies.map(|body| Function::read(target.elements(), &tree, body));
            Functions(functions.filter(|f| !f.instructions.is_empty()).collect())
        })
    }
}

impl Functions {
    /// Whether a function has this position in one of its blocks.
    pub fn has_in_body(&self, at: usize) -> bool {
        let after = self.0.partition_point(|function| {
            let first = function.blocks.first();
            first.is_some_and(|block| block.range.start <= at)
        });
        let before = after.checked_sub(1).and_then(|before| self.0.get(before));
        before.is_some_and(|function| {
            let last = function.blocks.last();
            last.is_some_and(|block| at < block.range.end)
        })
    }

    /// Runs of parts of a function, each with the number of the function: all of its `parts`, halves,
    /// their halves, down to single ones; the largest last, by the bytes that `range` says they are.
    pub fn runs(
        &self,
        parts: impl Fn(&Function) -> Range<usize>,
        range: impl Fn(&Function, usize) -> Range<usize>,
    ) -> Vec<(usize, Range<usize>)> {
        let mut runs = Vec::new();
        for (number, function) in self.0.iter().enumerate() {
            let parts = parts(function);
            if !parts.is_empty() {
                add_runs(parts.start, parts.end - 1, &mut |first, last| {
                    runs.push((number, first..last + 1));
                    true
                });
            }
        }
        sort_largest_last(&mut runs, |(number, run)| {
            let function = &self.0[*number];
            let start = range(function, run.start).start;
            (range(function, run.end - 1).end - start, start)
        });
        runs
    }
}

impl Function {
    fn read(text: &[u8], tree: &SyntaxTree, body: usize) -> Function {
        let mut function = Function::default();
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut number = |name: &[u8]| {
            let count = numbers.len() as u32;
            *numbers.entry(name.to_vec()).or_insert(count)
        };
        let parts: Vec<usize> = tree.children(body).collect();
        let start = |part: usize| tree.nodes()[part].start as usize;
        // What has no name is counted.
        let mut unnamed = Unnamed(unnamed_parameters(text, tree, body));
        let mut is_open = false;
        for (&part, &next) in parts.iter().zip(parts.iter().skip(1)) {
            let (range, count) = (start(part)..start(next), function.instructions.len());
            let node = tree.nodes()[part].range();
            match tree.kind(part) {
                "label" if tree.nodes()[part].is_named => {
                    let label = text[node].strip_suffix(b":").unwrap_or_default();
                    unnamed.pass(label);
                    let name = number(&[b"%", label].concat());
                    let instructions = count..count;
                    is_open = true;
                    function.blocks.push(Block {
                        range,
                        name,
                        instructions,
                    });
                }
                "instruction" => {
                    if !is_open {
                        function.blocks.push(Block {
                            range: range.clone(),
                            name: number(unnamed.next().as_bytes()),
                            instructions: count..count,
                        });
                    }
                    if let Some(block) = function.blocks.last_mut() {
                        block.range.end = range.end;
                        block.instructions.end = count + 1;
                    }
                    let mut instruction = Instruction::read(text, tree, part, range, &mut number);
                    if instruction.result.is_some() {
                        unnamed.pass(result_of(text, tree, part));
                    } else if instruction.has_result {
                        instruction.result = Some(number(unnamed.next().as_bytes()));
                    }
                    is_open = !LAST.contains(&instruction.kind);
                    function.instructions.push(instruction);
                }
                _ => {}
            }
        }
        let all = 0..function.instructions.len();
        let deletable = all.filter(|&at| function.instructions[at].can_go());
        function.deletable = deletable.collect();
        function.find_uses(text, tree, body, &numbers);
        function
    }

    /// Notes where values are used, and numbers.
    fn find_uses(
        &mut self,
        text: &[u8],
        tree: &SyntaxTree,
        body: usize,
        names: &BTreeMap<Vec<u8>, u32>,
    ) {
        self.uses = vec![Vec::new(); names.len()];
        self.numbers = vec![None; names.len()];
        for (name, &at) in names {
            self.numbers[at as usize] = name.get(1..).and_then(number_in);
        }
        for number in body..tree.nodes()[body].next as usize {
            let node = &tree.nodes()[number];
            let digits = match tree.kind(number) {
                "value" => {
                    if let Some(&name) = names.get(&text[node.range()]) {
                        self.uses[name as usize].push(node.range());
                    }
                    continue;
                }
                "label" if node.is_named => {
                    node.start as usize..(node.end as usize).saturating_sub(1)
                }
                "local_var" => node.start as usize + 1..node.end as usize,
                _ => continue,
            };
            let number = text.get(digits.clone()).and_then(number_in);
            self.numbered.extend(number.map(|number| (number, digits)));
        }
    }

    /// Without these instructions.
    pub fn without_instructions(&self, text: &[u8], gone: &[usize]) -> Patch<u8> {
        let mut changes = Changes::new(text);
        for &number in gone {
            let instruction = &self.instructions[number];
            changes.cut(instruction.range.clone());
            self.forget(instruction.result, &mut changes);
        }
        changes.patch(&self.numbered)
    }

    /// Without these blocks, of which none may be the first.
    pub fn without_blocks(&self, text: &[u8], gone: Range<usize>) -> Patch<u8> {
        let mut changes = Changes::new(text);
        let names = self.blocks[gone.clone()].iter().map(|block| block.name);
        let names: BTreeSet<u32> = names.collect();
        let is_gone = |name: u32| names.contains(&name);
        for block in &self.blocks[gone.clone()] {
            changes.cut(block.range.clone());
            changes.note_removed(self.numbers[block.name as usize]);
            for instruction in &self.instructions[block.instructions.clone()] {
                self.forget(instruction.result, &mut changes);
            }
        }
        // From where to where the flow does not lead any more.
        let mut lost: BTreeSet<(u32, u32)> = BTreeSet::new();
        let kept = self.blocks.iter().enumerate();
        let kept = kept.filter(|(number, _)| !gone.contains(number));
        let kept: Vec<&Block> = kept.map(|(_, block)| block).collect();
        for block in &kept {
            for instruction in &self.instructions[block.instructions.clone()] {
                let (away, left): (Vec<_>, Vec<_>) =
                    (instruction.targets.iter()).partition(|target| is_gone(target.0));
                if away.is_empty() {
                    continue;
                }
                let is_default = is_gone(instruction.targets[0].0);
                match (instruction.kind, left.as_slice()) {
                    ("br", [(_, only)]) if !instruction.condition.is_empty() => {
                        changes.cut(instruction.condition.start..only.start);
                        let end = instruction
                            .targets
                            .last()
                            .map_or(only.end, |last| last.1.end);
                        changes.cut(only.end..end);
                    }
                    ("switch", _) if !is_default => {
                        away.iter().for_each(|case| changes.cut(case.1.clone()));
                    }
                    _ => {
                        changes.replace(instruction.node.clone(), "unreachable".to_owned());
                        self.forget(instruction.result, &mut changes);
                        lost.extend(left.iter().map(|target| (block.name, target.0)));
                    }
                }
            }
        }
        for block in kept {
            for phi in &self.instructions[block.instructions.clone()] {
                let is_lost = |entry: &(u32, Range<usize>)| {
                    is_gone(entry.0) || lost.contains(&(entry.0, block.name))
                };
                self.drop_entries(phi, is_lost, &mut changes);
            }
        }
        changes.patch(&self.numbered)
    }

    /// Takes entries of a `phi` away, or all of it, if none is left.
    fn drop_entries(
        &self,
        phi: &Instruction,
        is_lost: impl Fn(&(u32, Range<usize>)) -> bool,
        changes: &mut Changes<'_>,
    ) {
        let first = phi.entries.iter().position(|entry| !is_lost(entry));
        let Some(first) = first else {
            if !phi.entries.is_empty() {
                changes.cut(phi.range.clone());
                self.forget(phi.result, changes);
            }
            return;
        };
        changes.cut(phi.entries[0].1.start..phi.entries[first].1.start);
        for pair in phi.entries[first..].windows(2) {
            if is_lost(&pair[1]) {
                changes.cut(pair[0].1.end..pair[1].1.end);
            }
        }
    }

    /// Leaves what an instruction computes undefined where it is used.
    fn forget(&self, result: Option<u32>, changes: &mut Changes<'_>) {
        for &name in result.iter() {
            changes.note_removed(self.numbers[name as usize]);
            for place in &self.uses[name as usize] {
                changes.replace(place.clone(), UNDEFINED.to_owned());
            }
        }
    }
}

impl Instruction {
    fn read(
        text: &[u8],
        tree: &SyntaxTree,
        number: usize,
        range: Range<usize>,
        name: &mut impl FnMut(&[u8]) -> u32,
    ) -> Instruction {
        let of = |node: usize| tree.nodes()[node].range();
        let mut parts = tree.children(number).peekable();
        let result = parts.next_if(|&part| tree.kind(part) == "local_var");
        let result = result.map(|part| name(&text[of(part)]));
        let mut instruction = Instruction {
            range,
            node: of(number),
            kind: "",
            result,
            has_result: false,
            condition: 0..0,
            targets: Vec::new(),
            entries: Vec::new(),
        };
        let operation = parts.find_map(|part| {
            let kind = tree.kind(part).strip_prefix("instruction_")?;
            Some((part, kind))
        });
        let Some((operation, kind)) = operation else {
            return instruction;
        };
        instruction.kind = kind;
        let is_void = |part| tree.kind(part) == "type" && &text[of(part)] == b"void";
        instruction.has_result =
            !WITHOUT_RESULT.contains(&kind) && !tree.children(operation).any(is_void);
        // Where the case, or the entry, that is being read begins.
        let mut from = 0;
        for part in tree.children(operation) {
            let node = of(part);
            match (kind, tree.kind(part)) {
                ("phi", "[") => from = node.start,
                ("phi", "local_var") => {
                    instruction
                        .entries
                        .push((name(&text[node.clone()]), from..node.end));
                }
                ("phi", "]") => {
                    if let Some(entry) = instruction.entries.last_mut() {
                        entry.1.end = node.end;
                    }
                }
                (_, "type_and_value") => {
                    let label = text[node.clone()].strip_prefix(b"label");
                    match label.map(<[u8]>::trim_ascii_start) {
                        Some(label) => {
                            // The default has no condition.
                            let is_case = kind == "switch" && !instruction.targets.is_empty();
                            let start = if is_case { from } else { node.start };
                            instruction.targets.push((name(label), start..node.end));
                        }
                        None => {
                            from = node.start;
                            if instruction.targets.is_empty() {
                                instruction.condition = node;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        instruction
    }
}

/// The name that an instruction gives to what it computes, without its mark.
fn result_of<'a>(text: &'a [u8], tree: &SyntaxTree, instruction: usize) -> &'a [u8] {
    let result = tree.children(instruction).next();
    let range = result.map_or(0..0, |result| tree.nodes()[result].range());
    text.get(range.start + 1..range.end).unwrap_or_default()
}

/// The next number for what has no name.
struct Unnamed(u64);

impl Unnamed {
    fn next(&mut self) -> String {
        self.0 = self.0.wrapping_add(1);
        format!("%{}", self.0.wrapping_sub(1))
    }

    /// Goes on behind a name, without its mark, if that is a number.
    fn pass(&mut self, name: &[u8]) {
        if let Some(number) = number_in(name) {
            self.0 = number.wrapping_add(1);
        }
    }
}

/// The number behind those of the parameters of the function with this body.
fn unnamed_parameters(text: &[u8], tree: &SyntaxTree, body: usize) -> u64 {
    let function = tree.nodes()[body].parent as usize;
    let mut unnamed = Unnamed(0);
    for parameter in function..body {
        if tree.kind(parameter) != "argument" {
            continue;
        }
        let inside = parameter..tree.nodes()[parameter].next as usize;
        let mut names = inside.filter(|&node| tree.kind(node) == "local_var");
        match names.next_back() {
            None => {
                unnamed.next();
            }
            Some(name) => {
                let name = tree.nodes()[name].range();
                let digits = text.get(name.start + 1..name.end);
                unnamed.pass(digits.unwrap_or_default());
            }
        }
    }
    unnamed.0
}

/// The number that a name is, if it is one.
fn number_in(name: &[u8]) -> Option<u64> {
    let is_number = !name.is_empty() && name.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(name)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}

/// Edits, of which some may lie within others.
struct Changes<'a> {
    text: &'a [u8],
    edits: Vec<(Range<usize>, Option<String>)>,
    /// The names that are gone, of those that are numbers.
    removed: Vec<u64>,
}

impl<'a> Changes<'a> {
    fn new(text: &'a [u8]) -> Changes<'a> {
        Changes {
            text,
            edits: Vec::new(),
            removed: Vec::new(),
        }
    }

    fn note_removed(&mut self, number: Option<u64>) {
        self.removed.extend(number);
    }

    fn cut(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.edits.push((range, None));
        }
    }

    fn replace(&mut self, range: Range<usize>, by: String) {
        let before = self.text[..range.start].last();
        let touches = before.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let by = if touches { format!(" {by}") } else { by };
        self.edits.push((range, Some(by)));
    }

    /// All of them, without what lies within others; and what is `numbered` is counted anew.
    fn patch(mut self, numbered: &[(u64, Range<usize>)]) -> Patch<u8> {
        self.removed.sort_unstable();
        self.removed.dedup();
        for (number, digits) in numbered {
            let lower = self.removed.partition_point(|removed| removed < number) as u64;
            if lower > 0 {
                let number = (number - lower).to_string();
                self.edits.push((digits.clone(), Some(number)));
            }
        }
        self.edits
            .sort_by_cached_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        let edits = self.edits.into_iter().filter_map(|(range, insert)| {
            if range.start < end {
                return None;
            }
            end = range.end;
            Some(Edit {
                start: range.start,
                end: range.end,
                insert: insert.map(|text| text.into_bytes().into()),
            })
        });
        // They are in order, and none lies within another.
        Patch::edits_of(edits).unwrap_or_else(|_| Patch::cuts([]))
    }
}

#[cfg(all(test, feature = "llvm"))]
mod tests {
    use crate::explain::reductions;

    fn check(pass: &str, body: &str, expected: &[&str]) {
        let whole = |body: &str| format!("define i32 @f(i32 %0) {{\n{body}\n}}");
        let seen = reductions(pass, "llvm", &whole(body));
        for expected in expected {
            assert!(
                seen.contains(&whole(expected)),
                "{expected} not in {seen:#?}"
            );
        }
    }

    #[test]
    fn what_has_numbers_for_names_is_counted_anew() {
        let body = "%2 = add i32 %0, 1\n%3 = add i32 %2, 2\nstore i32 7, ptr null\n\
            %4 = add i32 %3, %2\nret i32 %4";
        let left = "%2 = add i32 %0, 1\nstore i32 7, ptr null\n%3 = add i32 undef, %2\nret i32 %3";
        check("delete_instructions", body, &[left]);
        // Where nothing says the names, the same.
        let body = "add i32 %0, 1\nadd i32 %2, 2\nadd i32 %3, %2\nret i32 %4";
        check(
            "delete_instructions",
            body,
            &["add i32 %0, 1\nadd i32 undef, %2\nret i32 %3"],
        );
    }

    #[test]
    fn ways_to_blocks_that_go_are_gone_too() {
        let body = "switch i32 %0, label %c [\n i32 0, label %a\n i32 1, label %b\n]\n\
            a:\nbr label %c\nb:\nbr label %c\nc:\n%v = phi i32 [ 1, %1 ], [ 2, %a ], [ 3, %b ]\nret i32 %v";
        let without_a = "switch i32 %0, label %c [\n \n i32 1, label %b\n]\n\
            b:\nbr label %c\nc:\n%v = phi i32 [ 1, %1 ], [ 3, %b ]\nret i32 %v";
        let without_both = "switch i32 %0, label %c [\n \n \n]\n\
            c:\n%v = phi i32 [ 1, %1 ]\nret i32 %v";
        let without_c = "unreachable\na:\nunreachable\nb:\nunreachable";
        check("delete_blocks", body, &[without_a, without_both, without_c]);
    }

    #[test]
    fn what_a_record_of_debug_information_tells_is_left_undefined() {
        let body = "%2 = add i32 %0, 1\n#dbg_value(i32 %2, !0, !4, !1)\n%3 = mul i32 %0, 2\n\
            #dbg_value(!DIArgList(i32 %3, i32 %2), !0, !4, !1)\nret i32 %3";
        let without_first = "#dbg_value(i32 undef, !0, !4, !1)\n%2 = mul i32 %0, 2\n\
            #dbg_value(!DIArgList(i32 %2, i32 undef), !0, !4, !1)\nret i32 %2";
        let without_record = "%2 = add i32 %0, 1\n%3 = mul i32 %0, 2\n\
            #dbg_value(!DIArgList(i32 %3, i32 %2), !0, !4, !1)\nret i32 %3";
        check(
            "delete_instructions",
            body,
            &[without_first, without_record],
        );
    }
}
