//! Deletes the functions of one name that have one number of parameters, together with the calls that
//! have as many arguments.
//!
//! What is declared several times is held by any use of its name: of `int f(int a); int f(int a, int b)`
//! and `f(1); f(1, 2);`, the second function goes with the second call. Functions that no call has as
//! many arguments for go together, with what only they need.
//!
//! Costs up to two tests for each number of parameters of each name that is declared with several, and
//! one for each part of a list of what nothing calls.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int f(int a); int f(int a, int b); int g() { f(1); f(1, 2); }";
//! let seen = reductions("delete_overloads", "cpp", text);
//! assert!(seen.contains(&"int f(int a); int g() { f(1); }".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::arguments::{entries, list_of};
use crate::items::Item;
use crate::members::Members;
use crate::names::Names;
use crate::needs::{Needs, Without};
use crate::passes::{Finds, add_runs};
use crate::tree::{Syntax, SyntaxTree};
use crate::weights::Weights;

/// Names that stand in more places are left alone.
const PLACES_MAX: usize = 500;
/// Runs of functions that nothing calls are tried down to this share of them.
const SMALLEST_RUN: usize = 16;
/// How far around its parameters the declaration of a function is looked for.
const AROUND_MAX: usize = 12;

/// Deletes overloads; see the module.
#[derive(Clone, Debug)]
pub struct DeleteOverloads(pub Rc<Syntax>);

/// Where functions of one name with one number of parameters are declared and called: the members that
/// are their declarations, and nodes in the calls.
#[derive(Debug, Default)]
struct Overload {
    declared: Vec<usize>,
    called: Vec<usize>,
}

/// The overloads of a name, by the number of parameters, if there are several.
fn overloads(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    names: &Names,
    places: &[u32],
) -> BTreeMap<usize, Overload> {
    let tree = members.tree();
    let mut overloads: BTreeMap<usize, Overload> = BTreeMap::new();
    if places.len() > PLACES_MAX {
        return overloads;
    }
    for &place in places {
        let node = names.occurrences[place as usize].node as usize;
        let Some(list) = list_of(text, tree, node, false) else {
            continue;
        };
        let is_declaring = tree.kind(list).contains("param");
        let count = entries(tree, list)
            .filter(|&entry| !is_declaring || is_counted(text, tree, entry))
            .count();
        let overload = overloads.entry(count).or_default();
        if !is_declaring {
            overload.called.push(node);
        } else if let Some(member) = declaration(members, member_of, list) {
            overload.declared.push(member);
        }
    }
    if overloads
        .values()
        .filter(|it| !it.declared.is_empty())
        .count()
        < 2
    {
        overloads.clear();
    }
    overloads
}

/// Whether a parameter takes an argument: neither `void` nor `self` does.
fn is_counted(text: &[u8], tree: &SyntaxTree, entry: usize) -> bool {
    let parameter = text[tree.nodes()[entry].range()].trim_ascii();
    let has_none = |name: &[u8]| parameter == name;
    let none: [&[u8]; 6] = [
        b"void",
        b"self",
        b"cls",
        b"&self",
        b"&mut self",
        b"mut self",
    ];
    !none.into_iter().any(has_none)
}

/// The member that declares the function of a list of parameters.
fn declaration(members: &Members, member_of: &[u32], list: usize) -> Option<usize> {
    let tree = members.tree();
    let around = tree.and_around(list).skip(1);
    around.take(AROUND_MAX).find_map(|node| {
        let member = *member_of.get(node)? as usize;
        if member == u32::MAX as usize {
            return None;
        }
        let around = members.list_of(member);
        let is_whole = !tree.kind(node).ends_with("_declarator");
        let is_listed = tree
            .slot(&tree.nodes()[node])
            .is_some_and(|slot| slot.is_list);
        (around.first < around.last || is_whole && is_listed).then_some(member)
    })
}

impl Finds for DeleteOverloads {
    const NAME: &'static str = "delete_overloads";
    const RANK: u8 = 7;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let member_of = members.by_node();
        let mut patches = Vec::new();
        let mut uncalled = Vec::new();
        for places in &names.by_name {
            let text = target.elements();
            for overload in overloads(text, &members, &member_of, &names, places).values() {
                let Overload { declared, called } = overload;
                if called.is_empty() {
                    uncalled.extend(declared);
                }
                // What is declared once and not called is left to other passes.
                if declared.is_empty() || called.is_empty() && declared.len() == 1 {
                    continue;
                }
                let declared = || declared.iter().map(|&member| members.cut(member, member));
                for is_listed in [true, false] {
                    let calls = called.iter().map(|&node| {
                        let member = members.around(&member_of, node, is_listed)?;
                        Some(members.cut(member, member))
                    });
                    let cuts: Option<Vec<_>> = calls.chain(declared().map(Some)).collect();
                    patches.extend(cuts.map(Patch::cuts));
                }
            }
        }
        uncalled.sort_unstable();
        uncalled.dedup();
        patches.extend(with_needs(target, &self.0, &members, &uncalled));
        patches
    }
}

/// Runs of members without what only they need.
fn with_needs(
    target: &Target<u8>,
    syntax: &Syntax,
    members: &Members,
    uncalled: &[usize],
) -> Vec<Patch<u8>> {
    let mut patches = Vec::new();
    let Some(last) = uncalled.len().checked_sub(1).filter(|&last| last > 0) else {
        return patches;
    };
    let needs = Needs::of(target, syntax);
    let weights = Weights::of(target, syntax);
    let items = &needs.items.items;
    let is_uncalled = |item: &Item| uncalled.binary_search(&(item.member as usize)).is_ok();
    let uncalled: Vec<usize> = (0..items.len())
        .filter(|&it| is_uncalled(&items[it]))
        .collect();
    let was_kept = |item: u32| weights.kept.is_kept[item as usize];
    add_runs(
        0,
        last.min(uncalled.len().saturating_sub(1)),
        &mut |first, last| {
            let mut without = Without {
                is_blocked: vec![false; items.len()],
                ..Without::default()
            };
            for &item in uncalled.get(first..=last).unwrap_or_default() {
                without.is_blocked[item] = true;
            }
            let kept = needs.left(&without);
            patches.push(needs.removal(members, was_kept, &kept.is_kept, &[]));
            (last - first) * SMALLEST_RUN > uncalled.len()
        },
    );
    patches
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("delete_overloads", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn an_overload_goes_with_its_calls() {
        check(
            "java",
            "class A { void f(int a) {} void f(int a, int b) {} void g() { f(1); f(1, 2); } }",
            "class A { void f(int a) {} void g() { f(1); } }",
        );
        check(
            "typescript",
            "class A { f(a: B): C; f(): D; } a.f(1); a.f();",
            "class A { f(): D; } a.f();",
        );
    }

    #[test]
    fn a_prototype_goes_with_its_definition() {
        check(
            "cpp",
            "struct A { int f(int a); int f(); }; int A::f(int a) {} int A::f() {}",
            "struct A { int f(); }; int A::f() {}",
        );
    }

    #[test]
    fn what_nothing_calls_goes_at_once() {
        let text = "int f(int a); int f(); int g(int a); int g(); int h() { f(); g(); }";
        check("cpp", text, "int f(); int g(); int h() { f(); g(); }");
    }
}
