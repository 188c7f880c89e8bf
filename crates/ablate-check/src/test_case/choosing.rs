//! What a generator does with a test case: choose, and name spans.

use std::panic::resume_unwind;
use std::sync::Arc;

use ablate_engine::target::Span;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::case::{Beyond, Halt, TestCase};
use super::properties::DEEPEST;
use crate::choice::{
    Alphabet, Bounds, Choice, Constraint, FloatRange, IntegerRange, Sizes, Toss, Value,
};
use crate::sample::{self, Plan};

impl TestCase {
    /// Chooses a boolean that is `true` with about this probability; the simpler one is `false`.
    pub fn toss(&mut self, probability: f64) -> bool {
        let toss = match probability {
            p if p <= 0.0 => Toss::Forced(false),
            p if p >= 1.0 => Toss::Forced(true),
            _ => Toss::Free,
        };
        self.toss_as(toss, |random, _| sample::unit(random) < probability)
    }

    pub(crate) fn toss_as(
        &mut self,
        toss: Toss,
        sample: impl FnOnce(&mut Xoshiro256PlusPlus, &mut Plan) -> bool,
    ) -> bool {
        let replayed = self.replayed_as_it_is(|next| match toss {
            Toss::Free | Toss::More => next.truth(),
            Toss::Forced(_) => None,
        });
        let chosen = replayed.unwrap_or_else(|| {
            let value = self.value_for(&Constraint::Boolean(toss), |tc| {
                Value::Boolean(match toss {
                    Toss::Free | Toss::More => sample(&mut tc.random, &mut tc.plan),
                    Toss::Forced(forced) => forced,
                })
            });
            value == Value::Boolean(true)
        });
        self.push(|| Choice::boolean(chosen, toss));
        chosen
    }

    /// Chooses an integer; one nearer to the range's origin is simpler.
    pub fn integer(&mut self, range: IntegerRange) -> i128 {
        self.integer_in(&range, Bounds::of(&range))
    }

    /// The same where it is known already which bounds those of the range are.
    pub(crate) fn integer_in(&mut self, range: &IntegerRange, bounds: Bounds) -> i128 {
        if bounds == Bounds::HELD {
            let chosen = self.integer_for(range);
            self.push_held(chosen, range);
            return chosen;
        }
        let word = self.replayed_as_it_is(|next| next.word_in(bounds));
        // Each number of such a range is a word of its own.
        let word = word.unwrap_or_else(|| self.integer_for(range) as u64);
        self.push(|| Choice::of_word(word, bounds));
        bounds.number(word)
    }

    #[inline(never)]
    fn integer_for(&mut self, range: &IntegerRange) -> i128 {
        let value = self.value_for(&Constraint::Integer(*range), |tc| {
            let (random, plan) = (&mut tc.random, &tc.plan);
            Value::Integer(sample::integer(random, plan, *range, &tc.choices))
        });
        match value {
            Value::Integer(value) => value,
            _ => range.origin,
        }
    }

    /// Adds a choice of a number of a range that is held.
    #[inline(never)]
    fn push_held(&mut self, value: i128, range: &IntegerRange) {
        self.are_plain = false;
        self.push(|| Choice::new(Value::Integer(value), Constraint::Integer(*range)));
    }

    /// Chooses an integer of a range that has a distribution of its own.
    pub(crate) fn integer_by(
        &mut self,
        range: IntegerRange,
        sample: impl FnOnce(&mut Xoshiro256PlusPlus, IntegerRange) -> i128,
    ) -> i128 {
        let chosen = self.choose(Constraint::Integer(range), |tc| {
            Value::Integer(sample(&mut tc.random, range))
        });
        match chosen {
            Value::Integer(value) => value,
            _ => range.origin,
        }
    }

    /// Chooses one of `count` alternatives, each equally likely; an earlier one is simpler.
    pub fn index(&mut self, count: usize) -> usize {
        self.index_by(count, |random| {
            ((u128::from(random.next_u64()) * count as u128) >> 64) as usize
        })
    }

    /// Chooses one of `weights.len()` alternatives, as likely as their weights say; an earlier one
    /// is simpler.
    pub fn weighted_index(&mut self, weights: &[u32]) -> usize {
        self.index_by(weights.len(), |random| sample::weighted(random, weights))
    }

    pub(crate) fn index_by(
        &mut self,
        count: usize,
        sample: impl FnOnce(&mut Xoshiro256PlusPlus) -> usize,
    ) -> usize {
        let constraint = Constraint::Index(u32::try_from(count).unwrap_or(u32::MAX));
        self.index_in(constraint, count, sample)
    }

