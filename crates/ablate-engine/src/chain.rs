//! Going on in one go: after a success in a sweep, how many of the steps that follow work together
//! with it, found by the adaptive search.
//!
//! What a pass can grow by itself ends where its own notion of neighbours ends. The steps of a
//! sweep have an order all the same, and so "more" has a meaning for every pass: of 256 brackets
//! that can go but have nothing to do with each other, the search finds how many in a dozen tests.
//! Where not even one more works, that costs next to nothing: the same content is what the sweep
//! would try soon.
//!
//! Only steps of the same kind make a chain: those that differ from the success in their first
//! choice alone, which is the place. At each place there may be other kinds that never work.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::accept::{Merge, Success};
use crate::following::Following;
use crate::identity::Element;
use crate::oracle::Stop;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::reducer::{Judgement, Reducer};
use crate::search::{FindChangePoint, Futures, Next};
use crate::target::{Candidate, Target};
use crate::walker::{Knowledge, LOOKS_AHEAD, Taken};

/// So many steps one after another that make no link end a chain: those that lie within a large
/// patch can be very many, and each takes its time to compute.
const SKIPPED_MAX: usize = 1 << 10;

/// Where a chain of steps ended.
pub(crate) struct ChainEnd {
    /// The choices of its last step.
    pub path: Vec<u32>,
    /// The first position that one of its steps touches.
    pub start: usize,
}

/// The steps that can be merged, as far as they were asked for. The merges with one of them, with two,
/// with three, … are not kept: there are as many as steps, and each is as large as all before it.
struct Links<E> {
    patches: Vec<Patch<E>>,
    paths: Vec<Vec<u32>>,
    starts: Vec<usize>,
    /// How many steps were taken with each of them and those before it.
    taken: Vec<usize>,
    /// The merge with all of them.
    all: Patch<E>,
}

impl<E: Element> Links<E> {
    fn new(merge: Patch<E>) -> Links<E> {
        Links {
            patches: Vec::new(),
            paths: Vec::new(),
            starts: Vec::new(),
            taken: Vec::new(),
            all: merge,
        }
    }

    /// The merge with the first `count` of them, given that with fewer.
    fn merged(
        &self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        (fewer, merge): (usize, &Patch<E>),
        count: usize,
    ) -> Patch<E> {
        if count == self.patches.len() {
            return self.all.clone();
        }
        let more = self.patches[fewer..count].iter();
        more.fold(merge.clone(), |merge, patch| {
            // It has gone well before.
            pass.combined(target, &merge, patch).unwrap_or(merge)
        })
    }
}

