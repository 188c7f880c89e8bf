//! Steps that hardly differ in what they remove: where one has failed, the others mostly fail too.
//!
//! A function, the list that it is alone in, its body, the same with what needs it: the large steps of
//! all passes on trees come in groups, and after the first of a group the next group tells more. When
//! the target has become smaller elsewhere, most of them come again. Where nothing is known of the form
//! of what is left, one bracket or blank often makes the difference: there only the largest steps of one
//! pass on one target are compared, and later on only the very same step is known again.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Edit;
use crate::target::Candidate;

/// In shorter targets each step is its own.
const SHORTEST: usize = 1024;
/// What goes and what stays must both be at least this share of the target.
const SMALLEST_SHARE: usize = 256;
/// And this share of it where the form of what is left is not known.
const SMALLEST_SHARE_WITHOUT_FORM: usize = 16;
/// Steps in more places are not remembered.
const PLACES: usize = 256;
/// How many failures are remembered, the latest.
const FAILURES: usize = 1024;
/// Steps are near when they differ by no more than this share of what goes, where that is less than
/// what stays,
const DIFFERENCE_OF_REMOVED: usize = 16;
/// and otherwise by no more than this share of what stays.
const DIFFERENCE_OF_KEPT: usize = 8;

/// What a step removes, if that is neither too little nor too much.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outline {
    removed: Vec<(usize, usize)>,
    total: usize,
    /// How much it puts in its place.
    inserted: usize,
}

impl Outline {
    fn of<E: Element>(candidate: &Candidate<E>) -> Option<Outline> {
        let len = candidate.base().len();
        let edits = candidate.patch().edits();
        if len < SHORTEST || edits.len() > PLACES {
            return None;
        }
        let total: usize = edits.iter().map(|edit| edit.end - edit.start).sum();
        if total.min(len - total) * SMALLEST_SHARE < len {
            return None;
        }
        Some(Outline {
            removed: edits.iter().map(|edit| (edit.start, edit.end)).collect(),
            total,
            inserted: edits.iter().map(Edit::inserted).sum(),
        })
    }

    /// Whether this step removes nearly the same as one that failed on a target of this length, and puts
    /// no more in its place: a body that is longer may be the one that will do.
    fn is_near(&self, failed: &Outline, len: usize) -> bool {
        let removed = self.total.min(failed.total);
        let kept = len - self.total.max(failed.total);
        let most = if removed < kept {
            removed / DIFFERENCE_OF_REMOVED
        } else {
            kept / DIFFERENCE_OF_KEPT
        };
        self.inserted <= failed.inserted
            && self.total.abs_diff(failed.total) <= most
            && self.total + failed.total - 2 * self.common(failed) <= most
    }

    /// How much both remove.
    fn common(&self, other: &Outline) -> usize {
        let (mut common, mut at) = (0, 0);
        for &(start, end) in &self.removed {
            while other.removed.get(at).is_some_and(|part| part.1 <= start) {
                at += 1;
            }
            let inside = other.removed[at..].iter();
            let inside = inside.take_while(|part| part.0 < end);
            let both = inside.map(|part| end.min(part.1) - start.max(part.0));
            common += both.sum::<usize>();
        }
        common
    }

    /// The rest of the step, on a target on which positions have moved.
    fn rebase(&mut self, moved: impl Fn(usize) -> usize) {
        for part in &mut self.removed {
            *part = (moved(part.0), moved(part.1));
        }
        self.removed.retain(|part| part.0 < part.1);
        self.total = self.removed.iter().map(|part| part.1 - part.0).sum();
    }
}

/// A step that failed.
#[derive(Debug)]
struct Failure {
    pass: &'static str,
    keeps_form: bool,
    outline: Outline,
    /// Whether it failed on the present target.
    is_new: bool,
}

/// Large steps that failed, on this target or an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Failures(VecDeque<Failure>);

impl Failures {
    /// Notes that a step of a pass failed.
    pub fn insert<E: Element>(&mut self, pass: &dyn Pass<E>, candidate: &Candidate<E>) {
        let Some(outline) = Outline::of(candidate) else {
            return;
        };
        if self.0.len() >= FAILURES {
            self.0.pop_front();
        }
        self.0.push_back(Failure {
            pass: pass.name(),
            keeps_form: pass.keeps_form(),
            outline,
            is_new: true,
        });
    }

    /// Whether a step of a pass will mostly fail, as another one did.
    pub fn resemble<E: Element>(&self, pass: &dyn Pass<E>, candidate: &Candidate<E>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let len = candidate.base().len();
        let (name, keeps_form) = (pass.name(), pass.keeps_form());
        let is_alike = |outline: &Outline, failed: &Failure| {
            if keeps_form {
                return failed.keeps_form && outline.is_near(&failed.outline, len);
            }
            let is_near = || {
                let size = outline.total.min(len - outline.total);
                let is_large = size * SMALLEST_SHARE_WITHOUT_FORM >= len;
                failed.is_new && is_large && outline.is_near(&failed.outline, len)
            };
            failed.pass == name && (*outline == failed.outline || is_near())
        };
        Outline::of(candidate)
            .is_some_and(|outline| self.0.iter().any(|failed| is_alike(&outline, failed)))
    }

