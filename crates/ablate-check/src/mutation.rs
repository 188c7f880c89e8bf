//! Variations of test cases while cases are generated: one part becomes like another of its kind.
//!
//! Two values that are equal, or a tree that holds itself, hardly come about at random. After
//! "Test-Case Reduction via Test-Case Generation" (MacIver and Donaldson, 2020), where Hypothesis
//! mutates spans of the same label.

use ablate_engine::target::Span;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::choice::Choice;
use crate::sample::Plan;
use crate::test_case::{Beyond, TestCase};

/// A case is varied in the blocks of so many cases that follow its own. Whatever runs the cases of
/// one block, in whatever order, knows what it varies.
pub(crate) const BLOCK: u64 = 64;
/// One case in so many is a variation.
const SHARE: u64 = 8;

/// The case that is varied, and the one that will be next.
#[derive(Default)]
pub(crate) struct Mutation {
    base: Option<(Vec<Choice>, Vec<Span>)>,
    next: Option<(Vec<Choice>, Vec<Span>)>,
}

impl Mutation {
    /// Takes note of a valid case.
    pub(crate) fn record(&mut self, attempt: u64, tc: &TestCase) {
        // The later ones are larger and smaller ones mixed.
        if attempt % BLOCK >= BLOCK / 2 && self.next.is_none() && tc.spans().len() > 1 {
            self.next = Some((tc.choices().to_vec(), tc.spans().to_vec()));
        }
    }

    /// To be called before each case, in order.
    pub(crate) fn enter(&mut self, attempt: u64) {
        if attempt.is_multiple_of(BLOCK)
            && let Some(next) = self.next.take()
        {
            self.base = Some(next);
        }
    }

    /// Starts a variation; `false` when something new is to be made.
    pub(crate) fn start(&self, tc: &mut TestCase, seed: u64, plan: Plan) -> bool {
        let Some((choices, spans)) = &self.base else {
            return false;
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        if !random.next_u64().is_multiple_of(SHARE) {
            return false;
        }
        let from = spans[random.next_u64() as usize % spans.len()];
        let alike = |span: &&Span| {
            span.label == from.label && (span.start, span.end) != (from.start, from.end)
        };
        let count = spans.iter().filter(alike).count() as u64;
        let to = (random.next_u64().checked_rem(count))
            .and_then(|nth| spans.iter().filter(alike).nth(nth as usize));
        let Some(to) = to else {
            return false;
        };
        let parts = [
            &choices[..to.start],
            &choices[from.start..from.end],
            &choices[to.end..],
        ];
        let values = parts.into_iter().flatten().map(|c| c.value());
        tc.start_replay(values.collect(), Beyond::Random);
        tc.reseed(seed, plan);
        true
    }
}
