//! Gives a name its shortest form where it means one thing, and leaves it elsewhere.
//!
//! A name in a text may be several things: of `status = r.status`, only the variable can be called `a`.
//! What is declared in a function or among parameters is renamed within it, to a name that stands
//! nowhere in it, so that no other name is captured; what is named as a part of something, as behind a
//! dot, is renamed by itself, and so is what isn't.
//!
//! Costs one test for each such name that is longer than it has to be and stands elsewhere as well.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("rename_locals", "python", "def f(res, x):\n    res = x.res\n");
//! assert!(seen.contains(&"def f(a, x):\n    a = x.res\n".to_owned()));
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::words::{is_keyword, respelled};

use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// Texts with more names have more to gain from other passes.
const NAMES_MAX: usize = 2000;
const PLACES_MAX: usize = 10_000;
/// What is declared in more places is left alone.
const SCOPES_MAX: usize = 50;
/// How far around a declaration its scope is looked for, and how far into a scope its parameters.
const AROUND_MAX: usize = 24;
const HEAD_MAX: usize = 256;

/// Renames within scopes; see the module.
#[derive(Clone, Debug)]
pub struct RenameLocals(pub Rc<Syntax>);

/// Whether a name stands for a part of something, or for what an argument is called.
fn is_part(tree: &SyntaxTree, number: usize, is_member: bool) -> bool {
    let node = &tree.nodes()[number];
    let around = tree.kind(node.parent as usize);
    is_member
        || match tree.field_name(node) {
            Some("attribute" | "property" | "field" | "method") => true,
            Some("name") => {
                let others = [
                    "member_access",
                    "keyword_argument",
                    "invocation",
                    "qualified",
                ];
                others.iter().any(|other| around.contains(other))
            }
            _ => around == "attribute" || around.contains("navigation_suffix"),
        }
}

/// The nodes in which a name may be declared that means nothing outside.
fn is_scope(kind: &str) -> bool {
    const SCOPES: &[&str] = &[
        "function",
        "method",
        "lambda",
        "closure",
        "constructor",
        "template_declaration",
        "class",
        "struct",
        "arrow",
        "comprehension",
        "impl_item",
        "trait_item",
        "module_declaration",
    ];
    const OTHERS: &[&str] = &[
        "call",
        "type",
        "name",
        "declarator",
        "body",
        "argument",
        "invocation",
    ];
    SCOPES.iter().any(|part| kind.contains(part)) && !OTHERS.iter().any(|part| kind.contains(part))
}

impl Finds for RenameLocals {
    const NAME: &'static str = "rename_locals";
    const RANK: u8 = 2;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        let names = Names::of(target, &self.0);
        let places = names.occurrences.len();
        if places == 0 || places > PLACES_MAX || names.by_name.len() > NAMES_MAX {
            return Vec::new();
        }
        let renaming = Renaming {
            text: target.elements(),
            tree: &tree,
            names: &names,
        };
        let all = renaming.taken(0);
        let free_letter = (b'a'..=b'z').find(|letter| !all.contains(&[*letter][..]));
        let mut spelled: BTreeMap<&[u8], u32> = BTreeMap::new();
        for places in &names.by_name {
            *spelled.entry(renaming.spelling(places[0])).or_default() += 1;
        }
        let mut patches = Vec::new();
        for (name, places) in (0..).zip(&names.by_name) {
            let spelling = renaming.spelling(places[0]);
            if spelling.len() < 2 {
                continue;
            }
            if let Some(scope) = names.scopes[name as usize] {
                if spelled[spelling] > 1 || free_letter.is_none() {
                    patches.extend(renaming.renamed(places, scope as usize));
                }
                continue;
            }
            let is_part = |&place: &u32| renaming.is_part(place);
            let (parts, free): (Vec<u32>, Vec<u32>) = places.iter().partition(|it| is_part(it));
            if !parts.is_empty() && !free.is_empty() {
                patches.extend(renaming.renamed(&parts, 0));
                patches.extend(renaming.renamed(&free, 0));
            }
            let mut scopes: Vec<usize> = names
                .declared_at(name)
                .iter()
                .filter_map(|&(_, node)| renaming.scope(node as usize))
                .collect();
            scopes.sort_unstable();
            scopes.dedup();
            if scopes.len() > SCOPES_MAX {
                continue;
            }
            for scope in scopes {
                let within = names.range_within(&tree, scope);
                let head = renaming.head(scope);
                let is_within = |&place: &u32| {
                    within.contains(&(place as usize))
                        && names.occurrences[place as usize].node as usize >= head
                };
                let inside: Vec<u32> = free.iter().copied().filter(is_within).collect();
                // What can be renamed everywhere is left to the pass that does so, if a name is as
                // short there.
                if inside.len() == places.len() && free_letter.is_some() {
                    continue;
                }
                patches.extend(renaming.renamed(&inside, scope));
            }
        }
        patches
    }
}

