//! Deletes the bodies of functions together with what only they need.
//!
//! That there is a function may matter where what it does doesn't, and a body names more than a head: of
//! `int a() { return 1; } int b() { return a(); }` remains `int b() ;`, without `a`. Where not all can go, since
//! some are called by what is computed when the text is compiled, or have the bug, halves of them can, and so
//! on. What a class has since something outside of the text that it is derived from may have it stays.
//!
//! A function that has the bug may be one that only such bodies call: so each part is tried once more where the
//! other functions stay, whoever needs them.
//!
//! Costs two tests for each part of the functions, from all of them down to those that make up a 256th of the
//! text; functions that may be computed when the text is compiled are parts of their own, and come later.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int a() { return 1; } int b() { return a(); } int c() { return 2; }";
//! let seen = reductions("delete_bodies", "c", text);
//! assert!(seen.contains(&"int b() ; int c() ;".to_owned()));
//! assert!(seen.contains(&"int b() ; int c() { return 2; }".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::needs::{Needs, Without};
use crate::passes::{add_runs, sort_largest_last};
use crate::tree::Syntax;
use crate::weights::Weights;

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 256;
/// Parts of functions that may be computed when the text is compiled are tried with those of others that
/// are so many times smaller: mostly one of many is computed.
const LATER: usize = 8;

/// Deletes bodies with what only they need; see the module.
#[derive(Clone, Debug)]
pub struct DeleteBodies(pub Rc<Syntax>);

/// Parts of the bodies that can go, the largest last.
struct Parts {
    /// Bodies that are not within each other, those that are never evaluated first.
    bodies: Vec<u32>,
    /// The first and the last of each part, and whether all other functions stay.
    parts: Vec<(u32, u32, bool)>,
}

impl Parts {
    fn of(target: &Target<u8>, needs: &Needs) -> Parts {
        let all = &needs.items.bodies;
        let mut bodies: Vec<u32> = Vec::new();
        for (number, body) in (0..).zip(all) {
            let last = bodies.last().map(|&last| all[last as usize].next);
            if last.is_none_or(|next| next <= body.node) {
                bodies.push(number);
            }
        }
        let range = |body: u32| all[body as usize].range;
        let is_evaluated = |&body: &u32| all[body as usize].is_evaluated;
        bodies.sort_by_cached_key(is_evaluated);
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let middle = bodies.iter().filter(|body| !is_evaluated(body)).count();
        let mut parts = Vec::new();
        for (start, end, later) in [(0, middle, 1), (middle, bodies.len(), LATER)] {
            let mut add = |first: usize, last: usize| {
                let ranges = bodies[first..=last].iter().map(|&body| range(body));
                let size: usize = ranges.map(|(start, end)| (end - start) as usize).sum();
                if size >= smallest {
                    let at = range(bodies[last]).0 as usize;
                    let (size, first, last) = (size / later, first as u32, last as u32);
                    parts.push(((first, last, false), size, at));
                    // Before its halves.
                    parts.push(((first, last, true), size / 2, target.len() + at));
                }
                size >= smallest
            };
            if start < end {
                add_runs(start, end - 1, &mut add);
            }
        }
        sort_largest_last(&mut parts, |&(_, size, at)| (size, at));
        Parts {
            bodies,
            parts: parts.into_iter().map(|part| part.0).collect(),
        }
    }
}

impl Pass<u8> for DeleteBodies {
    fn name(&self) -> &'static str {
        "delete_bodies"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let needs = Needs::of(target, &self.0);
        let parts = target.analysis(|target| Parts::of(target, &needs));
        let (first, last, others_stay) = parts.parts[chooser.any(0..parts.parts.len())?];
        let mut is_hollow = vec![false; needs.items.bodies.len()];
        for &body in &parts.bodies[first as usize..=last as usize] {
            is_hollow[body as usize] = true;
        }
        let without = Without {
            is_blocked: needs.in_bodies(&is_hollow),
            ..Without::default()
        };
        let weights = Weights::of(target, &self.0);
        let kept = if others_stay {
            needs.left_with_others(&without, &is_hollow)
        } else {
            needs.left(&without)
        };
        let was_kept =
            |item: u32| weights.kept.is_kept[item as usize] || without.is_blocked[item as usize];
        let patch = needs.removal(&members, was_kept, &kept.is_kept, &is_hollow);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;
    use crate::find;

    fn check(text: &str, expected: &[&str]) {
        let seen = reductions("delete_bodies", "cpp", text);
        for candidate in expected {
            assert!(seen.iter().any(|seen| seen == candidate), "{seen:#?}");
        }
    }

    #[test]
    fn what_may_be_computed_by_the_compiler_goes_for_itself() {
        let text =
            "constexpr int a() { return 1; } int b() { return 2; } constexpr int c() { return 3; }";
        let plain = "constexpr int a() { return 1; } int b() ; constexpr int c() { return 3; }";
        let evaluated = "constexpr int a() ; int b() { return 2; } constexpr int c() ;";
        check(text, &[plain, evaluated]);
    }

    #[test]
    fn what_may_be_computed_by_the_compiler_goes_later() {
        let text = "constexpr int a() { return 1 + 2 + 3; } int b() { return 2; }";
        let seen = reductions("delete_bodies", "cpp", text);
        assert_eq!(seen[0], "constexpr int a() { return 1 + 2 + 3; } int b() ;");
    }

