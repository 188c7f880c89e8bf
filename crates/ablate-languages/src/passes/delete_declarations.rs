//! Deletes a declaration together with whatever uses its name.
//!
//! Neither can go alone where the language checks its names: of `int a; int f() { b; g(a); }`, `int a;`
//! goes together with `g(a);`. An import goes with what needs it, a parameter with what it is used
//! for, a field with its initialiser.
//!
//! Costs two tests for each name that is declared: with the smallest parts that can be left out
//! around its uses, and with all members of lists such as statements around them. The largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_declarations", "c", "int a; int f() { b; g(a); }");
//! assert!(seen.contains(&"int f() { b; }".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Node, Syntax, SyntaxTree};

/// More uses than this are not looked at.
const USES_MAX: usize = 1000;

/// Deletes a declaration and its uses; see the module.
#[derive(Clone, Debug)]
pub struct DeleteDeclarations(pub Rc<Syntax>);

/// The members that go with each name.
fn deletions(members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let member_of = members.by_node();
    let mut declared: Vec<u32> = names.declarations.iter().map(|d| d.1).collect();
    declared.sort_unstable();
    declared.dedup();
    let mut patches = Vec::new();
    for name in declared {
        let places = &names.by_name[name as usize];
        if places.len() > USES_MAX {
            continue;
        }
        let nodes = places
            .iter()
            .map(|&at| names.occurrences[at as usize].node as usize);
        let mut found = Vec::new();
        for is_listed in [true, false] {
            let cuts = nodes.clone().map(|node| {
                if let Some(list) = alone_in(members.tree(), node) {
                    return Some((list.start as usize, list.end as usize));
                }
                let member = members.around(&member_of, node, is_listed)?;
                Some(members.cut(member, member))
            });
            // A name that can't go somewhere makes the rest useless.
            let Some(cuts) = cuts.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let patch = Patch::cuts(cuts);
            if !found.contains(&patch) {
                found.push(patch);
            }
        }
        patches.extend(found);
    }
    patches
}

/// The list of type arguments or type parameters that has nothing but this node in it.
fn alone_in(tree: &SyntaxTree, mut node: usize) -> Option<Node> {
    let nodes = tree.nodes();
    while nodes[nodes[node].parent as usize].range() == nodes[node].range() && node > 0 {
        node = nodes[node].parent as usize;
    }
    let list = nodes[node].parent as usize;
    let kind = tree.kind_name(&nodes[list]);
    let is_of_types = [
        "type_arguments",
        "type_parameters",
        "template_argument_list",
    ];
    (is_of_types.contains(&kind) && tree.children(list).count() == 3).then(|| nodes[list])
}

impl Finds for DeleteDeclarations {
    const NAME: &'static str = "delete_declarations";
    const RANK: u8 = 8;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        deletions(&members, &names)
    }
}
