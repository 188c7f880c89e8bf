//! Models of ONNX: nodes with the tensors that they take and make, in messages of Protocol Buffers. ("Open
//! Neural Network Exchange Intermediate Representation", ONNX.)

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::container::Reader;

/// The numbers of fields: of a model, a graph, a node, an attribute, and of tensors and their types.
const GRAPH: u64 = 7;
const NODE: u64 = 1;
const INITIALIZER: u64 = 5;
const INPUT: u64 = 11;
const OUTPUT: u64 = 12;
const VALUE_INFO: u64 = 13;
const GRAPH_FIELDS: [u64; 9] = [NODE, 2, INITIALIZER, 10, INPUT, OUTPUT, VALUE_INFO, 14, 15];
const OP_TYPE: u64 = 4;
const ATTRIBUTE: u64 = 5;
const GRAPHS_OF_ATTRIBUTE: [u64; 2] = [6, 11];
const NAME_OF_TENSOR: u64 = 8;
/// Graphs in attributes of nodes that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 8;

/// A field of a message.
#[derive(Clone, Debug)]
struct Field {
    number: u64,
    /// All of it, and what is in it.
    whole: Range<usize>,
    content: Range<usize>,
}

/// A name where it stands, by its number.
#[derive(Clone, Debug)]
struct Name {
    place: Range<usize>,
    of: usize,
}

/// A node of the graph.
#[derive(Debug)]
pub struct Node {
    whole: Range<usize>,
    /// What it takes, also by graphs in it, and what it makes.
    inputs: Vec<Name>,
    outputs: Vec<Name>,
}

/// What says something of one tensor: that it is given, wanted, or constant, or what type it has.
#[derive(Debug)]
struct Entry {
    number: u64,
    whole: Range<usize>,
    name: Name,
}

/// A model; nothing is in it where a file is something else.
#[derive(Debug, Default)]
pub struct Model {
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// The first place of each name.
    names: Vec<Range<usize>>,
}

/// What those take that took what a node made that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The same, given from outside.
    Input,
    /// What the node took first.
    FirstInput,
}

impl Model {
    /// The model that `target` is.
    pub fn of(target: &Target<u8>) -> Rc<Model> {
        target.analysis(|target| Model::new(target.elements()).unwrap_or_default())
    }

