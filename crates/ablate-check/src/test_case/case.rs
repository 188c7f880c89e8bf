//! The test case itself: what it holds, how it is started, what the runner reads of it.

use std::fmt::{self, Debug};
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use ablate_engine::patch::Patch;
use ablate_engine::target::{Candidate, Span, Target};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::replayed::Replayed;
use crate::choice::{Choice, Constraint, Value, drop_all, mix};
use crate::reduce::Sequence;
use crate::sample::Plan;

/// Why a test case ended before the property did. Carried by a panic that nobody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The property does not apply to what was drawn.
    Invalid,
    /// More was read than there is.
    Overrun,
}

/// What happens when more is read than a replayed sequence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The test case ends.
    Overrun,
    /// What is missing is drawn at random.
    Random,
}

/// A value that the property drew itself, as it is shown to people.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub name: Option<&'static str>,
    pub line: Line,
    /// The choices that it was made of.
    pub start: usize,
    pub end: usize,
}

impl Drawn {
    /// The choices of a value; `None` for a note.
    pub fn interval(&self) -> Option<(usize, usize)> {
        matches!(self.line, Line::Value(..)).then_some((self.start, self.end))
    }
}

/// One line of a report.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// A value: its type's name and how it looks.
    Value(String, String),
    /// Something else that is shown as it is.
    Note(String),
}

/// What a property draws its values from, and what it tells of itself.
///
/// A test case is a sequence of choices, drawn at random or replayed. What was read is recorded
/// with the spans that it forms, so that a failing test case can be reduced without knowing what
/// its generators do.
pub struct TestCase {
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) plan: Plan,
    pub(super) replayed: Replayed,
    /// The marks around the position that were passed: whether a span was begun at each.
    pub(super) marks: Vec<bool>,
    pub(super) beyond: Beyond,
    /// The draw whose choices are made anew, and where the replay goes on after it.
    pub(super) hole: Option<(usize, usize)>,
    pub(super) is_in_hole: bool,
    /// The draw after which the test case ends.
    pub(super) last_draw: Option<usize>,
    pub(super) choices: Vec<Choice>,
    /// Whether none of the choices holds anything that has to be freed.
    pub(super) are_plain: bool,
    pub(super) spans: Vec<Span>,
    /// The spans around, and how many marks were passed when each began, if at one of its own.
    pub(super) open: Vec<(u32, Option<usize>)>,
    pub(super) discarded: Vec<u32>,
    pub(super) max_choices: usize,
    pub(super) overran_at: Option<Constraint>,
    pub(super) halted: Option<Halt>,
    /// Where the property drew last.
    pub(super) drawn_at: Option<&'static Location<'static>>,
    /// Where the test case was rejected.
    pub(super) rejected_at: Option<&'static Location<'static>>,
    pub(super) draws: usize,
    pub(super) drawing: u32,
    pub(super) is_shown: bool,
    pub(super) shown: Vec<Drawn>,
    pub(super) score: Option<f64>,
    /// The steps of machines that were done, and those for which no rule applied.
    pub(super) steps: (u64, u64),
    pub(super) labels: Vec<String>,
    /// How long the property's own draws took, where that is of interest.
    pub(super) drawing_time: Option<Duration>,
}

impl TestCase {
    pub(crate) fn new(max_choices: usize) -> TestCase {
        TestCase {
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            plan: Plan::default(),
            replayed: Replayed::default(),
            marks: Vec::new(),
            beyond: Beyond::Random,
            hole: None,
            is_in_hole: false,
            last_draw: None,
            choices: Vec::new(),
            are_plain: true,
            spans: Vec::new(),
            open: Vec::new(),
            discarded: Vec::new(),
            max_choices,
            overran_at: None,
            halted: None,
            drawn_at: None,
            rejected_at: None,
            draws: 0,
            drawing: 0,
            is_shown: false,
            shown: Vec::new(),
            score: None,
            steps: (0, 0),
            labels: Vec::new(),
            drawing_time: None,
        }
    }

    /// A test case outside any property, drawn at random from `seed`.
    pub(crate) fn from_seed(seed: u64) -> TestCase {
        let mut tc = TestCase::new(usize::MAX);
        let seed = mix(seed, 0);
        tc.start_random(seed, Plan::for_case(1000, seed));
        tc
    }

    /// Starts a replay.
    pub(crate) fn start_replay(&mut self, values: Vec<Value>, beyond: Beyond) {
        self.clear();
        // Mostly as many are read as there are.
        self.choices.reserve(values.len());
        self.replayed.set_values(values);
        self.beyond = beyond;
    }

    /// Starts the replay of a candidate; it ends where more is read than the candidate holds.
    pub(crate) fn start_candidate(&mut self, candidate: &Candidate<Choice>) {
        self.clear();
        self.replayed.set_candidate(candidate.clone());
        self.beyond = Beyond::Overrun;
    }

