//! Lowers a number that says how many siblings follow, and deletes as many of them.
//!
//! When a length is drawn first and then as many elements, neither can change without the other:
//! lowering the length alone drops the last elements, and one of them may be what matters.
//!
//! Costs a test for each number that equals the number of the siblings behind it, and each of
//! these; grown over the siblings.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let values = integers(1..=9usize).flat_map(|len| vec(0..9u8).exactly(len));
//! let tried = reductions("lower_lengths", values, "1.3.5.6.7");
//! assert_eq!(tried, ["[5, 6]", "[5, 7]", "[6, 7]"]);
//! ```

use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Shape, distance, number, with_number};
use super::siblings;
use crate::choice::Choice;

/// How many numbers that don't equal the number of siblings, before these, are tried all the same.
const REACH: usize = 2;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerLengths;

fn without(
    target: &Target<Choice>,
    at: usize,
    siblings: &[(usize, usize)],
) -> Option<Patch<Choice>> {
    let choice = &target.elements()[at];
    let amount = siblings.len();
    if distance(choice)? < amount as u128 {
        return None;
    }
    if siblings.iter().all(|(start, end)| start == end) {
        return None;
    }
    let lowered = Edit {
        start: at,
        end: at + 1,
        insert: Some(Arc::from([with_number(
            choice,
            number(choice)? - amount as i128,
        )])),
    };
    let cuts = siblings.iter().map(|&(start, end)| Edit {
        start,
        end,
        insert: None,
    });
    Patch::edits_of(std::iter::once(lowered).chain(cuts)).ok()
}

/// Whether the number at `at` may be the length of this family.
fn may_count(target: &Target<Choice>, shape: &Shape, at: usize, family: usize) -> bool {
    let family = &shape.families[family];
    let Some(&(first, _)) = family.members.first() else {
        return false;
    };
    let count = family.members.len() as i128;
    let value = number(&target.elements()[at]).unwrap_or(0);
    // Nearly equal will do: the length may be that of something else, or one more.
    if first <= at || !(count - 1..=count + 1).contains(&value) {
        return false;
    }
    let equals = value == count;
    let before = shape.numbers.partition_point(|&number| number < first);
    equals || shape.numbers[before.saturating_sub(REACH)..before].contains(&at)
}

impl Pass<Choice> for LowerLengths {
    fn name(&self) -> &'static str {
        "lower_lengths"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Shape::of(target);
        let family = chooser.choose(0..shape.families.len(), |family| {
            (shape.numbers.iter()).any(|&at| may_count(target, &shape, at, family))
        })?;
        let place = chooser.choose(0..shape.numbers.len(), |place| {
            may_count(target, &shape, shape.numbers[place], family)
        })?;
        let members = &shape.families[family].members;
        let sibling = chooser.any(0..members.len())?;
        without(target, shape.numbers[place], &members[sibling..=sibling]).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        siblings::DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let (at, end) = patch.extent()?;
        let start = patch.edits().get(1)?.start;
        siblings::grown(target, (start, end), direction, amount, |family, run| {
            without(target, at, &family.members[run.0..=run.1])
        })
    }
}
