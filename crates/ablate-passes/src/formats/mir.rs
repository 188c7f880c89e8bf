//! LLVM's machine code as text (MIR): documents of YAML, of which the first can hold a module of LLVM's IR, and
//! each other one a function with its blocks and instructions. ("Machine IR (MIR) Format Reference Manual",
//! LLVM.)

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::lines::Lines;

/// Longer texts are not looked at.
const LONGEST: usize = 1 << 24;

/// Something that stands at a place, with what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where it stands.
    pub place: Range<usize>,
    /// What is named: of registers what stands between `%` and a colon or a point, of blocks the number.
    pub name: Range<usize>,
}

/// One line of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The line.
    pub line: Range<usize>,
    /// The registers that it defines, with their classes.
    pub defined: Vec<Named>,
    /// The registers that it uses.
    pub used: Vec<Named>,
    /// The blocks that it names.
    pub blocks: Vec<Named>,
    /// What memory it is about, which need not be said.
    pub memory: Option<Range<usize>>,
    /// Whether it says which blocks come next, or which registers live.
    pub is_header: bool,
}

/// A block of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its lines.
    pub range: Range<usize>,
    /// The number in its first line.
    pub name: Range<usize>,
    /// What its first line says of the IR's block, which need not be said.
    pub memory: Option<Range<usize>>,
    /// Its other lines.
    pub instructions: Vec<Instruction>,
    /// Those of them that only go together, as one needs what another one left in a register of the machine.
    pub units: Vec<Range<usize>>,
}

/// A function of the IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its first line.
    pub head: Range<usize>,
    /// All other lines but the last.
    pub body: Range<usize>,
    /// The position behind its last line.
    pub end: usize,
}

/// A function of machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its document.
    pub document: Range<usize>,
    /// The function of the IR that it is made of.
    pub definition: Option<Definition>,
    /// The lines before its blocks that name some, as tables of jumps do.
    lists: Vec<Instruction>,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// The functions of a text; none if it is something else.
#[derive(Debug, Default)]
pub struct Mir {
    functions: Vec<Function>,
}

impl Mir {
    /// Those of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Mir> {
        target.analysis(|target| Mir {
            functions: read(target).unwrap_or_default(),
        })
    }

    /// All functions, in order.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }
}

fn read(target: &Target<u8>) -> Option<Vec<Function>> {
    let text = target.elements();
    if text.len() > LONGEST || !text.starts_with(b"---") {
        return None;
    }
    let lines = &Lines::of(target);
    let mut definitions: Vec<(&[u8], Definition)> = Vec::new();
    let mut functions: Vec<Function> = Vec::new();
    let mut line = 0;
    while line < lines.len() {
        let first = line;
        line += 1;
        let content = |line: usize| {
            let (start, end) = lines.range(line);
            text[start..end].trim_ascii_end()
        };
        while line < lines.len() && !matches!(content(line), b"..." | b"---" | b"--- |") {
            line += 1;
        }
        let is_module = content(first) == b"--- |";
        // Behind the end of a document the next one can begin without a sign.
        let inner = first + usize::from(content(first).starts_with(b"---"))..line;
        if line < lines.len() && content(line) == b"..." {
            line += 1;
        }
        if is_module {
            read_definitions(text, lines, inner, &mut definitions);
        } else if let Some(name) = inner
            .clone()
            .find_map(|line| content(line).strip_prefix(b"name:"))
        {
            let name = name.trim_ascii();
            let name = name
                .strip_prefix(b"'")
                .and_then(|name| name.strip_suffix(b"'"))
                .unwrap_or(name);
            let definition = definitions.binary_search_by_key(&name, |known| known.0);
            let function = Function {
                document: lines.start(first)..lines.start(line),
                definition: definition.ok().map(|at| definitions[at].1.clone()),
                lists: read_lists(text, lines, inner.clone()),
                blocks: read_blocks(text, lines, inner),
            };
            // Other documents have names too.
            if function.definition.is_some() || !function.blocks.is_empty() {
                functions.push(function);
            }
        }
    }
    Some(functions)
}

