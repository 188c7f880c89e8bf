//! Takes an earlier alternative in several places that hold the same, at the same time.
//!
//! Where a term needs two equal branches, `if c then -x + y else -x + y`, neither can change alone. An earlier
//! alternative keeps what the later one holds of its own kind: `if c then -(-x) else -(-x)`; or it holds
//! nothing.
//!
//! Costs a test for each earlier alternative and each kind of equal spans that begin with one, up to eight; a
//! last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! #[derive(Debug, Arbitrary)]
//! enum Term { Leaf, Not(Box<Term>), Or(Box<Term>, Box<Term>) }
//!
//! let tried = reductions("lower_equal_spans", (any::<Term>(), any::<Term>()), "1.2.1.0.0.2.1.0.0");
//! assert_eq!(tried[..2], ["(Leaf, Leaf)", "(Not(Not(Leaf)), Not(Not(Leaf)))"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::lower_around_children::{Node, nodes};
use crate::choice::Choice;

/// So many earlier alternatives are tried.
const MOST: usize = 8;
/// There may be so many nodes: among more, hardly any are equal because they have to be.
const NODES: usize = 32;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerEqualSpans;

/// Nodes that hold the same, the larger ones first.
struct Groups(Vec<Vec<Node>>);

impl Groups {
    fn found(target: &Target<Choice>) -> Groups {
        let elements = target.elements();
        let mut groups: Vec<Vec<Node>> = Vec::new();
        let mut nodes = nodes(target);
        if nodes.len() > NODES {
            nodes.clear();
        }
        for node in nodes {
            let content = |node: &Node| &elements[node.span.start..node.span.end];
            let known = groups.iter_mut().find(|group| {
                group[0].span.label == node.span.label && content(&group[0]) == content(&node)
            });
            match known {
                Some(group) => group.push(node),
                None => groups.push(vec![node]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups.sort_by_key(|group| std::cmp::Reverse(group[0].span.len()));
        Groups(groups)
    }
}

impl Pass<Choice> for LowerEqualSpans {
    fn name(&self) -> &'static str {
        "lower_equal_spans"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let groups = target.analysis(Groups::found);
        let group = &groups.0[chooser.prefer(groups.0.len())?];
        let lower = chooser.prefer(group[0].alternative.min(MOST))?;
        // Equal spans that are not the same one do not overlap.
        let edits = group.iter().map(|node| {
            let content = node.lowered(target, lower, node.marked(target, 0));
            Edit {
                start: node.span.start,
                end: node.span.end,
                insert: Some(content.into()),
            }
        });
        Patch::edits_of(edits).map_err(|_| DeadBranch)
    }

    fn pumps(&self) -> bool {
        true
    }
}
