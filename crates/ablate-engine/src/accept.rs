//! What becomes of the successes of a window: they are merged from the largest to the smallest,
//! each is grown as far as it goes, and what could not be merged is tried again afterwards.

use alloc::vec::Vec;

use crate::event::Mode;
use crate::following::Following;
use crate::identity::Element;
use crate::oracle::{Seen, Stop};
use crate::pass::Pass;
use crate::patch::{Edit, Patch};
use crate::reducer::{Judgement, Reducer};
use crate::search::{FindChangePoint, Futures, Next};
use crate::target::{Candidate, Target};
use crate::walker::{Knowledge, LOOKS_AHEAD};

/// A candidate that was found to work, and may become the target.
pub(crate) struct Success<E> {
    pub candidate: Candidate<E>,
    /// The content that its test saw, if that differs.
    pub seen: Option<Seen<E>>,
}

impl<E: Element> Success<E> {
    /// What it does to the target.
    pub fn patch(&self) -> &Patch<E> {
        self.candidate.patch()
    }
}

/// The patches that work together so far.
pub(crate) struct Merge<E> {
    /// All of them in one.
    pub all: Success<E>,
    members: Vec<Patch<E>>,
}

impl<E: Element> Merge<E> {
    /// All members at once, one of them replaced by what it has grown to.
    fn with_grown(
        &self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        member: usize,
        grown: &Patch<E>,
    ) -> Option<Patch<E>> {
        if self.members[member].edits().iter().all(Edit::is_cut) {
            return pass.combined(target, self.all.patch(), grown).ok();
        }
        // A replacement conflicts with what it was before it was grown.
        let others = self
            .members
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != member);
        others
            .map(|(_, patch)| patch)
            .try_fold(grown.clone(), |all, patch| {
                pass.combined(target, &all, patch)
            })
            .ok()
    }
}

impl<E: Element> Reducer<'_, E> {
    /// Commits as many of the successes as go together, grown, and with as many of the steps that follow
    /// them as work, if such make a chain; gives where `start`, or what lies before it and was
    /// touched by those steps, is after the first commit, and the choices of the last of those steps.
    pub(crate) fn accept(
        &mut self,
        pass: &dyn Pass<E>,
        successes: Vec<Success<E>>,
        mode: Mode,
        start: Option<usize>,
        mut following: Option<Following<'_, E>>,
    ) -> Result<(Option<usize>, Option<Vec<u32>>), Stop> {
        let mut pending = successes;
        // Largest first, so that a small cut does not stand in the way of a larger one.
        pending.sort_by_cached_key(|success| success.patch().growth());
        let first = pending.remove(0);
        let mut merge = Merge {
            members: alloc::vec![first.patch().clone()],
            all: first,
        };
        let pending = pending.into_iter();
        let pending = pending.map(|success| success.patch().clone()).collect();
        // A budget that ends while things are merged must not cost what is merged already.
        let mut retry = Vec::new();
        let next = &mut following;
        let merged = self.merge(pass, &mut merge, pending, &mut retry, next);
        let grown = merged.and_then(|()| self.grow(pass, &mut merge, mode, next));
        let kind = next.as_ref().and_then(|next| next.kind);
        let chained = match (grown, next, kind) {
            (Ok(()), Some(next), Some(kind)) => self.chain(pass, &mut merge, next, kind),
            (grown, ..) => grown.map(|()| None),
        };
        let end = chained.as_ref().ok().and_then(Option::as_ref);
        let first = start.into_iter().chain(end.map(|end| end.start)).min();
        let below = first.map(|first| merge.all.patch().moved(first));
        let committed = (!retry.is_empty()).then(|| merge.all.patch().clone());
        // So that nobody else has what is inserted.
        drop((merge.members, following));
        self.commit(pass, merge.all);
        let end = chained?;
        if let Some(committed) = committed {
            self.retry(pass, &committed, retry)?;
        }
        Ok((below, end.map(|end| end.path)))
    }

    /// Adds as many of `pending` to the merge as go together with it; the others go to `retry`.
    fn merge(
        &mut self,
        pass: &dyn Pass<E>,
        merge: &mut Merge<E>,
        mut pending: Vec<Patch<E>>,
        retry: &mut Vec<Patch<E>>,
        next: &mut Option<Following<'_, E>>,
    ) -> Result<(), Stop> {
        while !pending.is_empty() {
            // All at once: successes mostly go together.
            let mut together = alloc::vec![merge.all.patch().clone()];
            let mut compatible = Vec::with_capacity(pending.len());
            for patch in pending {
                match pass.combined(&self.target, &together[together.len() - 1], &patch) {
                    Ok(combined) => {
                        together.push(combined);
                        compatible.push(patch);
                    }
                    Err(_) => retry.push(patch),
                }
            }
            pending = compatible;
            let count = pending.len();
            let mut works = 0;
            if self.is_merged(pass, merge, &together[count], next)? {
                works = count;
            } else if count > 1 {
                let mut search = FindChangePoint::new(0, count - 1);
                while let Next::Probe(probed) = search.next() {
                    let answer = self.is_merged(pass, merge, &together[probed], next)?;
                    search.record(answer);
                }
                if let Next::Done(found) = search.next() {
                    works = found;
                }
            }
            let mut rest = pending.split_off(works);
            merge.members.append(&mut pending);
            if !rest.is_empty() {
                retry.push(rest.remove(0));
            }
            pending = rest;
        }
        Ok(())
    }

    /// Tests a larger merge, and keeps it if it works.
    fn is_merged(
        &mut self,
        pass: &dyn Pass<E>,
        merge: &mut Merge<E>,
        patch: &Patch<E>,
        next: &mut Option<Following<'_, E>>,
    ) -> Result<bool, Stop> {
        if patch == merge.all.patch() {
            return Ok(true);
        }
        let candidate = self.target.candidate(patch.clone());
        let mut place = 0;
        let mut ahead = |target: &Target<E>, known: &Knowledge<'_, E>| {
            let next = next.as_mut()?;
            next.renew();
            next.name_with(patch, &mut place, pass, target, known)
        };
        match self.judge(pass, &candidate, &mut ahead)? {
            Judgement::Works(seen) => {
                merge.all = Success { candidate, seen };
                Ok(true)
            }
            Judgement::Fails => Ok(false),
        }
    }

    /// Grows each member in each direction, subject to all others.
    fn grow(
        &mut self,
        pass: &dyn Pass<E>,
        merge: &mut Merge<E>,
        mode: Mode,
        next: &mut Option<Following<'_, E>>,
    ) -> Result<(), Stop> {
        let directions = pass.directions();
        for turn in 0..merge.members.len() * directions {
            let (member, direction) = (turn / directions, turn % directions);
            let start = merge.members[member].clone();
            let mut search = FindChangePoint::new(0, usize::MAX >> 1);
            if mode == Mode::Chaos && start.edits().iter().all(Edit::is_cut) {
                search = search.roughly();
            }
            let mut largest = None;
            while let Next::Probe(amount) = search.next() {
                let grown = pass.grow(&self.target, &start, direction, amount);
                let combined = grown
                    .as_ref()
                    .and_then(|grown| merge.with_grown(pass, &self.target, member, grown));
                let answer = match combined {
                    None => false,
                    Some(combined) if combined == *merge.all.patch() => true,
                    Some(combined) => {
                        let candidate = self.target.candidate(combined);
                        let mut guess = Guess {
                            pass,
                            merge,
                            turn,
                            futures: search.futures(),
                            last: turn,
                            following: next.as_mut(),
                            place: 0,
                        };
                        let mut ahead = |target: &Target<E>, known: &Knowledge<'_, E>| {
                            guess.next(target, known)
                        };
                        match self.judge(pass, &candidate, &mut ahead)? {
                            Judgement::Works(seen) => {
                                merge.all = Success { candidate, seen };
                                true
                            }
                            Judgement::Fails => false,
                        }
                    }
                };
                if answer {
                    largest = grown;
                }
                search.record(answer);
            }
            if let Some(largest) = largest {
                merge.members[member] = largest;
            }
        }
        Ok(())
    }

    /// Tries again, on the new target, what could not be merged into the patch that made it.
    fn retry(
        &mut self,
        pass: &dyn Pass<E>,
        committed: &Patch<E>,
        retry: Vec<Patch<E>>,
    ) -> Result<(), Stop> {
        let mut rebased: Vec<Patch<E>> = retry
            .iter()
            .filter_map(|patch| patch.rebased(committed).ok())
            .collect();
        rebased.reverse();
        while let Some(patch) = rebased.pop() {
            if patch.is_empty() {
                continue;
            }
            let candidate = self.target.candidate(patch);
            if let Judgement::Works(seen) = self.judge(pass, &candidate, &mut |_, _| None)? {
                rebased = rebased
                    .iter()
                    .filter_map(|other| other.rebased(candidate.patch()).ok())
                    .collect();
                self.commit(pass, Success { candidate, seen });
            }
        }
        Ok(())
    }
}

