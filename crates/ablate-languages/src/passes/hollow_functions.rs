//! Replaces the bodies of functions by the simplest that there are, of many functions at once, those that
//! don't seem to run first.
//!
//! Where a program has to run, or its modules to be loaded, hardly anything can be deleted that has a name,
//! but most of its functions are never called: of `def a(): b(1)`, `def c(): d(2)` and `c()` remains
//! `def a(): 0`, and the rest as it was. A function that is named outside of functions, as `c` is here, may run,
//! and so may one that languages call without a name. All others come first, then those that may run, then
//! eighths of either, halves of these, and so on: what seems to run and what doesn't is never in one part, nor are
//! functions and what is in them. Of a part of which something has gone already the rest is tried by its halves, as
//! the whole of it must have failed, also where one half has gone and the rest is the other. What is no longer
//! named without the bodies is a matter for other passes.
//!
//! Costs one test for each part, from all of them down to those that make up a 2048th of the text. In languages
//! where bodies can be deleted with what only they need, `delete_bodies` does that. In folders only, unless it is
//! asked for: from a single file other passes delete the functions themselves.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "def a():\n  b(1)\ndef c():\n  d(2)\nc()\n";
//! let seen = reductions("hollow_functions", "python", text);
//! assert_eq!(seen[0], "def a():\n  0\ndef c():\n  d(2)\nc()\n");
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::bodies::{is_body, is_interpreted};
use crate::inner::is_called_unnamed;
use crate::members::Members;
use crate::names::Names;
use crate::passes::simplify_nodes::Simplest;
use crate::tree::{Syntax, SyntaxTree};

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 2048;
/// Where there are many functions, so many parts come after all of them.
const PARTS: usize = 8;
/// So many functions are many.
const MANY: usize = 64;

/// Replaces bodies of functions by the simplest; see the module.
#[derive(Clone, Debug)]
pub struct HollowFunctions(pub Rc<Syntax>);

/// Functions with bodies, and runs of them, what is tried first last.
#[derive(Default)]
struct Runs {
    bodies: Vec<Body>,
    runs: Vec<(u32, u32)>,
}

/// The body of a function.
#[derive(Clone, Copy)]
struct Body {
    start: u32,
    end: u32,
    hollow: &'static str,
    /// How many others are around it.
    depth: u32,
    /// Whether it may run.
    may_run: bool,
}

impl Body {
    fn removed(&self) -> usize {
        ((self.end - self.start) as usize).saturating_sub(self.hollow.len())
    }
}

/// A run while runs are being found.
struct Run {
    first: usize,
    last: usize,
    /// Whether it probably fails, by what has become of its parts.
    is_refuted: bool,
}

impl Runs {
    fn of(target: &Target<u8>, members: &Members, names: &Names, syntax: &Syntax) -> Runs {
        // Those that are hollow already count, so that the parts stay the same when some have gone.
        let mut bodies = bodies(target.elements(), members, names, syntax);
        bodies.sort_by_cached_key(|body| (body.depth, body.may_run));
        let mut halves = Halves {
            bodies: &bodies,
            smallest: (target.len() / SMALLEST_SHARE).max(1),
            runs: Vec::new(),
        };
        let mut first = 0;
        for alike in bodies.chunk_by(|a, b| (a.depth, a.may_run) == (b.depth, b.may_run)) {
            let last = first + alike.len() - 1;
            if alike.len() < MANY {
                halves.add(first, last);
            } else {
                let all = halves.runs.len();
                let is_refuted = false;
                halves.runs.push(Run {
                    first,
                    last,
                    is_refuted,
                });
                for part in 0..PARTS {
                    let [from, to] = [part, part + 1].map(|part| alike.len() * part / PARTS);
                    halves.runs[all].is_refuted |= halves.add(first + from, first + to - 1);
                }
            }
            first = last + 1;
        }
        let mut runs = halves.runs;
        let rest = |run: &Run| rest(&bodies, run);
        let refuted = runs.iter().filter(|run| run.is_refuted);
        let refuted: BTreeSet<_> = refuted.filter_map(rest).collect();
        // What alone is left of a part that failed is what is left of that.
        let must_fail = |run: &Run| rest(run).is_some_and(|rest| refuted.contains(&rest));
        runs.retain(|run| !run.is_refuted && !must_fail(run));
        // The most functions first, of these those that don't run, from the end to the start.
        runs.sort_by_cached_key(|run| {
            let Body { depth, may_run, .. } = bodies[run.first];
            let count = (run.last + 1 - run.first).ilog2();
            (count, !may_run, Reverse(depth), run.first)
        });
        let runs = runs.iter().map(|run| (run.first as u32, run.last as u32));
        Runs {
            runs: runs.collect(),
            bodies,
        }
    }
}

