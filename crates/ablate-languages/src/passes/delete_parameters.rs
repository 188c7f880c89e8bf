//! Deletes a parameter of a function together with its argument in every call, and in every other
//! declaration of the function.
//!
//! Neither can go alone where the language counts arguments: `int f(int a, int b) { b; }` and
//! `f(1, 2)` become `int f(int b) { b; }` and `f(2)`. So it is with the parameters and arguments of
//! templates and of generic types, which are none any more without their last parameter. What was declared
//! for such an argument alone goes with it: `impl<T, U> A<T, U> {}` becomes `impl<T> A<T> {}`.
//!
//! Costs one test for each parameter, another where something was declared for its arguments. What the
//! body does with it is not looked at: where it is still used, the test will say so.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_parameters", "c", "int f(int a, int b) { b; } int c = f(1, 2);");
//! assert!(seen.contains(&"int f(int b) { b; } int c = f(2);".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::arguments::{cuts_of, entries, lists_of, matched};
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// What has more nodes is not searched for uses of a parameter.
const ITEM_MAX: usize = 1 << 12;

/// Deletes a parameter with its arguments; see the module.
#[derive(Clone, Debug)]
pub struct DeleteParameters(pub Rc<Syntax>);

/// The cuts for each parameter.
fn deletions(text: &[u8], members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let mut patches: Vec<Patch<u8>> = Vec::new();
    for places in &names.by_name {
        for is_of_types in [false, true] {
            let lists = lists_of(text, tree, names, places, is_of_types);
            let is_declaring = |&list: &usize| tree.kind(list).contains("param");
            let most = lists.iter().filter(|list| is_declaring(list));
            let most = most.map(|&list| matched(text, tree, list).count()).max();
            for index in 0..most.unwrap_or(0) {
                let mut cuts = cuts_of(text, members, &member_of, &lists, index, is_of_types);
                patches.push(Patch::cuts(cuts.clone()));
                let entries = lists.iter().filter(|_| is_of_types);
                let entries = entries.filter_map(|&list| matched(text, tree, list).nth(index));
                let idle = entries.filter_map(|entry| declared_for(text, tree, entry));
                let idle = idle.filter_map(|entry| members.cut_node(&member_of, entry));
                let known = cuts.len();
                cuts.extend(idle);
                if cuts.len() > known {
                    patches.push(Patch::cuts(cuts));
                }
            }
        }
    }
    patches
}

/// The parameter of a type that is there for nothing but an argument.
fn declared_for(text: &[u8], tree: &SyntaxTree, argument: usize) -> Option<usize> {
    let nodes = tree.nodes();
    let word = &text[nodes[argument].range()];
    let list_of = |item: usize| {
        let lists = ["type_parameters", "parameters"].into_iter();
        let mut lists = lists.filter_map(move |field| tree.part(item, field));
        lists.find(|&list| {
            tree.kind(list).contains("type_param") || tree.kind(list).contains("template_param")
        })
    };
    let (item, declared) = tree.and_around(argument).find_map(|item| {
        let list = list_of(item)
            .filter(|&list| list > argument || (nodes[list].next as usize) <= argument)?;
        let mut all = entries(tree, list);
        let declared = all.find(|&entry| {
            let inside = entry..nodes[entry].next as usize;
            let mut words = inside
                .filter(|&it| tree.kind(it).ends_with("identifier") || tree.kind(it) == "lifetime");
            words
                .next()
                .is_some_and(|it| text[nodes[it].range()] == *word)
        })?;
        Some((item, declared))
    })?;
    let inside = item..nodes[item].next as usize;
    if inside.len() > ITEM_MAX {
        return None;
    }
    let is_leaf = |it: usize| nodes[it].next as usize == it + 1 || tree.kind(it) == "lifetime";
    let uses = inside.filter(|&it| is_leaf(it) && text[nodes[it].range()] == *word);
    (uses.count() == 2).then_some(declared)
}