    fn new(text: &[u8]) -> Option<Model> {
        // First of all comes the version.
        text.starts_with(b"\x08").then_some(())?;
        let model = fields(text, 0..text.len())?;
        let graph = model
            .iter()
            .find(|field| field.number == GRAPH && !field.content.is_empty())?;
        let graph = fields(text, graph.content.clone())?;
        if !graph
            .iter()
            .all(|field| GRAPH_FIELDS.contains(&field.number))
        {
            return None;
        }
        let mut found = Model::default();
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut name = |place: Range<usize>, places: &mut Vec<Range<usize>>| {
            let of = *names.entry(&text[place.clone()]).or_insert(places.len());
            if of == places.len() {
                places.push(place.clone());
            }
            Name { place, of }
        };
        for field in graph {
            if field.number == NODE {
                let inner = fields(text, field.content.clone())?;
                inner.iter().find(|field| field.number == OP_TYPE)?;
                let mut node = Node {
                    whole: field.whole,
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                };
                let mut taken = Vec::new();
                add_taken(text, inner.clone(), 0, &mut taken)?;
                let taken = taken.into_iter().filter(|place| !place.is_empty());
                node.inputs = taken.map(|place| name(place, &mut found.names)).collect();
                let made = inner
                    .into_iter()
                    .filter(|field| field.number == 2 && !field.content.is_empty());
                node.outputs = made
                    .map(|field| name(field.content, &mut found.names))
                    .collect();
                found.nodes.push(node);
            } else if matches!(field.number, INITIALIZER | INPUT | OUTPUT | VALUE_INFO) {
                let wanted = if field.number == INITIALIZER {
                    NAME_OF_TENSOR
                } else {
                    1
                };
                let inner = fields(text, field.content)?;
                let place = inner
                    .into_iter()
                    .find(|inner| inner.number == wanted)?
                    .content;
                found.entries.push(Entry {
                    number: field.number,
                    whole: field.whole,
                    name: name(place, &mut found.names),
                });
            }
        }
        Some(found)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Which constants there are, among all entries.
    pub fn constants(&self) -> Vec<usize> {
        let entries = self.entries.iter().enumerate();
        let constants = entries.filter(|(_, entry)| entry.number == INITIALIZER);
        constants.map(|(number, _)| number).collect()
    }

    /// What some constants are given as from outside then; `None` where their types can't be told.
    pub fn given(&self, text: &[u8], constants: &[usize]) -> Option<Patch<u8>> {
        let is_given = self.has(INPUT);
        let edits = constants.iter().map(|&number| {
            let Entry { whole, name, .. } = &self.entries[number];
            let mut insert = Vec::new();
            if !is_given[name.of] {
                add_field(
                    &mut insert,
                    INPUT,
                    &info_of(text, whole, &text[name.place.clone()])?,
                );
            }
            Some(Edit {
                start: whole.start,
                end: whole.end,
                insert: (!insert.is_empty()).then(|| insert.into()),
            })
        });
        let edits: Option<Vec<Edit<u8>>> = edits.collect();
        Patch::edits_of(edits?).ok()
    }

    /// The edits without some nodes. What nobody takes any more goes too; where nothing is wanted then, it is
    /// what the last of them took.
    pub fn without(&self, text: &[u8], gone: Range<usize>, instead: Instead) -> Option<Patch<u8>> {
        let mut is_gone = alloc::vec![false; self.nodes.len()];
        is_gone[gone.clone()].fill(true);
        // What stands for each name, and whether it is given from outside.
        let mut stands: Vec<usize> = (0..self.names.len()).collect();
        let mut is_given = alloc::vec![false; self.names.len()];
        for node in &self.nodes[gone.clone()] {
            for made in &node.outputs {
                match (instead, node.inputs.first()) {
                    (Instead::FirstInput, Some(first)) => stands[made.of] = stands[first.of],
                    _ => is_given[made.of] = true,
                }
            }
        }
        // How often each name is taken, and who makes it.
        let mut taken = alloc::vec![0_usize; self.names.len()];
        for (node, _) in self
            .nodes
            .iter()
            .zip(&is_gone)
            .filter(|(_, is_gone)| !**is_gone)
        {
            node.inputs
                .iter()
                .for_each(|name| taken[stands[name.of]] += 1);
        }
        let is_wanted = |entry: &Entry| entry.number == OUTPUT && !is_given[entry.name.of];
        let wanted = self.entries.iter().filter(|entry| is_wanted(entry));
        let mut wanted: Vec<usize> = wanted.map(|entry| stands[entry.name.of]).collect();
        let (mut new_output, is_typed) = (None, self.has(VALUE_INFO));
        if wanted.is_empty() {
            let makes = |name: usize| {
                let rest = self
                    .nodes
                    .iter()
                    .zip(&is_gone)
                    .filter(|(_, is_gone)| !**is_gone);
                rest.flat_map(|(node, _)| &node.outputs)
                    .any(|made| made.of == name)
            };
            let last = self.nodes[gone.clone()].iter().rev();
            let mut names = last.flat_map(|node| &node.inputs).map(|name| name.of);
            new_output = Some(names.find(|&name| is_typed[name] && makes(name))?);
            wanted.extend(new_output);
        }
        wanted.iter().for_each(|&name| taken[name] += 1);
        // What only those took that go, is not made any more.
        let concerned: Vec<usize> = (self.nodes[gone.clone()].iter())
            .flat_map(|node| &node.inputs)
            .map(|name| name.of)
            .collect();
        let mut was_taken = alloc::vec![false; self.names.len()];
        concerned.iter().for_each(|&name| was_taken[name] = true);
        for number in (0..gone.start).rev() {
            let node = &self.nodes[number];
            let is_dead = node.outputs.iter().all(|made| taken[made.of] == 0)
                && node.outputs.iter().any(|made| was_taken[made.of]);
            if is_dead {
                is_gone[number] = true;
                for name in &node.inputs {
                    taken[stands[name.of]] -= 1;
                    was_taken[name.of] = true;
                }
            }
        }
        let mut edits = Vec::new();
        for (node, is_gone) in self.nodes.iter().zip(&is_gone) {
            if *is_gone {
                edits.push(cut(&node.whole));
                continue;
            }
            let renamed = node.inputs.iter().filter(|name| stands[name.of] != name.of);
            edits.extend(renamed.map(|name| self.renamed(text, name, stands[name.of])));
        }
        let mut has_info = alloc::vec![false; self.names.len()];
        for entry in &self.entries {
            let name = entry.name.of;
            let is_taken = taken[name] > 0;
            match entry.number {
                OUTPUT if is_given[name] && is_taken && !is_typed[name] => {
                    has_info[name] = true;
                    edits.push(retagged(&entry.whole, INPUT));
                }
                OUTPUT if is_given[name] => edits.push(cut(&entry.whole)),
                OUTPUT if stands[name] != name => {
                    edits.push(self.renamed(text, &entry.name, stands[name]));
                }
                OUTPUT => {}
                VALUE_INFO if new_output == Some(name) => {
                    edits.push(retagged(&entry.whole, OUTPUT));
                }
                VALUE_INFO if is_given[name] && is_taken => {
                    has_info[name] = true;
                    edits.push(retagged(&entry.whole, INPUT));
                }
                _ if !is_taken && (was_taken[name] || is_given[name] || stands[name] != name) => {
                    edits.push(cut(&entry.whole));
                }
                _ => {}
            }
        }
        // What is given has to have a type.
        let mut names = 0..self.names.len();
        if names.any(|name| is_given[name] && taken[name] > 0 && !has_info[name]) {
            return None;
        }
        edits.sort_by_cached_key(|edit| edit.start);
        Patch::edits_of(edits).ok()
    }

    /// For each name whether there is an entry of this number of it.
    fn has(&self, number: u64) -> Vec<bool> {
        let mut has = alloc::vec![false; self.names.len()];
        let entries = self.entries.iter().filter(|entry| entry.number == number);
        entries.for_each(|entry| has[entry.name.of] = true);
        has
    }

    fn renamed(&self, text: &[u8], name: &Name, other: usize) -> Edit<u8> {
        Edit {
            start: name.place.start,
            end: name.place.end,
            insert: Some(text[self.names[other].clone()].into()),
        }
    }
}

fn cut(range: &Range<usize>) -> Edit<u8> {
    Edit {
        start: range.start,
        end: range.end,
        insert: None,
    }
}

/// A field becomes one of another number; both take one byte.
fn retagged(whole: &Range<usize>, number: u64) -> Edit<u8> {
    let tag = (number << 3 | 2) as u8;
    Edit {
        start: whole.start,
        end: whole.start + 1,
        insert: Some([tag].as_slice().into()),
    }
}

/// The fields of a message; `None` for what is none.
fn fields(text: &[u8], range: Range<usize>) -> Option<Vec<Field>> {
    let mut reader = Reader::new(text, range.start, range.end);
    let mut fields = Vec::new();
    while !reader.is_at_end() {
        let start = reader.at;
        let tag = reader.leb128()?.value;
        let mut content = reader.at..reader.at;
        match tag & 7 {
            0 => reader.skip_leb128(10)?,
            1 => drop(reader.take(8)?),
            2 => {
                let len = reader.leb128()?.value;
                content = reader.at..reader.at;
                reader.take(len)?;
                content.end = reader.at;
            }
            5 => drop(reader.take(4)?),
            _ => return None,
        }
        fields.push(Field {
            number: tag >> 3,
            whole: start..reader.at,
            content,
        });
    }
    Some(fields)
}

/// Adds where the names stand that a node takes, with those of the graphs in its attributes.
fn add_taken(text: &[u8], node: Vec<Field>, depth: u32, to: &mut Vec<Range<usize>>) -> Option<()> {
    for field in node {
        if field.number == 1 {
            to.push(field.content);
        } else if field.number == ATTRIBUTE && depth < DEPTH_MAX {
            for inner in fields(text, field.content)? {
                if !GRAPHS_OF_ATTRIBUTE.contains(&inner.number) || inner.content.is_empty() {
                    continue;
                }
                for node in fields(text, inner.content)? {
                    if node.number == NODE {
                        add_taken(text, fields(text, node.content)?, depth + 1, to)?;
                    }
                }
            }
        }
    }
    Some(())
}

/// The type of a constant tensor, with its name, as that of one that is given.
fn info_of(text: &[u8], whole: &Range<usize>, name: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader::new(text, whole.start, whole.end);
    reader.leb128()?;
    reader.leb128()?;
    let mut shape = Vec::new();
    let mut of_elements = None;
    for field in fields(text, reader.at..whole.end)? {
        let mut value = Reader::new(text, field.whole.start, field.whole.end);
        let tag = value.leb128()?.value;
        match (field.number, tag & 7) {
            (1, 0) => add_dimension(&mut shape, value.leb128()?.value),
            (1, 2) => {
                let mut packed = Reader::new(text, field.content.start, field.content.end);
                while !packed.is_at_end() {
                    add_dimension(&mut shape, packed.leb128()?.value);
                }
            }
            (2, 0) => of_elements = Some(value.leb128()?.value),
            _ => {}
        }
    }
    let mut tensor = Vec::new();
    add_number(&mut tensor, 1, of_elements?);
    add_field(&mut tensor, 2, &shape);
    let (mut of_type, mut info) = (Vec::new(), Vec::new());
    add_field(&mut of_type, 1, &tensor);
    add_field(&mut info, 1, name);
    add_field(&mut info, 2, &of_type);
    Some(info)
}

fn add_dimension(shape: &mut Vec<u8>, size: u64) {
    let mut dimension = Vec::new();
    add_number(&mut dimension, 1, size);
    add_field(shape, 1, &dimension);
}

fn add_number(to: &mut Vec<u8>, number: u64, value: u64) {
    add_leb128(to, number << 3);
    add_leb128(to, value);
}

fn add_field(to: &mut Vec<u8>, number: u64, content: &[u8]) {
    add_leb128(to, number << 3 | 2);
    add_leb128(to, content.len() as u64);
    to.extend_from_slice(content);
}

fn add_leb128(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}