/// The first and the last body of a run that is not hollow, if there are several: a single one may stand
/// beside what has been hollow from the start.
fn rest(bodies: &[Body], run: &Run) -> Option<(usize, usize)> {
    let is_full = |&body: &usize| bodies[body].removed() > 0;
    let first = (run.first..=run.last).find(is_full)?;
    let last = (run.first..=run.last).rfind(is_full)?;
    (first < last).then_some((first, last))
}

/// Finds runs by halving.
struct Halves<'a> {
    bodies: &'a [Body],
    smallest: usize,
    runs: Vec<Run>,
}

impl Halves<'_> {
    /// Adds the run `first..=last`, its halves, and so on, and says whether some of them, but not all, are
    /// hollow. Then it was tried before they were, and has failed: what is left of it fails, too.
    fn add(&mut self, first: usize, last: usize) -> bool {
        let removed: usize = self.bodies[first..=last].iter().map(Body::removed).sum();
        if removed < self.smallest {
            // A single one may have been hollow from the start.
            return removed == 0 && first < last;
        }
        let run = self.runs.len();
        self.runs.push(Run {
            first,
            last,
            is_refuted: false,
        });
        if first == last {
            return false;
        }
        let middle = first + (last - first) / 2;
        let is_refuted = self.add(first, middle) | self.add(middle + 1, last);
        self.runs[run].is_refuted = is_refuted;
        is_refuted
    }
}

/// The bodies of all functions, in the order of the text.
fn bodies(text: &[u8], members: &Members, names: &Names, syntax: &Syntax) -> Vec<Body> {
    let tree = members.tree();
    let simplest = Simplest::of(syntax);
    let by_node = members.by_node();
    let mut bodies = Vec::new();
    let mut depths = vec![0_u32; tree.nodes().len()];
    let mut functions = Vec::new();
    for number in 1..tree.nodes().len() {
        depths[number] = depths[tree.nodes()[number].parent as usize];
        let function = tree.nodes()[number].parent as usize;
        if !is_body(tree, number) {
            continue;
        }
        let node = &tree.nodes()[number];
        let hollow = simplest.texts(tree, node).first().copied();
        let can_go = by_node[number] != u32::MAX;
        if hollow.is_none() && !can_go {
            continue;
        }
        functions.push(function);
        bodies.push(Body {
            start: node.start,
            end: node.end,
            hollow: hollow.unwrap_or_default(),
            depth: depths[number],
            may_run: false,
        });
        depths[number] += 1;
    }
    let least = least_depths(tree, names, &depths);
    for (body, function) in bodies.iter_mut().zip(functions) {
        let of_function = names
            .declarations
            .partition_point(|it| (it.0 as usize) < function);
        let of_function = names.declarations[of_function..].iter();
        let mut of_function = of_function.take_while(|it| it.0 as usize == function);
        body.may_run = match of_function.next() {
            Some(&(_, name)) => {
                let node = names.occurrences[names.by_name[name as usize][0] as usize].node;
                least[name as usize] <= body.depth
                    || is_called_unnamed(&text[tree.nodes()[node as usize].range()])
            }
            // Without a name it is there for whoever it is given to.
            None => true,
        };
    }
    bodies
}

