//! Failures whose messages hold values: where many different messages come from one place, they
//! are one failure, and what each of them says is no part of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ablate_engine::order::compare_whole;

use super::reduction::values_of;
use super::run::{Failing, Ran, Runner};
use crate::choice::{Choice, Simplicity};
use crate::failure::{Ending, FailureKind};
use crate::reduce::Sequence;
use crate::test_case::{Beyond, TestCase};

/// So many messages of one place are told apart.
const TOLD_APART: usize = 5;
/// Stands for any message.
const ANY: &str = "…";

/// The places whose messages are not told apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Varying {
    /// Whether a place is treated as such already, or from the next reduction on: what is the same
    /// failure does not change while one is reduced.
    places: BTreeMap<String, bool>,
}

impl Varying {
    /// Whether a failure of this place is nothing new, whatever its message.
    pub fn has(&self, place: &str) -> bool {
        self.places.contains_key(place)
    }

    /// Takes the message out of the kind of a failure where it is not told apart.
    pub fn settle(&self, ran: Ran) -> Ran {
        match ran {
            Ran::Failed(mut failure) if self.places.get(&failure.kind.place) == Some(&true) => {
                failure.kind.message = ANY.to_owned();
                Ran::Failed(failure)
            }
            ran => ran,
        }
    }
}

impl<R: Ending, F: Fn(&mut TestCase) -> R> Runner<'_, F> {
    /// Takes note of a place from which too many different messages came; whether this is one.
    pub(super) fn varies(&mut self, place: &str) -> bool {
        if self.varying.has(place) {
            return true;
        }
        let known = self
            .failing
            .iter()
            .filter(|known| known.kind.place == place);
        if known.count() < TOLD_APART {
            return false;
        }
        self.varying.places.insert(place.to_owned(), false);
        true
    }

    /// Makes one failure of all those of a place that varies, to be reduced from the simplest.
    pub(super) fn merge_varying(&mut self) {
        let pending = self
            .varying
            .places
            .iter()
            .filter(|(_, is_settled)| !**is_settled);
        let pending: Vec<String> = pending.map(|(place, _)| place.clone()).collect();
        for place in pending {
            self.varying.places.insert(place.clone(), true);
            if let Some(pool) = &mut self.pool {
                pool.varying = self.varying.clone();
            }
            self.merge(place);
        }
    }

    fn merge(&mut self, place: String) {
        let (mut kept, mut dropped, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        let found = std::mem::take(&mut self.report.failures)
            .into_iter()
            .map(Some);
        let found = found.chain(std::iter::repeat_with(|| None));
        for (entry, found) in std::mem::take(&mut self.failing).into_iter().zip(found) {
            if entry.kind.place != place {
                failures.extend(found);
                kept.push(entry);
                continue;
            }
            let choices = found.map_or_else(
                || Arc::clone(&entry.sequence.choices),
                |found| {
                    self.tests_of_merged += found.tests;
                    found.choices
                },
            );
            dropped.push((choices, entry));
        }
        self.failing = kept;
        self.report.failures = failures;
        let simplest = dropped
            .iter()
            .enumerate()
            .min_by(|(_, (a, _)), (_, (b, _))| compare_whole(&Simplicity, a, b));
        let Some((simplest, _)) = simplest else {
            return;
        };
        for (at, (choices, _)) in dropped.iter().enumerate() {
            if at != simplest
                && let Some(store) = &self.store
            {
                store.remove(&values_of(choices));
            }
        }
        let (choices, original) = dropped.swap_remove(simplest);
        let again = self.read_again(&choices, &place);
        self.failing.push(Failing {
            kind: FailureKind {
                place,
                message: ANY.to_owned(),
            },
            message: original.message,
            sequence: again.unwrap_or(original.sequence),
        });
    }

    /// The sequence of a reduced failure, with its spans.
    fn read_again(&mut self, choices: &Arc<Vec<Choice>>, place: &str) -> Option<Sequence> {
        self.tc.start_again(choices, Beyond::Random);
        match self.execute() {
            Ran::Failed(failure) if failure.kind.place == place => Some(self.tc.take_sequence()),
            _ => None,
        }
    }
}
