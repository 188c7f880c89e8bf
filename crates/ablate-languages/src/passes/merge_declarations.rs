//! Merges two declarations that stand side by side and differ only in what they list.
//!
//! What both of them say needs to be said once: `int a; int b;` becomes `int a,b;`, two imports from
//! one place become one, and what is in a namespace that is opened twice stands in one. The grammar
//! says what is a list. In C and C++ a type's definition also moves to where the type is first used.
//!
//! Costs one test for each two neighbours, and one for each type.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! assert_eq!(reductions("merge_declarations", "c", "int a; int b;"), ["int a,b;"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::declares::declares;
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// How deep in two declarations the lists are looked for.
const DEPTH_MAX: usize = 6;

/// Merges declarations; see the module.
#[derive(Clone, Debug)]
pub struct MergeDeclarations(pub Rc<Syntax>);

/// What two declarations list, as first and last nodes, and what stands between them once merged.
struct Lists {
    first: (usize, usize),
    second: (usize, usize),
    separator: &'static [u8],
}

/// Finds where all that stands before, and behind, is the same in two nodes.
fn lists(text: &[u8], tree: &SyntaxTree, a: usize, b: usize) -> Option<Lists> {
    let nodes = tree.nodes();
    let is_same = |a: usize, b: usize| {
        nodes[a].kind == nodes[b].kind && text[nodes[a].range()] == text[nodes[b].range()]
    };
    let (mut a, mut b, mut says_something) = (a, b, false);
    let mut found = None;
    for _ in 0..DEPTH_MAX {
        let (left, right): (Vec<usize>, Vec<usize>) =
            (tree.children(a).collect(), tree.children(b).collect());
        if left.iter().chain(&right).any(|&part| nodes[part].is_extra) {
            return found;
        }
        let pairs = left.iter().zip(&right);
        let is_listed = |part: usize| tree.slot(&nodes[part]).is_some_and(|slot| slot.is_list);
        let before = pairs
            .take_while(|&(&a, &b)| is_same(a, b))
            .inspect(|&(&a, _)| says_something |= nodes[a].len() > 1)
            .count();
        let (left, right) = (&left[before..], &right[before..]);
        let pairs = left.iter().rev().zip(right.iter().rev());
        let behind = pairs
            .take_while(|&(&a, &b)| is_same(a, b))
            .inspect(|&(&a, _)| says_something |= nodes[a].len() > 1)
            .count();
        let (left, right) = (&left[..left.len() - behind], &right[..right.len() - behind]);
        let ends = |parts: &[usize]| Some((*parts.first()?, *parts.last()?));
        let (Some(first), Some(second)) = (ends(left), ends(right)) else {
            return found;
        };
        let mut listed = left.iter().chain(right).filter(|&&it| nodes[it].is_named);
        let field = nodes[first.0].field;
        if says_something && listed.all(|&it| is_listed(it) && nodes[it].field == field) {
            let opened = tree.children(a).take_while(|&part| part < first.0).last();
            let is_block = opened.is_some_and(|opened| tree.kind(opened) == "{")
                && left
                    .iter()
                    .chain(right)
                    .all(|&part| stands_alone(tree, part));
            found = Some(Lists {
                first,
                second,
                separator: if is_block { b" " } else { b"," },
            });
        }
        // What stands in brackets is listed there.
        let is_single = left.len() == 1 && right.len() == 1;
        let mut inside = tree.children(first.0);
        let is_in_brackets = match (inside.next(), inside.next()) {
            (Some(only), None) => nodes[only].is_named,
            (Some(opening), _) => tree.kind(opening) == "{",
            _ => false,
        };
        let is_further_in = found.is_none() || is_in_brackets;
        if !is_single || nodes[first.0].kind != nodes[second.0].kind || !is_further_in {
            return found;
        }
        (a, b) = (first.0, second.0);
    }
    found
}

/// Whether a node needs no comma before the next one.
fn stands_alone(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind(number);
    let others = ["specifier", "enumerator", "variant"];
    kind != "," && !others.iter().any(|other| kind.contains(other))
}

/// Two neighbours as one.
fn merged(text: &[u8], tree: &SyntaxTree, a: usize, b: usize) -> Option<Patch<u8>> {
    let nodes = tree.nodes();
    let is_rule = tree.kind(a) == "rule_set";
    if nodes[a].kind != nodes[b].kind || !is_rule && !declares(tree, a) && !imports(tree, a) {
        return None;
    }
    let Lists {
        first,
        second,
        separator,
    } = lists(text, tree, a, b)?;
    let end = nodes[first.1].end as usize;
    // What stands behind the first list stands behind the second as well.
    let edit = Edit {
        start: end,
        end: nodes[second.0].start as usize,
        insert: Some(separator.into()),
    };
    Patch::edits_of([edit]).ok()
}

fn imports(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind(number);
    ["import", "export", "using", "use_"]
        .iter()
        .any(|part| kind.contains(part))
}

