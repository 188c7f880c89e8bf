//! Leaves of definitions only that they are there, from somewhere on: of those that are further away from what
//! matters.
//!
//! What a library says of itself hangs together: of a concept that is made of others, which ask for traits, which are
//! classes with bases, nearly all is kept with what needs it. But the further away something is from what nothing
//! needs, by the names that lead there, the less it mostly matters what it is: of
//! `template<class T> concept A = B<T>;` remains `template<class T> concept A = true;`, a type stands for `int`, a
//! class has no bases, and what only they need goes with that. What is named as a class by what stays is left as it
//! is.
//!
//! Costs a test for all definitions, all but the nearest one, two, four, seven, and so on, and then for each half of
//! them, quarter, and smaller part. In C++ only.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "template<class T> struct A {}; typedef A<int> B; B b();";
//! let seen = reductions("hollow_definitions", "cpp", text);
//! assert_eq!(seen[0], "typedef int B; B b();");
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;
use ablate_passes::formats::characters::is_word;

use crate::gone::with_needless;
use crate::hollows::Hollows;
use crate::members::Members;
use crate::names::Names;
use crate::needs::Needs;
use crate::passes::add_runs;
use crate::tree::Syntax;
use crate::weights::Weights;

/// Parts of the definitions below this share are left to other passes.
const SMALLEST_SHARE: usize = 16;

/// Hollows definitions with what only they need; see the module.
#[derive(Clone, Debug)]
pub struct HollowDefinitions(pub Rc<Syntax>);

/// The parts of definitions that can be simple, and runs of them, what is tried first last.
struct Runs {
    hollows: Hollows,
    runs: Vec<(usize, usize)>,
}

impl Runs {
    fn of(hollows: Hollows) -> Runs {
        let mut runs = Vec::new();
        let count = hollows.nearest.len();
        if count == 0 {
            return Runs { hollows, runs };
        }
        let smallest = (count / SMALLEST_SHARE).max(1);
        add_runs(0, count - 1, &mut |first, last| {
            let is_large = last + 1 - first >= smallest;
            if is_large && last + 1 - first < count {
                runs.push((first, last));
            }
            is_large
        });
        runs.sort_by_cached_key(|&(first, last)| (last - first, first));
        let near = std::iter::successors(Some(0), |near| Some(3 * near / 2 + 1));
        let mut far: Vec<(usize, usize)> = (near.take_while(|&near| near < count))
            .map(|near| (near, count - 1))
            .collect();
        far.reverse();
        runs.append(&mut far);
        Runs { hollows, runs }
    }
}

impl Pass<u8> for HollowDefinitions {
    fn name(&self) -> &'static str {
        "hollow_definitions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        if self.0.language().name != "cpp" {
            return Err(DeadBranch);
        }
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let needs = Needs::of(target, &self.0);
        let weights = Weights::of(target, &self.0);
        let tree = members.tree();
        let runs = target.analysis(|target| {
            let text = target.elements();
            Runs::of(Hollows::of(text, tree, &names, &needs.items, &weights))
        });
        let (first, last) = runs.runs[chooser.any(0..runs.runs.len())?];
        let numbers = &runs.hollows.nearest[first..=last];
        let (hollows, without, kept) = runs.hollows.chosen(numbers, &needs, &names, tree);
        let edits = hollows.iter().map(|hollow| {
            let next = target.elements().get(hollow.end as usize);
            let keeps_apart = next.is_some_and(|&byte| is_word(byte));
            let mut insert = hollow.text.as_bytes().to_vec();
            if keeps_apart && !insert.is_empty() {
                insert.push(b' ');
            }
            Edit {
                start: hollow.start as usize,
                end: hollow.end as usize,
                insert: (!insert.is_empty()).then(|| insert.into()),
            }
        });
        let patch = Patch::edits_of(edits).map_err(|_| DeadBranch)?;
        with_needless(&patch, &without, &kept, &members, &needs, &weights)
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

    fn check(text: &str, expected: &[&str]) {
        let seen = reductions("hollow_definitions", "cpp", text);
        for candidate in expected {
            assert!(seen.iter().any(|seen| seen == candidate), "{seen:#?}");
        }
    }

    #[test]
    fn what_is_near_stays() {
        let text = "template<class T> concept A = sizeof(T) > 1; template<class T> concept B = A<T>; \
                    template<class T> concept C = B<T>; template<C T> void f(T);";
        let expected = [
            "template<class T> concept C = true; template<C T> void f(T);",
            "template<class T> concept B = true; template<class T> concept C = B<T>; \
             template<C T> void f(T);",
        ];
        check(text, &expected);
    }

    #[test]
    fn what_is_named_as_a_class_stays_one() {
        let text = "struct A { typedef int a; }; template<class T> struct B : A {}; \
                    typedef B<int> C; typedef B<char> D; C::a d(D);";
        let expected = "struct A { typedef int a; }; template<class T> struct B : A {}; \
                        typedef B<int> C; typedef long D; C::a d(D);";
        check(text, &[expected]);
    }

    #[test]
    fn types_that_tell_functions_apart_differ() {
        let text = "template<class T> struct A {}; using B = A<int>; using C = A<char>; \
                    void f(B, C); void f(C, B);";
        let seen = reductions("hollow_definitions", "cpp", text);
        assert!(
            seen[0].contains("using B = int; using C = long;"),
            "{seen:#?}"
        );
    }

    #[test]
    fn what_is_computed_stays() {
        let text = "int a(); int b() { static_assert(sizeof(a()) > 1); return a(); }";
        assert!(reductions("hollow_definitions", "cpp", text).is_empty());
    }

    #[test]
    fn words_stay_apart() {
        let text = "int a(); typedef decltype(a())B; B b();";
        check(text, &["typedef int B; B b();"]);
        let text = "int a(); typedef decltype(a())\u{e4}; \u{e4} b();";
        check(text, &["typedef int \u{e4}; \u{e4} b();"]);
    }

    #[test]
    fn members_and_parameters_get_simple() {
        let text = "template<class T> struct A {}; struct B : A<int> { static_assert(sizeof(A<B>)); \
                    void c(A<int> = A<int>(1)) noexcept(sizeof(A<int>) > 1); };";
        let seen = reductions("hollow_definitions", "cpp", text);
        let expected = "template<class T> struct A {}; struct B { void c(A<int> = {}); };";
        assert_eq!(seen[0], expected);
    }
}
