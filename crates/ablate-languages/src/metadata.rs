//! The metadata of LLVM's intermediate code: nodes that refer to each other, and to which functions,
//! instructions and records of debug information are attached. What goes is forgotten where it was
//! referred to, as far as it can be: a field or an element goes with it, `null` stands for it, and what
//! means nothing without it goes too.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::readable::blanks;
use crate::tree::{Syntax, SyntaxTree};

/// Fields without which a node means nothing ("LLVM Language Reference Manual", specialized metadata
/// nodes, and what the verifier says of them).
const REQUIRED: &[(&[u8], &[u8])] = &[
    (b"DILocation", b"scope"),
    (b"DILexicalBlock", b"scope"),
    (b"DILexicalBlockFile", b"scope"),
    (b"DILocalVariable", b"scope"),
    (b"DILabel", b"scope"),
    (b"DICommonBlock", b"scope"),
    (b"DICompileUnit", b"file"),
    (b"DISubprogram", b"unit"),
    (b"DIGlobalVariableExpression", b"var"),
    (b"DIGlobalVariableExpression", b"expr"),
];
/// Fields that have to be there, but may be `null`.
const NULLABLE: &[(&[u8], &[u8])] = &[
    (b"DIDerivedType", b"baseType"),
    (b"DITemplateTypeParameter", b"type"),
    (b"DITemplateValueParameter", b"value"),
    (b"DISubroutineType", b"types"),
    (b"DIImportedEntity", b"scope"),
    (b"DINamespace", b"scope"),
    (b"DIModule", b"scope"),
    (b"DILabel", b"file"),
    (b"DIMacroFile", b"file"),
];

/// The metadata of a text.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    nodes: Vec<Node>,
    /// So many of them, the first, are known by a number: to other nodes, and to what is no metadata.
    numbered: usize,
    users: Vec<User>,
    /// For each node the nodes that mean nothing without it.
    needed_by: Vec<Vec<u32>>,
}

/// A numbered node, or a named list of some.
#[derive(Debug)]
struct Node {
    /// With the end of its line.
    range: Range<usize>,
    /// Its fields, or its elements.
    parts: Vec<Part>,
}

/// A field, or an element.
#[derive(Debug)]
struct Part {
    range: Range<usize>,
    refers_to: Vec<u32>,
    loss: Loss,
}

/// What becomes of a part that refers to what is gone.
#[derive(Debug)]
enum Loss {
    /// It goes.
    Gone,
    /// `null` stands in this place.
    Null(Range<usize>),
    /// The whole node goes.
    Fatal,
}

/// What is no metadata, but refers to some: an attachment, a record, or a call that computes nothing, which
/// goes with it; or an operand.
#[derive(Debug)]
struct User {
    range: Range<usize>,
    refers_to: Vec<u32>,
    is_operand: bool,
}