/// What becomes of the definition of a type at the first place where the type is named.
fn moved(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    names: &Names,
    definition: usize,
) -> Option<Patch<u8>> {
    let tree = members.tree();
    let nodes = tree.nodes();
    let (name, body) = (
        tree.part(definition, "name")?,
        tree.part(definition, "body")?,
    );
    // It must stand for itself, and be no part of a declaration that uses it.
    let member = *member_of.get(definition)?;
    if member == u32::MAX || tree.field_name(&nodes[definition]) == Some("type") {
        return None;
    }
    let around = |at: u32| {
        let node = names.occurrences[at as usize].node as usize;
        let specifier = nodes[node].parent as usize;
        let is_bare = nodes[specifier].kind == nodes[definition].kind
            && tree.part(specifier, "name") == Some(node)
            && tree.part(specifier, "body").is_none();
        (if is_bare { specifier } else { node }, node)
    };
    let places = names.range_within(tree, name);
    let places = &names.by_name[names.occurrences.get(places.start)?.name as usize];
    let behind = |&&at: &&u32| names.occurrences[at as usize].node >= nodes[definition].next;
    let mut uses = places.iter().filter(behind);
    let (place, named) = around(*uses.next()?);
    let is_type = tree.field_name(&nodes[place]) == Some("type")
        && ["declaration", "type_definition", "field_declaration"]
            .contains(&tree.kind(nodes[place].parent as usize));
    if !is_type {
        return None;
    }
    let is_named_again = places.len() > 2;
    let mut whole = text[nodes[definition].range()].to_vec();
    if !is_named_again {
        let from = (nodes[name].start - nodes[definition].start) as usize;
        let to = (nodes[body].start - nodes[definition].start) as usize;
        whole.drain(from..to);
    }
    let node = if place == named && is_named_again {
        nodes[named]
    } else {
        nodes[place]
    };
    let insertion = Edit {
        start: node.start as usize,
        end: node.end as usize,
        insert: Some(whole.into()),
    };
    let (start, end) = members.cut_definition(member as usize, &nodes[definition]);
    let deletion = Patch::cut(start, end);
    deletion.combined(&Patch::edits_of([insertion]).ok()?).ok()
}

impl Finds for MergeDeclarations {
    const NAME: &'static str = "merge_declarations";
    const RANK: u8 = 2;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let (text, tree) = (target.elements(), members.tree());
        let lists = members.lists().iter();
        let pairs = lists.flat_map(|list| list.first as usize..list.last as usize);
        let pairs = pairs.map(|a| (members.node_number(a), members.node_number(a + 1)));
        let mut patches: Vec<Patch<u8>> = pairs
            .filter_map(|(a, b)| merged(text, tree, a, b))
            .collect();
        if matches!(self.0.language().name, "c" | "cpp") {
            let member_of = members.by_node();
            let kinds = ["struct_specifier", "union_specifier", "enum_specifier"];
            let all = 0..tree.nodes().len();
            let types = all.filter(|&node| kinds.contains(&tree.kind(node)));
            patches.extend(types.filter_map(|it| moved(text, &members, &member_of, &names, it)));
        }
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("merge_declarations", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn declarations_of_one_type_become_one() {
        check("c", "int a = 1;\nint *b, c();\n", "int a = 1,*b, c();\n");
        check("c", "void f() { int a; int b; }", "void f() { int a,b; }");
        check("java", "class A { int a; int b; }", "class A { int a,b; }");
        check("javascript", "let a; let b = 1;", "let a,b = 1;");
        check(
            "verilog",
            "module m; wire a; wire b; endmodule",
            "module m; wire a,b; endmodule",
        );
    }

    #[test]
    fn imports_from_one_place_become_one() {
        check("python", "import a\nimport b\n", "import a,b\n");
        check(
            "python",
            "from a import b\nfrom a import c\n",
            "from a import b,c\n",
        );
        check(
            "javascript",
            "import {a} from 'x'; import {b} from 'x';",
            "import {a,b} from 'x';",
        );
    }

    #[test]
    fn what_is_opened_twice_is_opened_once() {
        let text = "namespace a { int b; } namespace a { int c; }";
        check("cpp", text, "namespace a { int b; int c; }");
        check("css", "a { b: c } d { b: c }", "a,d { b: c }");
    }

    #[test]
    fn a_type_is_defined_where_it_is_used() {
        check(
            "c",
            "struct a { int b; }; struct a c;",
            "struct { int b; } c;",
        );
        let text = "struct a { int b; }; struct a c; struct a d;";
        check("c", text, "struct a { int b; } c; struct a d;");
        check("cpp", "struct a { int b; }; a c;", "struct { int b; } c;");
    }

    #[test]
    fn what_differs_stays() {
        assert!(reductions("merge_declarations", "c", "int a; char b;").is_empty());
        assert!(reductions("merge_declarations", "c", "int f() {} int g() {}").is_empty());
    }
}
