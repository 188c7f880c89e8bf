//! Walkers: the steps of one pass on one target, one after another, some of them computed ahead.
//!
//! How far ahead steps are computed depends on how many tests can run at the same time. So that
//! nothing else depends on it, a walker's sequence of steps is a function of the target, the pass,
//! the seed and the mode alone, and what is left out is decided when a step is taken.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::cmp::Ordering;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::chooser::{ChoiceTree, Walk};
use crate::event::Mode;
use crate::identity::{Element, Identity};
use crate::memo::Memo;
use crate::oracle::{Alarm, Stop};
use crate::order::{self, ElementOrder};
use crate::pass::Pass;
use crate::patch::Patch;
use crate::refuted::{Key, Memory, Refuted};
use crate::resemblance::Failures;
use crate::target::{Candidate, Target};

/// So many steps may be looked at to name one ahead: the tests that run already wait to be heard.
pub(crate) const LOOKS_AHEAD: usize = 64;
/// So many bits count the judged candidates that are known at most.
const KNOWN: u32 = 22;

/// What is known of candidates without a test.
pub(crate) struct Knowledge<'a, E> {
    pub order: &'a dyn ElementOrder<E>,
    pub refuted: Refuted,
    /// Large steps that failed.
    pub failures: Failures,
    alarm: Option<Alarm>,
    verdicts: Memo<Identity, bool>,
    /// How many steps were not tested because their candidate had been.
    pub cached: u64,
}

impl<'a, E: Element> Knowledge<'a, E> {
    pub fn new(
        order: &'a dyn ElementOrder<E>,
        memory: Option<Memory>,
        alarm: Option<Alarm>,
    ) -> Self {
        Knowledge {
            order,
            refuted: Refuted::new(memory),
            failures: Failures::default(),
            alarm,
            verdicts: Memo::new(KNOWN),
            cached: 0,
        }
    }

    /// Asks whether the reduction has to stop.
    fn listen(&self) -> Result<(), Stop> {
        let heard = self.alarm.as_ref().and_then(|alarm| (alarm.0)());
        heard.map_or(Ok(()), Err)
    }

    /// Whether a candidate was found interesting, if it was judged.
    pub fn verdict(&self, identity: Identity) -> Option<bool> {
        self.verdicts.get(identity)
    }

    pub fn record(&mut self, identity: Identity, is_interesting: bool) {
        self.verdicts.insert(identity, is_interesting);
    }

    /// Whether a candidate is simpler than the target it was made from.
    pub fn is_simpler(&self, candidate: &Candidate<E>) -> bool {
        let base = candidate.base();
        let pieces = (candidate.len(), candidate.pieces());
        order::compare(self.order, pieces, base) == Ordering::Less
    }
}

/// A step that is worth a test.
#[derive(Clone, Debug)]
pub(crate) struct Issue<E> {
    pub path: Vec<u32>,
    pub candidate: Candidate<E>,
    /// What its edit is remembered by, once that was asked for.
    key: Option<Key>,
}

impl<E: Element> Issue<E> {
    /// A step with its edit put right; `None` where that can't be, or is not simpler than the target.
    fn of(
        path: Vec<u32>,
        patch: Patch<E>,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Issue<E>> {
        let patch = pass.amended(target, patch)?;
        if patch.is_empty() {
            return None;
        }
        let candidate = target.candidate(patch);
        (pass.pumps() || knowledge.is_simpler(&candidate)).then_some(Issue {
            path,
            candidate,
            key: None,
        })
    }

    /// What its edit is remembered by, if anything is.
    pub fn key(&mut self, target: &Target<E>, refuted: &Refuted) -> Option<Key> {
        if self.key.is_none() {
            self.key = refuted.key(target, &self.candidate);
        }
        self.key
    }

    /// Whether its edit was refuted lately.
    fn is_refuted(&mut self, target: &Target<E>, refuted: &Refuted) -> bool {
        refuted.contains(self.key(target, refuted), target.len())
    }
}

/// A step that has been computed, with its edit put right as soon as that was asked for.
enum Proposal<E> {
    Bare(Vec<u32>, Patch<E>),
    /// Put right, with what the pass gave.
    Issue(Issue<E>, Patch<E>),
    /// There is nothing to be tested.
    Void(Vec<u32>, Patch<E>),
}

impl<E: Element> Proposal<E> {
    /// Its choices, and what the pass gave.
    fn proposed(&self) -> (&[u32], &Patch<E>) {
        match self {
            Proposal::Bare(path, patch) | Proposal::Void(path, patch) => (path, patch),
            Proposal::Issue(issue, patch) => (&issue.path, patch),
        }
    }

