//! Puts what a name is defined as in place of the name, everywhere, and deletes the definition.
//!
//! Names for types, constants, macros and variables that are used once are only a detour:
//! `typedef int t; t a;` becomes `int a;`, and `b = 2; f(b)` becomes `f(2)`.
//!
//! Costs one test for each definition that is longer than what takes its place, the largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! assert_eq!(reductions("inline_definitions", "c", "typedef int t; t a;"), ["int a;"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// Names that stand in more places are left alone.
const PLACES_MAX: usize = 100;
/// Definitions that are longer are left alone.
const LONGEST: usize = 4096;

/// Inlines definitions; see the module.
#[derive(Clone, Debug)]
pub struct InlineDefinitions(pub Rc<Syntax>);

/// What can be inlined.
fn inlinings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let mut patches = Vec::new();
    for &(definition, name) in &names.declarations {
        let definition = definition as usize;
        let Some(value) = value(tree, definition) else {
            continue;
        };
        let value = &tree.nodes()[value];
        let places = &names.by_name[name as usize];
        if places.len() > PLACES_MAX || value.len() > LONGEST {
            continue;
        }
        let Some(member) = members.around(&member_of, definition, true) else {
            continue;
        };
        let (start, end) = members.cut(member, member);
        let text = text_of(target.elements(), tree, value);
        let nodes = places.iter().map(|&at| names.occurrences[at as usize]);
        let nodes = nodes.filter(|place| !place.is_member);
        let nodes = nodes.map(|place| &tree.nodes()[place.node as usize]);
        let elsewhere = nodes.filter(|node| !(start..end).contains(&(node.start as usize)));
        let edits = elsewhere.map(|node| Edit {
            start: node.start as usize,
            end: node.end as usize,
            insert: Some(text.as_slice().into()),
        });
        let deletion = Edit {
            start,
            end,
            insert: None,
        };
        let patch = Patch::edits_of(edits.chain([deletion]));
        patches.extend(patch.ok());
    }
    patches
}

/// What something is defined as, if it is as simple as that.
fn value(tree: &SyntaxTree, definition: usize) -> Option<usize> {
    let nodes = tree.nodes();
    let field = |name: &str| {
        let mut children = tree.children(definition);
        children.find(|&child| tree.field_name(&nodes[child]) == Some(name))
    };
    let kind = tree.kind_name(&nodes[definition]);
    let names = ["name", "declarator", "pattern", "left"];
    let name = names.into_iter().find_map(field)?;
    let is_plain = nodes[name].next as usize == name + 1;
    if !is_plain {
        return None;
    }
    let is_type = kind.contains("alias") || matches!(kind, "type_definition" | "type_item");
    if is_type {
        return field("type").or_else(|| field("value"));
    }
    field("value").or_else(|| field("right"))
}

/// A value as it can stand in an expression.
fn text_of(text: &[u8], tree: &SyntaxTree, value: &crate::tree::Node) -> Vec<u8> {
    let kind = tree.kind_name(value);
    let part = text[value.range()].trim_ascii();
    let is_open = [
        "binary",
        "conditional",
        "assignment",
        "lambda",
        "unary",
        "cast",
    ];
    if is_open.iter().any(|open| kind.contains(open)) {
        [b"(", part, b")"].concat()
    } else {
        part.to_vec()
    }
}

impl Finds for InlineDefinitions {
    const NAME: &'static str = "inline_definitions";
    const RANK: u8 = 6;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        inlinings(target, &members, &names)
    }
}