/// Reads the functions of the IR in some lines, and puts them in order.
fn read_definitions<'a>(
    text: &'a [u8],
    lines: &Lines,
    inner: Range<usize>,
    to: &mut Vec<(&'a [u8], Definition)>,
) {
    let mut head = None;
    for line in inner {
        let (start, end) = lines.range(line);
        let content = text[start..end].trim_ascii();
        if content.starts_with(b"define ") {
            let name = content.split(|byte| *byte == b'@').nth(1);
            let name = name.and_then(|rest| rest.split(|byte| *byte == b'(').next());
            head = name.map(|name| (name, line));
        } else if content == b"}"
            && let Some((name, head)) = head.take()
        {
            let (from, body) = lines.range(head);
            to.push((
                name,
                Definition {
                    head: from..body,
                    body: body..start,
                    end,
                },
            ));
        }
    }
    to.sort_by_key(|known| known.0);
}

/// Reads the lines of a document that name blocks, before those of the blocks themselves.
fn read_lists(text: &[u8], lines: &Lines, inner: Range<usize>) -> Vec<Instruction> {
    let line = |line: usize| lines.start(line)..lines.start(line + 1);
    let is_before = |range: &Range<usize>| !text[range.clone()].starts_with(b"body:");
    let before = inner.map(line).take_while(is_before);
    let names = |range: &Range<usize>| {
        text[range.clone()]
            .windows(4)
            .any(|window| window == b"%bb.")
    };
    let lists = before.filter(names).map(|range| Instruction {
        is_header: true,
        ..read_instruction(text, range)
    });
    lists.collect()
}

/// Reads the blocks of a function, whose document has these lines.
fn read_blocks(text: &[u8], lines: &Lines, inner: Range<usize>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_body = false;
    for line in inner {
        let (start, end) = lines.range(line);
        let content = text[start..end].trim_ascii();
        is_body |= content.starts_with(b"body:");
        if !is_body || content.is_empty() {
            continue;
        }
        let blanks = text[start..end]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
        let at = start + blanks;
        if let Some(rest) = content.strip_prefix(b"bb.") {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // Its name and block in the IR, if nothing else is said of it.
            let said = rest[digits..].strip_suffix(b":").unwrap_or_default();
            let marks = said
                .iter()
                .filter(|byte| matches!(byte, b'(' | b','))
                .count();
            let is_named = said.starts_with(b".") || said.starts_with(b" (%ir");
            let is_plain = marks == 0 || marks == 1 && said.ends_with(b")");
            let name = at + 3..at + 3 + digits;
            blocks.push(Block {
                range: start..end,
                memory: (is_named && is_plain).then(|| name.end..name.end + said.len()),
                name,
                instructions: Vec::new(),
                units: Vec::new(),
            });
        } else if let Some(block) = blocks.last_mut() {
            block.range.end = end;
            block.instructions.push(read_instruction(text, start..end));
        }
    }
    for block in &mut blocks {
        block.units = units(text, &block.instructions);
    }
    blocks
}

/// The runs of instructions in each of which one uses a register of the machine that another one has set.
fn units(text: &[u8], instructions: &[Instruction]) -> Vec<Range<usize>> {
    let mut set: BTreeMap<&[u8], Option<usize>> = BTreeMap::new();
    let mut call = None;
    let mut units: Vec<Range<usize>> = Vec::new();
    for (number, instruction) in instructions.iter().enumerate() {
        if instruction.is_header {
            continue;
        }
        let line = &text[instruction.line.clone()];
        let equals = line
            .windows(3)
            .position(|window| window == b" = ")
            .unwrap_or_default();
        let (mut first, mut new) = (number, Vec::new());
        let places = line.iter().enumerate().filter(|(_, byte)| **byte == b'$');
        for (at, _) in places {
            let rest = &line[at + 1..];
            let len = rest
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            let name = &rest[..len];
            let before = line[..at].trim_ascii_end();
            // What is dead is not used behind that.
            if before.ends_with(b"dead") {
                new.push((name, None));
            } else if at < equals || before.ends_with(b"def") {
                new.push((name, Some(number)));
            } else if let Some(&Some(set)) = set.get(name) {
                first = first.min(set);
            }
        }
        set.extend(new);
        let has = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
        // All of a call is between these.
        if has(b"ADJCALLSTACKDOWN") {
            call = Some(number);
        } else if has(b"ADJCALLSTACKUP") {
            first = first.min(call.take().unwrap_or(number));
        }
        while let Some(last) = units.pop_if(|last| last.end > first) {
            first = first.min(last.start);
        }
        units.push(first..number + 1);
    }
    units
}

