//! Keeps of siblings only one with those that it names, and those that these name, renumbered.
//!
//! When elements name each other by their places, as in `[4, 3, 2, 1, 1]`, most of them have
//! nothing to do with what fails. The second one names the fourth, which names the second: the two
//! stand by themselves as `[1, 0]`.
//!
//! Costs a test for each different set of siblings that are closed in this way, the smallest first.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("keep_named_siblings", vec(0..9usize), "1.t.4.t.3.t.2.t.1.t.1.f");
//! assert_eq!(tried, ["[0]", "[1, 0]", "[1, 0, 0]", "[3, 2, 1, 1]"]);
//! ```

use std::collections::BTreeSet;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::delete_and_renumber::has_names;
use super::shape::{Families, Family, Numbers, delete_and_put, number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct KeepNamedSiblings;

/// Of more siblings than these hardly any set is closed and small.
const MOST: usize = 64;

/// For each family the closed sets of its members, the smallest first.
struct Closed(Vec<Vec<Vec<usize>>>);

impl Closed {
    fn found(target: &Target<Choice>) -> Closed {
        let closed_in = |family: &Family| {
            if family.members.len() > MOST || !has_names(target, family) {
                return Vec::new();
            }
            let count = family.members.len();
            let sets: BTreeSet<Vec<usize>> = (0..count)
                .map(|member| closed(target, family, member))
                .filter(|kept| kept.len() < count)
                .collect();
            let mut sets: Vec<Vec<usize>> = sets.into_iter().collect();
            sets.sort_by_key(Vec::len);
            sets
        };
        Closed(Families::of(target).iter().map(closed_in).collect())
    }
}

/// The numbers in a member, each with its place.
fn numbers_in<'a>(
    target: &'a Target<Choice>,
    numbers: &'a Numbers,
    (start, end): (usize, usize),
) -> impl Iterator<Item = (usize, i128)> + 'a {
    let first = numbers.all.partition_point(|&at| at < start);
    let within = numbers.all[first..].iter().take_while(move |&&at| at < end);
    within.filter_map(|&at| Some((at, number(&target.elements()[at])?)))
}

/// A member with all that it names, in order.
fn closed(target: &Target<Choice>, family: &Family, member: usize) -> Vec<usize> {
    let numbers = Numbers::of(target);
    let mut kept = BTreeSet::from([member]);
    let mut open = vec![member];
    while let Some(member) = open.pop() {
        let named = numbers_in(target, &numbers, family.members[member]);
        let named = named.filter_map(|(_, value)| usize::try_from(value).ok());
        for named in named.filter(|named| *named < family.members.len()) {
            if kept.insert(named) {
                open.push(named);
            }
        }
    }
    kept.into_iter().collect()
}

impl Pass<Choice> for KeepNamedSiblings {
    fn name(&self) -> &'static str {
        "keep_named_siblings"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (families, numbers) = (Families::of(target), Numbers::of(target));
        let closed = target.analysis(Closed::found);
        let chosen = chooser.choose(0..families.len(), |family| !closed.0[family].is_empty())?;
        let (family, sets) = (&families[chosen], &closed.0[chosen]);
        let kept = &sets[chooser.prefer(sets.len())?];
        let members = family.members.iter().copied().enumerate();
        let deleted: Vec<(usize, usize)> = members
            .filter(|(place, _)| kept.binary_search(place).is_err())
            .map(|(_, member)| member)
            .collect();
        let named = kept
            .iter()
            .flat_map(|&place| numbers_in(target, &numbers, family.members[place]));
        let renumbered = named.filter_map(|(at, value)| {
            let now = kept.binary_search(&usize::try_from(value).ok()?).ok()? as i128;
            (now != value).then_some((at, now))
        });
        let count = family.count_in(target).map(|at| (at, kept.len() as i128));
        delete_and_put(target, &deleted, renumbered.chain(count)).ok_or(DeadBranch)
    }
}
