//! What members of classes are there for because of what the classes are derived from: where that is not in the
//! text, it may call them, and mostly they must be there.

use std::collections::{BTreeMap, BTreeSet};

use crate::inner::{class_of, is_in_class};
use crate::names::{Names, Occurrence};
use crate::tree::SyntaxTree;

/// Parts of the heads of classes that say what these are derived from, by parts of the names of kinds.
const HEADS: &[&str] = &[
    "superclass",
    "super_interfaces",
    "base_list",
    "class_heritage",
    "delegation_specifiers",
    "extends_clause",
    "inheritance_specifier",
];
/// What lists several of them.
const LISTS: &[&str] = &["type_list", "extends_clause", "implements_clause"];
/// So many classes that a class is derived from are looked at, and so many declarations of each name.
const BASES_MAX: usize = 64;
/// Words before what is only called by its name.
const HIDING: &[&[u8]] = &[b"fileprivate", b"private", b"protected", b"static"];
/// Languages in which what can be called from elsewhere has to say so.
const SAYING: &[&str] = &["c-sharp", "java"];

/// Whether a node says what a class is derived from.
fn is_head(tree: &SyntaxTree, node: usize) -> bool {
    HEADS.iter().any(|head| tree.kind(node).contains(head))
}

/// The names in each of the types that a class is said to be derived from.
fn said<'a>(
    tree: &'a SyntaxTree,
    names: &'a Names,
    class: usize,
) -> impl Iterator<Item = &'a [Occurrence]> {
    let heads = tree.children(class);
    let heads = heads.filter(|&part| is_head(tree, part));
    let parts = heads.flat_map(|head| match tree.kind(head) {
        "inheritance_specifier" => vec![head],
        _ => tree.children(head).collect(),
    });
    let types = parts.flat_map(|part| match tree.kind(part) {
        list if LISTS.contains(&list) => tree.children(part).collect(),
        _ => vec![part],
    });
    types
        .map(|one| &names.occurrences[names.range_within(tree, one)])
        .filter(|said| !said.is_empty())
}

/// What the text declares by a name, but for what only makes it known.
fn declared<'a>(
    tree: &'a SyntaxTree,
    names: &'a Names,
    name: u32,
) -> impl Iterator<Item = usize> + 'a {
    let all = names.declared_at(name).iter().take(BASES_MAX);
    let all = all.map(|&(_, node)| node as usize);
    all.filter(|&node| {
        !["import", "using", "parameter"]
            .iter()
            .any(|part| tree.kind(node).contains(part))
    })
}

/// A class with all that it is derived from as far as the text has it, and whether that is all.
fn with_bases(tree: &SyntaxTree, names: &Names, class: usize) -> (Vec<usize>, bool) {
    let (mut classes, mut is_all) = (vec![class], true);
    let mut next = 0;
    while let Some(&class) = classes.get(next).filter(|_| next < BASES_MAX) {
        next += 1;
        for said in said(tree, names, class) {
            let is_known = declared(tree, names, said[0].name).next().is_some();
            is_all &= is_known;
            let of_names = said.iter().filter(|_| is_known);
            for base in of_names.flat_map(|said| declared(tree, names, said.name)) {
                if !classes.contains(&base) {
                    classes.push(base);
                }
            }
        }
    }
    (classes, is_all)
}

/// Whether one of the words before a member of a class is one of these.
fn has_word(text: &[u8], tree: &SyntaxTree, member: usize, words: &[&[u8]]) -> bool {
    let mut parts = tree.children(member);
    parts.any(|part| {
        let node = &tree.nodes()[part];
        let mut said = text[node.range()].split(|byte| !byte.is_ascii_alphanumeric());
        tree.kind_name(node).contains("modifier") && said.any(|word| words.contains(&word))
    })
}

/// Whether a member of a class is said to override something.
pub(crate) fn is_override(text: &[u8], tree: &SyntaxTree, member: usize) -> bool {
    has_word(text, tree, member, &[b"override", b"Override"])
}

/// What the text has that a member of a class which declares these names overrides.
fn overridden(
    text: &[u8],
    tree: &SyntaxTree,
    names: &Names,
    member: usize,
    declares: &[u32],
) -> Vec<usize> {
    let Some(class) = class_of(tree, member) else {
        return Vec::new();
    };
    let (classes, _) = with_bases(tree, names, class);
    let members = classes.iter().flat_map(|&class| {
        let all = declares.iter();
        let all = all.flat_map(move |&name| names.declared_within(tree, name, class));
        all.filter(move |&node| class_of(tree, node) == Some(class))
    });
    members
        .filter(|&node| !is_override(text, tree, node))
        .collect()
}

