//! Steps that hardly differ in what they remove: where one has failed, the others mostly fail too.
//!
//! Two kinds of node that all functions have, a block and what it is the body of, a list with and
//! without its brackets: the large steps of a pass come in groups, and after the first of a group the
//! next group tells more. Only steps of one pass are compared: to delete something and to put
//! something simpler in its place are different things.

use crate::identity::Element;
use crate::patch::Edit;
use crate::target::Candidate;

/// How many parts of the same length a target is divided into.
const PARTS: usize = 64;
/// In shorter targets each step is its own.
const SHORTEST: usize = 1024;
/// Both what goes and what stays must be at least this share of the target.
const SMALLEST_SHARE: usize = 16;
/// Steps resemble each other when they differ by no more than this share of what goes, and of what
/// stays.
const DIFFERENCE: usize = 32;

/// How much a step removes of each part of its target.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    removed: [u32; PARTS],
    /// How much it puts in its place.
    inserted: usize,
    /// What goes, or what stays, whichever is less.
    size: usize,
}

impl Outline {
    /// The outline of a candidate, if what goes and what stays are both large.
    pub fn of<E: Element>(candidate: &Candidate<E>) -> Option<Outline> {
        let len = candidate.base().len();
        let edits = candidate.patch().edits();
        let total: usize = edits.iter().map(|edit| edit.end - edit.start).sum();
        let size = total.min(len - total);
        if len < SHORTEST || size * SMALLEST_SHARE < len {
            return None;
        }
        let width = len.div_ceil(PARTS);
        let mut removed = [0; PARTS];
        for edit in edits {
            let mut at = edit.start;
            while at < edit.end {
                let part = at / width;
                let end = edit.end.min((part + 1) * width);
                removed[part] += (end - at) as u32;
                at = end;
            }
        }
        let inserted = edits.iter().map(Edit::inserted).sum();
        Some(Outline {
            removed,
            inserted,
            size,
        })
    }

    /// Whether two steps on one target remove nearly the same, and put as much in its place: what is
    /// put there is another kind of body, say, when it is longer.
    pub fn resembles(&self, other: &Outline) -> bool {
        let parts = self.removed.iter().zip(&other.removed);
        let difference: usize = parts.map(|(a, b)| a.abs_diff(*b) as usize).sum();
        self.inserted == other.inserted && difference * DIFFERENCE <= self.size.min(other.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;
    use crate::target::Target;

    fn outline(cuts: &[(usize, usize)]) -> Option<Outline> {
        let target = Target::new(std::vec![0u8; 10_000]);
        Outline::of(&target.candidate(Patch::cuts(cuts.iter().copied())))
    }

    #[test]
    fn steps_that_differ_by_little_resemble_each_other() {
        let step = outline(&[(1000, 3000), (5000, 6000)]).unwrap();
        let resembles = |cuts: &[(usize, usize)]| step.resembles(&outline(cuts).unwrap());
        assert!(resembles(&[(1000, 3000), (5000, 6000)]));
        assert!(resembles(&[(1020, 3000), (5000, 5980)]));
        assert!(!resembles(&[(1000, 3000), (5000, 6200)]));
        assert!(!resembles(&[(2000, 4000), (6000, 7000)]));
    }

    #[test]
    fn where_little_goes_or_little_stays_each_step_is_its_own() {
        assert!(outline(&[(0, 600)]).is_none());
        assert!(outline(&[(0, 9500)]).is_none());
        assert!(outline(&[(0, 700)]).is_some());
    }
}
