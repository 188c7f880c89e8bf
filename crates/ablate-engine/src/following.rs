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
    /// The choices of the last success but for its place, if steps of that kind make a chain.
    pub kind: Option<&'w [u32]>,
    /// What a chain has taken of them, whether or not it is a link: the last ones.
    taken: VecDeque<Patch<E>>,
    /// How many were taken before those.
    forgotten: usize,
    /// What is left of [`JOINED`].
    left: usize,
}

/// No more of what was taken is kept: each patch may be large.
const KEPT: usize = 32;
/// Steps are joined to what has succeeded in targets that are so long in all, before one is named: to make a
/// step fit for its language takes the longer the longer the target is, and may take longer than a test.
const JOINED: usize = 1 << 21;

impl<'w, E: Element> Following<'w, E> {
    pub fn new(walker: &'w mut Walker<E>, kind: Option<&'w [u32]>) -> Following<'w, E> {
        Following {
            walker,
            kind,
            taken: VecDeque::new(),
            forgotten: 0,
            left: JOINED,
        }
    }

    /// Another candidate is to be named.
    pub fn renew(&mut self) {
        self.left = JOINED;
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

    /// The next step from `place` on that will be tested together with `all`, once that is the target, as far
    /// as it is worth looking.
    pub fn name_with(
        &mut self,
        all: &Patch<E>,
        place: &mut usize,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        while self.left >= price(target) {
            let at = (*place).max(self.forgotten);
            *place = at + 1;
            let patch = match self.taken.get(at - self.forgotten) {
                Some(patch) => patch,
                None => {
                    let at = at - self.taken();
                    self.walker.peek(at, pass, target, knowledge)?.1
                }
            };
            let patch = patch.clone();
            let Some(combined) = self.joined(all, patch, pass, target, knowledge) else {
                continue;
            };
            let candidate = target.candidate(combined);
            if knowledge.verdict(candidate.identity()).is_none() {
                return Some(candidate);
            }
        }
        None
    }

    /// `all` with so many more of the steps of the kind that makes a chain.
    pub fn lengthened(
        &mut self,
        all: &Patch<E>,
        more: usize,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Patch<E>> {
        let (mut all, mut links) = (all.clone(), 0);
        for at in 0..LOOKS_AHEAD {
            let (path, patch) = self.walker.peek(at, pass, target, knowledge)?;
            if path.get(1..) != self.kind {
                continue;
            }
            let patch = patch.clone();
            if let Some(longer) = self.joined(&all, patch, pass, target, knowledge) {
                (all, links) = (longer, links + 1);
            }
            if links == more {
                return Some(all);
            }
        }
        None
    }

    /// `all` with one step; `None` where that does nothing more, is in the way, or is left out by a sweep
    /// or taken last.
    fn joined(
        &mut self,
        all: &Patch<E>,
        step: Patch<E>,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Patch<E>> {
        self.left = self.left.checked_sub(price(target))?;
        let patch = pass.amended(target, step)?;
        if all.covers(&patch) {
            return None;
        }
        if self.walker.mode() == Mode::Sweep {
            let candidate = target.candidate(patch.clone());
            let key = knowledge.refuted.key(target, &candidate);
            if knowledge.refuted.contains(key, target.len())
                || knowledge.failures.resemble(pass, &candidate)
            {
                return None;
            }
        }
        let combined = pass.combined(target, all, &patch).ok()?;
        (combined != *all).then_some(combined)
    }
}

/// What of [`JOINED`] it takes to join a step.
fn price<E: Element>(target: &Target<E>) -> usize {
    target.len().max(JOINED / LOOKS_AHEAD)
}
