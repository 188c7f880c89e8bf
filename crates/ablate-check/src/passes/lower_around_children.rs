//! Takes an earlier alternative that keeps some of what the later one holds of its own kind.
//!
//! `if 0 then 0 else -a` becomes `-(-a)`, and a map of a list the list of a list, where the value has to
//! stay as deep as it is: no part of it can stand for the whole, and what an earlier alternative would
//! make of all that was drawn is something else.
//!
//! Costs a test for each earlier alternative but the first, which mostly holds nothing, and each of the
//! children but one; where they are a list, one more. A last resort; there is none where nothing is
//! recursive.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! #[derive(Debug, Arbitrary)]
//! enum Term { Leaf, Not(Box<Term>), Or(Box<Term>, Box<Term>) }
//!
//! let tried = reductions("lower_around_children", any::<Term>(), "1.2.0.1.0");
//! assert_eq!(tried, ["Not(Not(Leaf))"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::{Span, Target};

use super::shape::{is_more, marked, with_number};
use crate::choice::{Choice, Constraint, Value};

/// So many earlier alternatives are tried, and so many children left out.
const MOST: usize = 8;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAroundChildren;

/// A span that begins with the choice of an alternative, and the outermost spans of its label in it.
pub(super) struct Node {
    pub span: Span,
    pub alternative: usize,
    pub children: Vec<(usize, usize)>,
}

impl Node {
    /// What has a replay take an earlier alternative that holds this.
    pub fn lowered(
        &self,
        target: &Target<Choice>,
        alternative: usize,
        held: Vec<Choice>,
    ) -> Vec<Choice> {
        let chosen = with_number(&target.elements()[self.span.start], alternative as i128);
        let mut content = vec![Choice::mark(Value::Open(self.span.label)), chosen];
        content.extend(held);
        content.push(Choice::mark(Value::Close));
        content
    }

    /// The children behind the first few, as a replay takes them apart.
    pub fn marked(&self, target: &Target<Choice>, skipped: usize) -> Vec<Choice> {
        let children = self.children[skipped..].iter();
        let marked = children.map(|&(start, end)| marked(target, start, end, self.span.label));
        marked.flatten().collect()
    }
}

/// The nodes of which an alternative is not the first.
pub(super) fn nodes(target: &Target<Choice>) -> Vec<Node> {
    let (elements, spans) = (target.elements(), target.spans());
    let mut nodes = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let alternative = elements.get(span.start).and_then(alternative);
        let Some(alternative) = alternative.filter(|alternative| *alternative > 0) else {
            continue;
        };
        let behind = spans[at + 1..].iter();
        let inside = behind.take_while(|inner| inner.start < span.end);
        let mut children: Vec<(usize, usize)> = Vec::new();
        for inner in inside.filter(|inner| inner.label == span.label) {
            let end = children.last().map_or(span.start + 1, |last| last.1);
            if inner.start >= end && !inner.is_empty() {
                children.push((inner.start, inner.end));
            }
        }
        nodes.push(Node {
            span: *span,
            alternative,
            children,
        });
    }
    nodes
}

/// Those of which an alternative before this one could hold some of what is in them.
struct Nodes(Vec<Node>);

impl Nodes {
    fn found(target: &Target<Choice>) -> Nodes {
        let mut nodes = nodes(target);
        nodes.retain(|node| node.alternative > 1 && !node.children.is_empty());
        Nodes(nodes)
    }
}

/// Which alternative was chosen, if it was chosen among several.
fn alternative(choice: &Choice) -> Option<usize> {
    match (choice.constraint(), choice.value()) {
        (Constraint::Index(_) | Constraint::Branch(_), Value::Integer(index)) => {
            usize::try_from(index).ok()
        }
        _ => None,
    }
}

impl Pass<Choice> for LowerAroundChildren {
    fn name(&self) -> &'static str {
        "lower_around_children"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (nodes, elements) = (target.analysis(Nodes::found), target.elements());
        let node = &nodes.0[chooser.prefer(nodes.0.len())?];
        let Span {
            start, end, label, ..
        } = node.span;
        let lower = 1 + chooser.prefer((node.alternative - 1).min(MOST))?;
        let more = |from: usize, to: usize| elements[from..to].iter().filter(|c| is_more(c));
        let first = node.children[0].0;
        let is_list = more(start, first).next().is_some();
        // The children from one on; or those of a list, without what stands beside them.
        let options = usize::from(is_list) + (node.children.len() - 1).min(MOST);
        let option = chooser.prefer(options)?;
        let held = if is_list && option == 0 {
            let (mut held, mut from) = (Vec::new(), start + 1);
            for &(child, behind) in &node.children {
                held.extend(more(from, child).cloned());
                held.extend(marked(target, child, behind, label));
                from = behind;
            }
            held.extend(more(from, end).cloned());
            held
        } else {
            node.marked(target, option + 1 - usize::from(is_list))
        };
        let content = node.lowered(target, lower, held);
        Ok(Patch::replace(start, end, &content))
    }

    fn pumps(&self) -> bool {
        true
    }
}
