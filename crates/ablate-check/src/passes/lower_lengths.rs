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

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Family, Numbers, delete_and_put, distance, number};
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
    let lowered = number(choice)? - amount as i128;
    delete_and_put(target, siblings, [(at, lowered)])
}

/// Whether the number at `at` may be the length of this family.
fn may_count(target: &Target<Choice>, numbers: &[usize], at: usize, family: &Family) -> bool {
    let Some(&(first, _)) = family.members.first() else {
        return false;
    };
    let count = family.members.len() as i128;
    let value = number(&target.elements()[at]).unwrap_or(0);
    // Nearly equal will do: the length may be that of something else, or one more.
    if first <= at || !(count - 1..=count + 1).contains(&value) {
        return false;
    }
    // There are too many ones.
    let equals = value == count && count > 1;
    let before = numbers.partition_point(|&number| number < first);
    equals || numbers[before.saturating_sub(REACH)..before].contains(&at)
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
        let (families, numbers) = (Families::of(target), Numbers::of(target));
        let numbers = &numbers.lowerable;
        let family = chooser.choose(0..families.len(), |family| {
            (numbers.iter()).any(|&at| may_count(target, numbers, at, &families[family]))
        })?;
        let family = &families[family];
        let place = chooser.choose(0..numbers.len(), |place| {
            may_count(target, numbers, numbers[place], family)
        })?;
        let sibling = chooser.any(0..family.members.len())?;
        without(target, numbers[place], &family.members[sibling..=sibling]).ok_or(DeadBranch)
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
