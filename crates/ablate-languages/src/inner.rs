//! Declarations inside others: what is declared in a body for the rest of it, and members of classes
//! (in the C family and Rust, `shapes.rs` knows more of those). Each is wanted where its name is used;
//! where nobody but itself names it, something outside of the text may, so that it is there for its own
//! sake.

use std::ops::Range;

use crate::bodies::is_interpreted;
use crate::declares::declares;
use crate::items::{Item, Trigger};
use crate::language::Language;
use crate::names::Names;
use crate::overrides::{is_functional, is_override, overrides_outside};
use crate::shapes::Family;
use crate::tree::SyntaxTree;
use crate::verilog_names;

/// What a declaration inside another one has to do with names.
#[derive(Debug)]
pub(crate) struct Inner {
    /// By what use of its names it is wanted.
    pub trigger: Trigger,
    /// The names that it declares, at least one.
    pub declares: Vec<u32>,
}

/// Methods that languages call without naming them, besides those that begin with `__`.
const CALLED: &[&[u8]] = &[
    b"CompareTo",
    b"Current",
    b"Dispose",
    b"Equals",
    b"GetEnumerator",
    b"GetHashCode",
    b"MoveNext",
    b"ToString",
    b"compareTo",
    b"constructor",
    b"equals",
    b"hashCode",
    b"init",
    b"initialize",
    b"iterator",
    b"main",
    b"toString",
];
/// Whether a language calls what has this name without naming it.
pub(crate) fn is_called_unnamed(name: &[u8]) -> bool {
    name.starts_with(b"__") || CALLED.contains(&name)
}

/// Expressions that make an object of a class of their own, by the kinds of nodes.
const MADE_WHERE_USED: &[&str] = &[
    "instance_expression",
    "object_creation_expression",
    "object_literal",
];

/// So many constructors of a type are looked at.
const CONSTRUCTORS_MAX: usize = 64;

/// Lists of members of classes, by the ends of the names of kinds.
const CLASS_BODIES: &[&str] = &[
    "class_body",
    "declaration_list",
    "interface_body",
    "enum_body",
    "enum_body_declarations",
    "template_body",
    "contract_body",
];

impl Inner {
    /// The declaration that an item is, if it is one.
    pub fn of(
        text: &[u8],
        tree: &SyntaxTree,
        names: &Names,
        language: &Language,
        item: &Item,
    ) -> Option<Inner> {
        let number = item.node as usize;
        let around = tree.kind(tree.nodes()[number].parent as usize);
        let is_in_body = matches!(around, "block" | "compound_statement");
        let is_known = is_in_body || Family::of(language) == Family::Other;
        // A parameter can't go without the arguments for it, whoever names it.
        let is_parameter = tree.kind(number).contains("parameter");
        // In Verilog they stand in lists of their own.
        let is_list = tree.kind(number).starts_with("list_of_");
        let comes_along = is_parameter || is_list || is_shortest_constructor(tree, number);
        let is_showing = names.showing.contains(&(number as u32));
        let is_naming = names.naming.contains(&(number as u32));
        let is_declaring = is_showing || is_naming || declares_itself(tree, number);
        if !is_known || comes_along || !is_declaring {
            return None;
        }
        let is_in_object = around == "object";
        let declares = names.declared_by(tree, number);
        // What an object has to have is said by a type, if types are said.
        if declares.is_empty() || is_in_object && !is_interpreted(language) {
            return None;
        }
        // Others may declare the same name: only uses count. What is overridden may be called by what
        // overrides it, which does not stay without it.
        let is_in_class = is_in_class(tree, number);
        let is_override = is_in_class && is_override(text, tree, number);
        let range = match is_override {
            true => number as u32..number as u32,
            false => number as u32..tree.nodes()[number].next,
        };
        let is_named_elsewhere = |&name: &u32| {
            let places = &names.by_name[name as usize];
            let node = |at: &u32| names.occurrences[*at as usize].node;
            let declared = names.declared_at(name);
            outside(places, node, &range) > outside(declared, |declared| declared.1, &range)
        };
        let is_called = |&name: &u32| {
            let place = names.by_name[name as usize][0];
            let node = names.occurrences[place as usize].node;
            let name = &text[tree.nodes()[node as usize].range()];
            is_called_unnamed(name)
        };
        let is_there_anyway = is_in_class
            && (declares.iter().any(is_called)
                || is_made_where_used(tree, number)
                || is_functional(text, tree, number)
                || is_override && overrides_outside(text, tree, names, number, &declares))
            || !is_showing
                && !is_naming
                && !is_import_name(tree, number)
                && !declares.iter().any(is_named_elsewhere);
        let trigger = match is_in_class {
            _ if is_there_anyway => Trigger::Always,
            true => Trigger::AnyName,
            false if is_in_object || verilog_names::is_port(tree, number) => Trigger::AnyName,
            false => Trigger::Name,
        };
        Some(Inner { trigger, declares })
    }
}

/// Whether a node is one of the names that Haskell imports, for nothing else but to be used.
fn is_import_name(tree: &SyntaxTree, number: usize) -> bool {
    tree.kind(number) == "import_name"
}

/// Whether a node is the shortest of the first constructors of a type in Haskell or OCaml, of which there has to be
/// one, and one that needs little.
fn is_shortest_constructor(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind(number);
    let around = tree.nodes()[number].parent as usize;
    // Those of a class are called so, too.
    let is_one = kind == "data_constructor"
        || kind == "constructor_declaration" && tree.kind(around) == "variant_declaration";
    if !is_one {
        return false;
    }
    let is_alike = |&node: &usize| tree.kind(node) == kind;
    let alike = tree.children(around).filter(is_alike);
    let alike = alike.take(CONSTRUCTORS_MAX);
    alike.min_by_key(|&node| tree.nodes()[node].len()) == Some(number)
}

/// Whether a node declares something, and not only holds what does.
pub(crate) fn declares_itself(tree: &SyntaxTree, number: usize) -> bool {
    let is_list = ["_list", "_body", "declarations"]
        .iter()
        .any(|end| tree.kind(number).ends_with(end));
    !is_list && declares(tree, number)
}

/// How many of these, which stand in the order of their nodes, do not stand in `range`.
fn outside<T>(all: &[T], node: impl Fn(&T) -> u32, range: &Range<u32>) -> usize {
    let before = |bound: u32| all.partition_point(|one| node(one) < bound);
    all.len() + before(range.start) - before(range.end)
}

/// Whether a class is made where it is used, for nothing else: its members are there for what it is made from.
fn is_made_where_used(tree: &SyntaxTree, member: usize) -> bool {
    let class = class_of(tree, member);
    class.is_some_and(|class| MADE_WHERE_USED.contains(&tree.kind(class)))
}

/// The class that something is a member of.
pub(crate) fn class_of(tree: &SyntaxTree, member: usize) -> Option<usize> {
    tree.and_around(member).nth(2)
}

pub(crate) fn is_in_class(tree: &SyntaxTree, number: usize) -> bool {
    let list = tree.nodes()[number].parent as usize;
    let around = tree.nodes()[list].parent as usize;
    CLASS_BODIES
        .iter()
        .any(|end| tree.kind(list).ends_with(end))
        || tree.kind(around).contains("class")
        || tree.kind(number) == "struct_member" && tree.is_in("wgsl")
}