    #[test]
    fn a_function_of_intermediate_code_becomes_a_declaration() {
        let text = "@a = global i32 0\n\
            define internal fastcc i32 @f(i32 %b) unnamed_addr #0 comdat($c) personality ptr @g !dbg !1 {\n\
            %d = load i32, ptr @a\nret i32 %d\n}\ndeclare i32 @g(...)\n\
            define i32 @h() {\n%e = call fastcc i32 @f(i32 1)\nret i32 %e\n}\n!1 = !{}\n";
        let head = "declare  fastcc i32 @f(i32 %b) unnamed_addr #0    \ndeclare i32 @g(...)\n";
        let rest = "define i32 @h() {\n%e = call fastcc i32 @f(i32 1)\nret i32 %e\n}\n!1 = !{}\n";
        let seen = reductions("delete_bodies", "llvm", text);
        assert!(seen.contains(&(head.to_owned() + rest)), "{seen:#?}");
        // Its name is in its head, which stays where the function does.
        let head = &text[..text.find("define i32 @h").unwrap()];
        let without_h = head.to_owned() + "declare i32 @h() \n!1 = !{}\n";
        assert!(seen.contains(&without_h), "{seen:#?}");
    }

    #[test]
    fn what_says_nowhere_else_what_it_gives_stays() {
        let text = "auto a() { return 1; } auto b() -> int { return 2; }";
        check(text, &["auto a() { return 1; } auto b() -> int ;"]);
    }

    #[test]
    fn a_friend_with_attributes_stays_whole() {
        let text = "struct A { [[nodiscard]] friend int a() { return 1; } int b() { return 2; } };";
        let expected = "struct A { [[nodiscard]] friend int a() { return 1; } int b() ; };";
        check(text, &[expected]);
    }

    #[test]
    fn a_member_goes_with_its_definition() {
        let text = "int c() { return 1; } struct A { A() : b(c()) { } int b; int d(); }; \
                    int A::d() { return b; } A e;";
        check(text, &["struct A { A() ; int b; int d(); }; A e;"]);
    }

    #[test]
    fn an_attribute_needs_its_class_by_either_of_its_names() {
        let text =
            "class FAttribute : System.Attribute { } class A { [F] int h() { return 1000; } }";
        let expected =
            "class FAttribute : System.Attribute { } class A { [F] int h() {throw null;} }";
        assert_eq!(reductions("delete_bodies", "c-sharp", text)[0], expected);
    }

    #[test]
    fn what_a_declaration_declares_does_not_go_without_it() {
        // The grammar can't read most of it.
        let text = "a a({00(000 E0 ( }const a E0;{-(0(0((0?0(0({0";
        assert!(!reductions("delete_bodies", "c-sharp", text).is_empty());
        for seen in reductions("delete_bodies", "c-sharp", text) {
            assert!(!seen.contains("const;"), "{seen}");
        }
    }

    #[test]
    fn what_is_named_by_what_nothing_seems_to_need_stays() {
        let text = "class A { int f() { return g(); } int g() { return f() + k(); } int k() { return 1; } int h() { return k(); } }";
        let seen = reductions("delete_bodies", "java", text);
        let expected = text.replace("{ return k(); }", "{throw null;}");
        assert!(seen.contains(&expected), "{seen:#?}");
    }

    #[test]
    fn bodies_that_are_expressions_become_what_is_of_any_type() {
        for (language, text, expected) in [
            (
                "kotlin",
                "fun a(): Int = b(1000000000000)\nfun b(c: Int): Int { return c + 1000 }\nfun d() = b(2000)\n",
                "fun a(): Int = throw Error()\nfun b(c: Int): Int {throw Error()}\nfun d() = b(2000)\n",
            ),
            (
                "kotlin",
                "val a: Int get() = b(1000000000000)\nval c get() = b(2000)\nfun b(c: Int) = c\n",
                "val a: Int get() = throw Error()\nval c get() = b(2000)\nfun b(c: Int) = c\n",
            ),
            (
                "scala",
                "object A { def a: Int = b(1000); private def b(c: Int) = c; private def e(f: Int) = f + 1000 }",
                "object A { def a: Int = ???; private def e(f: Int) = f + 1000 }",
            ),
            (
                "ocaml",
                "let b c = c + 1\nlet a c = match c with [] -> 1 | d :: _ -> b d\nlet e = 1\n",
                "let a c = assert false\nlet e = 1\n",
            ),
            (
                "haskell",
                "a' :: Int -> Int\na' 0 = b' 1000 + 1\na' c | c > 2 = b' (c + 2000)\nb' c = c + 10000\n",
                "a' :: Int -> Int\na' 0 = undefined\na' c = undefined\n",
            ),
        ] {
            if find(language).is_none() {
                continue;
            }
            let seen = reductions("delete_bodies", language, text);
            assert!(
                seen.iter().any(|seen| seen == expected),
                "{language} {seen:#?}"
            );
        }
    }

    #[test]
    fn what_only_such_bodies_call_stays_once_more() {
        let text =
            "int a() { return 1 + 2; } int b() { return a() + a() + a(); } int c() { return b(); }";
        check(
            text,
            &[
                "int c() ;",
                "int a() { return 1 + 2; } int b() { return a() + a() + a(); } int c() ;",
            ],
        );
    }

    #[test]
    fn a_function_does_not_stay_for_one_in_its_body_that_goes() {
        let text = "class A { private void f() { new B() { void g() { int i = 1; } }; } int h() { f(); f(); return 1000; } }";
        let seen = reductions("delete_bodies", "java", text);
        assert!(
            seen.contains(&"class A { int h() {throw null;} }".to_owned()),
            "{seen:#?}"
        );
        let is_hollow = |seen: &&String| seen.matches("throw null").count() > 1;
        assert_eq!(seen.iter().find(is_hollow), None);
    }
}