impl Finds for DeleteParameters {
    const NAME: &'static str = "delete_parameters";
    const RANK: u8 = 7;

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
        let seen = reductions("delete_parameters", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn what_a_method_is_called_of_is_no_argument() {
        check(
            "python",
            "class A:\n    def f(self, a): b\nc.f(1)\n",
            "class A:\n    def f(self): b\nc.f()\n",
        );
        check(
            "python",
            "class A:\n    @staticmethod\n    def f(a): b\nA.f(1)\n",
            "class A:\n    @staticmethod\n    def f(): b\nA.f()\n",
        );
        check(
            "rust",
            "impl A { fn f(&self, a: u8) {} } fn g() { b.f(1) }",
            "impl A { fn f(&self) {} } fn g() { b.f() }",
        );
    }

    #[test]
    fn what_was_declared_for_an_argument_goes_with_it() {
        check(
            "rust",
            "struct A<'a, T, U>(&'a T, U); impl<'b, T: C, U> A<'b, T, U> { fn f(a: U) {} }",
            "struct A<'a, U>(&'a T, U); impl<'b, U> A<'b, U> { fn f(a: U) {} }",
        );
        check(
            "rust",
            "struct A<'a, T, U>(&'a T, U); impl<'b, T: C, U> A<'b, T, U> { fn f(a: U) {} }",
            "struct A<T, U>(&'a T, U); impl<T: C, U> A<T, U> { fn f(a: U) {} }",
        );
        check(
            "cpp",
            "template<class A, class B> struct X; template<class C, class D> struct X<C, D> { C c; };",
            "template<class A> struct X; template<class C> struct X<C> { C c; };",
        );
    }

    #[test]
    fn what_types_from_elsewhere_have_of_its_name_keeps_its_arguments() {
        check(
            "rust",
            "impl A { fn new(a: u8) {} } fn f() { Box::new(A::new(1)) }",
            "impl A { fn new() {} } fn f() { Box::new(A::new()) }",
        );
    }

    #[test]
    fn a_class_is_called_with_the_arguments_of_its_constructor() {
        check(
            "python",
            "class A:\n    def __init__(self, a): b\nA(1)\n",
            "class A:\n    def __init__(self): b\nA()\n",
        );
        check(
            "javascript",
            "class A { constructor(a) {} } new A(1);",
            "class A { constructor() {} } new A();",
        );
        check(
            "php",
            "<?php class A { function __construct($a) {} } new A(1);",
            "<?php class A { function __construct() {} } new A();",
        );
        check(
            "ruby",
            "class A\ndef initialize(a)\nend end\nA.new(1)\n",
            "class A\ndef initialize()\nend end\nA.new()\n",
        );
        check(
            "kotlin",
            "class A(val a: Int)\nval b = A(1)\n",
            "class A()\nval b = A()\n",
        );
    }

    #[test]
    fn a_function_may_be_the_value_of_what_is_called() {
        check(
            "javascript",
            "let f = (a) => b; f(1);",
            "let f = () => b; f();",
        );
        check(
            "javascript",
            "A.f = function (a) {}; A.f(1);",
            "A.f = function () {}; A.f();",
        );
        check("python", "f = lambda a: b\nf(1)\n", "f = lambda: b\nf()\n");
    }

    #[test]
    fn parameters_that_share_a_type_go_one_by_one() {
        check(
            "go",
            "func f(a, b int, c string) {}\nfunc g() { f(1, 2, h) }\n",
            "func f(a int, c string) {}\nfunc g() { f(1, h) }\n",
        );
        check(
            "go",
            "func f[A, B any](a A) {}\nfunc g() { f[int, bool](1) }\n",
            "func f[B any](a A) {}\nfunc g() { f[bool](1) }\n",
        );
    }

    #[test]
    fn what_stands_before_the_name_of_a_method_is_no_parameter_of_it() {
        check(
            "go",
            "func (a A) f(b, c int) {}\nfunc g(a A) { a.f(1, 2) }\n",
            "func (a A) f(c int) {}\nfunc g(a A) { a.f(2) }\n",
        );
        check(
            "go",
            "type I interface { f(int) }\nfunc (a A) f(b int) {}\nfunc g(a A) { a.f(1) }\n",
            "type I interface { f() }\nfunc (a A) f() {}\nfunc g(a A) { a.f() }\n",
        );
    }

    #[test]
    fn what_has_no_parameters_left_is_no_template_any_more() {
        check(
            "cpp",
            "template<class T> struct A {}; A<int> a;",
            "struct A {}; A a;",
        );
        check(
            "rust",
            "fn f<T>() {} fn g() { f::<u8>() }",
            "fn f() {} fn g() { f() }",
        );
        check(
            "typescript",
            "class A<T> {} let a: A<number>;",
            "class A {} let a: A;",
        );
        check("java", "class A<T> { A<String> a; }", "class A { A a; }");
    }
}
