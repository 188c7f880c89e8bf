//! Deletes a declaration together with whatever uses its name.
//!
//! Neither can go alone where the language checks its names: of `int a; int f() { b; g(a); }`, `int a;`
//! goes together with `g(a);`. An import goes with what needs it, a parameter with what it is used
//! for, a field with its initialiser. Strings that are nothing but the name can count as uses, as in
//! `__all__ = ["a"]` or `getattr(b, "a")`; and a string that stands in several places, such as the name
//! of a module, goes from all of them.
//!
//! A name of one letter stands for several things in the end: what several types declare by it, as a trait
//! and its implementations, goes without the others too.
//!
//! Costs two tests for each name that is declared: with the smallest parts that can be left out
//! around its uses, and with all members of lists such as statements around them. Two more if there are
//! strings with the name, and up to four for a name of one letter that several types have in them; one for
//! each string in several places. The largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_declarations", "c", "int a; int f() { b; g(a); }");
//! assert!(seen.contains(&"int f() { b; }".to_owned()));
//! let text = "trait a { type b; } impl a for () { type b = (); fn b() {} } fn c<b>(b: b) {}";
//! let seen = reductions("delete_declarations", "rust", text);
//! assert!(seen.contains(&"trait a { } impl a for () { fn b() {} } fn c<b>(b: b) {}".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::inner::is_in_class;
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Node, Syntax, SyntaxTree};

/// More uses than this are not looked at.
const USES_MAX: usize = 1000;
/// Strings in more places are no names.
const STRINGS_MAX: usize = 20;
/// How far around a string what is there for it is looked for.
const AROUND_MAX: usize = 12;

/// Deletes a declaration and its uses; see the module.
#[derive(Clone, Debug)]
pub struct DeleteDeclarations(pub Rc<Syntax>);

/// The members that go with each name.
fn deletions(text: &[u8], members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let member_of = members.by_node();
    let mut declared: Vec<u32> = names.declarations.iter().map(|d| d.1).collect();
    declared.sort_unstable();
    declared.dedup();
    let mut strings = strings(text, members.tree());
    let mut patches = Vec::new();
    for name in declared {
        let places = &names.by_name[name as usize];
        if places.len() > USES_MAX {
            continue;
        }
        let nodes = places
            .iter()
            .map(|&at| names.occurrences[at as usize].node as usize);
        let nodes: Vec<usize> = nodes.collect();
        let spelling = &text[members.tree().nodes()[nodes[0]].range()];
        let named = strings.remove(spelling).unwrap_or_default();
        let mut found = Vec::new();
        add_deletions(members, &member_of, &nodes, &mut found);
        if spelling.len() == 1 {
            for in_types in members_of_types(members.tree(), &nodes) {
                add_deletions(members, &member_of, &in_types, &mut found);
            }
        }
        if !named.is_empty() {
            add_deletions(members, &member_of, &[nodes, named].concat(), &mut found);
        }
        patches.extend(found);
    }
    if !patches.is_empty() {
        let repeated = strings.values();
        for nodes in repeated.filter(|nodes| (2..=STRINGS_MAX).contains(&nodes.len())) {
            let mut found = Vec::new();
            add_deletions(members, &member_of, nodes, &mut found);
            found.truncate(1);
            patches.extend(found);
        }
    }
    patches
}

/// The types, and what else, that several types have in them by this name, given where it stands; none
/// where it stands for nothing else.
fn members_of_types(tree: &SyntaxTree, places: &[usize]) -> Vec<Vec<usize>> {
    let nodes = tree.nodes();
    let parent = |node: usize| nodes[node].parent as usize;
    let is_name = |node: &usize| tree.field_name(&nodes[*node]) == Some("name");
    let named = places.iter().copied().filter(is_name).map(parent);
    let in_types = named.filter(|&node| is_in_class(tree, node));
    let (types, others): (Vec<usize>, Vec<usize>) =
        in_types.partition(|&node| tree.kind(node).contains("type"));
    let are_in_several = |members: &Vec<usize>| {
        let mut parents = members.iter().map(|&node| parent(node));
        let first = parents.next();
        parents.any(|other| Some(other) != first) && members.len() < places.len()
    };
    [types, others].into_iter().filter(are_in_several).collect()
}

