//! Targeted search: test cases with high scores are varied.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::choice::{Choice, Constraint, Value};
use crate::sample::Plan;
use crate::test_case::{Beyond, TestCase};

/// The best test case so far, and how far the next one goes from it.
pub(crate) struct Search {
    random: Xoshiro256PlusPlus,
    best: Option<(f64, Vec<Choice>)>,
    /// The choice that was moved last, by how much, and whether that helped.
    last: Option<Move>,
}

#[derive(Clone, Copy)]
struct Move {
    at: usize,
    by: i128,
    helped: bool,
}

impl Search {
    pub(crate) fn new(seed: u64) -> Search {
        Search {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: None,
            last: None,
        }
    }

    /// Whether no score was told yet, so that nothing depends on what earlier cases came to.
    pub(crate) fn is_idle(&self) -> bool {
        self.best.is_none()
    }

    pub(crate) fn best_score(&self) -> Option<f64> {
        self.best.as_ref().map(|(score, _)| *score)
    }

    /// Takes note of the score of the last test case.
    pub(crate) fn record(&mut self, tc: &TestCase) {
        let Some(score) = tc.score() else {
            return;
        };
        let is_better = self.best.as_ref().is_none_or(|(best, _)| score > *best);
        if let Some(last) = &mut self.last {
            last.helped = is_better;
        }
        if self.best.as_ref().is_none_or(|(best, _)| score >= *best) {
            self.best = Some((score, tc.choices().to_vec()));
        }
    }

    /// Starts a variation of the best test case; `false` when it is time for something new.
    pub(crate) fn start(&mut self, tc: &mut TestCase, seed: u64, plan: Plan) -> bool {
        let Some((_, best)) = &self.best else {
            return false;
        };
        let dice = self.random.next_u64();
        if dice & 3 == 0 || best.is_empty() {
            self.last = None;
            return false;
        }
        // What helped is done again, twice as far.
        let step = match self.last {
            Some(Move {
                at,
                by,
                helped: true,
            }) => Move {
                at,
                by: by.saturating_mul(2),
                helped: false,
            },
            _ => {
                let at = (dice >> 16) as usize % best.len();
                let size = 1i128 << (((dice >> 8) & 0xff) % reach(&best[at]));
                Move {
                    at,
                    by: if dice & 4 == 0 { size } else { -size },
                    helped: false,
                }
            }
        };
        self.last = Some(step);
        let mut values: Vec<Value> = best.iter().map(|choice| choice.value()).collect();
        let at = step.at.min(values.len() - 1);
        match moved(&best[at], step.by) {
            Some(value) => values[at] = value,
            // From there on everything is new.
            None => values.truncate(at),
        }
        tc.start_replay(values, Beyond::Random);
        tc.reseed(seed, plan);
        true
    }
}

/// The number of different sizes of steps that make sense for a choice.
fn reach(choice: &Choice) -> u64 {
    match choice.constraint() {
        Constraint::Integer(range) => u64::from(range.width().max(1).ilog2().min(126)) + 1,
        _ => 16,
    }
}

fn moved(choice: &Choice, by: i128) -> Option<Value> {
    match (choice.constraint(), choice.value()) {
        (Constraint::Integer(range), Value::Integer(value)) => {
            let value = value.saturating_add(by).clamp(range.min, range.max);
            Some(Value::Integer(value))
        }
        (Constraint::Boolean(_), Value::Boolean(value)) => Some(Value::Boolean(!value)),
        (Constraint::Float(range), Value::Float(bits)) => {
            let value = f64::from_bits(bits) + by as f64;
            Some(Value::Float(range.nearest(value).to_bits()))
        }
        _ => None,
    }
}
