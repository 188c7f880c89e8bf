//! Reduces a list of values for which a condition holds to a simplest one for which it does.
//!
//! The problem of "Designing a better simplifier" (D. R. MacIver, 2017), solved on the engine with
//! the passes for choices.
//!
//! ```
//! use ablate_check::list::reduce;
//!
//! let reduced = reduce(&[31, 700, 9, 5, 5], |xs: &[u64]| xs.iter().sum::<u64>() >= 500);
//! assert_eq!(reduced.list, [500]);
//! assert!(reduced.calls < 60);
//!
//! let words = ["lorem", "ipsum", "dolor"].map(String::from);
//! let reduced = reduce(&words, |words| words.concat().contains('u'));
//! assert_eq!(reduced.list, ["u"]);
//! ```
//!
//! Numbers, floating-point numbers, booleans, characters and strings can be elements; other types
//! can implement [`Reducible`].

use std::sync::{Arc, LazyLock};

use ablate_engine::event::Event;
use ablate_engine::identity::Identity;
use ablate_engine::oracle::{Ahead, Observation, Oracle, Stop, Verdict};
use ablate_engine::reducer;
use ablate_engine::target::{Candidate, Span, Target};

use crate::choice::{
    Alphabet, Choice, Constraint, FloatRange, IntegerRange, Simplicity, Sizes, Toss, Value,
};
use crate::generator::label;
use crate::generators::Integer;
use crate::passes;

/// A value that a list can hold: it can be written as one choice.
pub trait Reducible: Clone {
    /// The choice that this value is.
    fn choice(&self) -> Choice;

    /// The inverse of [`Reducible::choice`]; `None` for what is no such choice.
    fn chosen(choice: &Choice) -> Option<Self>;
}

