//! Replaces a node by something in it, or by the simplest thing of its kind, together with what is
//! then no longer needed.
//!
//! A short expression can be all that a long library is there for: of
//! `int a() { return 1; } int b() { return a() + 2; }`, `2` in place of `a() + 2` takes the whole of
//! `a` with it. What takes most off with it is tried first, whatever its own size.
//!
//! Costs one test for each place where a node fits, and each thing that it can become, that takes at
//! least a 256th of the text with it, and more than twice what it takes by itself.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int a() { return 1; } int b() { return a() + 2; }";
//! let seen = reductions("replace_with_needs", "c", text);
//! assert!(seen.contains(&"int b() { return 2; }".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::gone::{with_needless, without};
use crate::members::Members;
use crate::names::Names;
use crate::needs::Needs;
use crate::passes::hoist_expressions::{self, statements};
use crate::passes::hoist_nodes::add_hoists;
use crate::passes::simplify_nodes::{Simplifiable, is_simpler};
use crate::passes::sort_largest_last;
use crate::tree::Syntax;
use crate::weights::Weights;

/// What takes less than this share of the text with it is left to other passes.
const SMALLEST_SHARE: usize = 256;
/// What takes less than so many times its own size with it is left to other passes.
const WORTH: u64 = 2;
/// How many expressions of a statement are tried in its place.
const EXPRESSIONS_MAX: usize = 16;

/// Replaces a node with what only it needs; see the module.
#[derive(Clone, Debug)]
pub struct ReplaceWithNeeds(pub Rc<Syntax>);

/// What stands in place of a node.
#[derive(Clone, Copy, Debug)]
enum Replacement {
    /// What is there already.
    Inner(u32, u32),
    /// An expression in a statement, which becomes one: both nodes.
    Expression(u32, u32),
    Text(&'static str),
}

/// What can be replaced, by its bytes, and by what; what takes most off last.
struct Replacements(Vec<(u32, u32, Replacement)>);

impl Replacements {
    fn of(
        target: &Target<u8>,
        members: &Members,
        syntax: &Syntax,
        weights: &Weights,
    ) -> Replacements {
        let tree = members.tree();
        let smallest = (target.len() / SMALLEST_SHARE).max(1) as u64;
        let mut all = Vec::new();
        let mut add = |outer: (u32, u32), replacement, own: u64, removed: u64| {
            if removed > WORTH * own && removed >= smallest {
                all.push((outer.0, outer.1, replacement, removed as usize));
            }
        };
        add_hoists(members, &mut |outer, (first, last)| {
            if weights.has_wanted(tree, outer, Some((first, last))) {
                return false;
            }
            let (start, end) = (tree.nodes()[first].start, tree.nodes()[last].end);
            let place = &tree.nodes()[outer];
            let own = place.len() as u64 - u64::from(end - start);
            let removed = weights.weight(tree, outer, outer) - weights.weight(tree, first, last);
            let inner = Replacement::Inner(start, end);
            add((place.start, place.end), inner, own, removed);
            removed >= smallest
        });
        for (outer, inner) in statements(tree, syntax, EXPRESSIONS_MAX, true) {
            if weights.has_wanted(tree, outer as usize, None) {
                continue;
            }
            let [place, part] = [outer, inner].map(|number| &tree.nodes()[number as usize]);
            let [of_place, of_part] = [outer, inner].map(|number| {
                let number = number as usize;
                weights.weight(tree, number, number)
            });
            let by = Replacement::Expression(outer, inner);
            let own = (place.len() - part.len()) as u64;
            add((place.start, place.end), by, own, of_place - of_part);
        }
        for &(number, texts) in &Simplifiable::of(target, syntax).nodes {
            let number = number as usize;
            let node = &tree.nodes()[number];
            if weights.has_wanted(tree, number, None) {
                continue;
            }
            let removed = weights.weight(tree, number, number);
            let of_node = &target.elements()[node.range()];
            let simpler = texts.iter().filter(|text| is_simpler(text, of_node));
            for text in simpler {
                let outer = (node.start, node.end);
                add(outer, Replacement::Text(text), node.len() as u64, removed);
            }
        }
        sort_largest_last(&mut all, |&(start, _, _, removed)| {
            (removed, start as usize)
        });
        let all = all.into_iter();
        Replacements(all.map(|(start, end, by, _)| (start, end, by)).collect())
    }
}

impl Pass<u8> for ReplaceWithNeeds {
    fn name(&self) -> &'static str {
        "replace_with_needs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let needs = Needs::of(target, &self.0);
        let weights = Weights::of(target, &self.0);
        let replacements =
            target.analysis(|target| Replacements::of(target, &members, &self.0, &weights));
        let (start, end, by) = replacements.0[chooser.any(0..replacements.0.len())?];
        let (start, end) = (start as usize, end as usize);
        let (patch, gone) = match by {
            Replacement::Inner(from, to) => {
                let gone = [start..from as usize, to as usize..end];
                let cuts = gone.clone().map(|range| (range.start, range.end));
                (Patch::cuts(cuts), gone)
            }
            Replacement::Expression(outer, inner) => {
                let (tree, text) = (members.tree(), target.elements());
                let part = tree.nodes()[inner as usize].range();
                let patch = hoist_expressions::patch(text, tree, &self.0, (outer, inner));
                (patch.ok_or(DeadBranch)?, [start..part.start, part.end..end])
            }
            Replacement::Text(text) => (
                Patch::replace(start, end, text.as_bytes()),
                [start..end, end..end],
            ),
        };
        let without = without(&needs.items, &names, members.tree(), &gone);
        let kept = needs.left(&without);
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
        8
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, text: &str, expected: &str) {
        let seen = reductions("replace_with_needs", language, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
    }

    #[test]
    fn what_is_needed_elsewhere_stays() {
        let text =
            "int a() { return 1; } int c() { return 4; } int b() { return a() + c() + a(); }";
        check("c", text, "int a() { return 1; } int b() { return a(); }");
    }

    #[test]
    fn types_become_simple_with_what_they_stand_for() {
        let text = "struct Pair { int a; int b; int c; }; Pair f() {}";
        check("cpp", text, "int f() {}");
    }
}