fn read_instruction(text: &[u8], line: Range<usize>) -> Instruction {
    let content = &text[line.clone()];
    let find = |sign: &[u8]| {
        content
            .windows(sign.len())
            .position(|window| window == sign)
    };
    let equals = find(b" = ").map_or(line.start, |at| line.start + at);
    let memory = find(b" :: (").map(|at| {
        let end = line.start + content.trim_ascii_end().len();
        line.start + at..end
    });
    let start = content.trim_ascii();
    let mut instruction = Instruction {
        is_header: start.starts_with(b"successors:") || start.starts_with(b"liveins:"),
        line: line.clone(),
        defined: Vec::new(),
        used: Vec::new(),
        blocks: Vec::new(),
        memory,
    };
    let end = instruction
        .memory
        .as_ref()
        .map_or(line.end, |memory| memory.start);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = line.start;
    while at < end {
        if text[at] != b'%' {
            at += 1;
            continue;
        }
        let len = |from: usize, fits: &dyn Fn(&u8) -> bool| {
            text[from..end].iter().take_while(|byte| fits(byte)).count()
        };
        let name = at + 1..at + 1 + len(at + 1, &is_word);
        let place = at..name.end
            + len(name.end, &|byte| {
                !matches!(byte, b',' | b' ' | b'\n' | b'\r' | b')' | b'(')
            });
        at = place.end.max(at + 1);
        let is_point = text.get(name.end) == Some(&b'.');
        let word = &text[name.clone()];
        if word == b"bb" && is_point {
            let digits = len(name.end + 1, &u8::is_ascii_digit);
            let name = name.end + 1..name.end + 1 + digits;
            instruction.blocks.push(Named { place, name });
        } else if is_point && !word.first().is_some_and(u8::is_ascii_digit) || word.is_empty() {
            // A place in the stack, a constant, a part of a register.
        } else if place.start < equals && !is_point {
            instruction.defined.push(Named { place, name });
        } else {
            instruction.used.push(Named { place, name });
        }
    }
    instruction
}

/// A change of the blocks of one function.
#[derive(Debug)]
pub struct Plan<'a> {
    text: &'a [u8],
    function: &'a Function,
    /// Which blocks go, and which instructions of each.
    blocks: Vec<bool>,
    gone: Vec<Vec<bool>>,
}

