//! Deletes a parameter of a function together with its argument in every call, and in every other
//! declaration of the function.
//!
//! Neither can go alone where the language counts arguments: `int f(int a, int b) { b; }` and
//! `f(1, 2)` become `int f(int b) { b; }` and `f(2)`. So it is with the parameters and arguments of
//! templates and of generic types.
//!
//! Costs one test for each parameter. What the body does with it is not looked at: where it is still
//! used, the test will say so.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_parameters", "c", "int f(int a, int b) { b; } int c = f(1, 2);");
//! assert!(seen.contains(&"int f(int b) { b; } int c = f(2);".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::one_of;
use crate::tree::{Syntax, SyntaxTree};

/// Functions that are named in more places are left alone.
const PLACES_MAX: usize = 500;
/// How far from its name the list of a function's parameters or arguments is looked for.
const HEIGHT_MAX: usize = 5;

/// Deletes a parameter with its arguments; see the module.
#[derive(Clone, Debug)]
pub struct DeleteParameters(pub Rc<Syntax>);

/// The cuts for each parameter.
fn deletions(members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let mut patches: Vec<Patch<u8>> = Vec::new();
    for places in &names.by_name {
        for is_of_types in [false, true] {
            let lists = lists_of(tree, names, places, is_of_types);
            let is_declaring = |&list: &usize| kind(tree, list).contains("param");
            let most = lists.iter().filter(|list| is_declaring(list));
            let most = most.map(|&list| entries(tree, list).count()).max();
            for index in 0..most.unwrap_or(0) {
                let entries = lists.iter().filter_map(|&list| {
                    let entry = entries(tree, list).nth(index)?;
                    let member = *member_of.get(entry)?;
                    (member != u32::MAX).then_some(member as usize)
                });
                let entries: Vec<usize> = entries.collect();
                let cuts = entries.iter().map(|&member| members.cut(member, member));
                patches.push(Patch::cuts(cuts));
            }
        }
    }
    patches
}

/// The lists of parameters and of arguments that belong to a name; none for a name that stands in too
/// many places, which are given as indices of the occurrences of names.
pub(crate) fn lists_of(
    tree: &SyntaxTree,
    names: &Names,
    places: &[u32],
    is_of_types: bool,
) -> Vec<usize> {
    if places.len() > PLACES_MAX {
        return Vec::new();
    }
    let nodes = places.iter();
    let nodes = nodes.map(|&at| names.occurrences[at as usize].node as usize);
    let lists = nodes.filter_map(|node| list_of(tree, node, is_of_types));
    let mut lists: Vec<usize> = lists.collect();
    lists.sort_unstable();
    lists.dedup();
    lists
}

/// The name of a node's kind.
pub(crate) fn kind(tree: &SyntaxTree, number: usize) -> &'static str {
    tree.kind_name(&tree.nodes()[number])
}

/// The parameters or arguments in a list, or the statements in a block.
pub(crate) fn entries(tree: &SyntaxTree, list: usize) -> impl Iterator<Item = usize> + '_ {
    let nodes = tree.nodes();
    tree.children(list)
        .filter(|&child| nodes[child].is_named && !nodes[child].is_extra)
}

/// The list of parameters or arguments that belongs to a name, which stands right before it.
pub(crate) fn list_of(tree: &SyntaxTree, name: usize, is_of_types: bool) -> Option<usize> {
    let nodes = tree.nodes();
    let mut at = name;
    for _ in 0..HEIGHT_MAX {
        let parent = nodes[at].parent as usize;
        if parent == at {
            return None;
        }
        let is_list = |&child: &usize| {
            let kind = kind(tree, child);
            let ends = [
                "parameter_list",
                "parameters",
                "params",
                "argument_list",
                "arguments",
            ];
            let is_for_types = kind.contains("type") || kind.contains("template");
            ends.iter().any(|end| kind.ends_with(end)) && is_for_types == is_of_types
        };
        if let Some(list) = tree.children(parent).find(is_list) {
            // What stands in the list, or behind it, is not what the list is for.
            let is_head = at < list || is_of_types && kind(tree, parent).contains("template_decl");
            return is_head.then_some(list);
        }
        // A name is the last in `a::b`, and the first in `a<b>`.
        let is_name = tree.field_name(&nodes[at]).is_some_and(|field| {
            matches!(
                field,
                "name" | "declarator" | "function" | "field" | "property" | "attribute"
            )
        });
        let is_in_template = kind(tree, parent).contains("template_decl");
        if !is_name && !is_in_template {
            return None;
        }
        at = parent;
    }
    None
}

impl Pass<u8> for DeleteParameters {
    fn name(&self) -> &'static str {
        "delete_parameters"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        one_of::<Self>(target, chooser, |target| {
            let members = Members::of(target, &self.0);
            let names = Names::of(target, &self.0);
            deletions(&members, &names)
        })
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        7
    }
}
