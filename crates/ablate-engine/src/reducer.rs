//! The reducer: runs passes on a target until none of them can do anything more.
//!
//! Passes take turns by what they yield. A turn begins in *chaos*: random steps, many against one
//! base, what succeeds merged and grown. When that gains no more than one part in a hundred, the
//! pass *sweeps* from the end to the start. When no pass finds anything any more, the *proof*
//! takes every step of every pass that was left out, and ends the reduction if all fail.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::accept::Success;
use crate::event::{Event, Mode};
use crate::following::Following;
use crate::identity::{Element, mixed};
use crate::oracle::{Ahead, Observation, Oracle, Seen, Stop, Verdict};
use crate::order::{ElementOrder, compare_whole};
use crate::pass::Pass;
use crate::patch::Patch;
pub use crate::refuted::Memory;
use crate::schedule::{Yield, is_dense, least_worth};
use crate::state::{Outlook, State};
use crate::target::{Candidate, Target};
use crate::upcoming::Upcoming;
use crate::walker::{Cursor, Knowledge, LOOKS_AHEAD, Taken};

/// A round of chaos has at least so many steps.
const CHAOS_ROUND: u64 = 24;
/// A round of chaos that takes off no more than this share is the last one (the document's 1 %).
const CHAOS_GAIN: f64 = 0.01;
/// A pass begins anew when others have removed this share of the target since it last did, or all
/// together if its steps go from the largest to the smallest.
const ANEW: f64 = 0.125;
/// A pass whose sweep took no more steps is brief: it has the next turn when it begins anew.
const BRIEF: u64 = 2;
/// A success ends so much of a drought, times the share that it removed.
const DROUGHT_END: f64 = 1000.0;

/// How a reduction is to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// All randomness comes from it.
    pub seed: u64,
    /// How many tests may be asked for.
    pub tests_max: Option<u64>,
    /// Targets with fewer elements are only swept.
    pub chaos_from: usize,
    /// Passes take turns in the order given, are only swept, and step by step: for oracles that
    /// answer at once, and targets so small that nothing is learnt from yields.
    pub is_in_order: bool,
    /// After so many successes in one turn, passes that go in order begin again with the first: what
    /// it deletes now, the others need not simplify.
    pub restart_after: u64,
    /// The names of passes that stand three ranks lower than they say, since others do here what they
    /// would.
    pub outdone: &'static [&'static str],
    /// How long edits that failed are left out of sweeps, if at all; the proof takes them all the same.
    pub memory: Option<Memory>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 0,
            tests_max: None,
            chaos_from: 256,
            is_in_order: false,
            restart_after: u64::MAX,
            outdone: &[],
            memory: Some(Memory::default()),
        }
    }
}

/// What a reduction has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that the engine asked for, in its order.
    pub tests: u64,
    /// Questions that were answered from memory.
    pub cached: u64,
    /// Times that the target was replaced.
    pub accepted: u64,
    /// The number of the test that was last followed by a new target.
    pub last_success: u64,
    /// A digest of the sequence of tests and verdicts.
    pub trace: u64,
}

impl Counts {
    /// Adds what was counted by a reduction that went on where this one ended.
    pub fn add(&mut self, next: Counts) {
        if next.accepted > 0 {
            self.last_success = self.tests + next.last_success;
        }
        self.tests += next.tests;
        self.cached += next.cached;
        self.accepted += next.accepted;
        self.trace = self.trace.rotate_left(1) ^ next.trace;
    }
}

/// How a reduction ended.
#[derive(Debug)]
pub struct Outcome<E> {
    /// The simplest test case found.
    pub target: Target<E>,
    /// Why it ended early; `None` when the target is a proved fixed point.
    pub stop: Option<Stop>,
    /// How many different candidates the proof covers.
    pub proof: u64,
    /// What was counted.
    pub counts: Counts,
}

