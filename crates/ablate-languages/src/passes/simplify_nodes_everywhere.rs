//! Replaces all nodes of one kind, or half of them, or a quarter, by the simplest thing of that kind.
//!
//! In one test all functions lose their bodies, as in `void f() {} void g() {}`, or all types become
//! `int`.
//!
//! Costs one test for each kind of node in each place, and some more where only a part of them can
//! become simpler; the kinds that make up most of the text first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("simplify_nodes_everywhere", "c", "void f() { a; } void g() { b; }");
//! assert!(seen.contains(&"void f() {} void g() {}".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::passes::simplify_nodes::{Simplifiable, is_simpler};
use crate::passes::{add_runs, sort_largest_last};
use crate::tree::{Syntax, SyntaxTree};

/// The smallest number of nodes that are simplified together.
const FEWEST: usize = 2;
/// Runs below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 2048;

/// Simplifies all nodes of a kind; see the module.
#[derive(Clone, Debug)]
pub struct SimplifyNodesEverywhere(pub Rc<Syntax>);

/// Sets of nodes of a kind, the largest last.
#[derive(Default)]
struct Runs {
    nodes: Vec<(u32, &'static [&'static str])>,
    runs: Vec<Run>,
}

/// Nodes that are not within each other, and the number of the text they become.
struct Run {
    first: u32,
    last: u32,
    text: u32,
    removed: u32,
}

impl Runs {
    fn of(target: &Target<u8>, tree: &SyntaxTree, all: &Simplifiable) -> Runs {
        let mut by_kind: BTreeMap<(u16, u16, u16), Vec<_>> = BTreeMap::new();
        let nodes = tree.nodes();
        let mut places = all.nodes.clone();
        places.sort_by_cached_key(|place| place.0);
        for place in places {
            let node = &nodes[place.0 as usize];
            let kind = (node.kind, nodes[node.parent as usize].kind, node.field);
            let of_kind = by_kind.entry(kind).or_default();
            let is_inside = |last: &(u32, _)| nodes[last.0 as usize].next > place.0;
            if !of_kind.last().is_some_and(is_inside) {
                of_kind.push(place);
            }
        }
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut result = Runs::default();
        for of_kind in by_kind.into_values().filter(|all| all.len() >= FEWEST) {
            result.add(tree, of_kind, smallest);
        }
        let Runs {
            nodes: places,
            runs,
        } = &mut result;
        sort_largest_last(runs, |run| {
            (run.removed as usize, places[run.first as usize].0 as usize)
        });
        result
    }

    fn add(
        &mut self,
        tree: &SyntaxTree,
        nodes: Vec<(u32, &'static [&'static str])>,
        smallest: usize,
    ) {
        let base = self.nodes.len();
        let texts = nodes[0].1.len() as u32;
        self.nodes.extend(nodes);
        let Runs { nodes, runs } = self;
        add_runs(base, nodes.len() - 1, &mut |first, last| {
            let len = |&(number, _): &(u32, _)| tree.nodes()[number as usize].len();
            let removed: usize = nodes[first..=last].iter().map(len).sum();
            let is_large = last + 1 - first >= FEWEST && removed >= smallest;
            if is_large {
                let (first, last, removed) = (first as u32, last as u32, removed as u32);
                runs.extend((0..texts).rev().map(|text| Run {
                    first,
                    last,
                    text,
                    removed,
                }));
            }
            is_large
        });
    }
}

impl Pass<u8> for SimplifyNodesEverywhere {
    fn name(&self) -> &'static str {
        "simplify_nodes_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let all = Simplifiable::of(target, &self.0);
        let tree = self.0.tree(target);
        let runs = target.analysis(|target| Runs::of(target, &tree, &all));
        let run = &runs.runs[chooser.any(0..runs.runs.len())?];
        let nodes = &runs.nodes[run.first as usize..=run.last as usize];
        let edits = nodes.iter().filter_map(|&(number, texts)| {
            let node = &tree.nodes()[number as usize];
            let text = texts.get(run.text as usize)?;
            is_simpler(text, &target.elements()[node.range()]).then(|| Edit {
                start: node.start as usize,
                end: node.end as usize,
                insert: (!text.is_empty()).then(|| text.as_bytes().into()),
            })
        });
        let patch = Patch::edits_of(edits).map_err(|_| DeadBranch)?;
        // Each of them may be as simple as this text already.
        if patch.is_empty() {
            return Err(DeadBranch);
        }
        Ok(patch)
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
