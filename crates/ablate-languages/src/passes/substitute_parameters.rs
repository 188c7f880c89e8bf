//! Puts the argument of the first call in place of a parameter, in the whole function, and deletes the
//! parameter with its arguments.
//!
//! What is always called with the same does not need a parameter for it: `int f(int a) { return a; }`
//! and `f(1)` become `int f() { return 1; }` and `f()`. So does a template that stands for one type; where
//! no call says which, it is the simplest one.
//!
//! Costs one test for each parameter that is used and given.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int f(int a) { return a; } int b = f(1);";
//! let seen = reductions("substitute_parameters", "c", text);
//! assert_eq!(seen, ["int f() { return 1; } int b = f();"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::arguments::{cuts_of, lists_of, matched};
use crate::members::Members;
use crate::names::{Names, Occurrence};
use crate::passes::Finds;
use crate::passes::simplify_nodes::Simplest;
use crate::tree::{Syntax, SyntaxTree};

/// Longer arguments are not put anywhere else.
const LONGEST: usize = 256;
/// How far out of the list of its parameters a function is looked for.
const HEIGHT_MAX: usize = 5;

/// Substitutes parameters; see the module.
#[derive(Clone, Debug)]
pub struct SubstituteParameters(pub Rc<Syntax>);

/// What each parameter that can be substituted makes of the text.
fn substitutions(
    target: &Target<u8>,
    members: &Members,
    names: &Names,
    simplest: &Simplest,
) -> Vec<Patch<u8>> {
    let (text, tree) = (target.elements(), members.tree());
    let member_of = members.by_node();
    let mut patches = Vec::new();
    for (places, is_of_types) in names.by_name.iter().flat_map(|p| [(p, false), (p, true)]) {
        let lists = lists_of(text, tree, names, places, is_of_types);
        let is_declaring = |&&list: &&usize| tree.kind(list).contains("param");
        let declaring: Vec<usize> = lists.iter().filter(is_declaring).copied().collect();
        let call = lists.iter().find(|list| !is_declaring(list));
        let counted = call.or(declaring.first().filter(|_| is_of_types));
        for index in 0..counted.map_or(0, |&list| matched(text, tree, list).count()) {
            let uses = declaring.iter().filter_map(|&list| {
                let parameter = matched(text, tree, list).nth(index)?;
                Some(uses(tree, names, parameter, list))
            });
            let uses: Vec<usize> = uses.flatten().collect();
            let Some(&first) = uses.first() else {
                continue;
            };
            let given = match call {
                Some(&call) => Vec::from_iter(given(target, tree, call, index, is_of_types)),
                None => {
                    let texts = simplest.texts(tree, &tree.nodes()[first]).iter();
                    texts.map(|text| text.as_bytes().to_vec()).collect()
                }
            };
            let cuts = cuts_of(text, members, &member_of, &lists, index, is_of_types);
            for given in given {
                let edits = uses.iter().map(|&node| Edit {
                    start: tree.nodes()[node].start as usize,
                    end: tree.nodes()[node].end as usize,
                    insert: Some(given.as_slice().into()),
                });
                let patch = Patch::edits_of(edits);
                let patch = patch.and_then(|patch| patch.combined(&Patch::cuts(cuts.clone())));
                patches.extend(patch.ok());
            }
        }
    }
    patches
}

/// The text of the argument with this index in a call, as it can stand elsewhere.
fn given(
    target: &Target<u8>,
    tree: &SyntaxTree,
    call: usize,
    index: usize,
    is_of_types: bool,
) -> Option<Vec<u8>> {
    let argument = matched(target.elements(), tree, call).nth(index)?;
    let node = tree.nodes()[argument];
    let text = &target.elements()[node.range()];
    let is_plain = is_of_types || node.next as usize == argument + 1;
    let text = if is_plain {
        text.to_vec()
    } else {
        [b"(", text, b")"].concat()
    };
    (node.len() <= LONGEST).then_some(text)
}

/// Where a parameter is used in its function, outside of the list that it stands in.
fn uses(tree: &SyntaxTree, names: &Names, parameter: usize, list: usize) -> Vec<usize> {
    let nodes = tree.nodes();
    let end = nodes[parameter].next;
    let declared = |d: &&(u32, u32)| (parameter as u32..end).contains(&d.0);
    let within = names.occurrences[names.range_within(tree, parameter)].last();
    let name = names.declarations.iter().find(declared).map(|d| d.1);
    let Some(name) = name.or(within.map(|occurrence| occurrence.name)) else {
        return Vec::new();
    };
    let mut function = list;
    for _ in 0..HEIGHT_MAX {
        function = nodes[function].parent as usize;
        let is_function = ["definition", "declaration", "_item", "function", "method"];
        let of = tree.kind(function);
        if is_function.iter().any(|part| of.contains(part)) && !of.ends_with("declarator") {
            break;
        }
    }
    let is_use = |occurrence: &&Occurrence| {
        let node = occurrence.node as usize;
        let is_in_list = (list..nodes[list].next as usize).contains(&node);
        occurrence.name == name && !occurrence.is_member && !is_in_list
    };
    let all = names.occurrences[names.range_within(tree, function)].iter();
    all.filter(is_use).map(|o| o.node as usize).collect()
}

impl Finds for SubstituteParameters {
    const NAME: &'static str = "substitute_parameters";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        substitutions(target, &members, &names, &Simplest::of(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn a_template_for_one_type_is_no_template_of_it_any_more() {
        let text = "template<class T, class U> struct A { T a; U b; }; A<int, char> b;";
        let expected = "template<class U> struct A { int a; U b; }; A<char> b;";
        let seen = reductions("substitute_parameters", "cpp", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
    }

    #[test]
    fn what_no_call_names_becomes_the_simplest_type() {
        let text = "template<class T> T f(T a) { return a; } int b = f(1);";
        let expected = "int f(int a) { return a; } int b = f(1);";
        let seen = reductions("substitute_parameters", "cpp", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
        let text = "struct Some<T: Clone> { a: T }";
        let seen = reductions("substitute_parameters", "rust", text);
        assert!(
            seen.iter().any(|seen| seen == "struct Some { a: () }"),
            "{seen:?}"
        );
    }
}