/// Whether a member of a class that is said to override something overrides none that the text has.
pub(crate) fn overrides_outside(
    text: &[u8],
    tree: &SyntaxTree,
    names: &Names,
    member: usize,
    declares: &[u32],
) -> bool {
    overridden(text, tree, names, member, declares).is_empty()
}

/// Whether something is the one method of an interface that has to have one.
pub(crate) fn is_functional(text: &[u8], tree: &SyntaxTree, member: usize) -> bool {
    class_of(tree, member).is_some_and(|interface| {
        tree.kind(interface) == "interface_declaration"
            && has_word(text, tree, interface, &[b"FunctionalInterface"])
    })
}

/// Finds functions that may have to be there since what a class is derived from has them, which does not
/// have to be said.
pub(crate) struct Implementing<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
    names: &'a Names,
    /// Classes that are derived from something outside of the text, and those that these are derived from.
    open: BTreeSet<usize>,
}

impl<'a> Implementing<'a> {
    pub fn new(text: &'a [u8], tree: &'a SyntaxTree, names: &'a Names) -> Implementing<'a> {
        // To look at the name of its kind for each node takes longer.
        let mut is_head_by_kind = BTreeMap::new();
        let mut open = BTreeSet::new();
        for (number, node) in tree.nodes().iter().enumerate() {
            let known = is_head_by_kind.entry(node.kind);
            if !*known.or_insert_with(|| is_head(tree, number)) {
                continue;
            }
            let class = node.parent as usize;
            let (classes, is_all) = with_bases(tree, names, class);
            open.extend(classes.into_iter().filter(|_| !is_all));
        }
        Implementing {
            text,
            tree,
            names,
            open,
        }
    }

    /// Whether a member of a class is such a function, or is said to override one.
    pub fn has(&self, member: usize) -> bool {
        if !is_override(self.text, self.tree, member) {
            return self.may_implement(member);
        }
        let declares = self.names.declared_by(self.tree, member);
        let overridden = overridden(self.text, self.tree, self.names, member, &declares);
        overridden
            .into_iter()
            .any(|member| self.may_implement(member))
    }

    fn may_implement(&self, member: usize) -> bool {
        let (text, tree) = (self.text, self.tree);
        let is_function = ["method", "function", "property"]
            .iter()
            .any(|part| tree.kind(member).contains(part));
        let has_to_say = SAYING.iter().any(|language| tree.is_in(language));
        is_function
            && is_in_class(tree, member)
            && class_of(tree, member).is_some_and(|class| self.open.contains(&class))
            && !has_word(text, tree, member, HIDING)
            && (!has_to_say || has_word(text, tree, member, &[b"public"]))
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    /// Checks what is left where no body is.
    fn check_in(language: &str, text: &str, expected: &str) {
        let seen = reductions("delete_bodies", language, text);
        assert_eq!(seen[0], expected);
    }

    fn check(text: &str, expected: &str) {
        check_in("java", text, expected);
    }

    #[test]
    fn what_overrides_what_may_have_to_be_there_stays_too() {
        check_in(
            "c-sharp",
            "abstract class A : B { public abstract int F(); } class C : A { public override int F() { return 1000; } }",
            "abstract class A : B { public abstract int F(); } class C : A { public override int F() {throw null;} }",
        );
    }

    #[test]
    fn what_a_base_outside_of_the_text_may_have_stays() {
        check(
            "class A implements B { public int f() { return 100; } int g() { return 2; } int h() { return f() + g(); } }",
            "class A implements B { public int f() {throw null;} int h() {throw null;} }",
        );
        check(
            "class A { public int f() { return 100; } } class B extends A implements C { int h() { return f(); } }",
            "class A { public int f() {throw null;} } class B extends A implements C { int h() {throw null;} }",
        );
        check(
            "class A extends B { @Override int f() { return 100; } int h() { return f(); } }",
            "class A extends B { @Override int f() {throw null;} int h() {throw null;} }",
        );
    }

    #[test]
    fn what_only_overrides_goes_with_what_is_overridden() {
        check(
            "interface A { int f(); } class B implements A { @Override public int f() { return 1; } int h(A a) { return a.f(); } }",
            "interface A { } class B implements A { int h(A a) {throw null;} }",
        );
        check(
            "class A { int f() { return 1; } } class B extends A { @Override int f() { return super.f(); } int h(A a) { return a.f(); } }",
            "class A { } class B extends A { int h(A a) {throw null;} }",
        );
    }

    #[test]
    fn a_functional_interface_keeps_its_method() {
        check(
            "@FunctionalInterface interface A { int f(); } class B { int h(A a) { return a.f(); } }",
            "@FunctionalInterface interface A { int f(); } class B { int h(A a) {throw null;} }",
        );
    }
}
