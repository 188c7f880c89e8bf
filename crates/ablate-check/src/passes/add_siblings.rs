//! Replaces the last of some siblings that hold one number each by their sum.
//!
//! When only what numbers add up to counts, `[250, 40, 7, 300]` becomes `[597]`, and
//! `[250, 40, -90]` the `[200]` that it takes.
//!
//! Sums overflow as they do in the type that the numbers are of.
//!
//! Costs a test for each family of siblings with one number each; grown over the siblings.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("add_siblings", vec(0..1000u32), "1.t.250.t.40.t.300.f");
//! assert_eq!(tried, ["[250, 340]"]);
//! ```

use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::delete_and_absorb::wrapped;
use super::shape::{Family, Shape, distance, number, with_number};
use crate::choice::{Choice, Constraint};

/// Sums of smaller numbers are hardly what counts: they will be places, or quantities.
const SMALL: u128 = 16;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct AddSiblings;

/// The place of the only number in an interval.
fn only_number(shape: &Shape, (start, end): (usize, usize)) -> Option<usize> {
    let first = shape.all_numbers.partition_point(|&at| at < start);
    let at = *shape.all_numbers.get(first)?;
    let is_only = shape.all_numbers.get(first + 1).is_none_or(|&at| at >= end);
    (at < end && is_only).then_some(at)
}

/// Puts the sum of the last `count` members into the first of these, and deletes the others.
fn added(
    target: &Target<Choice>,
    shape: &Shape,
    family: &Family,
    count: usize,
) -> Option<Patch<Choice>> {
    let first = family.members.len().checked_sub(count)?;
    let (kept, deleted) = family.members[first..].split_first()?;
    let at = only_number(shape, *kept)?;
    let Constraint::Integer(range) = target.elements()[at].constraint else {
        return None;
    };
    let mut sum = number(&target.elements()[at])?;
    for member in deleted {
        let other = &target.elements()[only_number(shape, *member)?];
        sum = wrapped(range, sum.checked_add(number(other)?)?)?;
    }
    let edit = Edit {
        start: at,
        end: at + 1,
        insert: Some(Arc::from([with_number(&target.elements()[at], sum)])),
    };
    let cuts = deleted.iter().map(|&(start, end)| Edit {
        start,
        end,
        insert: None,
    });
    Patch::edits_of(cuts.chain([edit])).ok()
}

/// Whether the last two members hold different numbers, and no small ones.
fn may_be_added(target: &Target<Choice>, shape: &Shape, family: &Family) -> bool {
    let [.., first, second] = family.members.as_slice() else {
        return false;
    };
    let held = |member| Some(&target.elements()[only_number(shape, member)?]);
    let (Some(first), Some(second)) = (held(*first), held(*second)) else {
        return false;
    };
    number(first) != number(second) && distance(first).max(distance(second)) > Some(SMALL)
}

impl Pass<Choice> for AddSiblings {
    fn name(&self) -> &'static str {
        "add_siblings"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Shape::of(target);
        let family = chooser.choose(0..shape.families.len(), |family| {
            may_be_added(target, &shape, &shape.families[family])
        })?;
        added(target, &shape, &shape.families[family], 2).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let shape = Shape::of(target);
        let (start, end) = patch.extent()?;
        let is_last = |family: &&Family| {
            let mut members = family.members.iter().rev();
            members.next().is_some_and(|last| last.1 == end)
                && members.any(|member| member.0 <= start && start < member.1)
        };
        let family = shape.families.iter().find(is_last)?;
        let first = family.members.partition_point(|member| member.1 <= start);
        let all = family.members.len();
        let count = match direction {
            // All at once.
            0 if amount == 1 && first > 0 => all,
            1 => (all - first).checked_add(amount)?,
            _ => return None,
        };
        added(target, &shape, family, count)
    }
}
