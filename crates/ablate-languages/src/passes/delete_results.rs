//! Deletes what a function returns: its type, and the value of each `return`.
//!
//! Neither can go alone where a language holds them against each other: `int f() { g(); return 1; }`
//! becomes `void f() { g(); }`, together with all other functions and declarations of that name, as what
//! an interface declares has to agree with it. What else the result was for goes before that, or the test
//! will say that it is used.
//!
//! Costs one test for each name of a function that returns something, in C#, Go, Java and Solidity:
//! elsewhere the one can go without the other, or the value is the body.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "class A { int f() { if (a) { return 2; } g(); return 1; } }";
//! let seen = reductions("delete_results", "java", text);
//! assert_eq!(seen, ["class A { void f() { if (a) { return; } g();  } }"]);
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;
use ablate_passes::formats::characters::is_word;

use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// Deletes results of functions; see the module.
#[derive(Clone, Debug)]
pub struct DeleteResults(pub Rc<Syntax>);

/// In each of these languages: the part of a function that says what it returns, and what stands there
/// where it returns nothing.
const RESULTS: &[(&str, &str, &[u8])] = &[
    ("c-sharp", "returns", b"void"),
    ("go", "result", b""),
    ("java", "type", b"void"),
    ("solidity", "return_type", b""),
];
/// Names that stand for more functions are left alone.
const FUNCTIONS_MAX: usize = 100;

/// What becomes of the `return`s in the body of a function, but not in functions within it.
fn of_returns(tree: &SyntaxTree, body: usize, edits: &mut Vec<Edit<u8>>) {
    const FUNCTIONS: &[&str] = &["lambda", "literal", "anonymous", "function", "class"];
    let nodes = tree.nodes();
    let is_statement = |&child: &usize| nodes[child].is_named && !nodes[child].is_extra;
    // In Go the statements stand in a list of their own.
    let mut block = body;
    if let Some(list) = tree
        .children(body)
        .find(|&it| tree.kind(it) == "statement_list")
    {
        block = list;
    }
    let last = tree.children(block).filter(is_statement).last();
    let mut at = body + 1;
    while at < nodes[body].next as usize {
        let kind = tree.kind(at);
        let is_return = kind == "return_statement";
        // Solidity has a node around each statement.
        let is_last = last.is_some_and(|last| nodes[last].range() == nodes[at].range());
        if is_return && is_last {
            edits.push(cut(nodes[at].start, nodes[at].end));
        } else if is_return {
            let mut parts = tree.children(at);
            let word = parts.next().map(|word| nodes[word].end);
            let value = parts.find(is_statement).map(|value| nodes[value].end);
            edits.extend(word.zip(value).map(|(start, end)| cut(start, end)));
        }
        let is_apart = is_return || FUNCTIONS.iter().any(|part| kind.contains(part));
        at = if is_apart {
            nodes[at].next as usize
        } else {
            at + 1
        };
    }
}

fn cut(start: u32, end: u32) -> Edit<u8> {
    let (start, end) = (start as usize, end as usize);
    let insert = None;
    Edit { start, end, insert }
}

impl Finds for DeleteResults {
    const NAME: &'static str = "delete_results";
    const RANK: u8 = 5;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let (text, tree) = (target.elements(), self.0.tree(target));
        let known = RESULTS.iter().find(|(language, ..)| tree.is_in(language));
        let Some(&(_, field, nothing)) = known else {
            return Vec::new();
        };
        let nodes = tree.nodes();
        let mut functions: BTreeMap<&[u8], Vec<(usize, usize)>> = BTreeMap::new();
        for (result, _) in nodes.iter().enumerate().filter(|(_, it)| it.is_named) {
            let function = nodes[result].parent as usize;
            let is_result = tree.field_name(&nodes[result]) == Some(field)
                && text[nodes[result].range()] != *nothing
                && (tree.part(function, "parameters").is_some() || tree.is_in("solidity"));
            if let Some(name) = tree.part(function, "name").filter(|_| is_result) {
                let all = functions.entry(&text[nodes[name].range()]).or_default();
                all.push((function, result));
            }
        }
        let few = functions.values().filter(|all| all.len() <= FUNCTIONS_MAX);
        let patches = few.filter_map(|all| {
            let mut edits = Vec::new();
            for &(function, result) in all {
                let mut insert = nothing.to_vec();
                // A name may stand right behind a `>`.
                let next = text.get(nodes[result].end as usize);
                if next.is_some_and(|&next| is_word(next)) && !nothing.is_empty() {
                    insert.push(b' ');
                }
                edits.push(Edit {
                    insert: (!insert.is_empty()).then(|| insert.into()),
                    ..cut(nodes[result].start, nodes[result].end)
                });
                if let Some(body) = tree.part(function, "body") {
                    of_returns(&tree, body, &mut edits);
                }
            }
            edits.sort_by_cached_key(|edit| edit.start);
            Patch::edits_of(edits).ok()
        });
        patches.collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("delete_results", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn what_has_one_name_returns_nothing_together() {
        check(
            "go",
            "type I interface { f() int }\nfunc (a A) f() int { return 1 }\n",
            "type I interface { f()  }\nfunc (a A) f()  {  }\n",
        );
    }

    #[test]
    fn functions_in_functions_still_return_something() {
        check(
            "java",
            "class A { int f() { g(() -> { return 1; }); return 2; } }",
            "class A { void f() { g(() -> { return 1; });  } }",
        );
        check(
            "go",
            "func f() int { g(func() bool { return a }); return 2 }\n",
            "func f()  { g(func() bool { return a });  }\n",
        );
        check(
            "c-sharp",
            "class A { async Task<int>F() { g(); return 2; } }",
            "class A { async void F() { g();  } }",
        );
        check(
            "solidity",
            "contract A { function f() public returns (uint) { g(); return 2; } }",
            "contract A { function f() public  { g();  } }",
        );
    }
}