impl Metadata {
    /// The metadata of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Metadata> {
        if syntax.language().name != "llvm" {
            return Rc::default();
        }
        let tree = syntax.tree(target);
        target.analysis(|target| Metadata::read(target.elements(), &tree).unwrap_or_default())
    }

    /// How many nodes are known by a number.
    pub fn len(&self) -> usize {
        self.numbered
    }

    /// The bytes of a node.
    pub fn range(&self, node: usize) -> Range<usize> {
        self.nodes[node].range.clone()
    }

    /// `None` where two nodes have the same number, as in several files.
    fn read(text: &[u8], tree: &SyntaxTree) -> Option<Metadata> {
        let mut metadata = Metadata::default();
        let is_definition = |at: &usize| tree.kind(*at) == "global_metadata";
        let range = |at: usize| tree.nodes()[at].range();
        let is_numbered = |at: &usize| digits(&text[range(*at)]).is_some();
        let definitions = (0..tree.nodes().len()).filter(is_definition);
        let (mut definitions, named): (Vec<usize>, Vec<usize>) = definitions.partition(is_numbered);
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for (place, &at) in definitions.iter().enumerate() {
            let number = digits(&text[range(at)]).unwrap_or_default();
            if numbers.insert(number.to_vec(), place as u32).is_some() {
                return None;
            }
        }
        metadata.numbered = definitions.len();
        definitions.extend(named);
        let refers_to = |range: Range<usize>| references(&text[range], &numbers);
        for &at in &definitions {
            let mut range = range(at);
            let parts = parts(text, range.clone(), &refers_to);
            let line_end = text[range.end..].iter();
            range.end += line_end.take_while(|byte| b" \t".contains(byte)).count();
            range.end += usize::from(text.get(range.end) == Some(&b'\n'));
            metadata.nodes.push(Node { range, parts });
        }
        metadata.needed_by = vec![Vec::new(); metadata.nodes.len()];
        for (place, node) in metadata.nodes.iter().enumerate() {
            let parts = node.parts.iter();
            let required = parts.filter(|part| matches!(part.loss, Loss::Fatal));
            for &needed in required.flat_map(|part| &part.refers_to) {
                metadata.needed_by[needed as usize].push(place as u32);
            }
        }
        metadata.add_users(text, tree, &refers_to);
        Some(metadata)
    }

    fn add_users(
        &mut self,
        text: &[u8],
        tree: &SyntaxTree,
        refers_to: &impl Fn(Range<usize>) -> Vec<u32>,
    ) {
        for (at, node) in tree.nodes().iter().enumerate() {
            let mut range = node.range();
            let mut refers = Vec::new();
            let mut is_operand = false;
            match tree.kind(at) {
                "metadata_refs" => refers = refers_to(range.clone()),
                "metadata_attachment" => {
                    refers = refers_to(range.clone());
                    range.end += blanks(&text[range.end..]);
                }
                "instruction" => {
                    if text[range.clone()].starts_with(b"#dbg_") {
                        refers = refers_to(range.clone());
                    } else if computes_nothing(text, tree, at) {
                        let operands =
                            (at..node.next as usize).filter(|&at| is_operand_at(tree, at));
                        refers.extend(operands.flat_map(|at| refers_to(tree.nodes()[at].range())));
                    }
                    range.end += blanks(&text[range.end..]);
                }
                _ if is_operand_at(tree, at) => {
                    is_operand = true;
                    refers = refers_to(range.clone());
                }
                _ => {}
            }
            if !refers.is_empty() {
                self.users.push(User {
                    range,
                    refers_to: refers,
                    is_operand,
                });
            }
        }
    }

    /// The text without these nodes, given by their places among those with a number, and what means
    /// nothing without them.
    pub fn without(&self, gone: Range<usize>) -> Patch<u8> {
        let mut is_gone = vec![false; self.nodes.len()];
        let mut pending: Vec<u32> = (gone.start as u32..gone.end as u32).collect();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut is_gone[node as usize], true) {
                pending.extend(&self.needed_by[node as usize]);
            }
        }
        let refers = |numbers: &[u32]| numbers.iter().any(|node| is_gone[*node as usize]);
        let mut edits: Vec<(Range<usize>, Option<&str>)> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let parts = &node.parts;
            let are_gone = || parts.iter().all(|part| refers(&part.refers_to));
            if is_gone[place] || (place >= self.numbered && !parts.is_empty() && are_gone()) {
                edits.push((node.range.clone(), None));
                continue;
            }
            // The end of the last part that stays.
            let mut last: Option<usize> = None;
            for (at, part) in parts.iter().enumerate() {
                let range = part.range.clone();
                if !refers(&part.refers_to) {
                    last = Some(range.end);
                } else if let Loss::Null(null) = &part.loss {
                    edits.push((null.clone(), Some("null")));
                    last = Some(range.end);
                } else {
                    let next = parts.get(at + 1).map_or(range.end, |next| next.range.start);
                    match last {
                        Some(_) => edits.push((parts[at - 1].range.end..range.end, None)),
                        None => edits.push((range.start..next, None)),
                    }
                }
            }
        }
        for user in self.users.iter().filter(|user| refers(&user.refers_to)) {
            let empty = user.is_operand.then_some("!{}");
            edits.push((user.range.clone(), empty));
        }
        edits.sort_by_cached_key(|(range, _)| (range.start, Reverse(range.end)));
        let mut end = 0;
        // What lies within others goes with them.
        edits.retain(|(range, _)| {
            let is_apart = range.start >= end;
            end = end.max(range.end);
            is_apart
        });
        let edits = edits.into_iter().map(|(range, insert)| Edit {
            start: range.start,
            end: range.end,
            insert: insert.map(|text| text.as_bytes().into()),
        });
        Patch::edits_of(edits).unwrap_or_default()
    }
}

