//! Keeps only the first of some sibling spans.
//!
//! When two elements of a hundred matter, the first four are often enough, and `log n` tests find
//! that out.
//!
//! Costs a test for each power of two below the number of siblings.

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::Shape;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct KeepFirstSiblings;

impl Pass<Choice> for KeepFirstSiblings {
    fn name(&self) -> &'static str {
        "keep_first_siblings"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Shape::of(target);
        let family = chooser.choose(0..shape.families.len(), |at| {
            shape.families[at].members.len() > 1
        })?;
        let members = &shape.families[family].members;
        // 0, 1, 2, 4, …
        let powers = (members.len() - 1).ilog2() as usize + 2;
        let kept = match chooser.prefer(powers)? {
            0 => 0,
            power => 1 << (power - 1),
        };
        Ok(Patch::cuts(members[kept..].iter().copied()))
    }
}
