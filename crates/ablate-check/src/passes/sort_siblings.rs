//! Puts sibling spans in order, the simplest first.
//!
//! What is found in any order should be shown in one: `[1, 0]` becomes `[0, 1]`.
//!
//! Costs a test for each family that is out of order, and for each pair of neighbours that is.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("sort_siblings", vec(0..9u8), "1.t.3.t.2.t.1.f");
//! assert_eq!(tried, ["[1, 2, 3]", "[3, 1, 2]", "[2, 3, 1]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::delete_and_renumber::has_names;
use super::shape::{Families, Family, bounds, compare, is_more};
use crate::choice::{Choice, Toss};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum SortSiblings {
    /// Those that are not all of one length, all at once: before their numbers are lowered, as that
    /// would have to be tried anew in other places.
    ByLength,
    /// Those that numbers don't name: as above.
    Unnamed,
    /// Any.
    Any,
}

/// For each family whether any member is less simple than the next.
struct Unordered(Vec<bool>);

impl Unordered {
    fn found(target: &Target<Choice>) -> Unordered {
        let families = Families::of(target);
        let is_unordered = |family: &Family| {
            (1..family.members.len()).any(|at| is_out_of_order(target, family, at - 1))
        };
        Unordered(families.iter().map(is_unordered).collect())
    }
}

/// Where a member's content stands. Where a list has to have some elements, what says so of the first of them
/// belongs to the place: of the others, which could be missing, it says more.
fn interval(target: &Target<Choice>, family: &Family, member: usize) -> (usize, usize) {
    let first = |member: usize| {
        let (start, end) = family.members[member];
        target.elements()[start..end].first()
    };
    let has_to_be = |choice: &Choice| choice.toss() == Some(Toss::Forced(true));
    let is_list = first(0).is_some_and(has_to_be)
        && first(member).is_some_and(|choice| is_more(choice) || has_to_be(choice));
    let (start, end) = family.members[member];
    (start + usize::from(is_list), end)
}

fn content<'a>(target: &'a Target<Choice>, family: &Family, member: usize) -> &'a [Choice] {
    let (start, end) = interval(target, family, member);
    &target.elements()[start..end]
}

/// Whether a member is less simple than the next.
fn is_out_of_order(target: &Target<Choice>, family: &Family, at: usize) -> bool {
    compare(content(target, family, at), content(target, family, at + 1)).is_gt()
}

/// The members' contents put into the members' places, in another order.
fn rearranged(target: &Target<Choice>, family: &Family, order: &[usize]) -> Patch<Choice> {
    let edits = order.iter().enumerate().filter(|(to, from)| to != *from);
    let edits = edits.map(|(to, &from)| {
        let (start, end) = interval(target, family, to);
        Edit {
            start,
            end,
            insert: Some(content(target, family, from).into()),
        }
    });
    // The members of a family do not overlap.
    Patch::edits_of(edits).unwrap_or_default()
}

/// Numbers of wider ranges than this hardly name anything.
const NARROW: u128 = 1 << 12;

/// Whether the numbers in a family are of small ranges.
fn is_narrow(target: &Target<Choice>, family: &Family) -> bool {
    let mut members = family.members.iter();
    members.all(|&(start, end)| {
        let mut ranges = target.elements()[start..end].iter().filter_map(bounds);
        ranges.all(|range| range.max.abs_diff(range.min) < NARROW)
    })
}

impl Pass<Choice> for SortSiblings {
    fn name(&self) -> &'static str {
        match self {
            SortSiblings::ByLength => "sort_siblings_by_length",
            SortSiblings::Unnamed => "sort_unnamed_siblings",
            SortSiblings::Any => "sort_siblings",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (families, unordered) = (Families::of(target), target.analysis(Unordered::found));
        let family = chooser.choose(0..families.len(), |at| {
            let family = &families[at];
            unordered.0[at]
                && match self {
                    SortSiblings::ByLength => family.members.windows(2).any(|pair| {
                        let len = |(start, end): (usize, usize)| end - start;
                        len(pair[0]) != len(pair[1])
                    }),
                    SortSiblings::Unnamed => {
                        !(has_names(target, family) && is_narrow(target, family))
                    }
                    SortSiblings::Any => true,
                }
        })?;
        let family = &families[family];
        let count = family.members.len();
        let mut order: Vec<usize> = (0..count).collect();
        // All of it, or two neighbours.
        let way = chooser.choose(0..count, |way| {
            let is_all = way == count - 1;
            is_all
                || (!matches!(self, SortSiblings::ByLength) && is_out_of_order(target, family, way))
        })?;
        if way == count - 1 {
            let content = |member: usize| content(target, family, member);
            order.sort_by(|&a, &b| compare(content(a), content(b)));
        } else {
            order.swap(way, way + 1);
        }
        Ok(rearranged(target, family, &order))
    }
}
