//! Deletes a sibling, and lowers by one every number that names a sibling behind it.
//!
//! When elements name each other by their places, as in `[2, 0, 0]`, deleting the second one alone
//! makes the first name nothing: it has to become `[1, 0]`. Where their number is drawn first, it
//! is lowered as well.
//!
//! Costs a test for each sibling of a family in which numbers could be places.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("delete_and_renumber", vec(0..9usize), "1.t.2.t.0.t.0.f");
//! assert_eq!(tried, ["[1, 0]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Family, Numbers, delete_and_put, number};
use super::siblings;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteAndRenumber;

/// The places and values of the numbers that could name members of the family: those within it,
/// or, if `is_beyond`, those behind it too.
fn names<'a>(
    target: &'a Target<Choice>,
    numbers: &'a Numbers,
    family: &Family,
    is_beyond: bool,
) -> impl Iterator<Item = (usize, i128)> + 'a {
    let first = family.members.first().map_or(0, |member| member.0);
    let end = family.members.last().map_or(0, |member| member.1);
    let within = numbers
        .lowerable
        .iter()
        .filter(move |&&at| first <= at && (is_beyond || at < end));
    within.filter_map(|&at| Some((at, number(&target.elements()[at])?)))
}

/// Whether there are numbers in a family, and all of them could name its members.
pub(super) fn has_names(target: &Target<Choice>, family: &Family) -> bool {
    let numbers = Numbers::of(target);
    may_be_named(target, &numbers, family)
        && names(target, &numbers, family, false).any(|(_, value)| value > 0)
}

fn may_be_named(target: &Target<Choice>, numbers: &Numbers, family: &Family) -> bool {
    let count = family.members.len() as i128;
    family.members.len() > 1
        && names(target, numbers, family, false).all(|(_, value)| (0..=count).contains(&value))
}

/// The last member that a number could name; none is renumbered when one behind it is deleted.
fn last_named(target: &Target<Choice>, numbers: &Numbers, family: &Family) -> i128 {
    let named = names(target, numbers, family, true).map(|(_, value)| value);
    named.max().unwrap_or(0)
}

impl Pass<Choice> for DeleteAndRenumber {
    fn name(&self) -> &'static str {
        "delete_and_renumber"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (families, numbers) = (Families::of(target), Numbers::of(target));
        let family = chooser.choose(0..families.len(), |family| {
            may_be_named(target, &numbers, &families[family])
        })?;
        let family = &families[family];
        let last = last_named(target, &numbers, family);
        let place = chooser.choose(0..family.members.len(), |place| (place as i128) < last)?;
        let is_beyond = chooser.prefer(2)? == 1;
        without(target, &numbers, family, (place, place), is_beyond).ok_or(DeadBranch)
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
        let numbers = Numbers::of(target);
        let cut = patch.edits().iter().find(|edit| edit.is_cut())?;
        let run = (cut.start, cut.end);
        siblings::grown(target, run, direction, amount, |family, run| {
            let end = family.members.last()?.1;
            let is_beyond = patch.edits().iter().any(|edit| edit.start >= end);
            without(target, &numbers, family, run, is_beyond)
        })
    }
}

/// Deletes a run of members; `None` when no number names one behind it.
fn without(
    target: &Target<Choice>,
    numbers: &Numbers,
    family: &Family,
    (first, last): (usize, usize),
    is_beyond: bool,
) -> Option<Patch<Choice>> {
    let (start, end) = (family.members[first].0, family.members[last].1);
    let siblings = family.members.len() as i128;
    let mut beyond = names(target, numbers, family, is_beyond);
    if start == end || !beyond.all(|(_, value)| (0..=siblings).contains(&value)) {
        return None;
    }
    let count = (last - first + 1) as i128;
    let named = names(target, numbers, family, is_beyond)
        .filter(|&(at, value)| (at < start || at >= end) && value > last as i128);
    let mut lowered = named.map(|(at, value)| (at, value - count)).peekable();
    lowered.peek()?;
    let members = family.count_in(target).map(|at| (at, siblings - count));
    delete_and_put(target, &[(start, end)], lowered.chain(members))
}
