//! What judges candidates: verdicts, oracles, and executors that an oracle spreads its tests over.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::identity::Element;
use crate::target::{Candidate, Span};

/// What a test said of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It still shows what is looked for.
    Interesting,
    /// It does not.
    NotInteresting,
    /// The test took longer than it may; counts as not interesting.
    TimedOut,
}

/// Why a reduction ends before its fixed point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it.
    Interrupted,
    /// A budget of tests or of time is used up.
    Budget,
    /// No verdict can be had any more; the edge knows why.
    Failed,
}

/// Says whether a reduction has to stop, and why. It is asked while steps are computed, which may take
/// long where none is worth a test; what it has said once it says ever after.
#[derive(Clone)]
pub struct Alarm(pub Arc<dyn Fn() -> Option<Stop> + Send + Sync>);

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Alarm(..)")
    }
}

/// What came of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation<E> {
    /// What the test said.
    pub verdict: Verdict,
    /// The content that the test really saw, where it repaired or shortened the candidate.
    pub seen: Option<Seen<E>>,
}

impl<E> From<Verdict> for Observation<E> {
    fn from(verdict: Verdict) -> Self {
        Observation {
            verdict,
            seen: None,
        }
    }
}

/// The content that a test really saw, and its spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen<E> {
    /// The content, shared with whoever keeps it too; `None` when it is the candidate's own.
    pub elements: Option<Arc<Vec<E>>>,
    /// The spans in it.
    pub spans: Arc<Vec<Span>>,
}

/// Candidates that may be asked for soon, the likeliest first. Each call gives the next one.
pub type Ahead<'a, E> = &'a mut dyn FnMut() -> Option<Candidate<E>>;

/// Gives verdicts. The engine asks for one after another; what it will probably ask next, it tells
/// with each question. Running ahead can only make the answer come sooner, never change it.
pub trait Oracle<E: Element> {
    /// Judges `candidate`; may take candidates from `ahead` and test them meanwhile.
    ///
    /// # Errors
    /// When the reduction has to stop; the verdict of `candidate` is not known then.
    fn test(
        &mut self,
        candidate: &Candidate<E>,
        ahead: Ahead<'_, E>,
    ) -> Result<Observation<E>, Stop>;

    /// What says between two questions that the reduction has to stop; nothing, if that is all the same.
    fn alarm(&self) -> Option<Alarm> {
        None
    }

    /// What was named ahead so far is not wanted any more, unless it is named again.
    fn forget_ahead(&mut self) {}

    /// The spans in a candidate that becomes the target, where its test said nothing of what it saw.
    fn spans(&mut self, candidate: &Candidate<E>) -> Arc<Vec<Span>> {
        let _ = candidate;
        Arc::default()
    }
}

/// An oracle in the same process that never runs ahead.
impl<E: Element, F: FnMut(&[E]) -> bool> Oracle<E> for F {
    fn test(&mut self, candidate: &Candidate<E>, _: Ahead<'_, E>) -> Result<Observation<E>, Stop> {
        let verdict = if self(&candidate.build()) {
            Verdict::Interesting
        } else {
            Verdict::NotInteresting
        };
        Ok(verdict.into())
    }
}

/// The name of a submitted test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job(pub u64);

/// Runs tests: on this machine's cores, in simulated time, or anywhere else.
pub trait Executor<E: Element> {
    /// How many tests it runs at the same time, at least one.
    fn slots(&self) -> usize;

    /// What says that the reduction has to stop while no verdict is waited for.
    fn alarm(&self) -> Option<Alarm> {
        None
    }

    /// Starts a test. Called only while fewer than [`Executor::slots`] tests run.
    ///
    /// # Errors
    /// When no test can be started any more.
    fn submit(&mut self, job: Job, candidate: &Candidate<E>) -> Result<(), Stop>;

    /// Waits for a test to end.
    ///
    /// # Errors
    /// When nothing runs, or a verdict can't be had any more.
    fn next_verdict(&mut self) -> Result<(Job, Observation<E>), Stop>;

    /// Ends a test whose verdict is not wanted any more. Its slot is free, and
    /// [`Executor::next_verdict`] won't name it.
    fn cancel(&mut self, job: Job);
}
