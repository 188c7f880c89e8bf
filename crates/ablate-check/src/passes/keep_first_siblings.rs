//! Keeps only the first of some sibling spans.
//!
//! When two elements of a hundred matter, the first four are often enough, and `log n` tests find
//! that out.
//!
//! Costs a test for each power of two below the number of siblings.

use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Shape, number, with_number};
use crate::choice::{Choice, Constraint, Toss};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum KeepFirstSiblings {
    /// Where there are many.
    OfMany,
    /// Wherever there are any.
    OfAny,
}

/// So many siblings are many.
const MANY: usize = 4;

/// Whether the number of elements of the collection that has one here is open: then a boolean
/// before each of them says that there is one more.
fn is_open(target: &Target<Choice>, at: usize) -> bool {
    target
        .elements()
        .get(at)
        .is_some_and(|choice| choice.constraint == Constraint::Boolean(Toss::More))
}

impl Pass<Choice> for KeepFirstSiblings {
    fn name(&self) -> &'static str {
        match self {
            KeepFirstSiblings::OfMany => "keep_first_of_many",
            KeepFirstSiblings::OfAny => "keep_first_siblings",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Shape::of(target);
        let family = chooser.choose(0..shape.families.len(), |at| {
            let count = shape.families[at].members.len();
            match self {
                KeepFirstSiblings::OfMany => count > MANY,
                KeepFirstSiblings::OfAny => count > 1,
            }
        })?;
        let members = &shape.families[family].members;
        // 0, 1, 2, 4, …
        let powers = (members.len() - 1).ilog2() as usize + 2;
        let kept = match chooser.prefer(powers)? {
            0 => 0,
            power => 1 << (power - 1),
        };
        // Where a number says how many there are, it has to be lowered too.
        let count = members.len() as i128;
        let first = members.first().map_or(0, |member| member.0);
        let counting = shape
            .numbers
            .iter()
            .rev()
            .find(|&&at| at < first && number(&target.elements()[at]) == Some(count));
        let Some(&at) = counting.filter(|_| !is_open(target, first)) else {
            return Ok(Patch::cuts(members[kept..].iter().copied()));
        };
        let lowered = Edit {
            start: at,
            end: at + 1,
            insert: Some(Arc::from([with_number(
                &target.elements()[at],
                kept as i128,
            )])),
        };
        let cuts = members[kept..].iter().map(|&(start, end)| Edit {
            start,
            end,
            insert: None,
        });
        Patch::edits_of(cuts.chain([lowered])).map_err(|_| DeadBranch)
    }
}
