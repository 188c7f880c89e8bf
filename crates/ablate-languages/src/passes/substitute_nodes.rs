//! Replaces a node by the simplest one of its kind that there is elsewhere in the text.
//!
//! What stands elsewhere is known to make sense: where `int` and `std::vector<int>` are both types,
//! `int` may do for the other as well, and `a` for a long expression.
//!
//! Costs up to three tests for each node that is not the simplest of its kind, where it takes most off
//! first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("substitute_nodes", "c", "int a = b; int c = f(d, 1);");
//! assert!(seen.contains(&"int a = b; int c = b;".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::{Text, compare_whole};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::passes::sort_largest_last;
use crate::tree::{Syntax, SyntaxTree};

/// How many of the simplest there are of a kind are tried.
const SIMPLEST: usize = 3;
/// Longer nodes replace no other.
const LONGEST: usize = 256;

/// Replaces a node by the simplest of its kind; see the module.
#[derive(Clone, Debug)]
pub struct SubstituteNodes(pub Rc<Syntax>);

/// What can be replaced, and by what.
struct Substitutes {
    /// Nodes, with the number of the list of what can stand there; what takes most off last.
    nodes: Vec<(u32, u32)>,
    /// For each place the simplest texts, the simplest last.
    simplest: Vec<Vec<(u32, u32)>>,
}

impl Substitutes {
    fn of(target: &Target<u8>, tree: &SyntaxTree) -> Substitutes {
        let text = target.elements();
        let mut kinds: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        let mut result = Substitutes {
            nodes: Vec::new(),
            simplest: Vec::new(),
        };
        let nodes = tree.nodes();
        for (number, node) in nodes.iter().enumerate().skip(1) {
            if !node.is_named || node.is_extra || node.is_empty() {
                continue;
            }
            let parent = nodes[node.parent as usize];
            // What fits in the same place of the same kind of node.
            let place = (parent.kind, node.field);
            let count = result.simplest.len() as u32;
            let list = *kinds.entry(place).or_insert(count);
            if list == count {
                result.simplest.push(Vec::new());
            }
            result.nodes.push((number as u32, list));
            add_simplest(
                text,
                &mut result.simplest[list as usize],
                (node.start, node.end),
            );
        }
        let Substitutes {
            nodes: places,
            simplest,
        } = &mut result;
        places.retain(|&(number, list)| {
            let node = &nodes[number as usize];
            let best = simplest[list as usize].last();
            best.is_some_and(|&best| is_simpler(text, best, (node.start, node.end)))
        });
        sort_largest_last(places, |&(number, list)| {
            let node = &nodes[number as usize];
            let best = simplest[list as usize].last();
            let saved = node.len() - best.map_or(0, |best| (best.1 - best.0) as usize);
            (saved, node.start as usize)
        });
        result
    }
}

fn is_simpler(text: &[u8], a: (u32, u32), b: (u32, u32)) -> bool {
    let part = |(start, end): (u32, u32)| &text[start as usize..end as usize];
    compare_whole(&Text, part(a), part(b)).is_lt()
}

/// Keeps `part` among the simplest different ones, the simplest last.
fn add_simplest(text: &[u8], simplest: &mut Vec<(u32, u32)>, part: (u32, u32)) {
    if (part.1 - part.0) as usize > LONGEST {
        return;
    }
    let at = simplest.partition_point(|&other| is_simpler(text, part, other));
    let bytes = |(start, end): (u32, u32)| &text[start as usize..end as usize];
    let is_known = simplest
        .get(at)
        .is_some_and(|&next| bytes(next) == bytes(part));
    if !is_known && (at > 0 || simplest.len() < SIMPLEST) {
        simplest.insert(at, part);
        if simplest.len() > SIMPLEST {
            simplest.remove(0);
        }
    }
}

impl Pass<u8> for SubstituteNodes {
    fn name(&self) -> &'static str {
        "substitute_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tree = self.0.tree(target);
        let places = target.analysis(|target| Substitutes::of(target, &tree));
        let (number, list) = places.nodes[chooser.any(0..places.nodes.len())?];
        let node = &tree.nodes()[number as usize];
        let simplest = &places.simplest[list as usize];
        let text = target.elements();
        let chosen = chooser.choose(0..simplest.len(), |chosen| {
            is_simpler(text, simplest[chosen], (node.start, node.end))
        })?;
        let (start, end) = simplest[chosen];
        let replacement = &text[start as usize..end as usize];
        Ok(Patch::replace(
            node.start as usize,
            node.end as usize,
            replacement,
        ))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        4
    }
}