    /// Draws by one of several alternatives, of which an earlier one may be able to make what a
    /// later one does: `invert` gives that one and its choices. A candidate can ask for that.
    pub(crate) fn branch<T>(
        &mut self,
        weights: &[u32],
        draw: impl Fn(&mut TestCase, usize) -> T,
        invert: impl FnOnce(&T, usize) -> Option<Vec<Value>>,
    ) -> T {
        let is_recoded = self.replayed.peek_mark() == Some(Value::Recode);
        if is_recoded {
            self.replayed.advance();
        }
        let (choices, spans) = (self.choices.len(), self.spans.len());
        let constraint = Constraint::Branch(u32::try_from(weights.len()).unwrap_or(u32::MAX));
        let choose = |tc: &mut TestCase| {
            let sample = |random: &mut Xoshiro256PlusPlus| sample::weighted(random, weights);
            tc.index_in(constraint.clone(), weights.len(), sample)
        };
        let chosen = choose(self);
        let value = draw(self, chosen);
        let recoded = is_recoded.then(|| invert(&value, chosen)).flatten();
        let Some(recoded) = recoded else {
            return value;
        };
        self.choices.truncate(choices);
        self.spans.truncate(spans);
        self.discarded.retain(|span| (*span as usize) < spans);
        self.replayed.prepend(recoded);
        let chosen = choose(self);
        draw(self, chosen)
    }

    fn index_in(
        &mut self,
        constraint: Constraint,
        count: usize,
        sample: impl FnOnce(&mut Xoshiro256PlusPlus) -> usize,
    ) -> usize {
        if count == 0 {
            self.reject();
        }
        let chosen = self.choose(constraint, |tc| {
            Value::Integer(sample(&mut tc.random) as i128)
        });
        match chosen {
            Value::Integer(value) => usize::try_from(value).unwrap_or(0),
            _ => 0,
        }
    }

    /// Chooses a floating-point number; small integers are simplest.
    pub fn float(&mut self, range: FloatRange) -> f64 {
        let chosen = self.choose(Constraint::Float(range), |tc| {
            let sampled = sample::float(&mut tc.random, range, &tc.choices);
            Value::Float(sampled.to_bits())
        });
        match chosen {
            Value::Float(bits) => f64::from_bits(bits),
            _ => range.simplest(),
        }
    }

    /// Chooses a run of bytes; a shorter one is simpler, then one of smaller bytes.
    pub fn bytes(&mut self, sizes: Sizes) -> Arc<[u8]> {
        let depth = self.drawing;
        let chosen = self.choose(Constraint::Bytes(sizes), |tc| {
            Value::Bytes(sample::bytes(&mut tc.random, &tc.plan, sizes, depth))
        });
        match chosen {
            Value::Bytes(bytes) => bytes,
            _ => Arc::from([]),
        }
    }

    /// Chooses characters of an alphabet; a shorter text is simpler, then one of more readable
    /// characters.
    pub fn text(&mut self, alphabet: &Arc<Alphabet>, sizes: Sizes) -> Arc<str> {
        if alphabet.is_empty() && sizes.min > 0 {
            self.reject();
        }
        let depth = self.drawing;
        let chosen = self.choose(Constraint::Text(Arc::clone(alphabet), sizes), |tc| {
            let (random, plan) = (&mut tc.random, &tc.plan);
            Value::Text(sample::text(
                random,
                plan,
                alphabet,
                sizes,
                depth,
                &tc.choices,
            ))
        });
        match chosen {
            Value::Text(text) => text,
            _ => Arc::from(""),
        }
    }

    /// Chooses a variant of a derived enum, given the weight of each and whether it holds the enum
    /// itself: such variants are the rarer the deeper they stand.
    #[doc(hidden)]
    pub fn variant(&mut self, variants: &[(u32, bool)]) -> usize {
        let growth = self.growth(self.drawing);
        self.index_by(variants.len(), |random| {
            sample::variant(random, variants, growth)
        })
    }

    /// The length that a collection of this kind should have here when it is made at random. Not a
    /// choice: a collection chooses whether it goes on, before each element.
    pub(crate) fn plan_len(&mut self, sizes: Sizes) -> u32 {
        if self.is_replaying() {
            return 0;
        }
        // What is inside a test case that is large already stays small.
        let crowded = 2 * (self.choices.len() / self.plan.crowd()) as u32;
        let depth = self.drawing.saturating_add(crowded);
        sample::len(&mut self.random, &self.plan, sizes, depth)
    }

    /// How many generators enclose this one.
    pub(crate) fn depth(&self) -> u32 {
        self.drawing
    }

    /// A probability that falls with depth, for what makes values larger.
    pub(crate) fn growth(&self, depth: u32) -> f64 {
        self.plan.growth(depth, self.choices.len())
    }

