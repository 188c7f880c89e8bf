//! What is only put somewhere for others to call, in JavaScript and TypeScript: `a.b = c`, methods and functions of
//! object literals, and what is exported by name. Nobody needs it whose name is not in use, nor in a string.

use std::collections::HashMap;

use crate::modules::LANGUAGES;
use crate::names::Names;
use crate::needs::{Needs, Without};
use crate::tree::SyntaxTree;

/// So often it is looked at whether what is in use needs more of them, and so many items are looked at.
const ROUNDS_MAX: usize = 32;
const LOOKS_MAX: usize = 2_000_000;
/// So many objects that the same is put into in one statement are looked at.
const CHAIN_MAX: usize = 8;

/// Values that can be called, or that others are called by, by their kinds.
const CALLED: &[&str] = &[
    "arrow_function",
    "class",
    "function_expression",
    "generator_function",
    "identifier",
];

/// The items that are put somewhere for others to call, in the order of the text.
pub(crate) struct Exported {
    /// Their numbers.
    pub items: Vec<u32>,
    /// For each of them the names that it can be called by.
    names: Vec<Vec<u32>>,
    /// Items with names that are strings in them, by which something may be called.
    said: Vec<(u32, u32)>,
}

impl Exported {
    /// Those of a text.
    pub fn of(text: &[u8], tree: &SyntaxTree, names: &Names, needs: &Needs) -> Exported {
        let mut exported = Exported {
            items: Vec::new(),
            names: Vec::new(),
            said: Vec::new(),
        };
        if !LANGUAGES.iter().any(|language| tree.is_in(language)) {
            return exported;
        }
        for (number, item) in (0..).zip(&needs.items.items) {
            // What a file imports is known exactly.
            if names.showing.contains(&item.node) {
                continue;
            }
            let nodes = called_by(tree, item.node as usize);
            let is_name = nodes.iter().all(|&node| names.name_at(node).is_some());
            let found = nodes.iter();
            let names = found.filter_map(|&node| names.as_member(text, tree, node));
            let names: Vec<u32> = names.collect();
            if !nodes.is_empty() && is_name {
                exported.items.push(number);
                exported.names.push(names);
            }
        }
        let spelled = |name: u32| {
            let node = names.occurrences[names.by_name[name as usize][0] as usize].node;
            (&text[tree.nodes()[node as usize].range()], name)
        };
        let by_spelling: HashMap<&[u8], u32> = (exported.names.iter().flatten())
            .map(|&name| spelled(name))
            .collect();
        for (number, node) in (0..).zip(tree.nodes()) {
            if tree.kind_name(node) == "string_fragment"
                && let Some(&name) = by_spelling.get(&text[node.range()])
                && let Some(item) = needs.items.innermost(tree, number)
            {
                exported.said.push((item, name));
            }
        }
        exported
    }

    /// For each item whether it is one of this run of them that nobody needs; `None` if that takes too long to find
    /// out.
    pub fn unneeded(&self, needs: &Needs, first: usize, last: usize) -> Option<Vec<bool>> {
        let count = needs.items.items.len();
        let mut without = Without {
            is_blocked: vec![false; count],
            ..Without::default()
        };
        for &item in &self.items[first..=last] {
            without.is_blocked[item as usize] = true;
        }
        for _ in 0..ROUNDS_MAX.min(LOOKS_MAX / count.max(1)) {
            let kept = needs.left(&without);
            let mut is_used = vec![false; needs.items.names];
            for &used in &kept.order {
                if let Some(name) = (used as usize).checked_sub(count) {
                    is_used[name] = true;
                }
            }
            for &(item, name) in &self.said {
                is_used[name as usize] |= kept.is_kept[item as usize];
            }
            let mut has_more = false;
            for (item, names) in self
                .items
                .iter()
                .zip(&self.names)
                .take(last + 1)
                .skip(first)
            {
                let is_blocked = &mut without.is_blocked[*item as usize];
                if *is_blocked && names.iter().any(|&name| is_used[name as usize]) {
                    *is_blocked = false;
                    has_more = true;
                }
            }
            if !has_more {
                return Some(without.is_blocked);
            }
        }
        None
    }
}

/// The nodes of the names that what an item puts somewhere can be called by; none if it is no such item.
fn called_by(tree: &SyntaxTree, number: usize) -> Vec<usize> {
    let around = tree.kind(tree.nodes()[number].parent as usize);
    let name = match (tree.kind(number), around) {
        ("expression_statement", _) => return assigned(tree, tree.children(number).next()),
        // Minifiers make one statement of many.
        ("assignment_expression", "sequence_expression") => return assigned(tree, Some(number)),
        ("pair", _) => {
            let value = tree.part(number, "value");
            value
                .filter(|&value| is_called(tree, value))
                .and_then(|_| tree.part(number, "key"))
        }
        ("method_definition", "object") => tree.part(number, "name"),
        ("shorthand_property_identifier", _) => Some(number),
        ("export_specifier", _) => tree
            .part(number, "alias")
            .or_else(|| tree.part(number, "name")),
        _ => None,
    };
    name.into_iter().collect()
}

/// The nodes of the names of parts of objects that a value is put into, as by `a.b = c.d = e`, if it can be called.
fn assigned(tree: &SyntaxTree, mut value: Option<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    while let Some(assignment) = value
        && tree.kind(assignment) == "assignment_expression"
        && found.len() < CHAIN_MAX
    {
        let object = tree.part(assignment, "left");
        let Some(property) = object.and_then(|object| tree.part(object, "property")) else {
            return Vec::new();
        };
        found.push(property);
        value = tree.part(assignment, "right");
    }
    match value {
        Some(value) if is_called(tree, value) => found,
        _ => Vec::new(),
    }
}

/// Whether a value is one that can be called, or that others are called by.
fn is_called(tree: &SyntaxTree, value: usize) -> bool {
    CALLED.contains(&tree.kind(value))
}
