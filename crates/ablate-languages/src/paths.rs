//! Names in Rust that only mean something in a type or trait, told by their path or where they stand.

use crate::names::{Names, Occurrence};
use crate::tree::SyntaxTree;

/// What declares something that paths lead through to what stands outside of any type.
const MODULES: &[&str] = &["mod_item", "use_", "extern_crate"];

/// Whether a name is a part of something in particular, as `b` is in `T::b` and `<T as A>::b`, where `T`
/// is declared and no module, and in `trait A { type b; }` and `enum A { b }`.
pub(crate) fn is_part(tree: &SyntaxTree, names: &Names, text: &[u8], place: Occurrence) -> bool {
    let node = place.node as usize;
    let around = tree.nodes()[node].parent as usize;
    let is_name = tree.field_name(&tree.nodes()[node]) == Some("name");
    is_name
        && match tree.kind(around) {
            "associated_type" | "enum_variant" => true,
            "scoped_identifier" | "scoped_type_identifier" => {
                let path = tree.part(around, "path");
                path.is_some_and(|path| is_in_type(tree, names, text, path))
            }
            _ => false,
        }
}

/// Whether a path leads into a type or trait, as far as can be told.
fn is_in_type(tree: &SyntaxTree, names: &Names, text: &[u8], path: usize) -> bool {
    let last = match tree.kind(path) {
        "bracketed_type" | "generic_type" => return true,
        "scoped_identifier" | "scoped_type_identifier" => tree.part(path, "name"),
        _ => Some(path),
    };
    let Some(last) = last else {
        return false;
    };
    if &text[tree.nodes()[last].range()] == b"Self" {
        return true;
    }
    let declared = names.name_at(last).map(|name| names.declared_at(name));
    let is_module = |&(_, node): &(u32, u32)| {
        let kind = tree.kind(node as usize);
        MODULES.iter().any(|module| kind.starts_with(module))
    };
    declared.is_some_and(|declared| !declared.is_empty() && !declared.iter().any(is_module))
}
