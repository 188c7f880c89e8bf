//! Lists of parameters and of arguments, and the names that they belong to.

use crate::members::Members;
use crate::names::Names;
use crate::tree::SyntaxTree;

/// Functions that are named in more places are left alone.
const PLACES_MAX: usize = 500;
/// How far from its name the list of a function's parameters or arguments is looked for.
const HEIGHT_MAX: usize = 5;

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

/// The parameters or arguments in a list, or the statements in a block.
pub(crate) fn entries(tree: &SyntaxTree, list: usize) -> impl Iterator<Item = usize> + '_ {
    let nodes = tree.nodes();
    tree.children(list)
        .filter(|&child| nodes[child].is_named && !nodes[child].is_extra)
}

/// What to cut so that the entry with this index goes from each of `lists`. The only entry of a list of
/// types goes with the list, and with the word or sign that the list comes with: a template without
/// parameters is none.
pub(crate) fn cuts_of(
    members: &Members,
    member_of: &[u32],
    lists: &[usize],
    index: usize,
    is_of_types: bool,
) -> Vec<(usize, usize)> {
    let tree = members.tree();
    let cut = |&list: &usize| {
        let entry = entries(tree, list).nth(index)?;
        if is_of_types && entries(tree, list).nth(1).is_none() {
            return Some(with_introduction(tree, list));
        }
        let member = *member_of.get(entry)?;
        (member != u32::MAX).then(|| members.cut(member as usize, member as usize))
    };
    lists.iter().filter_map(cut).collect()
}

/// Where a list is, from the `template` or the `::` that it comes with, up to what comes behind it where
/// it stands first.
fn with_introduction(tree: &SyntaxTree, list: usize) -> (usize, usize) {
    let nodes = tree.nodes();
    let around = nodes[list].parent as usize;
    let is_token = |&child: &usize| !nodes[child].is_named;
    let before = tree.children(around).take_while(|&child| child < list);
    let start = before.last().filter(is_token).unwrap_or(list);
    let is_first = tree.children(around).next() == Some(start);
    let next = tree.children(around).find(|&child| child > list);
    let end = match next {
        Some(next) if is_first => nodes[next].start,
        _ => nodes[list].end,
    };
    (nodes[start].start as usize, end as usize)
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
            let kind = tree.kind(child);
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
            let is_head = at < list || is_of_types && tree.kind(parent).contains("template_decl");
            return is_head.then_some(list);
        }
        // A name is the last in `a::b`, and the first in `a<b>`.
        let is_name = tree.field_name(&nodes[at]).is_some_and(|field| {
            matches!(
                field,
                "name" | "declarator" | "function" | "field" | "property" | "attribute"
            )
        });
        let is_in_template = tree.kind(parent).contains("template_decl");
        if !is_name && !is_in_template {
            return None;
        }
        at = parent;
    }
    None
}