/// A text with its names.
struct Renaming<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
    names: &'a Names,
}

impl Renaming<'_> {
    fn spelling(&self, place: u32) -> &[u8] {
        let node = self.names.occurrences[place as usize].node;
        &self.text[self.tree.nodes()[node as usize].range()]
    }

    fn is_part(&self, place: u32) -> bool {
        let occurrence = self.names.occurrences[place as usize];
        is_part(self.tree, occurrence.node as usize, occurrence.is_member)
    }

    /// The function or type around a declaration.
    fn scope(&self, declaration: usize) -> Option<usize> {
        let mut around = self.tree.and_around(declaration).skip(1).take(AROUND_MAX);
        around.find(|&node| node > 0 && is_scope(self.tree.kind(node)))
    }

    /// The first node of a function or type whose names mean nothing outside.
    fn head(&self, scope: usize) -> usize {
        let is_inside = |&node: &usize| {
            self.tree.kind(node).contains("param")
                || self.tree.field_name(&self.tree.nodes()[node]) == Some("body")
        };
        let end = self.tree.nodes()[scope].next as usize;
        let head = (scope + 1..end).take(HEAD_MAX);
        head.into_iter().find(is_inside).unwrap_or(scope)
    }

    /// The names that stand in a node.
    fn taken(&self, scope: usize) -> BTreeSet<&[u8]> {
        let within = self.names.range_within(self.tree, scope);
        within.map(|place| self.spelling(place as u32)).collect()
    }

    /// These places with the shortest name that stands nowhere else in the scope.
    fn renamed(&self, places: &[u32], scope: usize) -> Option<Patch<u8>> {
        let taken = self.taken(scope);
        let is_free = |name: &&[u8]| !taken.contains(name) && !is_keyword(name);
        let letters = (b'a'..=b'z').map(|letter| vec![letter]);
        let pairs = (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| vec![a, b]));
        let name = letters.chain(pairs).find(|name| is_free(&&name[..]))?;
        let ranges = places.iter().map(|&place| {
            let node = self.names.occurrences[place as usize].node;
            let range = self.tree.nodes()[node as usize].range();
            (range.start, range.end)
        });
        Patch::edits_of(respelled(ranges, &name)).ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("rename_locals", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn a_local_is_renamed_within_its_function() {
        check(
            "c",
            "int foo(int foo) { return foo + a; } int c = foo;",
            "int foo(int b) { return b + a; } int c = foo;",
        );
    }

    #[test]
    fn members_keep_their_names() {
        check(
            "javascript",
            "function f(len) { return len + [].len }",
            "function f(a) { return a + [].len }",
        );
    }

    #[test]
    fn nothing_is_captured() {
        let text = "template<class T> struct foo { T foo; a b; };";
        let seen = reductions("rename_locals", "cpp", text);
        let is_captured = |seen: &String| seen.contains("class a") || seen.contains("class b");
        assert!(!seen.iter().any(is_captured), "{seen:?}");
    }
}
