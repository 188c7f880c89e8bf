//! The seam between the library and the engine: who reduces a failing choice sequence.

use std::sync::Arc;

use ablate_engine::event::Event;
use ablate_engine::oracle::{Ahead, Observation, Oracle, Seen, Stop, Verdict};
use ablate_engine::reducer;
use ablate_engine::target::{Candidate, Span, Target};

use crate::choice::{Choice, Simplicity};
use crate::passes::{self, DISCARDED};

/// A choice sequence with the spans that its generators named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The choices that were read, in order.
    pub choices: Arc<Vec<Choice>>,
    /// The spans that they form, outer ones before those inside them.
    pub spans: Arc<Vec<Span>>,
    /// The places in `spans` of those whose values were not used: rejected attempts of filters,
    /// elements that a set had already.
    pub discarded: Vec<u32>,
}

/// The choices of a candidate, in order.
pub(crate) fn choices_in(candidate: &Candidate<Choice>) -> impl Iterator<Item = &Choice> {
    candidate.pieces().flatten()
}

/// What came of replaying a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The property fails as the sequence that is being reduced does.
    Fails,
    /// It fails in another way; that is kept as a failure of its own.
    FailsOtherwise,
    /// It holds.
    Passes,
    /// It does not apply.
    Invalid,
    /// More was read than the candidate holds.
    Overruns,
}

/// A candidate's status with what the replay really read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What came of it.
    pub status: Status,
    /// What was read if the status is `Fails`: repaired where it had to be, without what was not
    /// read. Otherwise empty.
    pub sequence: Sequence,
    /// Whether the property was really run.
    pub was_run: bool,
}

/// Candidates that may be asked for soon, the likeliest first; each call gives the next one.
pub type Soon<'a> = Ahead<'a, Choice>;

/// Replays the values of a candidate, and perhaps meanwhile those that may be asked for soon.
/// `Stop::Budget` ends the reduction: what was found so far stands.
///
/// The base of a candidate is a sequence that fails, or the candidate has no edit.
pub type Test<'a> = dyn FnMut(&Candidate<Choice>, Soon<'_>) -> Result<Outcome, Stop> + 'a;

/// Reduces a failing choice sequence.
pub trait Reduce {
    /// The simplest sequence found that still fails: `start`, or the `sequence` of an outcome that
    /// `Fails` and that is simpler by [`crate::choice::Simplicity`].
    fn reduce(&self, start: Sequence, test: &mut Test<'_>) -> Sequence;
}

/// Choice sequences are short: what stands further from an edit than this hardly ever decides
/// whether it fails, and half of the rest is soon gone.
const MEMORY: reducer::Memory = reducer::Memory {
    context: 2,
    loss: 2,
    small: 0,
    edits: 8,
    large: 4,
};

/// Reduces with the engine: all passes on choice sequences, until none of them finds anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithEngine;

/// After so many successes of one pass the others have their turns: where a property fails by chance, as
/// by how floating-point numbers are rounded, one pass can go on in steps of one for thousands of tests
/// where another halves.
const RESTART_AFTER: u64 = 32;

impl Reduce for WithEngine {
    fn reduce(&self, start: Sequence, test: &mut Test<'_>) -> Sequence {
        let start = marked(start);
        let target = Target::with_spans(start.choices, start.spans);
        let settings = reducer::Settings {
            is_in_order: true,
            restart_after: RESTART_AFTER,
            memory: Some(MEMORY),
            ..reducer::Settings::default()
        };
        let mut judge = Judge { test };
        let mut ignored = |_: &Event<'_, Choice>| {};
        let reduced = reducer::reduce(
            target,
            &passes::all(),
            &Simplicity,
            &mut judge,
            &settings,
            &mut ignored,
        );
        let spans = Arc::clone(reduced.target.spans());
        Sequence {
            choices: reduced.target.into_elements(),
            spans,
            discarded: Vec::new(),
        }
    }
}

/// The sequence as the engine knows it: what was discarded has a label of its own.
fn marked(mut sequence: Sequence) -> Sequence {
    if !sequence.discarded.is_empty() {
        let spans = Arc::make_mut(&mut sequence.spans);
        for discarded in sequence.discarded.drain(..) {
            if let Some(span) = spans.get_mut(discarded as usize) {
                span.label = DISCARDED;
            }
        }
    }
    sequence
}

/// An oracle over the seam's test.
struct Judge<'a, 'b> {
    test: &'a mut Test<'b>,
}

impl Oracle<Choice> for Judge<'_, '_> {
    fn test(
        &mut self,
        candidate: &Candidate<Choice>,
        ahead: Ahead<'_, Choice>,
    ) -> Result<Observation<Choice>, Stop> {
        let outcome = (self.test)(candidate, ahead)?;
        Ok(match outcome.status {
            Status::Fails => Observation {
                verdict: Verdict::Interesting,
                seen: Some({
                    let read = marked(outcome.sequence);
                    Seen {
                        elements: Some(read.choices),
                        spans: read.spans,
                    }
                }),
            },
            _ => Verdict::NotInteresting.into(),
        })
    }
}

/// Reduces nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unreduced;

impl Reduce for Unreduced {
    fn reduce(&self, start: Sequence, _: &mut Test<'_>) -> Sequence {
        start
    }
}
