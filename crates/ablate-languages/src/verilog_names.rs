//! What a part of Verilog declares: its grammar does not say which part of it is a name.

use crate::tree::SyntaxTree;

/// The nodes with the names that a node declares, or, as it drives them, gives a meaning.
pub(crate) fn declared(tree: &SyntaxTree, number: usize) -> Vec<usize> {
    match tree.kind(number) {
        "module_declaration" | "interface_declaration" | "program_declaration" => {
            let heads = parts(tree, number, "_header");
            heads.flat_map(|head| name(tree, head)).take(1).collect()
        }
        "ansi_port_declaration"
        | "class_declaration"
        | "enum_name_declaration"
        | "net_decl_assignment"
        | "package_declaration"
        | "param_assignment"
        | "variable_decl_assignment" => name(tree, number).into_iter().collect(),
        "function_declaration" | "task_declaration" => {
            let bodies = parts(tree, number, "_body_declaration");
            bodies.flat_map(|body| name(tree, body)).collect()
        }
        "genvar_declaration" | "inout_declaration" | "input_declaration" | "output_declaration" => {
            let lists = parts(tree, number, "_identifiers");
            lists
                .flat_map(|list| parts(tree, list, "_identifier"))
                .collect()
        }
        "always_construct" => driven(tree, number, "variable_lvalue"),
        "net_assignment" => driven(tree, number, "net_lvalue"),
        _ => Vec::new(),
    }
}

/// Whether a node declares ports of a module: its instances may be connected to them.
pub(crate) fn is_port(tree: &SyntaxTree, number: usize) -> bool {
    tree.is_in("verilog") && tree.kind(number).ends_with("port_declaration")
}

/// Whether a name is that of a port, in the head of its module or where something is connected to it: neither uses what
/// it is connected to inside.
pub(crate) fn is_of_port(tree: &SyntaxTree, name: usize) -> bool {
    let identifier = tree.nodes()[name].parent as usize;
    let around = tree.nodes()[identifier].parent as usize;
    tree.kind(identifier) == "formal_port_identifier"
        || matches!(
            tree.kind(around),
            "port_reference" | "named_port_connection"
        )
}

/// Whether a name stands where it is declared, which is no use of it. What is driven is used: it has to be declared.
pub(crate) fn is_declared(tree: &SyntaxTree, name: usize) -> bool {
    if !tree.is_in("verilog") {
        return false;
    }
    let identifier = tree.nodes()[name].parent as usize;
    let around = tree.kind(tree.nodes()[identifier].parent as usize);
    match tree.kind(identifier) {
        "net_decl_assignment" | "variable_decl_assignment" => true,
        "port_identifier" => around == "ansi_port_declaration" || around.ends_with("_identifiers"),
        "parameter_identifier" => around == "param_assignment",
        _ => false,
    }
}

/// The parts of a node whose kinds end like this.
fn parts<'a>(
    tree: &'a SyntaxTree,
    number: usize,
    end: &'a str,
) -> impl Iterator<Item = usize> + 'a {
    let parts = tree.children(number);
    parts.filter(move |&part| tree.kind(part).ends_with(end))
}

/// The first name among the parts of a node.
fn name(tree: &SyntaxTree, number: usize) -> Option<usize> {
    parts(tree, number, "_identifier").next()
}

/// The names in what is assigned to within a node, which is of this kind.
fn driven(tree: &SyntaxTree, number: usize, kind: &str) -> Vec<usize> {
    let inside = number..tree.nodes()[number].next as usize;
    let assigned = inside.filter(|&node| tree.kind(node) == kind);
    assigned.filter_map(|node| name(tree, node)).collect()
}
