//! Deletes the members at the same place of all lists that have the same number of them.
//!
//! When two lists have to be equally long, or all rows of a table, no element can go by itself:
//! `([1, 2, 3], [4, 5, 6])` becomes `([1, 3], [4, 6])`.
//!
//! Costs a test for each place, where there are such lists with two members or more: those of one kind,
//! and those of any. Grown over the places before it and behind it.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let lists = (vec(0..9u8), vec(0..9u8));
//! let tried = reductions("delete_in_step", lists, "1.t.1.t.2.f.t.3.t.4.f");
//! assert_eq!(tried, ["([1], [3])", "([2], [4])"]);
//! ```

use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, is_more};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteInStep;

/// So many members there have to be: the only ones are deleted one by one.
const MANY: usize = 2;

/// Which lists have the same number of members, by their places among the families.
struct Equals(Vec<Vec<usize>>);

impl Equals {
    fn found(target: &Target<Choice>) -> Equals {
        let families = Families::of(target);
        let mut of_kind: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
        let mut of_any: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, family) in families.iter().enumerate() {
            let says_more = |member: &(usize, usize)| {
                member.0 < member.1 && is_more(&target.elements()[member.0])
            };
            let count = family.members.len();
            if count >= MANY && family.members.iter().all(says_more) {
                of_kind.entry((count, family.label)).or_default().push(at);
                of_any.entry(count).or_default().push(at);
            }
        }
        let groups = of_any.into_values().chain(of_kind.into_values());
        let mut groups: Vec<Vec<usize>> = groups.filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        groups.dedup();
        Equals(groups)
    }
}

/// Deletes the members from one place to another of all these families.
fn without(
    target: &Target<Choice>,
    group: &[usize],
    (first, last): (usize, usize),
) -> Option<Patch<Choice>> {
    let families = Families::of(target);
    let members = |family: &usize| families[*family].members.get(first..=last);
    let runs = group.iter().filter_map(members);
    let mut cuts: Vec<(usize, usize)> = runs.flatten().copied().collect();
    cuts.sort_unstable();
    let are_apart = cuts.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    are_apart.then(|| Patch::cuts(cuts))
}

impl Pass<Choice> for DeleteInStep {
    fn name(&self) -> &'static str {
        "delete_in_step"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (equals, families) = (target.analysis(Equals::found), Families::of(target));
        let group = &equals.0[chooser.prefer(equals.0.len())?];
        let content = |family: usize, at: usize| {
            let (start, end) = families[family].members[at];
            &target.elements()[start..end]
        };
        let count = families[group[0]].members.len();
        // What equals the next one need not go twice.
        let place = chooser.choose(0..count, |at| {
            at + 1 == count || group.iter().any(|&f| content(f, at) != content(f, at + 1))
        })?;
        without(target, group, (place, place)).ok_or(DeadBranch)
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
        let (equals, families) = (target.analysis(Equals::found), Families::of(target));
        let (start, end) = patch.extent()?;
        equals.0.iter().find_map(|group| {
            let place = |bound: &dyn Fn(&(usize, usize)) -> bool| {
                let mut members = group.iter().map(|family| &families[*family].members);
                members.find_map(|members| members.iter().position(bound))
            };
            let first = place(&|member| member.0 == start)?;
            let last = place(&|member| member.1 == end)?;
            if first > last || without(target, group, (first, last)).as_ref() != Some(patch) {
                return None;
            }
            let count = families[group[0]].members.len();
            let run = match direction {
                0 => (first.checked_sub(amount)?, last),
                _ => (
                    first,
                    last.checked_add(amount).filter(|last| *last < count)?,
                ),
            };
            without(target, group, run)
        })
    }
}
