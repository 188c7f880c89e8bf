//! Which nodes declare something, by their kinds, and which of their leaves hold the names of it.

use crate::names::{is_name, name_in};
use crate::tree::{Node, SyntaxTree};
use crate::verilog_names;

/// How deep the name of a thing is looked for.
const NAME_DEPTH: u32 = 12;

/// Whether a node declares something, by its kind.
pub(crate) fn declares(tree: &SyntaxTree, number: usize) -> bool {
    let node = &tree.nodes()[number];
    if !tree.is_declaring(node) {
        return sets_undeclared(tree, number);
    }
    let kind = tree.kind_name(node);
    // Java's says what a file is a part of, Rust's and WGSL's use a type, and what is assigned is declared elsewhere.
    if kind == "package_declaration" && tree.is_in("java")
        || kind == "type_binding" && tree.is_in("rust")
        || kind == "type_declaration" && tree.is_in("wgsl")
        || kind == "assignment" && (tree.is_in("kotlin") || tree.is_in("swift"))
        || kind == "assignment_statement" && tree.is_in("wgsl")
    {
        return false;
    }
    // `struct a b;` uses a, `struct a {}` and `struct a;` declare it.
    let has_body = || {
        let mut children = tree.children(number).map(|child| &tree.nodes()[child]);
        children.any(|child| tree.field_name(child) == Some("body"))
    };
    let is_alone = || {
        let mut around = tree
            .children(node.parent as usize)
            .map(|child| &tree.nodes()[child]);
        !around.any(|child| tree.field_name(child) == Some("declarator"))
            && tree.kind_name(&tree.nodes()[node.parent as usize]) == "field_declaration"
    };
    !kind.ends_with("_specifier")
        || tree.field_name(node) != Some("type")
        || has_body()
        || is_alone()
}

/// Whether a node is an assignment to what has no other declaration, as all variables of PHP.
fn sets_undeclared(tree: &SyntaxTree, number: usize) -> bool {
    tree.kind(number) == "assignment_expression"
        && (tree.part(number, "left")).is_some_and(|left| tree.kind(left) == "variable_name")
}

/// The leaves that hold the names which a node itself declares.
pub(crate) fn names_declared(text: &[u8], tree: &SyntaxTree, number: usize) -> Vec<usize> {
    let kind = tree.kind_name(&tree.nodes()[number]);
    let is_import = kind.contains("import") || kind == "using_declaration";
    let mut leaves = Vec::new();
    for child in tree.children(number) {
        let field = tree.field_name(&tree.nodes()[child]);
        // What is computed to be a name is declared elsewhere.
        if tree.kind(child) == "computed_property_name" || is_type_in_swift(tree, child) {
            continue;
        }
        if matches!(
            field,
            Some("name" | "declarator" | "pattern" | "left" | "alias" | "argument" | "constructor")
        ) || is_import && tree.nodes()[child].is_named
        {
            if is_list(tree, child) {
                let parts = tree.children(child);
                leaves.extend(parts.filter_map(|part| name_leaf(text, tree, part, NAME_DEPTH)));
            } else {
                leaves.extend(name_leaf(text, tree, child, NAME_DEPTH));
            }
        }
    }
    if kind.starts_with("global_") || kind == "instruction" {
        leaves.extend(set(text, tree, number));
    }
    if tree.is_in("verilog") {
        let names = verilog_names::declared(tree, number).into_iter();
        leaves.extend(names.filter_map(|name| name_leaf(text, tree, name, NAME_DEPTH)));
    }
    if leaves.is_empty() {
        leaves.extend(unsaid(text, tree, number));
    }
    if leaves.is_empty() {
        leaves.extend(listed(text, tree, number));
    }
    leaves
}

/// Whether a node is a type in Swift, where the grammar says of types that they are names: only what an extension is
/// for can be called what it declares.
fn is_type_in_swift(tree: &SyntaxTree, number: usize) -> bool {
    let is_name = matches!(
        tree.kind(number),
        "pattern" | "simple_identifier" | "type_identifier"
    );
    let around = tree.nodes()[number].parent as usize;
    tree.is_in("swift") && !is_name && tree.kind(around) != "class_declaration"
}