/// Whether a node of the tree is metadata that an instruction is given as a value.
fn is_operand_at(tree: &SyntaxTree, at: usize) -> bool {
    let around = tree.nodes()[at].parent as usize;
    tree.kind(at) == "metadata" && matches!(tree.kind(around), "type_and_value" | "argument")
}

/// Whether an instruction is a call of a function that gives nothing.
fn computes_nothing(text: &[u8], tree: &SyntaxTree, instruction: usize) -> bool {
    let is_void = |part| tree.kind(part) == "type" && &text[tree.nodes()[part].range()] == b"void";
    let mut parts = tree.children(instruction);
    let call = parts.find(|&part| tree.kind(part) == "instruction_call");
    call.is_some_and(|call| tree.children(call).any(is_void))
}

/// The fields of the node that is defined in a range, or its elements.
fn parts(
    text: &[u8],
    definition: Range<usize>,
    refers_to: &impl Fn(Range<usize>) -> Vec<u32>,
) -> Vec<Part> {
    let of = &text[definition.clone()];
    let Some(open) = of.iter().position(|byte| b"({".contains(byte)) else {
        return Vec::new();
    };
    let is_tuple = of[open] == b'{';
    let name = of[..open].rsplit(|byte| *byte == b'!').next();
    let kind = name.unwrap_or_default().trim_ascii();
    let ranges = arguments(text, definition.start + open + 1..definition.end);
    let is_reference = |range: &Range<usize>| {
        let part = &text[range.clone()];
        part == b"null" || digits(part).is_some_and(|digits| digits.len() + 1 == part.len())
    };
    let are_references = ranges.iter().all(is_reference);
    let parts = ranges.into_iter().map(|range| {
        let part = &text[range.clone()];
        let colon = part.iter().position(|byte| *byte == b':');
        let field = part[..colon.unwrap_or_default()].trim_ascii_end();
        let is_in = |table: &[(&[u8], &[u8])]| table.contains(&(kind, field));
        let loss = match colon {
            _ if is_tuple && are_references => Loss::Gone,
            _ if is_tuple || is_in(REQUIRED) => Loss::Fatal,
            Some(colon) if is_in(NULLABLE) => {
                let value = colon + 1 + blanks(&part[colon + 1..]);
                Loss::Null(range.start + value..range.end)
            }
            _ => Loss::Gone,
        };
        Part {
            refers_to: refers_to(range.clone()),
            range,
            loss,
        }
    });
    parts.collect()
}

/// The arguments up to the bracket that closes what a range of the text is in, without the blanks around
/// them.
fn arguments(text: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut arguments = Vec::new();
    let (mut start, mut depth, mut is_string) = (range.start, 0, false);
    for at in range {
        let byte = text[at];
        is_string ^= byte == b'"';
        if is_string {
            continue;
        }
        let is_end = depth == 0 && b",)}".contains(&byte);
        if is_end {
            let argument = &text[start..at];
            let front = start + (argument.len() - argument.trim_ascii_start().len());
            let end = front + argument.trim_ascii().len();
            if front < end {
                arguments.push(front..end);
            }
            start = at + 1;
        }
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' if depth == 0 => break,
            b')' | b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    arguments
}

/// The number of the node that a text begins with a reference to.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"!")?;
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (len > 0).then(|| &text[..len])
}

/// The places of the nodes that a text refers to.
fn references(text: &[u8], numbers: &BTreeMap<Vec<u8>, u32>) -> Vec<u32> {
    let mut found = Vec::new();
    let (mut at, mut is_string) = (0, false);
    while at < text.len() {
        is_string ^= text[at] == b'"';
        let number = digits(&text[at..]).filter(|_| !is_string);
        found.extend(number.and_then(|number| numbers.get(number)));
        at += 1 + number.map_or(0, <[u8]>::len);
    }
    found
}
