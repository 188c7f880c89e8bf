//! What a sweep will ask for when the successes of its window have become the target, named while these
//! are still merged, grown and chained: so no worker is idle then.
//!
//! The sweep goes on behind its successes, and what a step makes of the new target is mostly what it
//! makes of the old one together with them. That is a guess, so only the time of a reduction depends on
//! it: a walker's steps are the same whoever looks at them before.

use alloc::collections::VecDeque;

use crate::event::Mode;
use crate::identity::Element;
use crate::oracle::Stop;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::{Candidate, Target};
use crate::walker::{Knowledge, LOOKS_AHEAD, Taken, Walker};

/// The steps that follow a window of a sweep.
pub(crate) struct Following<'w, E> {
    walker: &'w mut Walker<E>,
    /// What a chain has taken of them, whether or not it is a link: the last ones.
    taken: VecDeque<Patch<E>>,
    /// How many were taken before those.
    forgotten: usize,
}

/// No more of what was taken is kept: each patch may be large.
const KEPT: usize = 32;

impl<'w, E: Element> Following<'w, E> {
    pub fn new(walker: &'w mut Walker<E>) -> Following<'w, E> {
        Following {
            walker,
            taken: VecDeque::new(),
            forgotten: 0,
        }
    }

    /// How many were taken.
    pub fn taken(&self) -> usize {
        self.forgotten + self.taken.len()
    }

    /// Takes the next step; see [`Walker::take`].
    ///
    /// # Errors
    /// When the reduction has to stop before one is found.
    pub fn take(
        &mut self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &mut Knowledge<'_, E>,
        is_wanted: &dyn Fn(&[u32], &Patch<E>) -> bool,
    ) -> Result<Option<Taken<E>>, Stop> {
        let taken = self.walker.take(pass, target, knowledge, is_wanted)?;
        match &taken {
            Some(Taken::Issue(issue)) => self.taken.push_back(issue.candidate.patch().clone()),
            Some(Taken::Unwanted(patch)) => self.taken.push_back(patch.clone()),
            None => {}
        }
        if self.taken.len() > KEPT {
            self.taken.pop_front();
            self.forgotten += 1;
        }
        Ok(taken)
    }

    /// The next step from `place` on that will be tested together with `all`, once that is the target.
    pub fn name_with(
        &mut self,
        all: &Patch<E>,
        place: &mut usize,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        for _ in 0..LOOKS_AHEAD {
            let at = (*place).max(self.forgotten);
            *place = at + 1;
            let patch = match self.taken.get(at - self.forgotten) {
                Some(patch) => patch,
                None => {
                    let at = at - self.taken();
                    self.walker.peek(at, pass, target, knowledge)?.1
                }
            };
            let Some(patch) = pass.amended(target, patch.clone()) else {
                continue;
            };
            if all.covers(&patch) || self.is_left_out(&patch, pass, target, knowledge) {
                continue;
            }
            let Ok(combined) = pass.combined(target, all, &patch) else {
                continue;
            };
            let candidate = target.candidate(combined);
            if knowledge.verdict(candidate.identity()).is_none() {
                return Some(candidate);
            }
        }
        None
    }

    /// `all` with so many more of the steps of this kind that come next.
    pub fn lengthened(
        &mut self,
        all: &Patch<E>,
        more: usize,
        kind: &[u32],
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Patch<E>> {
        let (mut all, mut links) = (all.clone(), 0);
        for at in 0..LOOKS_AHEAD {
            if links == more {
                return Some(all);
            }
            let (path, patch) = self.walker.peek(at, pass, target, knowledge)?;
            if path.get(1..).unwrap_or_default() != kind || all.covers(patch) {
                continue;
            }
            let Some(patch) = pass.amended(target, patch.clone()) else {
                continue;
            };
            if self.is_left_out(&patch, pass, target, knowledge) {
                continue;
            }
            if let Ok(combined) = pass.combined(target, &all, &patch)
                && combined != all
            {
                all = combined;
                links += 1;
            }
        }
        None
    }

    /// Whether a sweep leaves a step out, or takes it last.
    fn is_left_out(
        &self,
        patch: &Patch<E>,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> bool {
        if self.walker.mode() != Mode::Sweep {
            return false;
        }
        let candidate = target.candidate(patch.clone());
        let key = knowledge.refuted.key(target, &candidate);
        knowledge.refuted.contains(key, target.len())
            || knowledge.failures.resemble(pass, &candidate)
    }
}
