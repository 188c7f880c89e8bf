//! Deletes a span that holds one number, and lets another number absorb it: as a sum, as a
//! product, or by growing as far as it may. Which alternative was chosen is no such number.
//!
//! `100000 · 10` becomes `1000000`; two lists whose sums overflow together become one.
//!
//! Costs up to three tests for each span with one number and each number near it; in the midst of
//! equal ones none.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("delete_and_absorb", (0..1000u32, vec(0..9u32)), "1.100.t.7.f");
//! assert_eq!(tried, ["(107, [])", "(700, [])", "(999, [])"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::amid::Amid;
use super::shape::{Amounts, Place, Spans, delete_and_put, number};
use crate::choice::{Choice, Constraint, IntegerRange};

/// How many numbers further the absorbing one may stand.
const REACH: usize = 2;
/// So many numbers can be the absorbing one.
const NEARBY: usize = 2 * REACH;
/// As a sum, as a product, and as far as it goes.
const WAYS: usize = 3;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteAndAbsorb;

/// The sum, as it overflows in the type that the range is that of.
pub(super) fn wrapped(range: IntegerRange, sum: i128) -> Option<i128> {
    if range.contains(sum) {
        return Some(sum);
    }
    let width = i128::try_from(range.width()).ok()?.checked_add(1)?;
    Some(sum.checked_sub(range.min)?.rem_euclid(width) + range.min)
}

impl Pass<Choice> for DeleteAndAbsorb {
    fn name(&self) -> &'static str {
        "delete_and_absorb"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (spans, numbers) = (Spans::of(target), Amounts::of(target));
        let amid = Amid::of(target);
        let elements = target.elements();
        let held = |(start, end, _): Place| {
            let only = numbers.only_in((start, end))?;
            (number(&elements[numbers[only]]) != Some(0)).then_some(only)
        };
        // The nearest before it first, then those behind it.
        let nearby = |deleted: usize, chosen: usize| {
            let other = NEARBY - 1 - chosen;
            let other = match other < REACH {
                true => deleted.checked_sub(1 + other)?,
                false => deleted + 1 + other - REACH,
            };
            let at = *numbers.get(other)?;
            let are_amid = amid.is_amid(at) && amid.is_amid(numbers[deleted]);
            (!are_amid && !elements[at].is_simplest()).then_some(other)
        };
        let absorbed = |deleted: usize, other: usize, way: usize| {
            let at = numbers[other];
            let Constraint::Integer(range) = elements[at].constraint() else {
                return None;
            };
            let is_neighbour = other.abs_diff(deleted) == 1;
            let (a, b) = (number(&elements[at])?, number(&elements[numbers[deleted]])?);
            let absorbed = match WAYS - 1 - way {
                0 => a.checked_add(b).and_then(|sum| wrapped(range, sum)),
                1 if a.unsigned_abs().min(b.unsigned_abs()) < 2 => None,
                1 => Some(a.saturating_mul(b).clamp(range.min, range.max)),
                _ if !is_neighbour => None,
                _ if a > range.origin => Some(range.max),
                _ => Some(range.min),
            };
            Some((at, absorbed.filter(|absorbed| *absorbed != a)?))
        };
        let can_absorb = |deleted: usize, chosen: usize| {
            nearby(deleted, chosen)
                .is_some_and(|other| (0..WAYS).any(|way| absorbed(deleted, other, way).is_some()))
        };
        let chosen = chooser.choose(0..spans.len(), |at| {
            held(spans.at(at))
                .is_some_and(|deleted| (0..NEARBY).any(|other| can_absorb(deleted, other)))
        })?;
        let (start, end, _) = spans.at(chosen);
        let deleted = numbers.only_in((start, end)).ok_or(DeadBranch)?;
        let other = chooser.choose(0..NEARBY, |other| can_absorb(deleted, other))?;
        let other = nearby(deleted, other).ok_or(DeadBranch)?;
        let way = chooser.choose(0..WAYS, |way| absorbed(deleted, other, way).is_some())?;
        let absorbed = absorbed(deleted, other, way);
        delete_and_put(target, &[(start, end)], absorbed).ok_or(DeadBranch)
    }
}
