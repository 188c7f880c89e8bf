//! Takes what is in a namespace or a module out of it, and its name from before all names.
//!
//! `namespace a { int b; } int c = a::b;` becomes `int b; int c = b;`: as long as the name is used,
//! neither can go alone. What was imported from there needs no import any more, and what was outside is not
//! outside any more: `mod a { use super::b; pub fn c() {} } use a::c;` becomes `pub fn c() {}`.
//!
//! Costs one test for each name of namespaces or modules, the one that takes most off first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("unwrap_namespaces", "cpp", "namespace a { int b; } int c = a::b;");
//! assert_eq!(seen, [" int b;  int c = b;"]);
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// How far out of a name the module around it is looked for.
const HEIGHT_MAX: usize = 64;

/// Unwraps namespaces; see the module.
#[derive(Clone, Debug)]
pub struct UnwrapNamespaces(pub Rc<Syntax>);

/// What is cut for each name.
fn unwrappings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let whole = |node: usize| members.cut_node(&member_of, node);
    let outer = outer_names(tree);
    let mut lists: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let mut by_name: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for &(node, name) in &names.declarations {
        if let Some((start, end)) = shell(tree, node as usize) {
            let cuts = by_name.entry(name).or_default();
            let outer = outer.get(&(node as usize)).into_iter().flatten();
            cuts.extend(outer.filter_map(|&it| without_outer(tree, it, &whole)));
            let node = &tree.nodes()[node as usize];
            cuts.extend([(node.start as usize, start), (end, node.end as usize)]);
            lists.entry(name).or_default().push(node.parent as usize);
        }
    }
    let mut patches = Vec::new();
    for (name, mut cuts) in by_name {
        for &place in &names.by_name[name as usize] {
            let number = names.occurrences[place as usize].node as usize;
            let node = &tree.nodes()[number];
            let rest = &target.elements()[node.end as usize..];
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
            let blanks = blanks.count();
            let around = node.parent as usize;
            let import = import(tree, number);
            let is_beside = |it: &usize| {
                let around = tree.nodes()[*it].parent as usize;
                lists[&name].contains(&around) && !has_words(target.elements(), tree, *it, b"as")
            };
            if let Some(import) = import.filter(is_beside) {
                cuts.extend(whole(import));
            } else if rest[blanks..].starts_with(b"::") {
                cuts.push((node.start as usize, node.end as usize + blanks + 2));
            } else if tree.kind_name(&tree.nodes()[around]) == "using_declaration" {
                cuts.extend(whole(around));
            }
        }
        patches.push(Patch::cuts(cuts));
    }
    patches
}

/// The import that takes something out of the module of this name, and nothing else.
fn import(tree: &SyntaxTree, name: usize) -> Option<usize> {
    let parent = |node: usize| tree.nodes()[node].parent as usize;
    let mut path = name;
    if tree.kind(parent(name)) == "scoped_identifier"
        && tree.part(parent(name), "name") == Some(name)
    {
        let before = tree.part(parent(name), "path")?;
        if !matches!(tree.kind(before), "crate" | "self") {
            return None;
        }
        path = parent(name);
    }
    let imported = parent(path);
    let is_path =
        tree.part(imported, "path") == Some(path) || tree.kind(imported) == "use_wildcard";
    let is_import = tree.kind(parent(imported)) == "use_declaration";
    (is_path && is_import).then(|| parent(imported))
}

/// Whether a word stands in a node.
fn has_words(text: &[u8], tree: &SyntaxTree, node: usize, word: &[u8]) -> bool {
    let nodes = tree.nodes();
    (node..nodes[node].next as usize).any(|it| &text[nodes[it].range()] == word)
}

/// Where something in a module names what is around it, for each module that is the nearest around.
fn outer_names(tree: &SyntaxTree) -> BTreeMap<usize, Vec<usize>> {
    let mut outer: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for name in (0..tree.nodes().len()).filter(|&it| tree.kind(it) == "super") {
        let mut around = tree.and_around(name).take(HEIGHT_MAX);
        if let Some(module) = around.find(|&it| shell(tree, it).is_some()) {
            outer.entry(module).or_default().push(name);
        }
    }
    outer
}

/// What to cut where what is around a module is named in it.
fn without_outer(
    tree: &SyntaxTree,
    outer: usize,
    whole: &impl Fn(usize) -> Option<(usize, usize)>,
) -> Option<(usize, usize)> {
    let nodes = tree.nodes();
    let around = nodes[outer].parent as usize;
    if tree.kind(around) == "visibility_modifier" {
        return Some((nodes[around].start as usize, nodes[around].end as usize));
    }
    if let Some(import) = import(tree, outer) {
        return whole(import);
    }
    let sign = tree.children(around).find(|&it| it > outer)?;
    (tree.kind(sign) == "::").then(|| (nodes[outer].start as usize, nodes[sign].end as usize))
}

/// Where the content of a namespace or module is.
fn shell(tree: &SyntaxTree, number: usize) -> Option<(usize, usize)> {
    let kind = tree.kind_name(&tree.nodes()[number]);
    if !matches!(
        kind,
        "namespace_definition" | "mod_item" | "internal_module"
    ) {
        return None;
    }
    let nodes = tree.nodes();
    let body = tree.part(number, "body")?;
    let (first, last) = (tree.children(body).next()?, tree.children(body).last()?);
    let is_braced = tree.kind_name(&nodes[first]) == "{" && tree.kind_name(&nodes[last]) == "}";
    (is_braced && nodes[last].len() == 1)
        .then_some((nodes[first].end as usize, nodes[last].start as usize))
}

impl Finds for UnwrapNamespaces {
    const NAME: &'static str = "unwrap_namespaces";
    const RANK: u8 = 7;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        unwrappings(target, &members, &names)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(before: &str, after: &str) {
        let seen = reductions("unwrap_namespaces", "rust", before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn what_was_imported_needs_no_import() {
        let rest = "pub struct b; ";
        for import in ["use a::b;", "pub use self::a::{b, c};", "use a::*;"] {
            check(
                &format!("mod a {{ {rest}}} {import} fn d() {{}}"),
                &format!(" {rest} fn d() {{}}"),
            );
        }
        check(
            "mod a { struct b; } use a::b as c;",
            " struct b;  use b as c;",
        );
        check(
            "mod a { struct b; } mod c { use crate::a::b; }",
            " struct b;  mod c { use crate::b; }",
        );
    }

    #[test]
    fn what_was_outside_is_not() {
        check(
            "struct c; mod a { use super::c; pub(super) fn b(_: super::d) {} }",
            "struct c;   fn b(_: d) {} ",
        );
        check(
            "mod a { mod b { use super::c; } }",
            " mod b { use super::c; } ",
        );
    }
}