/// Reduces `target` with `passes` until no step of any of them makes it simpler and still
/// interesting. The target itself is taken to be interesting.
pub fn reduce<E: Element>(
    target: Target<E>,
    passes: &[Box<dyn Pass<E>>],
    order: &dyn ElementOrder<E>,
    oracle: &mut dyn Oracle<E>,
    settings: &Settings,
    events: &mut dyn FnMut(&Event<'_, E>),
) -> Outcome<E> {
    let states = passes
        .iter()
        .map(|pass| State::new(pass.as_ref(), settings))
        .collect();
    let mut reducer = Reducer {
        passes: states,
        knowledge: Knowledge::new(order, settings.memory, oracle.alarm()),
        court: Court {
            oracle,
            events,
            counts: Counts::default(),
            tests_max: settings.tests_max,
        },
        settings: settings.clone(),
        judged: 0,
        last: None,
        drought: 0.0,
        target,
    };
    let stop = reducer.run().err();
    reducer.court.counts.cached = reducer.knowledge.cached;
    Outcome {
        target: reducer.target,
        stop,
        proof: reducer.judged,
        counts: reducer.court.counts,
    }
}

/// The oracle and the books that are kept of it.
pub(crate) struct Court<'a, E> {
    oracle: &'a mut dyn Oracle<E>,
    events: &'a mut dyn FnMut(&Event<'_, E>),
    pub counts: Counts,
    tests_max: Option<u64>,
}

impl<E: Element> Court<'_, E> {
    fn test(
        &mut self,
        pass: &'static str,
        candidate: &Candidate<E>,
        ahead: Ahead<'_, E>,
    ) -> Result<Observation<E>, Stop> {
        if self.tests_max.is_some_and(|max| self.counts.tests >= max) {
            return Err(Stop::Budget);
        }
        let observation = self.oracle.test(candidate, ahead)?;
        self.counts.tests += 1;
        let (identity, verdict) = (candidate.identity(), observation.verdict);
        // A time-out counts as a refusal here: which of the two it is may depend on the machine.
        let interesting = u64::from(verdict == Verdict::Interesting);
        let counts = &mut self.counts;
        counts.trace = mixed(mixed(counts.trace, identity.0 as u64), interesting);
        (self.events)(&Event::Tested {
            pass,
            identity,
            len: candidate.len(),
            verdict,
        });
        Ok(observation)
    }
}

pub(crate) struct Reducer<'a, E> {
    passes: Vec<State<'a, E>>,
    pub knowledge: Knowledge<'a, E>,
    pub court: Court<'a, E>,
    settings: Settings,
    /// How many different candidates were judged against the current target.
    judged: u64,
    /// The pass that had the last turn.
    last: Option<usize>,
    /// The tests of all passes without a success; small successes end only a part of it.
    drought: f64,
    pub target: Target<E>,
}