macro_rules! reducible {
    ($($type:ty)*) => {$(
        impl Reducible for $type {
            #[inline]
            fn choice(&self) -> Choice {
                let (least, greatest) = (<$type>::LEAST.widened(), <$type>::GREATEST.widened());
                let range = IntegerRange::new(least, greatest, <$type>::ZERO.widened());
                Choice::new(Value::Integer(self.widened()), Constraint::Integer(range))
            }

            #[inline]
            fn chosen(choice: &Choice) -> Option<$type> {
                choice.integer().map(<$type>::narrowed)
            }
        }
    )*};
}
reducible!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Reducible for bool {
    fn choice(&self) -> Choice {
        Choice::new(Value::Boolean(*self), Constraint::Boolean(Toss::Free))
    }

    fn chosen(choice: &Choice) -> Option<bool> {
        match choice.value() {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }
}

impl Reducible for f64 {
    fn choice(&self) -> Choice {
        let range = FloatRange::ALL;
        Choice::new(Value::Float(self.to_bits()), Constraint::Float(range))
    }

    fn chosen(choice: &Choice) -> Option<f64> {
        match choice.value() {
            Value::Float(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }
}

impl Reducible for f32 {
    fn choice(&self) -> Choice {
        let mut range = FloatRange::ALL;
        range.is_single = true;
        let value = Value::Float(f64::from(*self).to_bits());
        Choice::new(value, Constraint::Float(range))
    }

    fn chosen(choice: &Choice) -> Option<f32> {
        f64::chosen(choice).map(|value| value as f32)
    }
}

/// Every character there is.
static ALL: LazyLock<Arc<Alphabet>> = LazyLock::new(|| Arc::new(Alphabet::all()));

fn text(text: &str, min: u32, max: u32) -> Choice {
    let constraint = Constraint::Text(Arc::clone(&ALL), Sizes { min, max });
    Choice::new(Value::Text(text.into()), constraint)
}

impl Reducible for String {
    fn choice(&self) -> Choice {
        text(self, 0, u32::MAX)
    }

    fn chosen(choice: &Choice) -> Option<String> {
        match choice.value() {
            Value::Text(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

impl Reducible for char {
    fn choice(&self) -> Choice {
        text(self.encode_utf8(&mut [0; 4]), 1, 1)
    }

    fn chosen(choice: &Choice) -> Option<char> {
        String::chosen(choice)?.chars().next()
    }
}

/// What a reduction came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<T> {
    /// The simplest list found.
    pub list: Vec<T>,
    /// How often the condition was asked; never twice for the same list.
    pub calls: u64,
    /// How often a simpler list was taken.
    pub shrinks: u64,
    /// Whether every step of every pass was tried on the list in vain. So it is unless the
    /// condition did not answer.
    pub is_proved: bool,
}

/// The document restarts after ever fewer successes; with the passes for choices, three are best over
/// its eight conditions.
const RESTART_AFTER: u64 = 3;

/// Reduces `start`, for which `holds` is taken to be true.
pub fn reduce<T: Reducible>(start: &[T], mut holds: impl FnMut(&[T]) -> bool) -> Reduced<T> {
    reduce_while(start, |list| Some(holds(list)))
}

/// Reduces `start`, for which `holds` is taken to be true, until `holds` does not answer any more.
pub fn reduce_while<T: Reducible>(
    start: &[T],
    holds: impl FnMut(&[T]) -> Option<bool>,
) -> Reduced<T> {
    let choices: Vec<Choice> = start.iter().map(Reducible::choice).collect();
    let spans = Arc::new(spans(choices.len()));
    let target = Target::with_spans(choices, Arc::clone(&spans));
    let settings = reducer::Settings {
        is_in_order: true,
        restart_after: RESTART_AFTER,
        // Of equal elements all but one would be left out until the proof, each looked at by itself: that takes
        // as long as a simple condition, and hardly ever spares it.
        memory: None,
        ..reducer::Settings::default()
    };
    let mut judge = Judge {
        holds,
        list: start.to_vec(),
        asked: None,
        same: start.len(),
        base: start.to_vec(),
        spans,
    };
    let mut ignored = |_: &Event<'_, Choice>| {};
    let outcome = reducer::reduce(
        target,
        &passes::on_lists(),
        &Simplicity,
        &mut judge,
        &settings,
        &mut ignored,
    );
    let elements = outcome.target.elements().iter();
    Reduced {
        list: elements.filter_map(T::chosen).collect(),
        calls: outcome.counts.tests,
        shrinks: outcome.counts.accepted,
        is_proved: outcome.stop.is_none(),
    }
}

/// A span for the list and one for each element.
fn spans(len: usize) -> Vec<Span> {
    let span = |start, end, label, depth| Span {
        start,
        end,
        label,
        depth,
    };
    let elements = (0..len).map(|at| span(at, at + 1, label("element"), 1));
    std::iter::once(span(0, len, label("list"), 0))
        .chain(elements)
        .collect()
}

struct Judge<T, F> {
    holds: F,
    /// The list that was asked about last, and its identity while it is in there.
    list: Vec<T>,
    asked: Option<Identity>,
    /// How many of its elements are the first ones of `base`.
    same: usize,
    /// The list that was taken last.
    base: Vec<T>,
    /// The spans of the last list that was taken: those of another one that is as long are the same.
    spans: Arc<Vec<Span>>,
}

impl<T: Reducible, F> Judge<T, F> {
    /// Makes the list of a candidate: what it shares with its base is copied, but for what is there
    /// already.
    fn read(&mut self, candidate: &Candidate<Choice>) {
        let identity = Some(candidate.identity());
        if std::mem::replace(&mut self.asked, identity) == identity {
            return;
        }
        let known = &self.base;
        if known.len() < candidate.base().len() {
            // Some choice in it is no value.
            self.list.clear();
            self.same = 0;
            let choices = candidate.pieces().flatten();
            self.list.extend(choices.filter_map(T::chosen));
            return;
        }
        let mut at = self.same.min(candidate.same());
        self.list.truncate(at);
        self.same = candidate.same();
        for edit in candidate.patch().edits() {
            self.list.extend_from_slice(&known[at..edit.start]);
            let insert = edit.insert.as_deref().unwrap_or_default();
            self.list.extend(insert.iter().filter_map(T::chosen));
            at = edit.end;
        }
        self.list.extend_from_slice(&known[at..]);
    }
}

impl<T: Reducible, F: FnMut(&[T]) -> Option<bool>> Oracle<Choice> for Judge<T, F> {
    fn test(
        &mut self,
        candidate: &Candidate<Choice>,
        _: Ahead<'_, Choice>,
    ) -> Result<Observation<Choice>, Stop> {
        self.read(candidate);
        match (self.holds)(&self.list) {
            None => Err(Stop::Budget),
            Some(false) => Ok(Verdict::NotInteresting.into()),
            Some(true) => Ok(Verdict::Interesting.into()),
        }
    }

    fn spans(&mut self, candidate: &Candidate<Choice>) -> Arc<Vec<Span>> {
        self.read(candidate);
        std::mem::swap(&mut self.list, &mut self.base);
        self.asked = None;
        if self.spans.len() != candidate.len() + 1 {
            self.spans = Arc::new(spans(candidate.len()));
        }
        Arc::clone(&self.spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Even(u8);

    impl Reducible for Even {
        fn choice(&self) -> Choice {
            self.0.choice()
        }

        fn chosen(choice: &Choice) -> Option<Even> {
            u8::chosen(choice).filter(|value| value % 2 == 0).map(Even)
        }
    }

    #[test]
    fn what_is_no_value_is_left_out() {
        let start = [8, 50, 6, 90].map(Even);
        let sum = |list: &[Even]| list.iter().map(|even| u32::from(even.0)).sum::<u32>();
        let reduced = reduce(&start, |list| {
            assert!(list.iter().all(|even| even.0 % 2 == 0));
            sum(list) >= 41
        });
        assert_eq!(reduced.list, [Even(42)]);
    }
}
