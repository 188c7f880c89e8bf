//! Takes a `*` or a `[…]` off a declaration, and off every use of what it declares.
//!
//! Whether something is a pointer to a number or a number often makes no difference to a bug, but
//! declaration and uses have to agree: `int *a; f(*a);` becomes `int a; f(a);`, and `int a[3]; a[1];`
//! becomes `int a; a;`.
//!
//! Costs one test for each name that is declared so.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("lower_declarators", "c", "int *a; int b = *a + a->c;");
//! assert_eq!(seen, ["int a; int b = a + a.c;"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// What can be taken off a declaration.
const DECLARATORS: &[&str] = &[
    "pointer_declarator",
    "array_declarator",
    "reference_declarator",
];
/// What can be taken off a use.
const USES: &[&str] = &["pointer_expression", "subscript_expression"];

/// Lowers declarators; see the module.
#[derive(Clone, Debug)]
pub struct LowerDeclarators(pub Rc<Syntax>);

/// What each name that can be lowered makes of the text.
fn lowerings(target: &Target<u8>, tree: &SyntaxTree, names: &Names) -> Vec<Patch<u8>> {
    let mut patches = Vec::new();
    for places in &names.by_name {
        let nodes = places
            .iter()
            .map(|&at| names.occurrences[at as usize].node as usize);
        let is_lowered = |node: usize| {
            let around = tree.nodes()[node].parent as usize;
            DECLARATORS.contains(&tree.kind(around))
        };
        if nodes.clone().any(is_lowered) {
            let edits = nodes.flat_map(|node| lowered(target.elements(), tree, node));
            patches.extend(Patch::edits_of(edits).ok());
        }
    }
    patches
}

/// The edits that take one level off a place where a name stands.
fn lowered(text: &[u8], tree: &SyntaxTree, name: usize) -> Vec<Edit<u8>> {
    let node = &tree.nodes()[name];
    let around = &tree.nodes()[node.parent as usize];
    let of = tree.kind_name(around);
    let cut = |start: u32, end: u32| Edit {
        start: start as usize,
        end: end as usize,
        insert: None,
    };
    let is_taken = || text[around.start as usize] == b'&';
    let is_head = matches!(
        tree.field_name(node),
        Some("declarator" | "argument") | None
    );
    if is_head && (DECLARATORS.contains(&of) || USES.contains(&of) && !is_taken()) {
        let edits = [cut(around.start, node.start), cut(node.end, around.end)];
        return edits
            .into_iter()
            .filter(|edit| edit.start < edit.end)
            .collect();
    }
    let arrow = node.end as usize;
    if of == "field_expression" && text[arrow..].starts_with(b"->") {
        return vec![Edit {
            start: arrow,
            end: arrow + 2,
            insert: Some(b"."[..].into()),
        }];
    }
    Vec::new()
}

impl Finds for LowerDeclarators {
    const NAME: &'static str = "lower_declarators";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        let names = Names::of(target, &self.0);
        lowerings(target, &tree, &names)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn arrays_become_what_is_in_them() {
        let seen = reductions(
            "lower_declarators",
            "c",
            "int a[3]; int b() { return a[1]; }",
        );
        assert_eq!(seen, ["int a; int b() { return a; }"]);
    }
}