/// The names in a list that has no field itself while its parts are said to be names, as in Lua's
/// `a, b.c = d`.
fn listed(text: &[u8], tree: &SyntaxTree, number: usize) -> Vec<usize> {
    let is_said = |part: &usize| tree.field_name(&tree.nodes()[*part]) == Some("name");
    let lists = tree.children(number);
    let lists = lists.filter(|&child| tree.nodes()[child].field == 0 && is_list(tree, child));
    let parts = lists.flat_map(|list| tree.children(list).filter(is_said));
    parts
        .filter_map(|part| name_leaf(text, tree, part, NAME_DEPTH))
        .collect()
}

/// The name of a declaration where the grammar does not say which part of it that is: the first that
/// can be.
fn unsaid(text: &[u8], tree: &SyntaxTree, number: usize) -> Option<usize> {
    const UNSAID: &[&str] = &[
        "GEDecl",
        "class_parameter",
        "const_element",
        "container_field",
        "elementdecl",
        "enum",
        "message",
        "module_binding",
        "module_parameter",
        "rpc",
        "service",
        "typed_parameter",
    ];
    let kind = tree.kind(number);
    if tree.is_in("sql") {
        let is_named = |part: &usize| matches!(tree.kind(*part), "identifier" | "object_reference");
        let name = tree.children(number).find(is_named);
        return name.and_then(|name| name_leaf(text, tree, name, NAME_DEPTH));
    }
    // WGSL's names come with their types, if they have any.
    let mut parts = tree.children(number);
    if let Some(typed) = parts.find(|&part| tree.kind(part) == "variable_identifier_declaration") {
        return name_leaf(text, tree, typed, NAME_DEPTH);
    }
    if kind == "property_declaration" && tree.is_in("kotlin") {
        let variable = tree.children(number);
        let mut variable = variable.filter(|&part| tree.kind(part) == "variable_declaration");
        return variable
            .next()
            .and_then(|variable| unsaid(text, tree, variable));
    }
    if kind == "variable_statement" {
        let name = tree.children(number).nth(1);
        return name.filter(|&name| is_name(text, tree, name));
    }
    let ends = ["_declaration", "_definition"];
    let is_one = match kind {
        "parameter" => tree.is_in("kotlin"),
        "type_parameter" => ["java", "kotlin", "swift"].iter().any(|it| tree.is_in(it)),
        _ => UNSAID.contains(&kind) || ends.iter().any(|end| kind.ends_with(end)),
    };
    if !is_one {
        return None;
    }
    let mut parts = tree.children(number);
    parts.find_map(|part| match tree.nodes()[part].field {
        0 if is_name(text, tree, part) => Some(part),
        0 if tree.kind(part).ends_with("_name") => name_leaf(text, tree, part, NAME_DEPTH),
        _ => None,
    })
}

/// Whether a node names several things side by side, as in `a, b := c()`.
fn is_list(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind(number);
    kind.ends_with("_list") || matches!(kind, "tuple_pattern" | "array_pattern")
}

/// The name that stands first in a node, before a `=`, where the grammar does not say what it is.
fn set(text: &[u8], tree: &SyntaxTree, number: usize) -> Option<usize> {
    let mut children = tree.children(number);
    let (name, sign) = (children.next()?, children.next()?);
    let has_sign = tree.kind(sign) == "=" && tree.nodes()[name].field == 0;
    (has_sign && is_name(text, tree, name)).then_some(name)
}

/// The leaf with the name of what a node names.
fn name_leaf(text: &[u8], tree: &SyntaxTree, number: usize, depth: u32) -> Option<usize> {
    if name_in(text, tree, number).is_some() {
        return Some(number);
    }
    if depth == 0 {
        return None;
    }
    let field = |child: &usize| tree.field_name(&tree.nodes()[*child]);
    // Lua's `a.b` and `a:b` name what is in a table.
    if tree.kind(number).ends_with("_index_expression") {
        let is_part = |child: &usize| matches!(field(child), Some("field" | "method"));
        let part = tree.children(number).find(is_part);
        return part.filter(|&part| is_name(text, tree, part));
    }
    // Kotlin's `a.b` names what is in a package.
    if tree.kind(number) == "qualified_identifier" && tree.is_in("kotlin") {
        return tree.children(number).last();
    }
    let is_naming = |child: &usize| matches!(field(child), Some("name" | "declarator" | "alias"));
    let inner = tree.children(number).find(is_naming);
    let inner = inner.or_else(|| {
        let is_name_like = |node: &Node| node.is_named && !node.is_extra;
        tree.children(number)
            .find(|&child| is_name_like(&tree.nodes()[child]))
    });
    name_leaf(text, tree, inner?, depth - 1)
}
