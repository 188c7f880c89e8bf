//! Growing an edit of siblings over more of them.

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Family};
use crate::choice::Choice;

/// In so many directions a run of siblings grows: all that are left of it, so many left of it, all
/// that are right of it, so many right of it.
pub(super) const DIRECTIONS: usize = 4;

/// A run of siblings made longer: in directions 0 and 2 by all that are left of it or right of it,
/// which is tried first; in directions 1 and 3 by so many.
fn longer(
    (first, last): (usize, usize),
    count: usize,
    direction: usize,
    amount: usize,
) -> Option<(usize, usize)> {
    let behind = count - 1 - last;
    match direction {
        // All of a few is soon found by counting.
        0 if amount == 1 && first > 2 => Some((0, last)),
        1 => Some((first.checked_sub(amount)?, last)),
        2 if amount == 1 && behind > 2 => Some((first, count - 1)),
        3 if amount <= behind => Some((first, last + amount)),
        _ => None,
    }
}

/// What `edit` makes of a run of siblings that was `run`, made longer.
pub(super) fn grown_in(
    family: &Family,
    run: (usize, usize),
    direction: usize,
    amount: usize,
    edit: impl FnOnce(&Family, (usize, usize)) -> Option<Patch<Choice>>,
) -> Option<Patch<Choice>> {
    edit(
        family,
        longer(run, family.members.len(), direction, amount)?,
    )
}

/// The same for the run of siblings that is exactly this interval.
pub(super) fn grown(
    target: &Target<Choice>,
    (start, end): (usize, usize),
    direction: usize,
    amount: usize,
    edit: impl FnOnce(&Family, (usize, usize)) -> Option<Patch<Choice>>,
) -> Option<Patch<Choice>> {
    let families = Families::of(target);
    let (family, first, last) = families.run_of(start, end)?;
    grown_in(family, (first, last), direction, amount, edit)
}