    /// Starts a replay of what was read before.
    pub(crate) fn start_again(&mut self, choices: &Arc<Vec<Choice>>, beyond: Beyond) {
        let read = Target::with_spans(Arc::clone(choices), Vec::new());
        self.start_candidate(&read.candidate(Patch::default()));
        self.beyond = beyond;
    }

    pub(crate) fn start_random(&mut self, seed: u64, plan: Plan) {
        self.clear();
        self.reseed(seed, plan);
    }

    /// Sets what is drawn where a replay draws at random.
    pub(crate) fn reseed(&mut self, seed: u64, plan: Plan) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.plan = plan;
    }

    pub(crate) fn set_hole(&mut self, draw: usize, resume: usize) {
        self.hole = Some((draw, resume));
    }

    /// Has the test case end after one draw of the property.
    pub(crate) fn set_last_draw(&mut self, draw: usize) {
        self.last_draw = Some(draw);
    }

    pub(crate) fn set_shown(&mut self, is_shown: bool) {
        self.is_shown = is_shown;
    }

    fn clear(&mut self) {
        self.replayed.clear();
        self.marks.clear();
        self.beyond = Beyond::Random;
        self.hole = None;
        self.is_in_hole = false;
        self.last_draw = None;
        drop_all(&mut self.choices, self.are_plain);
        self.are_plain = true;
        self.spans.clear();
        self.open.clear();
        self.discarded.clear();
        self.overran_at = None;
        self.halted = None;
        self.drawn_at = None;
        self.rejected_at = None;
        self.draws = 0;
        self.drawing = 0;
        self.is_shown = false;
        self.shown.clear();
        self.score = None;
        self.steps = (0, 0);
        self.labels.clear();
        self.drawing_time = None;
    }

    pub(crate) fn set_timed(&mut self, is_timed: bool) {
        self.drawing_time = is_timed.then_some(Duration::ZERO);
    }

    pub(crate) fn drawing_time(&self) -> Duration {
        self.drawing_time.unwrap_or_default()
    }

    /// Closes what a panic left open.
    pub(crate) fn finish(&mut self) {
        while !self.open.is_empty() {
            self.end_span();
        }
    }

    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Whether none of the choices holds anything that has to be freed.
    pub(crate) fn are_plain(&self) -> bool {
        self.are_plain
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(crate) fn discarded(&self) -> &[u32] {
        &self.discarded
    }

    /// What was read in the last run; the test case does not have it any more.
    pub(crate) fn take_sequence(&mut self) -> Sequence {
        self.exchange_sequence(None, true)
    }

    /// What was read in the last run. What is read next goes where a sequence was that nobody wants
    /// any more: fresh memory costs more than to write to it. Where the choices of that one are known
    /// to be plain they are not looked at.
    pub(crate) fn exchange_sequence(
        &mut self,
        unwanted: Option<Sequence>,
        are_plain: bool,
    ) -> Sequence {
        let unwanted = unwanted.unwrap_or_default();
        let mut choices = Arc::into_inner(unwanted.choices).unwrap_or_default();
        drop_all(&mut choices, are_plain);
        let spans = Arc::into_inner(unwanted.spans).unwrap_or_default();
        Sequence {
            choices: Arc::new(exchange(&mut self.choices, choices)),
            spans: Arc::new(exchange(&mut self.spans, spans)),
            discarded: std::mem::take(&mut self.discarded),
        }
    }

    pub(crate) fn halted(&self) -> Option<Halt> {
        self.halted
    }

    /// Where the test case was rejected, if it was.
    pub(crate) fn rejected_at(&self) -> Option<&'static Location<'static>> {
        self.rejected_at
    }

    pub(crate) fn overran_at(&self) -> Option<&Constraint> {
        self.overran_at.as_ref()
    }

    pub(crate) fn shown(&self) -> &[Drawn] {
        &self.shown
    }

    pub(crate) fn score(&self) -> Option<f64> {
        self.score
    }

    /// The steps of machines that were done, and those for which no rule applied.
    pub(crate) fn steps(&self) -> (u64, u64) {
        self.steps
    }

    pub(crate) fn count_step(&mut self, is_done: bool) {
        match is_done {
            true => self.steps.0 += 1,
            false => self.steps.1 += 1,
        }
    }

    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }
}

/// Takes what was read, and leaves room for what is read next: that will hardly be longer.
fn exchange<T>(read: &mut Vec<T>, mut room: Vec<T>) -> Vec<T> {
    room.clear();
    room.reserve(read.len());
    std::mem::replace(read, room)
}

impl Debug for TestCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestCase")
            .field("choices", &self.choices)
            .field("spans", &self.spans)
            .finish_non_exhaustive()
    }
}
