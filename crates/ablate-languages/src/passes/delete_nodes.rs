//! Deletes a node that the grammar can do without: a member of a list, with a separator, or
//! something optional.
//!
//! `static` goes from `static int a;`, `b` from `f(a, b)`, `= 1` from `int c = 1;`, and what is left
//! can still be parsed. Keywords and punctuation that belong to the node, such as the `=`, are tried
//! with it.
//!
//! Costs one to three tests for each such node, from the end to the start, the outermost first. A
//! success is grown over the members before and after it.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_nodes", "c", "static int a, b;");
//! assert!(seen.contains(&"int a, b;".to_owned()) && seen.contains(&"static int a;".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::{Members, with_blanks};
use crate::tree::{Node, Syntax, SyntaxTree};

/// Deletes what the grammar can do without; see the module.
#[derive(Clone, Debug)]
pub struct DeleteNodes(pub Rc<Syntax>);

/// Members in the order of the sweep, which begins at the end: the outermost there, each level in
/// the order of the text.
struct Order(Vec<u32>);

impl Order {
    fn of(target: &Target<u8>, members: &Members) -> Rc<Order> {
        target.analysis(|_| {
            let nodes = members.tree().nodes();
            let mut depths = vec![0_u32; nodes.len()];
            for number in 1..nodes.len() {
                depths[number] = depths[nodes[number].parent as usize] + 1;
            }
            let mut order: Vec<u32> = (0..members.len() as u32).collect();
            order.sort_by_cached_key(|&member| {
                let depth = depths[members.node_number(member as usize)];
                (u32::MAX - depth, members.node(member as usize).start)
            });
            Order(order)
        })
    }
}

/// The punctuation or keyword right before or behind a node, in the same parent.
fn neighbour(tree: &SyntaxTree, number: usize, is_before: bool) -> Option<Node> {
    let nodes = tree.nodes();
    let parent = nodes[number].parent as usize;
    let mut children = tree.children(parent);
    let neighbour = if is_before {
        children.take_while(|&child| child < number).last()
    } else {
        children.find(|&child| child > number)
    };
    let neighbour = nodes[neighbour?];
    let text = tree.kind_name(&neighbour);
    let is_bracket = matches!(text, "(" | ")" | "[" | "]" | "{" | "}");
    (!neighbour.is_named && !is_bracket).then_some(neighbour)
}

impl Pass<u8> for DeleteNodes {
    fn name(&self) -> &'static str {
        "delete_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let order = Order::of(target, &members);
        let member = order.0[chooser.any(0..order.0.len())?] as usize;
        let list = members.list_of(member);
        let (mut start, mut end) = members.cut(member, member);
        let number = members.node_number(member);
        let variant = chooser.choose(0..3, |variant| {
            variant == 2
                || list.first == list.last
                    && neighbour(members.tree(), number, variant == 1).is_some()
        })?;
        if variant < 2 {
            let token = neighbour(members.tree(), number, variant == 1).ok_or(DeadBranch)?;
            let node = members.node(member);
            start = node.start.min(token.start) as usize;
            end = node.end.max(token.end) as usize;
            (start, end) = with_blanks(target.elements(), start, end);
        }
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let (start, end) = patch.single_cut()?;
        let members = Members::of(target, &self.0);
        let (mut first, mut last) = members.removed_by(start, end)?;
        let list = members.list_of(first);
        if direction == 0 {
            first = members.before(first, amount)?;
        } else {
            last = last.checked_add(amount)?;
        }
        if (list.last as usize) < last {
            return None;
        }
        let (start, end) = members.cut(first, last);
        Some(Patch::cut(start, end))
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
