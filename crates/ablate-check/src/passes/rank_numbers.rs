//! Replaces every number by its rank: the least by 0, the next by 1, and so on.
//!
//! When only the order of numbers counts, or which are equal, `[2071, -30, 2071]` becomes
//! `[1, 0, 1]` in one test.
//!
//! Where there are passes that move two numbers together, two that are near each other, and all there
//! is, are left to these: how near they are counts more then than which is the greater one.
//!
//! Where many numbers are of one range and others of another, those are ranked by themselves too: the keys
//! of a map without its values.
//!
//! Costs one test, and one for each such range.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("rank_numbers", vec(any::<i16>()), "1.t.2071.t.-30.t.2071.f");
//! assert_eq!(tried, ["[1, 0, 1]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::move_amounts::are_near;
use super::shape::{ByValue, Numbers, kinds, set_number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum RankNumbers {
    /// Those of any numbers.
    Any,
    /// Those of many, early: when they have become small many can be capped, and what is alike then can
    /// be deleted together.
    OfMany,
    /// Those of few, but not of two that are near each other.
    OfFew,
}

impl Pass<Choice> for RankNumbers {
    fn name(&self) -> &'static str {
        match self {
            RankNumbers::OfMany => "rank_many_numbers",
            RankNumbers::Any | RankNumbers::OfFew => "rank_numbers",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        // Where all are the simplest there is nothing to be looked for.
        if numbers.lowerable.is_empty() {
            return Err(DeadBranch);
        }
        let is_wanted = match self {
            RankNumbers::Any => true,
            RankNumbers::OfMany => numbers.all.len() > EARLY,
            RankNumbers::OfFew => match numbers.all[..] {
                [a, b] => !are_near(&numbers, &elements[a], &elements[b]),
                _ => numbers.all.len() <= EARLY,
            },
        };
        if !is_wanted {
            return Err(DeadBranch);
        }
        let groups = target.analysis(Groups::found);
        if groups.0.is_empty() && are_ranks(elements) {
            return Err(DeadBranch);
        }
        let group = match groups.0.len() {
            0 => None,
            // All of them first.
            count => chooser.prefer(1 + count)?.checked_sub(1),
        };
        let ranked = ranked(target, group.map(|group| &elements[groups.0[group]]));
        let places: Vec<usize> = ranked.iter().map(|(at, _)| *at).collect();
        let mut ranks = ranked.into_iter();
        Ok(Patch::change(elements, &places, |choice| {
            if let Some((_, rank)) = ranks.next() {
                set_number(choice, rank);
            }
        }))
    }
}

/// Whether there is nothing but numbers of ranges, and each is its own rank: they are 0, 1 and so on,
/// none left out. To sort them would take longer.
fn are_ranks(elements: &[Choice]) -> bool {
    let mut is_there = vec![false; elements.len()];
    let (mut different, mut greatest) = (0, 0);
    for choice in elements {
        let value = choice
            .small_permitted()
            .and_then(|(value, _)| usize::try_from(value).ok());
        let Some(is_known) = value.and_then(|value| is_there.get_mut(value)) else {
            return false;
        };
        different += usize::from(!std::mem::replace(is_known, true));
        greatest = greatest.max(value.unwrap_or_default());
    }
    different == greatest + 1
}

/// From so many numbers of one range on, these are ranked by themselves too.
const MANY: usize = 64;
/// More than so many numbers are ranked and capped early, before some of them are deleted one by one.
pub(super) const EARLY: usize = 32;

/// Where the first number of each range stands that many are of, where there are others.
struct Groups(Vec<usize>);

impl Groups {
    fn found(target: &Target<Choice>) -> Groups {
        let elements = target.elements();
        let mut drawn = elements.iter().filter(|choice| choice.is_integer());
        // Those of a list are all of one range.
        let first = drawn.next();
        if first.is_none_or(|first| drawn.all(|choice| choice.has_constraint_of(first))) {
            return Groups(Vec::new());
        }
        let kinds = kinds(elements, Choice::is_integer).into_iter();
        let many = kinds.filter(|places| places.len() >= MANY);
        Groups(many.map(|places| places[0]).collect())
    }
}

/// The places of the drawn numbers, or of those of the range of one, that are not their own rank, in
/// order, each with that rank.
fn ranked(target: &Target<Choice>, group: Option<&Choice>) -> Vec<(usize, i128)> {
    let elements = target.elements();
    let by_value = ByValue::of(target);
    let is_drawn = |at: usize| match group {
        Some(group) => elements[at].has_constraint_of(group),
        None => elements[at].is_integer(),
    };
    let drawn = by_value.iter().filter(|(_, at)| is_drawn(*at));
    // What an element is to become; as large as can be where that is nothing else.
    let mut ranks = vec![u32::MAX; elements.len()];
    let (mut ranked, mut next, mut last) = (0, 0, None);
    for &(value, at) in drawn {
        if last != Some(value) {
            (next, last) = (next + 1, Some(value));
        }
        let rank = next - 1;
        if value != i128::from(rank) {
            ranks[at] = rank;
            ranked += 1;
        }
    }
    let mut places = Vec::with_capacity(ranked);
    let other = ranks
        .iter()
        .enumerate()
        .filter(|(_, rank)| **rank != u32::MAX);
    places.extend(other.map(|(at, rank)| (at, i128::from(*rank))));
    places
}

#[cfg(test)]
mod tests {
    use super::super::reductions;
    use super::MANY;
    use crate::choice::{Value, encode};
    use crate::prelude::*;

    #[test]
    fn numbers_of_one_range_are_ranked_where_all_are_their_own_ranks() {
        let many = MANY as i16;
        let both = (
            vec(any::<i16>()).exactly(MANY),
            vec(any::<i32>()).exactly(MANY),
        );
        let values = (many..2 * many).chain(0..many);
        let start = encode(values.map(|value| Value::Integer(value.into())));
        let ranks: Vec<i16> = (0..many).collect();
        let tried = reductions("rank_many_numbers", both, &start);
        assert_eq!(tried, [format!("({ranks:?}, {ranks:?})")]);
        let (one, ranked) = (
            vec(any::<i16>()).exactly(MANY),
            encode((0..many).map(|value| Value::Integer(value.into()))),
        );
        assert!(reductions("rank_many_numbers", one, &ranked).is_empty());
    }
}