/// Adds what to cut so that these nodes go.
fn add_deletions(
    members: &Members,
    member_of: &[u32],
    nodes: &[usize],
    found: &mut Vec<Patch<u8>>,
) {
    let tree = members.tree();
    if tree.is_in("sql") {
        let cuts = nodes.iter().map(|&node| {
            if let Some(range) = reference(tree, node) {
                return Some(range);
            }
            let member = members.around(member_of, statement(tree, node), false)?;
            Some(members.cut(member, member))
        });
        found.extend(cuts.collect::<Option<Vec<_>>>().map(Patch::cuts));
    }
    for is_listed in [true, false] {
        let cuts = nodes.iter().map(|&node| {
            if let Some(list) = alone_in(members.tree(), node) {
                return Some((list.start as usize, list.end as usize));
            }
            let node = if is_listed {
                whole(members.tree(), node)
            } else {
                node
            };
            let member = members.around(member_of, node, is_listed)?;
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
}

/// The outermost statement of SQL around a node, in which a table is used or made; or the node.
fn statement(tree: &SyntaxTree, node: usize) -> usize {
    let around = std::iter::successors(Some(node), |&node| {
        let parent = tree.nodes()[node].parent as usize;
        (parent != node).then_some(parent)
    });
    let statements = around.filter(|&node| tree.kind(node) == "statement");
    statements.last().unwrap_or(node)
}

/// What says in the definition of a column that it refers to the table that a node names, as
/// `REFERENCES a(b)` does.
fn reference(tree: &SyntaxTree, node: usize) -> Option<(usize, usize)> {
    let nodes = tree.nodes();
    let parent = nodes[node].parent as usize;
    let column = nodes[parent].parent as usize;
    if tree.kind(column) != "column_definition" {
        return None;
    }
    let parts: Vec<usize> = tree.children(column).collect();
    let at = parts.iter().position(|&part| part == parent)?;
    let word = *parts.get(at.checked_sub(1)?)?;
    let mut last = parent;
    if parts
        .get(at + 1)
        .is_some_and(|&next| tree.kind(next) == "(")
    {
        let end = parts[at..].iter().find(|&&part| tree.kind(part) == ")");
        last = end.copied().unwrap_or(last);
    }
    let range = (nodes[word].start as usize, nodes[last].end as usize);
    (tree.kind(word) == "keyword_references").then_some(range)
}

/// The innermost node around a string that may be there for what the string names: no argument of a
/// call, and no side of an assignment.
fn whole(tree: &SyntaxTree, mut node: usize) -> usize {
    let is =
        |number: usize, parts: &[&str]| parts.iter().any(|part| tree.kind(number).contains(part));
    if !is(node, &["string"]) {
        return node;
    }
    let nodes = tree.nodes();
    let is_part = |node: usize| is(node, &["argument", "subscript", "index", "_list"]);
    for _ in 0..AROUND_MAX {
        let around = nodes[node].parent as usize;
        if !is_part(node) && !is_part(around) {
            break;
        }
        node = around;
    }
    node
}

/// The strings that may name something, by what is between their quotes.
fn strings<'a>(text: &'a [u8], tree: &SyntaxTree) -> BTreeMap<&'a [u8], Vec<usize>> {
    let mut strings: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (number, node) in tree.nodes().iter().enumerate().skip(1) {
        let is_string = |number: usize| tree.kind(number).contains("string");
        if !node.is_named || !is_string(number) || is_string(node.parent as usize) {
            continue;
        }
        let [quote @ (b'"' | b'\'' | b'`'), content @ .., end] = &text[node.range()] else {
            continue;
        };
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$./-@:".contains(byte);
        let is_word = content.iter().all(is_in_name) && content.len() > 1;
        if quote == end && is_word && content.iter().any(u8::is_ascii_alphabetic) {
            strings.entry(content).or_default().push(number);
        }
    }
    strings
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
        deletions(target.elements(), &members, &names)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("delete_declarations", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn strings_that_name_something_go_with_it() {
        check(
            "python",
            "__all__ = ['foo', 'bar']\ndef foo(): pass\ndef bar(): pass\n",
            "__all__ = ['bar']\ndef bar(): pass\n",
        );
        check("python", "def foo(): pass\ngetattr(a, 'foo')\nb\n", "\nb\n");
    }

    #[test]
    fn a_table_goes_with_all_statements_about_it() {
        check(
            "sql",
            "CREATE TABLE a(b int);\nINSERT INTO \"A\" VALUES(1);\n\
             CREATE TABLE c(d int REFERENCES a(b) NOT NULL);\n",
            "\nCREATE TABLE c(d int  NOT NULL);\n",
        );
    }

    #[test]
    fn a_string_goes_from_all_places() {
        check(
            "lua",
            "package.preload['a.b'] = c\nlocal d = require 'a.b'\ne()\n",
            "\ne()\n",
        );
        check(
            "javascript",
            "m({ './a': function(){}, './b': 1 }); var x = r('./a'); y;",
            "m({ './b': 1 }); y;",
        );
    }
}
