//! Declarations inside others: members of classes, and what is declared in bodies for the rest of the
//! body. Each is wanted where its name is used; where nobody but itself names it, something outside of
//! the text may, so that it is there for its own sake.

use crate::items::{Item, Trigger};
use crate::language::Language;
use crate::names::{Names, declares};
use crate::shapes::Family;
use crate::tree::SyntaxTree;

/// What a declaration inside another one has to do with names.
#[derive(Debug)]
pub(crate) struct Inner {
    /// By what use of its names it is wanted.
    pub trigger: Trigger,
    /// The names that it declares, at least one.
    pub declares: Vec<u32>,
}

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
    pub fn of(tree: &SyntaxTree, names: &Names, language: &Language, item: &Item) -> Option<Inner> {
        let number = item.node as usize;
        // A parameter can't go without the arguments for it, whoever names it.
        let is_parameter = tree.kind(number).contains("parameter");
        if Family::of(language) != Family::Other || is_parameter || !declares(tree, number) {
            return None;
        }
        let declares = names.declared_by(tree, number);
        if declares.is_empty() {
            return None;
        }
        let range = number as u32..tree.nodes()[number].next;
        let is_named_elsewhere = |&name: &u32| {
            let mut places = names.by_name[name as usize].iter();
            places.any(|&at| !range.contains(&names.occurrences[at as usize].node))
        };
        let is_named = declares.iter().any(is_named_elsewhere);
        let trigger = match is_named {
            false => Trigger::Always,
            true if is_in_class(tree, number) => Trigger::AnyName,
            true => Trigger::Name,
        };
        Some(Inner { trigger, declares })
    }
}

fn is_in_class(tree: &SyntaxTree, number: usize) -> bool {
    let list = tree.nodes()[number].parent as usize;
    let around = tree.nodes()[list].parent as usize;
    CLASS_BODIES
        .iter()
        .any(|end| tree.kind(list).ends_with(end))
        || tree.kind(around).contains("class")
}