    /// Makes `body`'s choices a span: an interval that can be removed, or replaced by another of
    /// the same label, as a whole.
    pub fn span<T>(&mut self, label: u64, body: impl FnOnce(&mut TestCase) -> T) -> T {
        self.start_span(label);
        let value = body(self);
        self.end_span();
        value
    }

    pub(crate) fn start_span(&mut self, label: u64) {
        self.start_span_at(label, self.choices.len());
    }

    pub(crate) fn start_span_at(&mut self, label: u64, start: usize) {
        let depth = self.open.len() as u32;
        if depth >= 4 * DEEPEST {
            self.halt(Halt::Overrun);
        }
        let mark = match self.replayed.peek_mark() {
            Some(Value::Open(marked)) if marked == label => {
                self.replayed.advance();
                self.marks.push(true);
                Some(self.marks.len())
            }
            _ => None,
        };
        self.open.push((self.spans.len() as u32, mark));
        self.spans.push(Span {
            start,
            end: start,
            label,
            depth,
        });
    }

    pub(crate) fn end_span(&mut self) {
        let Some((span, mark)) = self.open.pop() else {
            return;
        };
        self.spans[span as usize].end = self.choices.len();
        // What the span did not want is passed over.
        while let Some(depth) = mark
            && self.marks.len() >= depth
            && self.replayed.peek().is_some()
        {
            match self.replayed.peek_mark() {
                Some(Value::Open(_)) => self.marks.push(false),
                Some(Value::Close) => {
                    self.marks.pop();
                }
                _ => {}
            }
            self.replayed.advance();
        }
    }

    /// Ends the innermost span: what it drew was not used.
    pub(crate) fn discard_span(&mut self) {
        self.discarded
            .extend(self.open.last().map(|(span, _)| *span));
        self.end_span();
    }

    fn is_replaying(&self) -> bool {
        !self.is_in_hole && (self.beyond == Beyond::Overrun || self.replayed.peek().is_some())
    }

    pub(crate) fn halt(&mut self, halt: Halt) -> ! {
        self.halted.get_or_insert(halt);
        // No hook is run for this one, so nothing is printed.
        resume_unwind(Box::new(halt))
    }

    /// Passes over marks that no span began at; whether what there is for the span that did begin
    /// at one is used up.
    fn is_at_close(&mut self) -> bool {
        loop {
            match (self.replayed.peek_mark(), self.marks.last()) {
                (Some(Value::Open(_)), _) => self.marks.push(false),
                (Some(Value::Recode), _) => {}
                (Some(Value::Close), Some(true)) => return true,
                (Some(Value::Close), _) => {
                    self.marks.pop();
                }
                _ => return false,
            }
            self.replayed.advance();
        }
    }

    fn choose(
        &mut self,
        constraint: Constraint,
        sample: impl FnOnce(&mut TestCase) -> Value,
    ) -> Value {
        let value = self.value_for(&constraint, sample);
        let choice = Choice::new(value.clone(), constraint);
        self.are_plain &= choice.is_plain();
        self.choices.push(choice);
        value
    }

    /// What `read` makes of the value that stands ready, unless that is nothing. Most choices are
    /// numbers and booleans that can be replayed as they are: written to memory only where they stay,
    /// a whole test takes two thirds of the time.
    #[inline]
    fn replayed_as_it_is<T>(&mut self, read: impl FnOnce(&Choice) -> Option<T>) -> Option<T> {
        if self.is_in_hole {
            return None;
        }
        let value = self.replayed.peek().and_then(read)?;
        self.replayed.advance();
        Some(value)
    }

    /// Adds a choice that is made where it is to stay: nothing is left to be moved, or to be dropped
    /// should there be no room.
    #[inline]
    fn push(&mut self, make: impl FnOnce() -> Choice) {
        (self.choices).extend(std::iter::once_with(make));
    }

    /// The value that stands ready, as far as `constraint` permits it, or a new one.
    fn value_for(
        &mut self,
        constraint: &Constraint,
        sample: impl FnOnce(&mut TestCase) -> Value,
    ) -> Value {
        if !self.is_in_hole && self.replayed.peek().is_some() {
            if self.is_at_close() {
                return constraint.simplest();
            }
            if let Some(next) = self.replayed.peek() {
                let value = constraint.repaired(&next.value());
                self.replayed.advance();
                return value;
            }
        }
        if !self.is_in_hole && self.beyond == Beyond::Overrun {
            self.overran_at = Some(constraint.clone());
            self.halt(Halt::Overrun)
        }
        self.checked_room();
        sample(self)
    }

    fn checked_room(&mut self) {
        if self.choices.len() >= self.max_choices {
            self.halt(Halt::Overrun);
        }
    }
}
