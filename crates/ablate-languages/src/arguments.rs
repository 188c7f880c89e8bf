//! Lists of parameters and of arguments, and the names that they belong to.

use crate::members::Members;
use crate::names::Names;
use crate::paths;
use crate::tree::SyntaxTree;

/// Functions that are named in more places are left alone.
const PLACES_MAX: usize = 500;
/// How far from its name the list of a function's parameters or arguments is looked for.
const HEIGHT_MAX: usize = 5;
/// What languages call the function that gets the arguments with which something of a class is made.
const CONSTRUCTORS: &[&[u8]] = &[
    b"__construct",
    b"__init__",
    b"constructor",
    b"init",
    b"initialize",
];

/// The lists of parameters and of arguments that belong to a name, for a class those of what makes one;
/// none for a name that stands in too many places, which are given as indices of the occurrences of
/// names.
pub(crate) fn lists_of(
    text: &[u8],
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
    let nodes = nodes.filter(|&node| !paths::is_foreign(tree, names, text, node));
    let made = nodes.clone().filter(|_| !is_of_types);
    let made = made.flat_map(|node| constructors(text, tree, node));
    let lists = nodes.filter_map(|node| list_of(text, tree, node, is_of_types));
    let mut lists: Vec<usize> = lists.chain(made).collect();
    lists.sort_unstable();
    lists.dedup();
    lists
}

/// The parameters of what makes something of a class, given the name of the class where it is declared.
fn constructors(text: &[u8], tree: &SyntaxTree, name: usize) -> Vec<usize> {
    let nodes = tree.nodes();
    let class = nodes[name].parent as usize;
    if tree.field_name(&nodes[name]) != Some("name") || !tree.kind(class).contains("class") {
        return Vec::new();
    }
    let bodies = tree.children(class);
    let bodies = bodies.filter(|&part| tree.field_name(&nodes[part]) == Some("body"));
    let parts = bodies.flat_map(|body| tree.children(body));
    let is_primary = |&part: &usize| tree.kind(part) == "primary_constructor";
    let made = parts.filter(|&part| {
        let name = tree.part(part, "name");
        name.is_some_and(|name| CONSTRUCTORS.contains(&&text[nodes[name].range()]))
    });
    let made = made.chain(tree.children(class).filter(is_primary));
    let is_list = |list: &usize| is_list(tree, *list, false);
    made.filter_map(|part| tree.children(part).find(is_list))
        .collect()
}

/// Whether a node is a list of parameters or of arguments, or of types as such.
fn is_list(tree: &SyntaxTree, number: usize, is_of_types: bool) -> bool {
    const ENDS: &[&str] = &[
        "parameter_list",
        "parameters",
        "params",
        "argument_list",
        "argument_list_expression",
        "arguments",
    ];
    let kind = tree.kind(number);
    let is_for_types = kind.contains("type") || kind.contains("template");
    ENDS.iter().any(|end| kind.ends_with(end)) && is_for_types == is_of_types
}

/// The parameters or arguments in a list, or the statements in a block. Where several parameters share a
/// type, as in `a, b int`, each of their names is one.
pub(crate) fn entries(tree: &SyntaxTree, list: usize) -> impl Iterator<Item = usize> + '_ {
    let nodes = tree.nodes();
    let is_entry = move |child: &usize| nodes[*child].is_named && !nodes[*child].is_extra;
    let is_name =
        move |part: &usize| nodes[*part].is_named && tree.field_name(&nodes[*part]) == Some("name");
    tree.children(list).filter(is_entry).flat_map(move |entry| {
        let names = tree.children(entry).filter(is_name);
        let is_shared = tree.kind(entry).ends_with("parameter_declaration")
            && tree.children(entry).filter(is_name).nth(1).is_some();
        let alone = (!is_shared).then_some(entry);
        alone.into_iter().chain(names.filter(move |_| is_shared))
    })
}

/// The entries of a list that have others for them in the lists of the same name: all but the parameter
/// for that of which a method is called, as `self` is in Python and in Rust.
pub(crate) fn matched<'a>(
    text: &[u8],
    tree: &'a SyntaxTree,
    list: usize,
) -> impl Iterator<Item = usize> + 'a {
    let skipped = usize::from(receiver(text, tree, list).is_some());
    entries(tree, list).skip(skipped)
}

