//! Deletes all nodes of one kind that the grammar can do without, or half of them, or a quarter.
//!
//! What kind of thing it is often decides whether it matters: all comments, all attributes, all
//! `= default` values, all imports go with one test.
//!
//! Costs one test for each kind of node in each place of another kind where it can be left out, and
//! some more where only a part of them can go; the kinds that make up most of the text first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_nodes_everywhere", "c", "static int a; static int b;");
//! assert!(seen.contains(&"int a; int b;".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::passes::{add_runs, sort_largest_last};
use crate::tree::Syntax;

/// The smallest number of nodes that go together.
const FEWEST: usize = 2;
/// Runs below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 2048;

/// Deletes all nodes of a kind; see the module.
#[derive(Clone, Debug)]
pub struct DeleteNodesEverywhere(pub Rc<Syntax>);

/// Sets of nodes of a kind, the largest last.
#[derive(Default)]
struct Runs {
    /// The cuts, kind by kind.
    cuts: Vec<(u32, u32)>,
    /// The first and the last cut, how many bytes they remove.
    runs: Vec<(u32, u32, usize)>,
}

impl Runs {
    fn of(target: &Target<u8>, members: &Members) -> Runs {
        let mut by_kind: BTreeMap<(u16, u16, u16), Vec<usize>> = BTreeMap::new();
        let nodes = members.tree().nodes();
        for member in 0..members.len() {
            let node = members.node(member);
            let parent = nodes[node.parent as usize].kind;
            let kind = (
                node.kind,
                if node.is_extra { 0 } else { parent },
                node.field,
            );
            by_kind.entry(kind).or_default().push(member);
        }
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut result = Runs::default();
        // What stands together in one list is a matter for runs of that list.
        let is_spread = |of_kind: &Vec<usize>| {
            let mut pairs = of_kind.windows(2);
            pairs.any(|pair| {
                pair[0] + 1 != pair[1] || members.list_of(pair[0]) != members.list_of(pair[1])
            })
        };
        for mut of_kind in by_kind.into_values().filter(is_spread) {
            of_kind.sort_unstable_by_key(|&member| members.node(member).start);
            let base = result.cuts.len();
            let cut = |&member: &usize| members.cut(member, member);
            let cuts = of_kind.iter().map(cut);
            result
                .cuts
                .extend(cuts.map(|(start, end)| (start as u32, end as u32)));
            let Runs { cuts, runs } = &mut result;
            add_runs(base, cuts.len() - 1, &mut |first, last| {
                // Cuts within each other count twice, and more often where they nest more deeply.
                let lens = cuts[first..=last]
                    .iter()
                    .map(|cut| (cut.1 - cut.0) as usize);
                let removed: usize = lens.sum();
                let is_large = last + 1 - first >= FEWEST && removed >= smallest;
                if is_large {
                    runs.push((first as u32, last as u32, removed));
                }
                is_large
            });
        }
        let Runs { cuts, runs } = &mut result;
        sort_largest_last(runs, |&(first, _, removed)| {
            (removed, cuts[first as usize].0 as usize)
        });
        result
    }
}

impl Pass<u8> for DeleteNodesEverywhere {
    fn name(&self) -> &'static str {
        "delete_nodes_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let runs = target.analysis(|target| Runs::of(target, &members));
        let (first, last, _) = runs.runs[chooser.any(0..runs.runs.len())?];
        let cuts = &runs.cuts[first as usize..=last as usize];
        Ok(Patch::cuts(
            cuts.iter()
                .map(|&(start, end)| (start as usize, end as usize)),
        ))
    }

    fn rank(&self) -> u8 {
        9
    }
}