/// For each name in how many functions at least it stands where it isn't declared.
fn least_depths(tree: &SyntaxTree, names: &Names, depths: &[u32]) -> Vec<u32> {
    let mut least = vec![u32::MAX; names.by_name.len()];
    for occurrence in &names.occurrences {
        let node = &tree.nodes()[occurrence.node as usize];
        let around = node.parent as usize;
        let is_function = tree.part(around, "body").is_some();
        if is_function && tree.field_name(node) == Some("name") {
            continue;
        }
        let least = &mut least[occurrence.name as usize];
        *least = (*least).min(depths[occurrence.node as usize]);
    }
    least
}

impl Pass<u8> for HollowFunctions {
    fn name(&self) -> &'static str {
        "hollow_functions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        if !is_interpreted(self.0.language()) {
            return Err(DeadBranch);
        }
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let runs = target.analysis(|target| Runs::of(target, &members, &names, &self.0));
        let (first, last) = runs.runs[chooser.any(0..runs.runs.len())?];
        let bodies = runs.bodies[first as usize..=last as usize].iter();
        let edits = bodies.filter(|body| body.removed() > 0).map(|body| Edit {
            start: body.start as usize,
            end: body.end as usize,
            insert: (!body.hollow.is_empty()).then(|| body.hollow.as_bytes().into()),
        });
        Patch::edits_of(edits).map_err(|_| DeadBranch)
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
    use crate::languages::find;

    fn check(language: &str, text: &str, expected: &[&str]) {
        if find(language).is_some() {
            let seen = reductions("hollow_functions", language, text);
            assert_eq!(seen[..expected.len()], *expected, "{language}");
        }
    }

    #[test]
    fn what_is_named_outside_of_functions_may_run() {
        let text = "function a() { b(1); }\nfunction c() { a(1); }\nc();\n";
        let expected = [
            "function a() {}\nfunction c() { a(1); }\nc();\n",
            "function a() { b(1); }\nfunction c() {}\nc();\n",
        ];
        check("javascript", text, &expected);
    }

    #[test]
    fn methods_that_are_called_without_a_name_may_run() {
        let text =
            "class A:\n    def __init__(self):\n        a(1234)\n    def b(self):\n        c(5)\n";
        let expected =
            "class A:\n    def __init__(self):\n        a(1234)\n    def b(self):\n        0\n";
        let seen = reductions("hollow_functions", "python", text);
        assert!(seen.contains(&expected.to_owned()), "{seen:?}");
        assert_eq!(seen.len(), 2);
    }

    #[test]
    fn functions_in_functions_come_by_themselves() {
        let text =
            "(function() { function a() { b(1); c(2); d(3); } function e() { a(); } e(); })();";
        let seen = reductions("hollow_functions", "javascript", text);
        let inner = "(function() { function a() {} function e() { a(); } e(); })();";
        assert!(seen.contains(&"(function() {})();".to_owned()), "{seen:?}");
        assert!(seen.contains(&inner.to_owned()), "{seen:?}");
    }

    #[test]
    fn what_is_left_of_a_part_is_tried_by_halves() {
        let text = |bodies: &str| {
            let bodies = bodies.chars().zip('a'..);
            let of_body = |body: char| {
                if body == '0' {
                    "0".into()
                } else {
                    format!("x({body})")
                }
            };
            let lines = bodies.map(|(body, name)| format!("def {name}(): {}\n", of_body(body)));
            lines.collect::<String>()
        };
        let seen = reductions("hollow_functions", "python", &text("1234"));
        assert_eq!(seen[..2], [text("0000"), text("1200")]);
        let seen = reductions("hollow_functions", "python", &text("00345678"));
        assert_eq!(seen[0], text("00340000"));
        assert!(!seen.contains(&text("00000000")), "{seen:?}");
        // The second half of what failed, when the first has gone.
        let seen = reductions("hollow_functions", "python", &text("00005678"));
        assert_eq!(seen[0], text("00005600"));
    }

    #[test]
    fn bodies_that_can_be_left_out_are() {
        check(
            "lua",
            "function a() b(1) end c()",
            &["function a()  end c()"],
        );
        check("ruby", "def a\n  b(1)\nend\nc\n", &["def a\n  \nend\nc\n"]);
        check(
            "php",
            "<?php function a() { b(1); } c();",
            &["<?php function a() {} c();"],
        );
    }
}