impl<E: Element> Reducer<'_, E> {
    /// Adds as many of the steps that follow to the merge as work together with it. `kind` are the
    /// choices of the step that succeeded, without the first.
    pub(crate) fn chain(
        &mut self,
        pass: &dyn Pass<E>,
        merge: &mut Merge<E>,
        following: &mut Following<'_, E>,
        kind: &[u32],
    ) -> Result<Option<ChainEnd>, Stop> {
        let mut links = Links::new(merge.all.patch().clone());
        let mut search = FindChangePoint::new(0, usize::MAX >> 1);
        let (mut merged, mut end) = (0, None);
        while let Next::Probe(count) = search.next() {
            let is_long_enough = self.extend(pass, following, kind, &mut links, count)?;
            let works = is_long_enough && {
                let known = (merged, merge.all.patch());
                let patch = links.merged(pass, &self.target, known, count);
                let candidate = self.target.candidate(patch);
                let mut guess = Guess {
                    pass,
                    known,
                    links: &links,
                    following,
                    futures: search.futures(),
                    behind: BTreeMap::new(),
                };
                let mut ahead = |target: &Target<E>, knowledge: &Knowledge<'_, E>| {
                    guess.next(target, knowledge)
                };
                match self.judge(pass, &candidate, &mut ahead)? {
                    Judgement::Works(seen) => {
                        merge.all = Success { candidate, seen };
                        merged = count;
                        let start = links.starts[..count].iter().copied().min().unwrap_or(0);
                        end = Some(ChainEnd {
                            path: links.paths[count - 1].clone(),
                            start,
                        });
                        true
                    }
                    Judgement::Fails => false,
                }
            };
            search.record(works);
        }
        Ok(end)
    }

    /// Takes steps until there are `count` links, and says whether there are. Steps of another kind,
    /// and those that are part of the merge already or in its way, make no link; too many of them
    /// one after another end the chain.
    ///
    /// # Errors
    /// When the reduction has to stop.
    fn extend(
        &mut self,
        pass: &dyn Pass<E>,
        following: &mut Following<'_, E>,
        kind: &[u32],
        links: &mut Links<E>,
        count: usize,
    ) -> Result<bool, Stop> {
        let mut skipped = 0;
        while links.patches.len() < count {
            skipped += 1;
            if skipped > SKIPPED_MAX {
                return Ok(false);
            }
            let (target, all) = (&self.target, &links.all);
            // A merge of many steps takes long to make: that of the last one is kept.
            let made = RefCell::new(None);
            let is_wanted = |path: &[u32], patch: &Patch<E>| {
                if path.get(1..).unwrap_or_default() != kind || all.covers(patch) {
                    return false;
                }
                let combined = pass.combined(target, all, patch).ok();
                let goes_together = combined.is_some();
                made.replace(combined.map(|combined| (patch.clone(), combined)));
                goes_together
            };
            let taken = following.take(pass, target, &mut self.knowledge, &is_wanted)?;
            let issue = match taken {
                Some(Taken::Issue(issue)) => issue,
                Some(Taken::Unwanted(_)) => continue,
                None => return Ok(false),
            };
            let patch = issue.candidate.patch();
            let path = issue.path.as_slice();
            if path.get(1..).unwrap_or_default() != kind || links.all.covers(patch) {
                continue;
            }
            let combined = match made.into_inner() {
                Some((of, combined)) if of == *patch => Some(combined),
                _ => pass.combined(&self.target, &links.all, patch).ok(),
            };
            if let Some(combined) = combined.filter(|combined| *combined != links.all) {
                links
                    .starts
                    .push(patch.extent().map_or(0, |(start, _)| start));
                links.patches.push(patch.clone());
                links.all = combined;
                links.paths.push(issue.path);
                links.taken.push(following.taken());
                skipped = 0;
            }
        }
        Ok(true)
    }
}

/// What a chain will ask for next: longer and shorter ones; and where it is over, what the sweep goes on
/// with behind its links.
struct Guess<'a, 'w, E> {
    pass: &'a dyn Pass<E>,
    /// The chain that is known to work: of how many links, and what it does.
    known: (usize, &'a Patch<E>),
    links: &'a Links<E>,
    following: &'a mut Following<'w, E>,
    futures: Futures,
    /// The place of the step that is named next behind so many links.
    behind: BTreeMap<usize, usize>,
}

impl<E: Element> Guess<'_, '_, E> {
    fn next(&mut self, target: &Target<E>, knowledge: &Knowledge<'_, E>) -> Option<Candidate<E>> {
        self.following.renew();
        for _ in 0..LOOKS_AHEAD {
            let named = match self.futures.next()? {
                Next::Probe(count) => self.chained(count, target, knowledge),
                Next::Done(count) => self.behind(count, target, knowledge),
            };
            if named.is_some() {
                return named;
            }
        }
        None
    }

    /// A chain of so many links.
    fn chained(
        &mut self,
        count: usize,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        let patch = match count.checked_sub(self.links.patches.len()) {
            None | Some(0) => self.links.merged(self.pass, target, self.known, count),
            Some(more) => {
                let all = &self.links.all;
                (self.following).lengthened(all, more, self.pass, target, knowledge)?
            }
        };
        let candidate = target.candidate(patch);
        (knowledge.verdict(candidate.identity()).is_none()).then_some(candidate)
    }

    /// What the sweep goes on with behind a chain of so many links, if the next one does not work.
    fn behind(
        &mut self,
        count: usize,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        let place = *self.links.taken.get(count)?;
        let place = self.behind.entry(count).or_insert(place);
        let all = self.links.merged(self.pass, target, self.known, count);
        (self.following).name_with(&all, place, self.pass, target, knowledge)
    }
}