/// Names what may be wanted next, given the target and what is known.
pub(crate) type Guesses<'a, E> =
    dyn FnMut(&Target<E>, &Knowledge<'_, E>) -> Option<Candidate<E>> + 'a;

/// Whether a candidate may become the target.
pub(crate) enum Judgement<E> {
    /// It is interesting and simpler; the content that the test saw, if that differs.
    Works(Option<Seen<E>>),
    /// It is not.
    Fails,
}

/// What came of a window of steps.
struct Window {
    /// Steps that were judged.
    steps: u64,
    successes: usize,
    /// Whether there are no more steps.
    is_over: bool,
    /// The share of the target that the successes would have removed by themselves.
    share: f64,
    /// Whether another pass has become the better choice by far.
    is_outdone: bool,
    /// Whether a sweep that had successes has come to its end, and would start again.
    has_wrapped: bool,
}

impl<E: Element> Reducer<'_, E> {
    fn run(&mut self) -> Result<(), Stop> {
        loop {
            if let Some((index, mode)) = self.best(|state| !state.is_quiet) {
                self.turn(index, mode)?;
            } else if let Some((index, _)) = self.best(|state| !state.is_exhausted) {
                self.turn(index, Mode::Proof)?;
            } else {
                (self.court.events)(&Event::Proved {
                    candidates: self.judged,
                });
                return Ok(());
            }
        }
    }

    /// The pass, and the mode for it, that is expected to remove most per test, among the passes
    /// that are `open`; or the next one, where passes go in order.
    fn best(&self, open: impl Fn(&State<'_, E>) -> bool) -> Option<(usize, Mode)> {
        if self.settings.is_in_order {
            let next = self.last.map_or(0, |last| last + 1);
            let (before, after) = self.passes.split_at(next.min(self.passes.len()));
            let found = |open: &dyn Fn(&State<'_, E>) -> bool| {
                let behind = after.iter().position(open).map(|at| next + at);
                behind.or_else(|| before.iter().position(open))
            };
            let first = found(&|state| open(state) && !state.pass.is_last_resort());
            let index = first.or_else(|| found(&open))?;
            return Some((index, Mode::Sweep));
        }
        if let Some(index) = self
            .passes
            .iter()
            .position(|state| state.is_due && open(state))
        {
            return Some((index, Mode::Sweep));
        }
        let mut best: Option<(f64, usize, Mode)> = None;
        for candidate in self.candidates_for_turns(open) {
            if best.is_none_or(|(most, ..)| candidate.0 > most) {
                best = Some(candidate);
            }
        }
        best.map(|(_, index, mode)| (index, mode))
    }

    /// The passes that are `open`, in each of their modes, with what a test is expected to remove.
    fn candidates_for_turns(
        &self,
        open: impl Fn(&State<'_, E>) -> bool,
    ) -> impl Iterator<Item = (f64, usize, Mode)> {
        let passes = self.passes.iter().enumerate();
        let passes = passes.filter(move |(_, state)| open(state));
        let outlook = self.outlook();
        passes.flat_map(move |(index, state)| {
            let turns = state.turns(outlook);
            turns.map(move |(expected, mode)| (expected, index, mode))
        })
    }

    fn outlook(&self) -> Outlook {
        Outlook {
            len: self.target.len(),
            chaos_from: self.settings.chaos_from,
            is_in_order: self.settings.is_in_order,
            drought: self.drought,
            seed: self.settings.seed,
        }
    }

    /// Lets one pass work until it stalls, is through, or is outdone by another.
    fn turn(&mut self, index: usize, mode: Mode) -> Result<(), Stop> {
        let (tests_before, len_before) = (self.court.counts.tests, self.target.len());
        let accepted_before = self.court.counts.accepted;
        let pass = self.passes[index].pass.name();
        self.last = Some(index);
        self.passes[index].is_due = false;
        (self.court.events)(&Event::PassStarted { pass, mode });
        let (mut round_steps, mut round_share) = (0, 0.0);
        let mut failures = 0;
        let mut is_over = false;
        while failures < self.passes[index].yields(mode).patience() {
            let (tests, len) = (self.court.counts.tests, self.target.len());
            let window = self.window(index, mode)?;
            let removed = len.saturating_sub(self.target.len());
            let share = removed as f64 / len.max(1) as f64;
            let yields = self.passes[index].yields_mut(mode);
            if window.successes > 0 {
                let worth = share.max(least_worth(len));
                let tests = self.court.counts.tests - tests;
                yields.record(tests.saturating_sub(window.steps), worth);
                yields.record_gain(worth / window.share.max(least_worth(len)));
            }
            round_steps += window.steps;
            round_share += share;
            if mode == Mode::Chaos && (round_steps >= CHAOS_ROUND || window.is_over) {
                if round_share <= CHAOS_GAIN || window.is_over {
                    // No longer worth it at random until much has changed.
                    self.passes[index].chaos_below = self.target.len() / 2;
                    break;
                }
                (round_steps, round_share) = (0, 0.0);
            }
            if window.successes > 0 {
                failures = 0;
                self.drought *= 1.0 - (DROUGHT_END * share).min(1.0);
                self.let_fade(index, share);
                if self.is_to_restart(mode, accepted_before) {
                    self.last = None;
                    break;
                }
                let is_due = self.passes.iter().any(|state| state.is_due);
                if mode == Mode::Proof || is_due || self.is_outdone(index, mode) {
                    break;
                }
            } else {
                failures += window.steps;
                self.drought += window.steps as f64;
                is_over = window.is_over;
                if is_over || window.is_outdone {
                    break;
                }
            }
            if window.has_wrapped {
                // The others first: two passes, or two steps of one, can go on in small steps for
                // ever where a third would go far in one.
                break;
            }
        }
        let has_accepted = self.court.counts.accepted > accepted_before;
        let state = &mut self.passes[index];
        if has_accepted {
            state.yields_mut(mode).fruitless_turns = 0;
        } else if !is_over && mode != Mode::Chaos {
            state.yields_mut(mode).fruitless_turns += 1;
        }
        if is_over && mode != Mode::Chaos {
            if self.settings.is_in_order {
                state.cursor.path.clear();
            }
            state.is_quiet = true;
            state.yields.iter_mut().for_each(Yield::rest);
            let has_left_out = state
                .walker
                .as_ref()
                .is_some_and(|walker| walker.has_left_out);
            state.is_exhausted = mode == Mode::Proof || !has_left_out;
            state.walker = None;
            if mode == Mode::Sweep {
                let least = u64::from(!state.is_brief);
                state.is_brief = (least..=BRIEF).contains(&state.swept);
            }
            state.swept = 0;
        }
        (self.court.events)(&Event::PassFinished {
            pass,
            tests: self.court.counts.tests - tests_before,
            removed: len_before.saturating_sub(self.target.len()),
            is_exhausted: is_over,
        });
        Ok(())
    }

    /// Lets the past of all other passes fade. Where much has changed they begin anew, and this one
    /// too if its first steps are its largest: those may succeed now. Brief ones are tried at once,
    /// which costs next to nothing: what they do may succeed at this size of the target only.
    fn let_fade(&mut self, index: usize, share: f64) {
        for (other, state) in self.passes.iter_mut().enumerate() {
            if other != index {
                let yields = state.yields.iter_mut();
                yields.for_each(|yields| yields.fade(share));
            } else if !state.pass.is_largest_first() {
                continue;
            }
            state.lost += share;
            if state.lost >= ANEW && !self.settings.is_in_order {
                state.lost = 0.0;
                state.is_due = state.is_brief;
                state.cursor = Cursor::default();
                state.yields.iter_mut().for_each(Yield::begin_anew);
            }
        }
    }

    /// Whether the first pass is next, though this turn could go on.
    fn is_to_restart(&self, mode: Mode, accepted_before: u64) -> bool {
        let accepted = self.court.counts.accepted - accepted_before;
        self.settings.is_in_order && mode != Mode::Proof && accepted >= self.settings.restart_after
    }

    /// Whether another pass would now be the better choice by far.
    fn is_outdone(&self, index: usize, mode: Mode) -> bool {
        let mine = self.passes[index].yields(mode).expected(self.drought);
        self.rival(index, mode)
            .is_some_and(|rival| rival > 2.0 * mine)
    }

    /// What a test of the best other pass, or of this pass in another mode, is expected to remove;
    /// `None` where that does not matter.
    fn rival(&self, index: usize, mode: Mode) -> Option<f64> {
        if self.settings.is_in_order || mode == Mode::Proof {
            return None;
        }
        let others = self.candidates_for_turns(|state| !state.is_quiet);
        let others = others.filter(|&(_, other, its_mode)| (other, its_mode) != (index, mode));
        others.map(|(expected, ..)| expected).max_by(f64::total_cmp)
    }

    /// Tests some steps against the current target, then merges and grows what succeeded.
    fn window(&mut self, index: usize, mode: Mode) -> Result<Window, Stop> {
        let rival = self.rival(index, mode);
        let drought = self.drought;
        let is_in_order = self.settings.is_in_order;
        let outlook = self.outlook();
        let (before, rest) = self.passes.split_at_mut(index);
        let (state, after) = rest.split_at_mut(1);
        let state = &mut state[0];
        let mut upcoming = Upcoming::new(before, after, outlook);
        let size = if is_in_order || state.pass.is_taken_at_once() {
            1
        } else {
            state.yields(mode).window() as u64
        };
        let mut walker = match state.walker.take() {
            Some(walker) if walker.mode() == mode => walker,
            _ => {
                self.court.oracle.forget_ahead();
                state.new_walker(mode, self.settings.seed, &self.target)
            }
        };
        let (pass, target, knowledge) = (state.pass, &self.target, &mut self.knowledge);
        let mut successes: Vec<Success<E>> = Vec::new();
        let mut covered = Patch::default();
        let mut result = Window {
            steps: 0,
            successes: 0,
            is_over: false,
            share: 0.0,
            is_outdone: false,
            has_wrapped: false,
        };
        // The choices of the last success but for its place, and when the last successes were.
        let mut kind = Vec::new();
        let mut success_steps: Vec<u64> = Vec::new();
        while result.steps < size && !result.is_outdone && !is_dense(&success_steps, result.steps) {
            // What a success has done already, or is in the way of, need not be put right.
            let is_wanted = |_: &[u32], patch: &Patch<E>| {
                successes.is_empty()
                    || !(covered.covers(patch) || is_excluded(pass, target, &successes, patch))
            };
            let mut issue = match walker.take(pass, target, knowledge, &is_wanted) {
                Ok(Some(Taken::Issue(issue))) => issue,
                Ok(Some(Taken::Unwanted(_))) => continue,
                Ok(None) => {
                    result.is_over = true;
                    break;
                }
                Err(stop) => return Err(self.stop(pass, successes, stop)),
            };
            if is_in_order && !state.cursor.path.is_empty() && issue.path > state.cursor.path {
                walker.give_back(issue);
                state.cursor.path.clear();
                result.has_wrapped = true;
                break;
            }
            let patch = issue.candidate.patch();
            if !successes.is_empty()
                && (covered.covers(patch) || is_excluded(pass, target, &successes, patch))
            {
                continue;
            }
            let mut ahead = || {
                let mut looks = LOOKS_AHEAD;
                let named = walker.name_ahead(pass, target, knowledge, &mut looks);
                named.or_else(|| upcoming.name_ahead(target, knowledge, &mut looks))
            };
            let tested = self.court.test(pass.name(), &issue.candidate, &mut ahead);
            let observation = match tested {
                Ok(observation) => observation,
                Err(stop) => return Err(self.stop(pass, successes, stop)),
            };
            let is_success = is_success(pass, &issue.candidate, target, knowledge, &observation);
            knowledge.record(issue.candidate.identity(), is_success);
            self.judged += 1;
            result.steps += 1;
            let removed = target.len().saturating_sub(issue.candidate.len());
            let share = removed as f64 / target.len().max(1) as f64;
            let yields = state.yields_mut(mode);
            yields.record(1, 0.0);
            yields.record_step(is_success, share.max(least_worth(target.len())));
            result.is_outdone = rival.is_some_and(|rival| rival > 2.0 * yields.expected(drought));
            let path = core::mem::take(&mut issue.path);
            if mode != Mode::Chaos {
                state.cursor.path.clone_from(&path);
                state.swept += 1;
            }
            if is_success {
                result.share += share;
                kind = path.get(1..).unwrap_or_default().to_vec();
                success_steps.push(result.steps);
                covered = pass.combined(target, &covered, patch).unwrap_or(covered);
                successes.push(Success {
                    candidate: issue.candidate,
                    seen: observation.seen,
                });
            } else {
                let key = issue.key(target, &knowledge.refuted);
                knowledge.refuted.insert(key, target.len());
                if mode == Mode::Sweep && !is_in_order {
                    knowledge.failures.insert(pass, &issue.candidate);
                }
            }
        }
        result.is_over |= result.is_outdone && !walker.has_more(pass, target, knowledge);
        result.successes = successes.len();
        if successes.is_empty() {
            state.walker = Some(walker);
        } else {
            self.court.oracle.forget_ahead();
            let is_swept = mode != Mode::Chaos && !is_in_order;
            let starts = successes
                .iter()
                .filter_map(|success| success.patch().extent())
                .map(|(start, _)| start);
            let start = starts.min().filter(|_| is_swept);
            drop(covered);
            let is_chained = is_swept && pass.is_for_chains() && !pass.is_taken_at_once();
            let kind = is_chained.then_some(kind.as_slice());
            let next = is_swept.then(|| Following::new(&mut walker, kind));
            let (below, path) = self.accept(pass, successes, mode, start, next)?;
            if is_swept {
                let cursor = &mut self.passes[index].cursor;
                cursor.below = below;
                if let Some(path) = path {
                    cursor.path = path;
                }
            }
        }
        Ok(result)
    }

    /// Stops within a window; what has succeeded in it must not be lost, so the largest of that
    /// becomes the target.
    fn stop(&mut self, pass: &dyn Pass<E>, successes: Vec<Success<E>>, stop: Stop) -> Stop {
        if let Some(largest) = successes
            .into_iter()
            .min_by_key(|success| success.patch().growth())
        {
            self.commit(pass, largest);
        }
        stop
    }

    /// Makes a candidate the target.
    pub fn commit(&mut self, pass: &dyn Pass<E>, success: Success<E>) {
        let from_len = self.target.len();
        self.judged = 0;
        // First of all, so that nobody else has the content of the target.
        for state in &mut self.passes {
            state.walker = None;
            state.swept = 0;
            state.is_quiet = false;
            state.is_exhausted = false;
        }
        let Success { candidate, seen } = success;
        match &seen {
            Some(Seen {
                elements: Some(_), ..
            }) => self.knowledge.failures.forget(),
            _ => self.knowledge.failures.rebase(&candidate),
        }
        let seen = seen.unwrap_or_else(|| Seen {
            elements: None,
            spans: self.court.oracle.spans(&candidate),
        });
        let target = core::mem::replace(&mut self.target, Target::new(Vec::new()));
        self.target = target.into_successor(candidate, seen);
        self.court.counts.accepted += 1;
        self.court.counts.last_success = self.court.counts.tests;
        (self.court.events)(&Event::Reduced {
            pass: pass.name(),
            from_len,
            target: &self.target,
        });
        self.court.oracle.forget_ahead();
    }

    /// Judges a candidate that no walker proposed; from memory if possible. `ahead` gets what is
    /// known, and names what may be wanted next.
    pub fn judge(
        &mut self,
        pass: &dyn Pass<E>,
        candidate: &Candidate<E>,
        ahead: &mut Guesses<'_, E>,
    ) -> Result<Judgement<E>, Stop> {
        let (target, knowledge) = (&self.target, &mut self.knowledge);
        if !pass.pumps() && !knowledge.is_simpler(candidate) {
            return Ok(Judgement::Fails);
        }
        if knowledge.verdict(candidate.identity()) == Some(false) {
            knowledge.cached += 1;
            return Ok(Judgement::Fails);
        }
        let observation = self
            .court
            .test(pass.name(), candidate, &mut || ahead(target, knowledge))?;
        let is_success = is_success(pass, candidate, target, knowledge, &observation);
        self.judged += 1;
        knowledge.record(candidate.identity(), is_success);
        Ok(if is_success {
            Judgement::Works(observation.seen)
        } else {
            Judgement::Fails
        })
    }
}

/// Whether one of the successes of a window takes off as much as `patch` does, and cannot be merged
/// with it: what is left of the patch is tried again on the target that the success makes.
fn is_excluded<E: Element>(
    pass: &dyn Pass<E>,
    target: &Target<E>,
    successes: &[Success<E>],
    patch: &Patch<E>,
) -> bool {
    let Some((start, end)) = patch.extent() else {
        return false;
    };
    let is_near = |success: &Patch<E>| {
        success
            .extent()
            .is_some_and(|(from, to)| from <= end && start <= to)
    };
    successes.iter().map(Success::patch).any(|success| {
        is_near(success)
            && success.growth() <= patch.growth()
            && pass.combined(target, success, patch).is_err()
    })
}

/// Whether what was observed is interesting and simpler than the target. A candidate that was not
/// repaired is, unless its pass may make the target larger.
fn is_success<E: Element>(
    pass: &dyn Pass<E>,
    candidate: &Candidate<E>,
    target: &Target<E>,
    knowledge: &Knowledge<'_, E>,
    observation: &Observation<E>,
) -> bool {
    let read = observation
        .seen
        .as_ref()
        .and_then(|seen| seen.elements.as_ref());
    let is_simpler = || match read {
        Some(read) => compare_whole(knowledge.order, read, target.elements()).is_lt(),
        None => !pass.pumps() || knowledge.is_simpler(candidate),
    };
    observation.verdict == Verdict::Interesting && is_simpler()
}