    /// What the pass gave.
    fn into_proposed(self) -> Patch<E> {
        match self {
            Proposal::Bare(_, patch) | Proposal::Void(_, patch) | Proposal::Issue(_, patch) => {
                patch
            }
        }
    }

    /// The step with its edit put right, if there is anything to be tested.
    fn issue(
        &mut self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<&mut Issue<E>> {
        if let Proposal::Bare(path, patch) = self {
            let (path, patch) = (core::mem::take(path), core::mem::take(patch));
            *self = match Issue::of(path.clone(), patch.clone(), pass, target, knowledge) {
                Some(issue) => Proposal::Issue(issue, patch),
                None => Proposal::Void(path, patch),
            };
        }
        match self {
            Proposal::Issue(issue, _) => Some(issue),
            _ => None,
        }
    }

    /// The same, for whoever wants nothing else.
    fn into_issue(
        self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Issue<E>> {
        match self {
            Proposal::Bare(path, patch) => Issue::of(path, patch, pass, target, knowledge),
            Proposal::Issue(issue, _) => Some(issue),
            Proposal::Void(..) => None,
        }
    }
}

/// A step that was taken.
pub(crate) enum Taken<E> {
    Issue(Issue<E>),
    /// One that whoever took it does not want, as the pass gave it.
    Unwanted(Patch<E>),
}

/// Where a sweep goes on after a success.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    /// The choices of the last step that was taken.
    pub path: Vec<u32>,
    /// Steps that begin at this position of the target or behind it come last.
    pub below: Option<usize>,
}

/// The steps of one pass on one target.
pub(crate) struct Walker<E> {
    tree: ChoiceTree,
    walk: Walk,
    random: Xoshiro256PlusPlus,
    mode: Mode,
    /// Steps computed and not yet taken.
    queue: VecDeque<Proposal<E>>,
    /// How many of them have been named to the oracle.
    named: usize,
    below: Option<usize>,
    postponed: Vec<Proposal<E>>,
    /// Steps that remove nearly the same as one that failed: they come last.
    alike: VecDeque<Issue<E>>,
    /// Whether steps were left out that the proof has to take.
    pub has_left_out: bool,
}

impl<E: Element> Walker<E> {
    pub fn new(mode: Mode, cursor: &Cursor, seed: u64) -> Walker<E> {
        let (walk, below) = match mode {
            Mode::Chaos => (Walk::Random, None),
            Mode::Sweep | Mode::Proof => (
                Walk::Sweep {
                    from: cursor.path.clone(),
                },
                cursor.below,
            ),
        };
        Walker {
            tree: ChoiceTree::new(),
            walk,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            mode,
            queue: VecDeque::new(),
            named: 0,
            below,
            postponed: Vec::new(),
            alike: VecDeque::new(),
            has_left_out: false,
        }
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The next step worth a test, or one that is not wanted; `None` when there is none left. Whether it is
    /// wanted is told by its choices and by what the pass gave.
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
        loop {
            let proposal = match self.queue.pop_front() {
                Some(proposal) => {
                    self.named = self.named.saturating_sub(1);
                    proposal
                }
                None => match self.compute(pass, target, knowledge)? {
                    Some(proposal) => proposal,
                    None => return Ok(self.alike.pop_front().map(Taken::Issue)),
                },
            };
            let (path, proposed) = proposal.proposed();
            if !is_wanted(path, proposed) {
                return Ok(Some(Taken::Unwanted(proposal.into_proposed())));
            }
            let Some(mut issue) = proposal.into_issue(pass, target, knowledge) else {
                continue;
            };
            if knowledge.verdict(issue.candidate.identity()) == Some(false) {
                knowledge.cached += 1;
                continue;
            }
            if self.mode != Mode::Proof && issue.is_refuted(target, &knowledge.refuted) {
                self.has_left_out = true;
                continue;
            }
            if self.is_alike(pass, &issue.candidate, knowledge) {
                self.alike.push_back(issue);
                continue;
            }
            return Ok(Some(Taken::Issue(issue)));
        }
    }

