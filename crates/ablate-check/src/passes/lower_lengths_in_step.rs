//! Lowers a number that says how long several lists are, and deletes a member of each of them.
//!
//! A square table loses a row and, of each row, the element in the same column or in any other: that
//! of three rows with three elements each becomes one of two with two. If the length alone is lowered,
//! what is left moves to other places.
//!
//! Costs a test for each place, where several lists have as many members as a number before them says;
//! of a table one for each place of a row and each of a column. A last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let square = integers(1..=9usize).flat_map(|n| vec(vec(0..9u8).exactly(n)).exactly(n));
//! let tried = reductions("lower_lengths_in_step", square, "1.2.1.2.3.4");
//! assert_eq!(tried, ["[[1]]", "[[2]]", "[[4]]", "[[3]]"]);
//! ```

use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Numbers, delete_and_put, is_more, number};
use crate::choice::Choice;

/// So many members are looked at.
const MOST: usize = 16;
/// And so many lists of a kind: each is compared with each.
const LISTS: usize = MOST * MOST;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerLengthsInStep;

/// Lists that have as many members as numbers before them say.
struct Counted {
    count: usize,
    /// The numbers that are lowered.
    numbers: Vec<usize>,
    /// The families of lists, by their places among all.
    outer: Vec<usize>,
    /// Those that stand in members of them.
    inner: Vec<usize>,
}

struct AllCounted(Vec<Counted>);

impl AllCounted {
    fn found(target: &Target<Choice>) -> AllCounted {
        let (elements, families) = (target.elements(), Families::of(target));
        let says_more =
            |member: &(usize, usize)| member.0 < member.1 && is_more(&elements[member.0]);
        // Lists of one kind and length belong together.
        let mut alike: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
        for (at, family) in families.iter().enumerate() {
            let count = family.members.len();
            if (2..=MOST).contains(&count) && !family.members.iter().any(says_more) {
                alike.entry((count, family.label)).or_default().push(at);
            }
        }
        alike.retain(|_, lists| lists.len() <= LISTS);
        let extent = |family: &usize| {
            let members = &families[*family].members;
            (members[0].0, members[members.len() - 1].1)
        };
        let mut found = Vec::new();
        for (&(count, label), outer) in &alike {
            let first = outer.iter().map(|family| extent(family).0).min();
            let numbers = numbers_of(target, count, first.unwrap_or(0));
            if numbers.is_empty() {
                continue;
            }
            let is_within = |inner: &usize| {
                let (start, end) = extent(inner);
                let mut around = outer.iter().flat_map(|family| &families[*family].members);
                around.any(|member| member.0 <= start && end <= member.1)
            };
            let inner_lists = alike
                .iter()
                .filter(|(known, _)| known.0 == count && known.1 != label)
                .map(|(_, lists)| lists.iter().copied().filter(is_within).collect())
                .filter(|lists: &Vec<usize>| !lists.is_empty());
            let alone = (outer.len() > 1).then(Vec::new);
            for inner in inner_lists.chain(alone) {
                let mut together = vec![numbers.clone()];
                if numbers.len() > 1 {
                    together.extend(numbers.iter().map(|&at| vec![at]));
                }
                found.extend(together.into_iter().map(|numbers| Counted {
                    count,
                    numbers,
                    outer: outer.clone(),
                    inner: inner.clone(),
                }));
            }
        }
        AllCounted(found)
    }
}

/// The numbers before a place that are this one, and can be lowered.
fn numbers_of(target: &Target<Choice>, count: usize, end: usize) -> Vec<usize> {
    let numbers = Numbers::of(target);
    let before = numbers.lowerable.iter().take_while(|&&at| at < end);
    let is_count = |at: &usize| {
        let choice = &target.elements()[*at];
        number(choice) == Some(count as i128) && choice.is_integer()
    };
    before.copied().filter(is_count).collect()
}

impl Pass<Choice> for LowerLengthsInStep {
    fn name(&self) -> &'static str {
        "lower_lengths_in_step"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (all, families) = (target.analysis(AllCounted::found), Families::of(target));
        let counted = &all.0[chooser.prefer(all.0.len())?];
        let place = chooser.any(0..counted.count)?;
        // The same place of rows and columns first: what stands on the diagonal stays there.
        let inner_place = match counted.inner.is_empty() {
            true => place,
            false => (place + chooser.prefer(counted.count)?) % counted.count,
        };
        let member = |family: &usize, place: usize| families[*family].members[place];
        let mut cuts: Vec<(usize, usize)> = counted
            .outer
            .iter()
            .map(|list| member(list, place))
            .collect();
        for list in &counted.inner {
            let cut = member(list, inner_place);
            if !cuts
                .iter()
                .any(|(start, end)| *start <= cut.0 && cut.1 <= *end)
            {
                cuts.push(cut);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        if cuts.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return Err(DeadBranch);
        }
        let lowered = counted.count as i128 - 1;
        let numbers = counted.numbers.iter().map(|&at| (at, lowered));
        delete_and_put(target, &cuts, numbers).ok_or(DeadBranch)
    }
}
