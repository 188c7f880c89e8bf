//! Takes what is in a namespace or a module out of it, and its name from before all names.
//!
//! `namespace a { int b; } int c = a::b;` becomes `int b; int c = b;`: as long as the name is used,
//! neither can go alone.
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

/// Unwraps namespaces; see the module.
#[derive(Clone, Debug)]
pub struct UnwrapNamespaces(pub Rc<Syntax>);

/// What is cut for each name.
fn unwrappings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let mut by_name: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for &(node, name) in &names.declarations {
        if let Some((start, end)) = shell(tree, node as usize) {
            let node = &tree.nodes()[node as usize];
            let cuts = by_name.entry(name).or_default();
            cuts.extend([(node.start as usize, start), (end, node.end as usize)]);
        }
    }
    let mut patches = Vec::new();
    let member_of = members.by_node();
    for (name, mut cuts) in by_name {
        for &place in &names.by_name[name as usize] {
            let number = names.occurrences[place as usize].node as usize;
            let node = &tree.nodes()[number];
            let rest = &target.elements()[node.end as usize..];
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
            let blanks = blanks.count();
            let around = node.parent as usize;
            if rest[blanks..].starts_with(b"::") {
                cuts.push((node.start as usize, node.end as usize + blanks + 2));
            } else if tree.kind_name(&tree.nodes()[around]) == "using_declaration" {
                let member = member_of.get(around).filter(|member| **member != u32::MAX);
                cuts.extend(member.map(|&member| members.cut(member as usize, member as usize)));
            }
        }
        patches.push(Patch::cuts(cuts));
    }
    patches
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
