//! Joins neighbouring collections whose lengths are drawn first.
//!
//! `[[0], [1, 2]]`, drawn as two lists of one and of two elements, becomes one list of three:
//! `[[0, 1, 2]]`. Collections that say before each element whether there is one more are joined by
//! `merge_siblings`.
//!
//! Costs a test for each pair of neighbours.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let lists = vec(integers(0..9usize).flat_map(|len| vec(0..9u8).exactly(len)));
//! let tried = reductions("merge_counted", lists, "1.t.1.0.t.2.1.2.f");
//! assert_eq!(tried, ["[[0, 1, 2]]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Family, delete_and_put, is_more, number, with_number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct MergeCounted;

/// The place of the number that a member begins with, and that can be a length.
fn length_at(target: &Target<Choice>, (start, end): (usize, usize)) -> Option<usize> {
    let elements = target.elements();
    let at = start + usize::from(is_more(elements.get(start)?));
    let can_be = at < end && elements[at].is_integer();
    let len = can_be.then(|| number(&elements[at])).flatten()?;
    // So many elements have at least so many choices.
    let is_length = usize::try_from(len).is_ok_and(|len| len < end - at);
    (is_length || (len == 0 && at + 1 == end)).then_some(at)
}

/// The second of two members put behind the first, the length of which is that of both.
fn merged(target: &Target<Choice>, family: &Family, first: usize) -> Option<Patch<Choice>> {
    let (kept, joined) = (family.members[first], family.members[first + 1]);
    let (length, other) = (length_at(target, kept)?, length_at(target, joined)?);
    let elements = target.elements();
    let sum = number(&elements[length])?.checked_add(number(&elements[other])?)?;
    let longer = with_number(&elements[length], sum);
    if !longer.constraint().permits(&longer.value()) {
        return None;
    }
    let count = family.count_in(target);
    let count = count.map(|at| (at, family.members.len() as i128 - 1));
    let numbers = [(length, sum)].into_iter().chain(count);
    delete_and_put(target, &[(joined.0, other + 1)], numbers)
}

impl Pass<Choice> for MergeCounted {
    fn name(&self) -> &'static str {
        "merge_counted"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let families = Families::of(target);
        let family = chooser.choose(0..families.len(), |at| families[at].members.len() > 1)?;
        let family = &families[family];
        // To merge one that is empty is to delete it.
        let has_length = |at: usize| {
            let length = length_at(target, family.members[at]);
            length.is_some_and(|at| number(&target.elements()[at]) != Some(0))
        };
        let first = chooser.choose(0..family.members.len() - 1, |first| {
            has_length(first) && has_length(first + 1)
        })?;
        merged(target, family, first).ok_or(DeadBranch)
    }
}
