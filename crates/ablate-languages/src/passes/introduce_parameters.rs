//! Makes what a function computes a parameter of it.
//!
//! How a value comes about often doesn't matter where its type does: `fn f() { g(Vec::<u8>::new()) }` becomes
//! `fn f(a: Vec<u8>) { g(a) }`, and `fn f() { let a: T = g(); }` becomes `fn f(a: T) {}`, so that what was
//! called can go. Types that are not written there are guessed, of what functions return and
//! take, and of what has the method that is called; what those are parameters of becomes `()`.
//!
//! Costs one test for each value and each of up to six types, where the text gets shorter.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "fn f() { g(Vec::<u8>::new()) }";
//! let seen = reductions("introduce_parameters", "rust", text);
//! assert_eq!(seen, ["fn f(a:Vec<u8>) { g(a) }"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::arguments::entries;
use crate::generics::edit;
use crate::owners::unused_name;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};
use crate::value_types::ValueTypes;

/// Introduces parameters; see the module.
#[derive(Clone, Debug)]
pub struct IntroduceParameters(pub Rc<Syntax>);

/// A function that may get another parameter.
struct Function {
    node: usize,
    /// Where the parameter is put, and whether another one stands before it.
    place: usize,
    is_next: bool,
    /// A name that is free.
    name: Vec<u8>,
}

impl Function {
    /// The function that a node is, unless something else says what its parameters are.
    fn of(types: &ValueTypes<'_>, node: usize) -> Option<Function> {
        let (text, tree) = (types.text, types.tree);
        let owner = tree.nodes()[tree.nodes()[node].parent as usize].parent as usize;
        let is_bound = tree.kind(owner) == "trait_item" || tree.part(owner, "trait").is_some();
        if tree.kind(node) != "function_item" || is_bound {
            return None;
        }
        let name = types.part(tree.part(node, "name")?);
        let list = tree.part(node, "parameters").filter(|_| name != b"main")?;
        tree.part(node, "body")?;
        let inside = text[tree.nodes()[list].range()].strip_suffix(b")")?;
        let place = tree.nodes()[list].start as usize + inside.len();
        Some(Function {
            node,
            place,
            is_next: entries(tree, list).next().is_some()
                && !inside.trim_ascii_end().ends_with(b","),
            name: unused_name(text, tree, node, b'a'),
        })
    }

    /// The edits that put a parameter in, and something where its value was.
    fn with(&self, name: &[u8], of_type: &[u8], rest: Edit<u8>) -> Option<Patch<u8>> {
        let comma: &[u8] = if self.is_next { b"," } else { b"" };
        let parameter = [comma, name, b":", of_type].concat();
        let edits = [edit(self.place..self.place, &parameter), rest];
        Patch::edits_of(edits).ok()
    }
}

/// Whether what stands there is worth a parameter.
fn is_computed(tree: &SyntaxTree, node: usize) -> bool {
    let kind = tree.kind(node);
    let is_value = kind.ends_with("_expression") || kind == "macro_invocation";
    let around = tree.kind(tree.nodes()[node].parent as usize);
    is_value && !matches!(around, "expression_statement" | "let_declaration" | "block")
}

impl Finds for IntroduceParameters {
    const NAME: &'static str = "introduce_parameters";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        if !tree.is_in("rust") {
            return Vec::new();
        }
        let types = ValueTypes::of(target.elements(), &tree);
        let mut patches = Vec::new();
        let all = 0..tree.nodes().len();
        for function in all.filter_map(|node| Function::of(&types, node)) {
            let end = tree.nodes()[function.node].next as usize;
            let mut node = tree.part(function.node, "body").unwrap_or(end);
            while node < end {
                if tree.kind(node) == "function_item" {
                    node = tree.nodes()[node].next as usize;
                    continue;
                }
                patches.extend(introduced(&types, &function, node));
                node += 1;
            }
        }
        patches
    }
}

/// What becomes of the text when what a node computes or declares is a parameter.
fn introduced(types: &ValueTypes<'_>, function: &Function, node: usize) -> Vec<Patch<u8>> {
    let tree = types.tree;
    let range = tree.nodes()[node].range();
    if tree.kind(node) != "let_declaration" {
        let all = is_computed(tree, node).then(|| types.guesses(node, function.node));
        let patches = all.into_iter().flatten().filter_map(|of_type| {
            let used = edit(range.clone(), &function.name);
            function.with(&function.name, &of_type, used)
        });
        return patches.collect();
    }
    let pattern = tree.part(node, "pattern");
    let Some(pattern) = pattern.filter(|_| tree.part(node, "alternative").is_none()) else {
        return Vec::new();
    };
    let is_mutable = tree
        .children(node)
        .any(|it| tree.kind(it) == "mutable_specifier");
    let before: &[u8] = if is_mutable { b"mut " } else { b"" };
    let name = [before, types.part(pattern)].concat();
    let all = match (tree.part(node, "type"), tree.part(node, "value")) {
        (Some(of_type), _) => vec![types.part(of_type).to_vec()],
        (None, Some(value)) => types.guesses(value, function.node),
        (None, None) => Vec::new(),
    };
    let patches = all.into_iter();
    let patches =
        patches.filter_map(|of_type| function.with(&name, &of_type, edit(range.clone(), b"")));
    patches.collect()
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(before: &str, after: &str) {
        let seen = reductions("introduce_parameters", "rust", before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn variables_become_parameters() {
        check(
            "fn f(b: u8,) { let mut a: Box<dyn T> = g(b); a.h(); }",
            "fn f(b: u8,mut a:Box<dyn T>) {  a.h(); }",
        );
        check(
            "struct S; fn f(b: u8) { let (a, c) = (S, b); }",
            "struct S; fn f(b: u8,(a, c):(S,u8,)) {  }",
        );
    }

    #[test]
    fn what_is_called_says_what_it_returns() {
        check(
            "struct S<T>(T); impl<T> S<T> { fn g(t: T) -> Self { S(t) } } fn f() { h(S::g(12345678)) }",
            "struct S<T>(T); impl<T> S<T> { fn g(t: T) -> Self { S(t) } } fn f(a:S<()>) { h(a) }",
        );
    }

    #[test]
    fn what_has_the_method_may_be_that() {
        check(
            "impl<'x, T> I for S<'x, T> { fn i(self) {} } type B = S<'static, [u8]>; fn f() { some(thing(0)).i() }",
            "impl<'x, T> I for S<'x, T> { fn i(self) {} } type B = S<'static, [u8]>; fn f(a:S<()>) { a.i() }",
        );
        check(
            "impl<'x, T> I for S<'x, T> { fn i(self) {} type B = S<'x, [T]>; } fn f() { some(thing(0)).i() }",
            "impl<'x, T> I for S<'x, T> { fn i(self) {} type B = S<'x, [T]>; } fn f(a:S<[()]>) { a.i() }",
        );
    }

    #[test]
    fn an_associated_type_may_be_what_some_type_has() {
        check(
            "impl<T> c for Vec<T> { type d<'a> = &'a [T]; } fn c<T: c>(a: &T) -> T::d<'_> {} fn f() { g(c(&Vec::<()>::new())) }",
            "impl<T> c for Vec<T> { type d<'a> = &'a [T]; } fn c<T: c>(a: &T) -> T::d<'_> {} fn f(a:&[()]) { g(a) }",
        );
    }

    #[test]
    fn what_is_promised_elsewhere_stays() {
        let text =
            "impl c for d { fn f() { g(Vec::<u8>::new()) } } fn main() { g(Vec::<u8>::new()) }";
        assert!(reductions("introduce_parameters", "rust", text).is_empty());
    }
}