/// The first of these parameters, if it is for that of which a method is called.
pub(crate) fn receiver(text: &[u8], tree: &SyntaxTree, list: usize) -> Option<usize> {
    let first = entries(tree, list).next()?;
    if tree.kind(first) == "self_parameter" {
        return Some(first);
    }
    if !tree.is_in("python") || tree.kind(list) != "parameters" {
        return None;
    }
    let nodes = tree.nodes();
    let around = |number: usize| nodes[number].parent as usize;
    let mut method = around(list);
    if tree.kind(around(method)) == "decorated_definition" {
        method = around(method);
        let mut words = text[nodes[method].range()].split(|byte| !byte.is_ascii_alphanumeric());
        if words.any(|word| word == b"staticmethod") {
            return None;
        }
    }
    (tree.kind(around(around(method))) == "class_definition").then_some(first)
}

/// What to cut so that the entry with this index goes from each of `lists`. The only entry of a list of
/// types goes with the list, and with the word or sign that the list comes with: a template without
/// parameters is none.
pub(crate) fn cuts_of(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    lists: &[usize],
    index: usize,
    is_of_types: bool,
) -> Vec<(usize, usize)> {
    let tree = members.tree();
    let cut = |&list: &usize| {
        let entry = matched(text, tree, list).nth(index)?;
        if is_of_types && entries(tree, list).nth(1).is_none() {
            return Some(with_introduction(tree, list));
        }
        members.cut_node(member_of, entry)
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
pub(crate) fn list_of(
    text: &[u8],
    tree: &SyntaxTree,
    name: usize,
    is_of_types: bool,
) -> Option<usize> {
    let nodes = tree.nodes();
    let mut at = name;
    for _ in 0..HEIGHT_MAX {
        let parent = nodes[at].parent as usize;
        if parent == at {
            return None;
        }
        let is_list = |&child: &usize| is_list(tree, child, is_of_types);
        // A method of Go has the list of that of which it is called before its name.
        let mut behind = tree.children(parent).filter(|&child| child > at);
        let list = behind.find(is_list);
        if let Some(list) = list.or_else(|| tree.children(parent).find(is_list)) {
            // What stands in the list, or behind it, is not what the list is for.
            let is_head = at < list || is_of_types && tree.kind(parent).contains("template_decl");
            // So is that of which a method is called, unless it is a class that one is made of.
            let is_receiver = matches!(
                tree.field_name(&nodes[at]),
                Some("object" | "receiver" | "scope")
            );
            let makes = || {
                let method = tree.part(parent, "method");
                method.is_some_and(|method| &text[nodes[method].range()] == b"new")
            };
            return (is_head && (!is_receiver || makes())).then_some(list);
        }
        if let Some(list) = list_of_value(tree, parent, at, is_of_types) {
            return Some(list);
        }
        // A name is the last in `a::b`, and the first in `a<b>`.
        let is_name = tree.field_name(&nodes[at]).is_some_and(|field| {
            matches!(
                field,
                "name" | "declarator" | "function" | "field" | "property" | "attribute"
            )
        });
        let is_in_template = tree.kind(parent).contains("template_decl");
        // Kotlin's grammar does not say which part of `a.b` the name is.
        let is_last =
            tree.kind(parent) == "navigation_expression" && nodes[at].next == nodes[parent].next;
        // What WGSL's grammar takes for a type may be a function.
        let is_called = tree.is_in("wgsl") && tree.kind(parent) == "type_declaration";
        if !is_name && !is_in_template && !is_last && !is_called {
            return None;
        }
        at = parent;
    }
    None
}

/// The parameters of a function that is set as the value of what is named in a part of `declaration`, as
/// in `a = function (b) {}`.
fn list_of_value(
    tree: &SyntaxTree,
    declaration: usize,
    named: usize,
    is_of_types: bool,
) -> Option<usize> {
    let parts = ["value", "right"].into_iter();
    let mut values = parts.filter_map(|field| tree.part(declaration, field));
    let value = values.next().filter(|&value| value > named)?;
    let kind = tree.kind(value);
    let is_function = ["function", "lambda", "closure"];
    if !is_function.iter().any(|part| kind.contains(part)) {
        return None;
    }
    tree.children(value)
        .find(|&list| is_list(tree, list, is_of_types))
}
