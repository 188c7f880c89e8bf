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

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::delete_and_absorb::wrapped;
use super::shape::{Families, Family, Numbers, delete_and_put, distance, number};
use crate::choice::{Choice, Constraint};

/// Sums of smaller numbers are hardly what counts: they will be places, or quantities.
const SMALL: u128 = 16;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct AddSiblings;

/// Puts the sum of the last `count` members into the first of these, and deletes the others.
fn added(
    target: &Target<Choice>,
    numbers: &Numbers,
    family: &Family,
    count: usize,
) -> Option<Patch<Choice>> {
    let first = family.members.len().checked_sub(count)?;
    let (kept, deleted) = family.members[first..].split_first()?;
    let at = numbers.all[numbers.only_in(*kept)?];
    let Constraint::Integer(range) = target.elements()[at].constraint() else {
        return None;
    };
    let mut sum = number(&target.elements()[at])?;
    for member in deleted {
        let other = &target.elements()[numbers.all[numbers.only_in(*member)?]];
        sum = wrapped(range, sum.checked_add(number(other)?)?)?;
    }
    delete_and_put(target, deleted, [(at, sum)])
}

/// Whether the last two members hold different numbers, and no small ones.
fn may_be_added(target: &Target<Choice>, numbers: &Numbers, family: &Family) -> bool {
    let [.., first, second] = family.members.as_slice() else {
        return false;
    };
    let held = |member| Some(&target.elements()[numbers.all[numbers.only_in(member)?]]);
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
        let (families, numbers) = (Families::of(target), Numbers::of(target));
        let family = chooser.choose(0..families.len(), |family| {
            may_be_added(target, &numbers, &families[family])
        })?;
        added(target, &numbers, &families[family], 2).ok_or(DeadBranch)
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
        let families = Families::of(target);
        let (start, end) = patch.extent()?;
        let is_last = |family: &&Family| {
            let mut members = family.members.iter().rev();
            members.next().is_some_and(|last| last.1 == end)
                && members.any(|member| member.0 <= start && start < member.1)
        };
        let family = families.iter().find(is_last)?;
        let first = family.members.partition_point(|member| member.1 <= start);
        let all = family.members.len();
        let count = match direction {
            // All at once.
            0 if amount == 1 && first > 0 => all,
            1 => (all - first).checked_add(amount)?,
            _ => return None,
        };
        added(target, &Numbers::of(target), family, count)
    }
}