impl<'a> Plan<'a> {
    /// A plan that changes nothing yet.
    pub fn new(text: &'a [u8], function: &'a Function) -> Plan<'a> {
        let gone = |block: &Block| alloc::vec![false; block.instructions.len()];
        Plan {
            text,
            function,
            blocks: alloc::vec![false; function.blocks.len()],
            gone: function.blocks.iter().map(gone).collect(),
        }
    }

    /// A block goes.
    pub fn remove_block(&mut self, block: usize) {
        self.blocks[block] = true;
        self.gone[block].fill(true);
    }

    /// An instruction of a block goes.
    pub fn remove(&mut self, block: usize, instruction: usize) {
        self.gone[block][instruction] = true;
    }

    /// Adds the edits that this comes to: what names a block that goes, goes or does not name it any more; a
    /// register that is still used is left open where it was defined, or at the start of the function.
    pub fn add_edits(mut self, edits: &mut Vec<Edit<u8>>) {
        let (text, function) = (self.text, self.function);
        let name = |named: &Named| &text[named.name.clone()];
        let mut gone_blocks: Vec<&[u8]> = Vec::new();
        for (block, _) in function
            .blocks
            .iter()
            .zip(&self.blocks)
            .filter(|(_, is_gone)| **is_gone)
        {
            gone_blocks.push(&text[block.name.clone()]);
        }
        gone_blocks.sort_unstable();
        let is_gone_block = |named: &Named| gone_blocks.binary_search(&name(named)).is_ok();
        let is_phi = |instruction: &Instruction| {
            let line = &text[instruction.line.clone()];
            line.windows(7).any(|window| window == b" = PHI ")
        };
        let mut jumps = Vec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            for (place, instruction) in block.instructions.iter().enumerate() {
                let is_list = instruction.is_header || is_phi(instruction);
                let mut kept = instruction
                    .blocks
                    .iter()
                    .filter(|named| !is_gone_block(named));
                if kept.next().is_none() && !instruction.blocks.is_empty()
                    || !is_list && instruction.blocks.iter().any(is_gone_block)
                {
                    jumps.push((number, place));
                }
            }
        }
        for (block, instruction) in jumps {
            self.gone[block][instruction] = true;
        }
        let all = || {
            let blocks = function.blocks.iter().zip(&self.gone);
            blocks.flat_map(|(block, gone)| block.instructions.iter().zip(gone))
        };
        let rest = all().filter(|(_, is_gone)| !**is_gone);
        let used = rest.flat_map(|(instruction, _)| {
            // What a phi got from a block that goes, it does not use any more.
            let from = |named: &Named| {
                let mut behind = instruction.blocks.iter();
                behind.find(|block| block.place.start > named.place.start)
            };
            let uses = instruction.used.iter();
            uses.filter(move |named| !from(named).is_some_and(&is_gone_block))
        });
        let mut used: Vec<&[u8]> = used.map(name).collect();
        used.sort_unstable();
        let is_used = |named: &&Named| used.binary_search(&name(named)).is_ok();
        let left_open = |to: &mut Vec<u8>, named: &Named| {
            to.extend_from_slice(b"    ");
            to.extend_from_slice(&text[named.place.clone()]);
            to.extend_from_slice(b" = IMPLICIT_DEF\n");
        };
        for list in &function.lists {
            if list.blocks.iter().any(is_gone_block) {
                edits.extend(self.shortened(list, &is_gone_block));
            }
        }
        // Those of blocks that go are left open at the start.
        let mut first = Vec::new();
        for (block, _) in function
            .blocks
            .iter()
            .zip(&self.blocks)
            .filter(|(_, is_gone)| **is_gone)
        {
            let defined = block
                .instructions
                .iter()
                .flat_map(|instruction| &instruction.defined);
            defined
                .filter(is_used)
                .for_each(|named| left_open(&mut first, named));
        }
        for (number, block) in function.blocks.iter().enumerate() {
            if self.blocks[number] {
                edits.push(cut(block.range.clone()));
                continue;
            }
            for (instruction, is_gone) in block.instructions.iter().zip(&self.gone[number]) {
                let line = instruction.line.clone();
                let mut insert = Vec::new();
                let has_first = !first.is_empty() && !instruction.is_header;
                if has_first {
                    insert.append(&mut first);
                }
                if *is_gone {
                    let defined = instruction.defined.iter().filter(is_used);
                    defined.for_each(|named| left_open(&mut insert, named));
                    edits.push(Edit {
                        start: line.start,
                        end: line.end,
                        insert: (!insert.is_empty()).then(|| insert.into()),
                    });
                    continue;
                }
                if has_first {
                    edits.push(Edit {
                        start: line.start,
                        end: line.start,
                        insert: Some(insert.into()),
                    });
                }
                if instruction.blocks.iter().any(is_gone_block) {
                    edits.extend(self.shortened(instruction, &is_gone_block));
                }
            }
        }
    }

    /// Takes blocks that go out of a list, with what stands for each in it.
    fn shortened(
        &self,
        instruction: &Instruction,
        is_gone: &dyn Fn(&Named) -> bool,
    ) -> Vec<Edit<u8>> {
        let mut edits: Vec<Edit<u8>> = Vec::new();
        let line = &instruction.line;
        for named in instruction.blocks.iter().filter(|named| is_gone(named)) {
            // A register stands before the block in a phi, how likely it is behind it elsewhere.
            let mut start = named.place.start;
            if !instruction.is_header {
                let before = instruction.used.iter().rev();
                let before = before.map(|named| named.place.start).find(|&at| at < start);
                start = before.unwrap_or(start);
            }
            start -= usize::from(self.text[..start].ends_with(b"'"));
            let rest = &self.text[named.place.end..line.end];
            let behind = match rest.first() {
                Some(b'(') => rest
                    .iter()
                    .position(|byte| *byte == b')')
                    .map_or(0, |at| at + 1),
                _ => 0,
            };
            let end = named.place.end + behind;
            // With the comma before it, or else with the one behind it.
            let (start, end) = match self.text[line.start..start].strip_suffix(b", ") {
                Some(before) => (line.start + before.len(), end),
                None => (
                    start,
                    end + 2 * usize::from(self.text[end..].starts_with(b", ")),
                ),
            };
            edits.push(cut(start..end));
        }
        edits
    }
}

fn cut(range: Range<usize>) -> Edit<u8> {
    Edit {
        start: range.start,
        end: range.end,
        insert: None,
    }
}

