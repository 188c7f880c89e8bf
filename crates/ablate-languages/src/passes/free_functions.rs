//! Takes the functions of an `impl` or a trait out of it, as functions that stand for themselves.
//!
//! What a function is a part of is only a detour when the function alone shows the bug, and can't be
//! deleted around it as long as `self` and `Self` stand there: `struct c; impl c { fn f(&self) {} }`
//! becomes `struct c; fn f(_:&c) {}`. The type takes the place of `Self`, and what an associated type is
//! that of its name; parameters and bounds are joined; calls become calls of a function. All else in the
//! `impl` goes, so that of a trait one function may stay of the many that it asks for.
//!
//! Costs one test for each `impl` with functions and each trait that nothing else names, one more for each of
//! up to four functions where there are several; another for each of these where something else is called by
//! the name of a function that is called, and where a function does nothing with what it is called of, which
//! may go too.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "impl<T> c<T> where T: b { fn f(self) { self.a } }";
//! let seen = reductions("free_functions", "rust", text);
//! assert_eq!(seen, ["fn f<T>(d:c<T>) where T: b{ d.a }"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::names::Names;
use crate::owners::{How, Owner, Source};
use crate::passes::Finds;
use crate::tree::Syntax;

/// How many functions of one owner are also taken out one by one.
const FEW: usize = 4;

/// Frees functions; see the module.
#[derive(Clone, Debug)]
pub struct FreeFunctions(pub Rc<Syntax>);

impl Finds for FreeFunctions {
    const NAME: &'static str = "free_functions";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        if !tree.is_in("rust") {
            return Vec::new();
        }
        let names = Names::of(target, &self.0);
        let source = Source {
            text: target.elements(),
            tree: &tree,
            names: &names,
        };
        let owners = (1..tree.nodes().len()).filter_map(|node| Owner::of(&source, node));
        let mut patches = Vec::new();
        for owner in owners {
            let functions = owner.functions();
            let is_one_of_few = (2..=FEW).contains(&functions.len());
            let single = functions.chunks(1).filter(|_| is_one_of_few);
            for freed in single.chain([&functions[..]]).filter(|it| !it.is_empty()) {
                let how = How {
                    keeps_calls: false,
                    keeps_receivers: true,
                };
                patches.extend(owner.freed(freed, how));
                if freed.iter().any(|&it| owner.has_idle_receiver(it)) {
                    let keeps_receivers = false;
                    patches.extend(owner.freed(
                        freed,
                        How {
                            keeps_receivers,
                            ..how
                        },
                    ));
                }
                if owner.is_ambiguous(freed) {
                    let keeps_calls = true;
                    patches.extend(owner.freed(freed, How { keeps_calls, ..how }));
                }
            }
        }
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(before: &str, after: &str) {
        let seen = reductions("free_functions", "rust", before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn what_is_called_gets_what_it_was_called_of() {
        check(
            "struct c; impl c { fn f(&self, b: u8) { self.g().g() } fn g(&self) {} } fn h() { x.f(1) }",
            "struct c; fn f(a:&c, b: u8) { g(&g(a)) }fn g(_:&c) {} fn h() { f(&x,1) }",
        );
        check(
            "impl c { fn f() { Self::g(); Self::h(); } fn g() {} }",
            "fn f() { g(); c::h(); }fn g() {}",
        );
    }

    #[test]
    fn parameters_and_bounds_are_joined() {
        check(
            "impl<'x, T> d for c<'x, T> where T: a, { fn f<'y, U>(&mut self) -> U where U: b {} }",
            "fn f<'x,'y,T,U>(_:&mut c<'x, T>) -> U where T: a, U: b {}",
        );
    }

    #[test]
    fn self_becomes_what_it_is() {
        check(
            "impl d for c<u8> { type O = u16; fn f(self: Box<Self>) -> Self::O { Self { a: self } } }",
            "fn f(b: Box<c<u8>>) -> u16 { c { a: b } }",
        );
        check(
            "impl d for c<u8> { fn f(mut self) -> Self::O { Self(self) } }",
            "fn f(mut a:c<u8>) -> <c<u8>>::O { c(a) }",
        );
    }

    #[test]
    fn what_nothing_is_done_with_goes() {
        check(
            "impl c { fn f(&self, a: u8) {} fn g(self) { d(&self).f(1); c::f(&self, 2) } }",
            "fn f(a: u8) {}fn g(b:c) { f(1); f(2) }",
        );
    }

    #[test]
    fn what_a_path_says_of_types_is_said_behind_the_name() {
        check(
            "impl<'a, T> c<'a, T> { fn f() { Self::f(); c::<u8>::f() } }",
            "fn f<'a,T>() { f::<T>(); f::<u8>() }",
        );
    }

    #[test]
    fn others_of_its_name_stay() {
        check(
            "impl c { fn f(self) {} } impl d { fn f() {} fn g() {} fn h() {} fn i() {} fn j() {} }",
            "fn f(_:c) {} impl d { fn f() {} fn g() {} fn h() {} fn i() {} fn j() {} }",
        );
    }

    #[test]
    fn a_name_that_is_taken_is_another() {
        check(
            "impl c { fn f(self) {} } fn f() { c.f(); c::f(b) }",
            "fn a(_:c) {} fn f() { a(c); a(b) }",
        );
    }

    #[test]
    fn what_types_from_elsewhere_have_of_its_name_stays() {
        check(
            "impl<T> c<T> { fn new() { Box::new(c::<u8>::new()); std::vec::Vec::<T>::new() } }",
            "fn new<T>() { Box::new(new::<u8>()); std::vec::Vec::<T>::new() }",
        );
        check(
            "impl d for Vec<u8> { fn f() {} } fn g() { Vec::f() }",
            "fn f() {} fn g() { f() }",
        );
    }

    #[test]
    fn one_function_of_several_stays() {
        check("impl d for c { fn f() {} fn g() {} }", "fn g() {}");
    }

    #[test]
    fn a_trait_goes_that_nothing_else_names() {
        check("trait c: d { fn f(self) {} fn g(); }", "fn f<s: d>(_:s) {}");
        let text = "trait c: d { fn f(self) {} } impl c for u8 {}";
        assert!(reductions("free_functions", "rust", text).is_empty());
    }
}