    /// This candidate has become the target.
    pub fn rebase<E: Element>(&mut self, committed: &Candidate<E>) {
        if committed.len() < SHORTEST {
            return self.forget();
        }
        let moved = committed.patch().moves();
        for failure in &mut self.0 {
            failure.outline.rebase(&moved);
            failure.is_new = false;
        }
        self.0.retain(|failure| failure.outline.total > 0);
    }

    /// The target has become another one, or none of them can come again.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chooser::{Chooser, DeadBranch};
    use crate::patch::Patch;
    use crate::target::Target;

    struct Step {
        name: &'static str,
        keeps_form: bool,
    }

    impl Pass<u8> for Step {
        fn name(&self) -> &'static str {
            self.name
        }

        fn keeps_form(&self) -> bool {
            self.keeps_form
        }

        fn step(&self, _: &Target<u8>, _: &mut Chooser<'_>) -> Result<Patch<u8>, DeadBranch> {
            Err(DeadBranch)
        }
    }

    const NODES: Step = Step {
        name: "nodes",
        keeps_form: true,
    };
    const OTHER_NODES: Step = Step {
        name: "other_nodes",
        keeps_form: true,
    };
    const LINES: Step = Step {
        name: "lines",
        keeps_form: false,
    };

    fn candidate(len: usize, cuts: &[(usize, usize)]) -> Candidate<u8> {
        let target = Target::new(std::vec![0u8; len]);
        target.candidate(Patch::cuts(cuts.iter().copied()))
    }

    #[test]
    fn steps_of_passes_that_keep_the_form_resemble_each_other_when_they_differ_by_little() {
        let mut failures = Failures::default();
        failures.insert(&NODES, &candidate(10_000, &[(1000, 3000), (5000, 6000)]));
        let resembles =
            |pass, cuts: &[(usize, usize)]| failures.resemble::<u8>(pass, &candidate(10_000, cuts));
        assert!(resembles(&NODES, &[(1000, 3000), (5000, 6000)]));
        assert!(resembles(&OTHER_NODES, &[(1020, 3000), (5000, 5900)]));
        assert!(!resembles(&NODES, &[(1000, 3000), (5000, 6200)]));
        assert!(!resembles(&NODES, &[(2000, 4000), (6000, 7000)]));
        assert!(!resembles(&LINES, &[(1000, 3000), (5000, 6000)]));
        let target = Target::new(std::vec![0u8; 10_000]);
        let stub = target.candidate(Patch::replace(1000, 3000, b"{}"));
        assert!(!failures.resemble(&NODES, &stub));
        let mut failures = Failures::default();
        failures.insert(&NODES, &stub);
        assert!(failures.resemble(&OTHER_NODES, &candidate(10_000, &[(1000, 3000)])));
    }

    #[test]
    fn where_little_stays_that_is_what_is_compared() {
        let mut failures = Failures::default();
        failures.insert(&NODES, &candidate(10_000, &[(0, 9500)]));
        let resembles = |start| failures.resemble(&NODES, &candidate(10_000, &[(0, start)]));
        assert!(resembles(9550));
        assert!(!resembles(9600));
    }

    #[test]
    fn where_the_form_is_not_known_small_steps_must_be_the_same() {
        let mut failures = Failures::default();
        failures.insert(&LINES, &candidate(10_000, &[(1000, 3000)]));
        failures.insert(&LINES, &candidate(10_000, &[(5000, 5200)]));
        let resembles = |cut| failures.resemble(&LINES, &candidate(10_000, &[cut]));
        assert!(resembles((1000, 3001)));
        assert!(resembles((5000, 5200)));
        assert!(!resembles((5000, 5201)));
    }

    #[test]
    fn a_failure_is_known_again_on_later_targets() {
        let mut failures = Failures::default();
        failures.insert(&LINES, &candidate(10_000, &[(1000, 3000), (5000, 6000)]));
        let committed = [(500, 1500), (2000, 2100), (4900, 6100)];
        failures.rebase(&candidate(10_000, &committed));
        let resembles = |cut| failures.resemble(&LINES, &candidate(7700, &[cut]));
        assert!(resembles((500, 1900)));
        assert!(!resembles((500, 1901)));
        failures.rebase(&candidate(7700, &[(0, 1900)]));
        assert!(failures.0.is_empty());
    }

    #[test]
    fn small_steps_and_small_targets_are_left_alone() {
        assert_eq!(Outline::of(&candidate(10_000, &[(0, 39)])), None);
        assert_eq!(Outline::of(&candidate(10_000, &[(0, 9961)])), None);
        assert_eq!(Outline::of(&candidate(1000, &[(0, 500)])), None);
        assert!(Outline::of(&candidate(10_000, &[(0, 40)])).is_some());
    }
}
