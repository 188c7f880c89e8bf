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
use crate::runs::CutRuns;
use crate::tree::Syntax;

/// The smallest number of nodes that go together.
const FEWEST: usize = 2;

/// Deletes all nodes of a kind; see the module.
#[derive(Clone, Debug)]
pub struct DeleteNodesEverywhere(pub Rc<Syntax>);

/// Runs of nodes of a kind.
struct KindRuns(CutRuns);

/// The cuts of the nodes of each kind that can be left out, if they don't all stand together in one list:
/// runs of a list are a matter for other passes.
fn cuts_by_kind(members: &Members) -> Vec<Vec<(usize, usize)>> {
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
    let is_spread = |of_kind: &Vec<usize>| {
        let mut pairs = of_kind.windows(2);
        pairs.any(|pair| {
            pair[0] + 1 != pair[1] || members.list_of(pair[0]) != members.list_of(pair[1])
        })
    };
    let spread = by_kind.into_values().filter(is_spread);
    let cuts = |mut of_kind: Vec<usize>| {
        of_kind.sort_by_cached_key(|&member| members.node(member).start);
        let cuts = of_kind.iter().map(|&member| members.cut(member, member));
        cuts.collect()
    };
    spread.map(cuts).collect()
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
        let runs = target
            .analysis(|target| KindRuns(CutRuns::of(target.len(), FEWEST, cuts_by_kind(&members))));
        Ok(runs.0.cut(chooser.any(0..runs.0.len())?))
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