/// A function of the IR that is only declared.
pub fn declared(text: &[u8], definition: &Definition) -> Option<Patch<u8>> {
    let head = &text[definition.head.clone()];
    let name = head.iter().position(|byte| *byte == b'@')?;
    let (mut depth, mut end) = (0_i32, None);
    for (at, &byte) in head.iter().enumerate().skip(name) {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if byte == b')' && depth == 0 {
            end = Some(at + 1);
            break;
        }
    }
    let end = end?;
    let start = head.iter().take_while(|byte| **byte == b' ').count();
    let mut insert = b"declare".to_vec();
    let is_linkage = |word: &[u8]| {
        matches!(
            word,
            b"define"
                | b"internal"
                | b"private"
                | b"linkonce"
                | b"linkonce_odr"
                | b"weak"
                | b"weak_odr"
                | b"available_externally"
                | b"common"
                | b"dso_local"
        )
    };
    for word in head[start..name].split(|byte| *byte == b' ') {
        if !is_linkage(word) && !word.is_empty() {
            insert.push(b' ');
            insert.extend_from_slice(word);
        }
    }
    insert.push(b' ');
    insert.extend_from_slice(&head[name..end]);
    insert.push(b'\n');
    let begin = definition.head.start + start;
    Some(Patch::replace(begin, definition.end, &insert))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    const TEXT: &str = "---\nname: f\njumpTable:\n  entries:\n    - id: 0\n      blocks: [ '%bb.1', '%bb.2' ]\n\
                        body: |\n  bb.0.entry:\n    successors: %bb.1(0x40), %bb.2(0x40)\n    liveins: $edi\n\
                        \x20   %0:gr32 = COPY $edi\n    CMP %0, implicit-def $eflags\n    NOOP\n\
                        \x20   JCC_1 %bb.2, 5, implicit $eflags\n  bb.1:\n    %1:gr32 = NEG %0\n  bb.2:\n\
                        \x20   %2:gr32 = PHI %0, %bb.0, %1, %bb.1\n    ADJCALLSTACKDOWN 0\n    CALL @g\n\
                        \x20   ADJCALLSTACKUP 0\n    RET %2\n...\n";

    fn function() -> Function {
        let target = Target::new(TEXT.as_bytes().to_vec());
        Mir::of(&target).functions()[0].clone()
    }

    fn without(change: impl FnOnce(&mut Plan<'_>)) -> String {
        let (function, mut edits) = (function(), Vec::new());
        let mut plan = Plan::new(TEXT.as_bytes(), &function);
        change(&mut plan);
        plan.add_edits(&mut edits);
        let patch = Patch::edits_of(edits).unwrap();
        String::from_utf8(patch.applied(TEXT.as_bytes())).unwrap()
    }

    #[test]
    fn what_uses_a_register_of_the_machine_goes_with_what_sets_it() {
        let blocks = function().blocks.into_iter();
        let units = blocks.map(|block| {
            block
                .units
                .into_iter()
                .map(|unit| (unit.start, unit.end))
                .collect()
        });
        let units: Vec<Vec<(usize, usize)>> = units.collect();
        assert_eq!(units[0], [(2, 3), (3, 6)]);
        assert_eq!(units[1], [(0, 1)]);
        assert_eq!(units[2], [(0, 1), (1, 4), (4, 5)]);
    }

    #[test]
    fn other_documents_are_no_functions() {
        let target = Target::new(b"---\nname: a\non: push\n---\nname: b\nbody: |\n  c\n".to_vec());
        assert!(Mir::of(&target).functions().is_empty());
    }

    #[test]
    fn nothing_names_a_block_that_goes() {
        let expected = TEXT
            .replace("'%bb.1', ", "")
            .replace("%bb.1(0x40), ", "")
            .replace("  bb.1:\n    %1:gr32 = NEG %0\n", "")
            .replace(", %1, %bb.1", "");
        assert_eq!(without(|plan| plan.remove_block(1)), expected);
        let expected = TEXT
            .replace(", '%bb.2'", "")
            .replace(", %bb.2(0x40)", "")
            .replace("    JCC_1 %bb.2, 5, implicit $eflags\n", "");
        let start = expected.find("  bb.2:").unwrap();
        let expected = [&expected[..start], "...\n"].concat();
        assert_eq!(without(|plan| plan.remove_block(2)), expected);
    }

    #[test]
    fn registers_that_are_used_are_left_open() {
        let expected = TEXT.replace("COPY $edi", "IMPLICIT_DEF");
        assert_eq!(without(|plan| plan.remove(0, 2)), expected);
        assert_eq!(without(|_| ()), TEXT.to_string());
    }
}