    /// Whether a step removes nearly the same as one that failed.
    fn is_alike(
        &self,
        pass: &dyn Pass<E>,
        candidate: &Candidate<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> bool {
        self.mode == Mode::Sweep && knowledge.failures.resemble(pass, candidate)
    }

    /// The choices of the step at a place among those to come, and what the pass gave; nobody else will get
    /// another one for that.
    pub fn peek(
        &mut self,
        at: usize,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<(&[u32], &Patch<E>)> {
        while self.queue.len() <= at {
            let proposal = self.compute(pass, target, knowledge).ok()??;
            self.queue.push_back(proposal);
        }
        self.queue.get(at).map(Proposal::proposed)
    }

    /// Makes a step that was taken the next one again.
    pub fn give_back(&mut self, issue: Issue<E>) {
        let patch = issue.candidate.patch().clone();
        self.queue.push_front(Proposal::Issue(issue, patch));
    }

    /// Whether there may be another step to take.
    pub fn has_more(
        &mut self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> bool {
        loop {
            if self.queue.is_empty() {
                match self.compute(pass, target, knowledge) {
                    Ok(proposal) => self.queue.extend(proposal),
                    // Whoever takes the next step will hear why.
                    Err(_) => return true,
                }
            }
            let Some(next) = self.queue.front_mut() else {
                return !self.alike.is_empty();
            };
            if next.issue(pass, target, knowledge).is_some() {
                return true;
            }
            self.queue.pop_front();
            self.named = self.named.saturating_sub(1);
        }
    }

    /// The next candidate that will be taken if nothing succeeds, each one once. Each step that is looked at
    /// takes one off `looks`, and there is none where these are used up.
    pub fn name_ahead(
        &mut self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
        looks: &mut usize,
    ) -> Option<Candidate<E>> {
        loop {
            *looks = looks.checked_sub(1)?;
            if self.named >= self.queue.len() {
                let proposal = self.compute(pass, target, knowledge).ok()??;
                self.queue.push_back(proposal);
            }
            let next = &mut self.queue[self.named];
            self.named += 1;
            let Some(issue) = next.issue(pass, target, knowledge) else {
                continue;
            };
            let is_left_out = knowledge.verdict(issue.candidate.identity()).is_some()
                || (self.mode != Mode::Proof && issue.is_refuted(target, &knowledge.refuted));
            let candidate = issue.candidate.clone();
            if !is_left_out && !self.is_alike(pass, &candidate, knowledge) {
                return Some(candidate);
            }
        }
    }

    /// The next step that names an edit.
    ///
    /// # Errors
    /// When the reduction has to stop before one is found.
    fn compute(
        &mut self,
        pass: &dyn Pass<E>,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Result<Option<Proposal<E>>, Stop> {
        loop {
            knowledge.listen()?;
            let step = self.tree.step(&self.walk, &mut self.random, |chooser| {
                pass.step(target, chooser)
            });
            let Some((path, result)) = step else {
                self.below = None;
                return Ok(self.postponed.pop());
            };
            let Ok(patch) = result else { continue };
            if patch.is_empty() {
                continue;
            }
            let mut proposal = Proposal::Bare(path, patch);
            if let Some(below) = self.below {
                let is_above = |patch: &Patch<E>| {
                    let extent = patch.extent();
                    extent.map_or(0, |(start, _)| start) >= below
                };
                // To put an edit right may take long, and hardly ever moves where it begins.
                if is_above(proposal.proposed().1) {
                    self.postponed.push(proposal);
                    continue;
                }
                // Only what will be taken ends the way down.
                let Some(issue) = proposal.issue(pass, target, knowledge) else {
                    continue;
                };
                if is_above(issue.candidate.patch()) {
                    self.postponed.push(proposal);
                    continue;
                }
            }
            self.below = None;
            return Ok(Some(proposal));
        }
    }
}