/// What growing will probably ask next: more or less of the same growth; then the first probe of each
/// growth that follows, as most of them fail; then what the sweep goes on with.
struct Guess<'a, 'w, E> {
    pass: &'a dyn Pass<E>,
    merge: &'a Merge<E>,
    /// Which member grows in which direction, as a number.
    turn: usize,
    futures: Futures,
    /// The turn that was named last.
    last: usize,
    following: Option<&'a mut Following<'w, E>>,
    /// The place of what is named next of that.
    place: usize,
}

impl<E: Element> Guess<'_, '_, E> {
    fn next(&mut self, target: &Target<E>, known: &Knowledge<'_, E>) -> Option<Candidate<E>> {
        if let Some(following) = &mut self.following {
            following.renew();
        }
        for _ in 0..LOOKS_AHEAD {
            let named = match self.futures.next()? {
                Next::Probe(amount) => self.grown(self.turn, amount, target, known),
                Next::Done(_)
                    if self.last + 1 < self.merge.members.len() * self.pass.directions() =>
                {
                    self.last += 1;
                    self.grown(self.last, 1, target, known)
                }
                Next::Done(_) => {
                    let (all, place) = (self.merge.all.patch(), &mut self.place);
                    let following = self.following.as_mut();
                    following.and_then(|next| next.name_with(all, place, self.pass, target, known))
                }
            };
            if named.is_some() {
                return named;
            }
        }
        None
    }

    /// All that works together, with one member grown in one direction.
    fn grown(
        &self,
        turn: usize,
        amount: usize,
        target: &Target<E>,
        known: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        let (pass, directions) = (self.pass, self.pass.directions());
        let (member, direction) = (turn / directions, turn % directions);
        let grown = pass.grow(target, &self.merge.members[member], direction, amount)?;
        let combined = self.merge.with_grown(pass, target, member, &grown)?;
        let candidate = target.candidate(combined);
        let is_wanted = known.verdict(candidate.identity()).is_none()
            && (pass.pumps() || known.is_simpler(&candidate));
        is_wanted.then_some(candidate)
    }
}
