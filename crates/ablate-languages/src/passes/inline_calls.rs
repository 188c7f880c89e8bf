//! Puts what a function or a macro gives in place of all its calls, and deletes it.
//!
//! A function that only returns something is a detour: `int f(int a) { return a + 1; }` and `f(2)`
//! become `(2 + 1)`. So is a macro with parameters, and a function that is only called for what it
//! does.
//!
//! Costs one test for each function that is not longer than its calls.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int f(int a) { return a + 1; } int b = f(2);";
//! assert_eq!(reductions("inline_calls", "c", text), ["int b = (2 + 1);"]);
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::arguments::{entries, list_of};
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// What is called in more places is left alone.
const CALLS_MAX: usize = 50;
/// Longer functions are left alone.
const LONGEST: usize = 4096;

/// Inlines calls; see the module.
#[derive(Clone, Debug)]
pub struct InlineCalls(pub Rc<Syntax>);

/// What each function that can be inlined makes of the text.
fn inlinings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let mut patches = Vec::new();
    for &(definition, name) in &names.declarations {
        let definition = definition as usize;
        let Some(function) = Function::of(target.elements(), tree, names, definition, name) else {
            continue;
        };
        let Some(member) = members.around(&member_of, definition, true) else {
            continue;
        };
        let (start, end) = members.cut(member, member);
        let places = &names.by_name[name as usize];
        if places.len() > CALLS_MAX || tree.nodes()[function.value].len() > LONGEST {
            continue;
        }
        let nodes = places
            .iter()
            .map(|&at| names.occurrences[at as usize].node as usize);
        let outside =
            nodes.filter(|&node| !(start..end).contains(&(tree.nodes()[node].start as usize)));
        let calls = outside.map(|node| function.inlined(target.elements(), tree, node));
        let Some(mut edits) = calls.collect::<Option<Vec<Edit<u8>>>>() else {
            continue;
        };
        edits.push(Edit {
            start,
            end,
            insert: None,
        });
        let patch = Patch::edits_of(edits);
        patches.extend(patch.ok());
    }
    patches
}

/// A function or macro as it can be put in place of its calls.
struct Function {
    parameters: Vec<Range<usize>>,
    /// The node that stands for it.
    value: usize,
    /// Whether that is a block, which only stands for a statement.
    is_block: bool,
    is_macro: bool,
}

impl Function {
    fn of(
        text: &[u8],
        tree: &SyntaxTree,
        names: &Names,
        definition: usize,
        name: u32,
    ) -> Option<Function> {
        let nodes = tree.nodes();
        let field = |name: &str| {
            let mut children = tree.children(definition);
            children.find(|&child| tree.field_name(&nodes[child]) == Some(name))
        };
        let is_macro = tree.kind(definition) == "preproc_function_def";
        let body = field(if is_macro { "value" } else { "body" })?;
        let range = names.range_within(tree, definition);
        let own = names.occurrences[range].iter().find(|o| o.name == name)?;
        let list = list_of(text, tree, own.node as usize, false)?;
        let parameters = entries(tree, list).map(|entry| {
            let range = names.range_within(tree, entry);
            let name = names.occurrences[range].last()?;
            Some(nodes[name.node as usize].range())
        });
        let mut parts = entries(tree, body);
        let (first, second) = (parts.next(), parts.next());
        let is_return = |&part: &usize| tree.kind(part).starts_with("return");
        let result = first.filter(|_| second.is_none()).filter(is_return);
        let result = result.and_then(|result| entries(tree, result).next());
        Some(Function {
            parameters: parameters.collect::<Option<Vec<Range<usize>>>>()?,
            value: result.unwrap_or(body),
            is_block: !is_macro && result.is_none(),
            is_macro,
        })
    }

    /// What comes in place of the call of the function that is named in a node.
    fn inlined(&self, text: &[u8], tree: &SyntaxTree, name: usize) -> Option<Edit<u8>> {
        let nodes = tree.nodes();
        let list = list_of(text, tree, name, false)?;
        let mut call = nodes[list].parent as usize;
        if nodes[call].start != nodes[name].start || tree.kind(list).contains("param") {
            return None;
        }
        if self.is_block {
            call = nodes[call].parent as usize;
            if tree.kind(call) != "expression_statement" {
                return None;
            }
        }
        let arguments: Vec<usize> = entries(tree, list).collect();
        if arguments.len() != self.parameters.len() {
            return None;
        }
        let argument = |&number: &usize| &text[nodes[number].range()];
        let names = self.parameters.iter().map(|range| &text[range.clone()]);
        let by_name: BTreeMap<&[u8], &[u8]> = names.zip(arguments.iter().map(argument)).collect();
        let value = substituted(text[nodes[self.value].range()].trim_ascii(), &by_name);
        let is_whole =
            self.is_block || self.is_macro || nodes[self.value].next as usize == self.value + 1;
        let insert = if is_whole {
            value
        } else {
            [b"(", &value[..], b")"].concat()
        };
        Some(Edit {
            start: nodes[call].start as usize,
            end: nodes[call].end as usize,
            insert: (!insert.is_empty()).then(|| insert.as_slice().into()),
        })
    }
}

/// A text with other texts in place of some of its words.
fn substituted(text: &[u8], by_name: &BTreeMap<&[u8], &[u8]>) -> Vec<u8> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    let same_kind = |a: &u8, b: &u8| is_word(*a) && is_word(*b);
    let words = text.chunk_by(same_kind);
    let replaced = words.map(|word| by_name.get(word).copied().unwrap_or(word));
    replaced.collect::<Vec<&[u8]>>().concat()
}

impl Finds for InlineCalls {
    const NAME: &'static str = "inline_calls";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        inlinings(target, &members, &names)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, text: &str, expected: &str) {
        let seen = reductions("inline_calls", language, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
    }

    #[test]
    fn macros_are_inlined_with_their_arguments() {
        let text = "#define A(b, c) ((b) * c)\nint d = A(1, 2);\n";
        check("c", text, "int d = ((1) * 2);\n");
    }

    #[test]
    fn what_is_called_for_what_it_does_is_inlined_as_a_block() {
        let text = "void f(int a) { g(a); } int h() { f(1); }";
        check("c", text, "int h() { { g(1); } }");
    }

    #[test]
    fn functions_of_other_languages_are_inlined_too() {
        let text = "function f(a) { return a; } b(f(1));";
        check("javascript", text, "b(1);");
    }
}
