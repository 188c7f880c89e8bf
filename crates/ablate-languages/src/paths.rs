//! Names in Rust that stand behind `::`, or in a type or trait, and what is not meant by them.

use crate::names::Names;
use crate::tree::SyntaxTree;

/// What declares something that paths lead through to what stands outside of any type.
const MODULES: &[&str] = &["mod_item", "use_", "extern_crate"];
/// How deep the name of a type stands in what something is implemented for.
const IMPLEMENTING_DEPTH: usize = 4;
/// Types that are named in more places count as declared here.
const PLACES_MAX: usize = 500;

/// Whether a name is a part of something in particular, as `b` is in `T::b` and `<T as A>::b`, where `T`
/// is declared and no module, and in `trait A { type b; }` and `enum A { b }`.
pub(crate) fn is_part(tree: &SyntaxTree, names: &Names, text: &[u8], node: usize) -> bool {
    let around = tree.kind(tree.nodes()[node].parent as usize);
    if matches!(around, "associated_type" | "enum_variant") {
        return tree.field_name(&tree.nodes()[node]) == Some("name");
    }
    path_before(tree, node).is_some_and(|path| {
        let is_of_type = matches!(tree.kind(path), "bracketed_type" | "generic_type");
        let last = last_of(tree, path);
        is_of_type || is_self(tree, text, last) || is_type(tree, names, last)
    })
}

/// Whether a name stands behind that of a type which nothing here declares or implements anything for, as
/// `new` does in `Vec::new`: then what has this name here is not meant.
pub(crate) fn is_foreign(tree: &SyntaxTree, names: &Names, text: &[u8], node: usize) -> bool {
    let path = path_before(tree, node).filter(|_| tree.is_in("rust"));
    let last = path.map(|path| last_of(tree, path));
    let last = last.filter(|&last| !is_self(tree, text, last));
    let Some(name) = last.and_then(|last| names.name_at(last)) else {
        return false;
    };
    let is_implementing = |&place: &usize| {
        let mut around = tree.and_around(place).take(IMPLEMENTING_DEPTH);
        around.any(|part| {
            let implementing = tree.nodes()[part].parent as usize;
            tree.part(implementing, "type") == Some(part) && tree.kind(implementing) == "impl_item"
        })
    };
    let places = names.places(name, PLACES_MAX);
    names.declared_at(name).is_empty()
        && places.is_some_and(|places| !places.iter().any(is_implementing))
}

/// The path that stands before a name and `::`.
fn path_before(tree: &SyntaxTree, node: usize) -> Option<usize> {
    let around = tree.nodes()[node].parent as usize;
    let is_scoped = matches!(
        tree.kind(around),
        "scoped_identifier" | "scoped_type_identifier"
    );
    let is_behind = is_scoped && tree.field_name(&tree.nodes()[node]) == Some("name");
    tree.part(around, "path").filter(|_| is_behind)
}

/// The last name of a path, without what is said of types behind it.
fn last_of(tree: &SyntaxTree, path: usize) -> usize {
    let named = tree.part(path, "type").unwrap_or(path);
    tree.part(named, "name").unwrap_or(named)
}

fn is_self(tree: &SyntaxTree, text: &[u8], node: usize) -> bool {
    &text[tree.nodes()[node].range()] == b"Self"
}

/// Whether a name is declared here, and as no module.
fn is_type(tree: &SyntaxTree, names: &Names, node: usize) -> bool {
    let is_module = |&(_, node): &(u32, u32)| {
        let kind = tree.kind(node as usize);
        MODULES.iter().any(|module| kind.starts_with(module))
    };
    let declared = names.name_at(node).map(|name| names.declared_at(name));
    declared.is_some_and(|declared| !declared.is_empty() && !declared.iter().any(is_module))
}
