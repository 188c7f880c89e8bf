//! Moves what is in a class into one that is derived from it, and deletes the class.
//!
//! A class that others are derived from can't go before they do without it: `struct A { int a; };` and
//! `struct B : A { int b; };` become `struct B { int a; int b; };`.
//!
//! Costs one test for each class and each that names it as its base.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "struct A { int a; }; struct B : A { int b; };";
//! let seen = reductions("merge_bases", "cpp", text);
//! assert_eq!(seen, ["struct B { int a;  int b; };"]);
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// How far around a class what declares it is looked for, as an `export`.
const AROUND_MAX: usize = 3;

/// Merges classes with their bases; see the module.
#[derive(Clone, Debug)]
pub struct MergeBases(pub Rc<Syntax>);

/// A class: where its name stands, and its body.
struct Class {
    node: usize,
    name: usize,
    body: usize,
}

impl Class {
    /// The class that a node is, if it is one.
    fn of(tree: &SyntaxTree, node: usize) -> Option<Class> {
        let kind = tree.kind(node);
        if !kind.starts_with("class") && !kind.starts_with("struct") {
            return None;
        }
        Some(Class {
            node,
            name: tree.part(node, "name")?,
            body: tree.part(node, "body")?,
        })
    }

    /// What stands between the brackets of the body, or the whole of it where there are none.
    fn content(&self, tree: &SyntaxTree) -> Range<usize> {
        let nodes = tree.nodes();
        let is_bracket = |&child: &usize| !nodes[child].is_named && nodes[child].len() == 1;
        let range = nodes[self.body].range();
        let first = tree.children(self.body).next().filter(is_bracket);
        let last = tree.children(self.body).last().filter(is_bracket);
        match (first, last) {
            (Some(first), Some(last)) if first < last => {
                nodes[first].end as usize..nodes[last].start as usize
            }
            _ => range,
        }
    }

    /// What to cut of the head so that it names this base no more.
    fn without_base(&self, tree: &SyntaxTree, base: usize) -> Option<(usize, usize)> {
        let nodes = tree.nodes();
        let around = |list: usize| {
            let mut parts = tree.children(list);
            parts.find(|&part| part <= base && base < nodes[part].next as usize)
        };
        let clause = around(self.node).filter(|&it| self.name < it && it < self.body)?;
        let part = around(clause).unwrap_or(clause);
        let comma = |part: &usize| !nodes[*part].is_named && nodes[*part].len() == 1;
        let before = tree.children(clause).take_while(|&it| it < part);
        let before = before.filter(comma).last();
        let mut behind = tree.children(clause).skip_while(|&it| it <= part);
        let next = behind.next().filter(comma);
        let is_listed = tree.children(clause).filter(comma).count() > 1;
        Some(match (before, next) {
            (Some(before), Some(next)) if is_listed && behind.next().is_some() => {
                (nodes[before].end as usize, nodes[next].end as usize)
            }
            (Some(before), _) if is_listed && tree.children(clause).next() != Some(before) => {
                (nodes[before].start as usize, nodes[part].end as usize)
            }
            _ => {
                let before = tree.children(self.node).take_while(|&it| it < clause);
                let start = before.last().unwrap_or(clause);
                (nodes[start].end as usize, nodes[clause].end as usize)
            }
        })
    }
}

/// What becomes of the text when `derived` takes in what is in `base`, which it names at `named`.
fn merged(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    base: &Class,
    derived: &Class,
    named: usize,
) -> Option<Patch<u8>> {
    let tree = members.tree();
    let parent = |node: &usize| Some(tree.nodes()[*node].parent as usize);
    let mut around = std::iter::successors(Some(base.node), parent).take(AROUND_MAX);
    let member = around.find_map(|node| {
        let member = *member_of.get(node)?;
        (member != u32::MAX).then_some(member as usize)
    })?;
    let (start, end) = members.cut(member, member);
    let (from, to) = derived.without_base(tree, named)?;
    let content = &text[base.content(tree)];
    let place = derived.content(tree).start;
    // Where lines and their indentation count, what is put in ends as it began.
    let indentation = text[..place].iter().rev().take_while(|&&byte| byte == b' ');
    let is_bracketed = place > tree.nodes()[derived.body].start as usize;
    let insert = if is_bracketed {
        content.to_vec()
    } else {
        [content, b"\n", &vec![b' '; indentation.count()]].concat()
    };
    let insertion = Edit {
        start: place,
        end: place,
        insert: Some(insert.into()),
    };
    let cuts = Patch::cuts([(from, to)])
        .combined(&Patch::cut(start, end))
        .ok()?;
    cuts.combined(&Patch::edits_of([insertion]).ok()?).ok()
}

impl Finds for MergeBases {
    const NAME: &'static str = "merge_bases";
    const RANK: u8 = 5;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let tree = members.tree();
        let member_of = members.by_node();
        let classes = (0..tree.nodes().len()).filter_map(|node| Class::of(tree, node));
        let classes: Vec<Class> = classes.collect();
        // The first class of each name.
        let mut bases: BTreeMap<u32, &Class> = BTreeMap::new();
        for class in &classes {
            for occurrence in &names.occurrences[names.range_within(tree, class.name)] {
                bases.entry(occurrence.name).or_insert(class);
            }
        }
        let mut patches = Vec::new();
        for derived in &classes {
            let head = derived.name as u32 + 1..derived.body as u32;
            let within = names.occurrences[names.range_within(tree, derived.node)].iter();
            let in_head = within.take_while(|occurrence| occurrence.node < head.end);
            for occurrence in in_head.filter(|occurrence| head.contains(&occurrence.node)) {
                if let Some(base) = bases.get(&occurrence.name) {
                    let (text, named) = (target.elements(), occurrence.node as usize);
                    patches.extend(merged(text, &members, &member_of, base, derived, named));
                }
            }
        }
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("merge_bases", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn other_bases_stay() {
        let (base, rest) = ("struct B { int b; }; ", "{ int c; };");
        let text = format!("{base}struct C : public A, public B, D {rest}");
        check("cpp", &text, "struct C : public A, D { int b;  int c; };");
        let text = format!("{base}struct C : public A, public B {rest}");
        check("cpp", &text, "struct C : public A { int b;  int c; };");
        let text = format!("{base}struct C : B, D {rest}");
        check("cpp", &text, "struct C : D { int b;  int c; };");
    }

    #[test]
    fn bases_go_in_other_languages_too() {
        let text = "class A { int a; } class B extends A { int b; }";
        check("java", text, "class B { int a;  int b; }");
        let text = "class A { a = 1 }\nclass B extends A { b = 2 }";
        check("javascript", text, "class B { a = 1  b = 2 }");
        let text = "class A:\n    a = 1\nclass B(A):\n    b = 2\n";
        check("python", text, "class B:\n    a = 1\n    b = 2\n");
    }
}
