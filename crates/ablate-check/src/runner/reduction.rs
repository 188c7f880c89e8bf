//! Reduces one failure: judges candidates, by the tree of what was seen where that is enough, and
//! shows what is left.

use std::collections::VecDeque;

use ablate_engine::oracle::Stop;
use ablate_engine::order::compare_whole;
use ablate_engine::target::Candidate;

use super::explaining::Shown;
use super::run::{Failing, Ran, Runner};
use crate::choice::{Choice, Simplicity, Value};
use crate::data_tree::{ChoiceDataTree, Conclusion, Prediction, Walked};
use crate::failure::{Ending, Failure, FailureKind};
use crate::reduce::{Outcome, Sequence, Soon, Status, choices_in};
use crate::report::{Found, lines};
use crate::test_case::{Beyond, TestCase};

/// How many choices the tree of seen test cases holds.
const TREE_LIMIT: usize = 1 << 19;
/// How many choices of a test case that is not the target the tree holds behind the place where it
/// parts from others.
const TREE_DEPTH: usize = 32;
/// How many test cases that failed are kept with their spans.
const FAILING: usize = 2;
/// After so many tests without any success the failure is run once more: where it can't be repeated,
/// the rest of them would be in vain.
const DOUBTFUL: u64 = 20;

impl<R: Ending, F: Fn(&mut TestCase) -> R> Runner<'_, F> {
    /// Reduces a failing sequence, stores the result, and makes it ready to be shown.
    pub(super) fn reduce(&mut self, failing: Failing) -> Found {
        let Failing {
            kind,
            message,
            sequence: start,
        } = failing;
        let first = Failure { kind, message };
        let kind = &first.kind;
        let mut reduction = Reduction {
            tree: ChoiceDataTree::new(TREE_LIMIT),
            followed: None,
            best: start.clone(),
            failing: VecDeque::new(),
            are_plain: true,
            tests: 0,
            known: 0,
            steps: 0,
            stalled: 0,
            ended_early: false,
            is_flaky: false,
            is_confirmed: false,
        };
        let original = self.store.is_some().then(|| values_of(&start.choices));
        let mut best = start;
        reduction.has_failed(&best);
        if self.settings.reduces {
            let reducer = self.settings.reducer.clone();
            let patience = self.settings.patience;
            let itself = best.clone();
            best = reducer.reduce(best, &mut |candidate, soon| {
                if reduction.stalled >= patience {
                    reduction.ended_early = true;
                    return Err(Stop::Budget);
                }
                if reduction.is_doubtful() && !self.is_confirmed(&mut reduction, kind, &itself) {
                    reduction.is_flaky = true;
                    return Err(Stop::Budget);
                }
                Ok(self.judge(&mut reduction, kind, candidate, soon))
            });
        }
        let found = self.show(&first, best, &reduction);
        if let Some(store) = &self.store {
            let values = found.values();
            let mut comments = vec![found.failure.to_string()];
            comments.extend(found.lines.iter().cloned());
            store.save(&values, &comments);
            if let Some(original) = original.filter(|original| *original != values) {
                store.remove(&original);
            }
        }
        found
    }

    /// Whether the sequence that is to be reduced fails once more.
    fn is_confirmed(
        &mut self,
        known: &mut Reduction,
        kind: &FailureKind,
        start: &Sequence,
    ) -> bool {
        known.is_confirmed = true;
        known.tests += 1;
        self.tc.start_again(&start.choices, Beyond::Overrun);
        matches!(self.execute(), Ran::Failed(failure) if failure.kind == *kind)
    }

    /// Judges a candidate, by the tree where that is enough.
    fn judge(
        &mut self,
        known: &mut Reduction,
        kind: &FailureKind,
        candidate: &Candidate<Choice>,
        soon: Soon<'_>,
    ) -> Outcome {
        known.follow(candidate);
        if let Some((status, sequence)) = known.settled(candidate) {
            known.known += 1;
            return Outcome {
                status,
                sequence,
                was_run: false,
            };
        }
        let ran = self.run_candidate(known, candidate, soon);
        known.tests += 1;
        known.stalled += 1;
        let mut other = None;
        let status = match ran {
            Ran::Valid => Status::Passes,
            Ran::Invalid => Status::Invalid,
            Ran::Overran => Status::Overruns,
            Ran::Failed(failure) if failure.kind == *kind => Status::Fails,
            Ran::Failed(failure) => {
                other = Some(failure).filter(|_| self.settings.all_failures);
                Status::FailsOtherwise
            }
        };
        let conclusion = match (status, self.tc.overran_at()) {
            (Status::Overruns, Some(wanted)) => Conclusion::Overran(wanted.clone()),
            (status, _) => Conclusion::Done(status),
        };
        // Of a long test case hardly anything is asked again, unless it becomes the target.
        let (same, choices) = (known.same(candidate), self.tc.choices());
        let inserted = (known.tree).insert_some(choices, conclusion, same, TREE_DEPTH);
        let mut sequence = Sequence::default();
        if status == Status::Fails {
            known.are_plain &= self.tc.are_plain();
            let forgotten = known.forget();
            sequence = self.tc.exchange_sequence(forgotten, known.are_plain);
            known.keep(&sequence, same);
        }
        known.is_flaky |= inserted.is_err();
        if let Some(failure) = other {
            self.keep_failing(failure);
        }
        Outcome {
            status,
            sequence,
            was_run: true,
        }
    }

    /// Runs a candidate here, or has a worker do it while others run what may be asked for soon.
    fn run_candidate(
        &mut self,
        known: &Reduction,
        candidate: &Candidate<Choice>,
        soon: Soon<'_>,
    ) -> Ran {
        if let Some(pool) = &mut self.pool {
            let is_settled = |candidate: &Candidate<Choice>| known.settled(candidate).is_some();
            if let Some(mut done) = pool.replay(candidate, soon, is_settled) {
                std::mem::swap(&mut self.tc, &mut done.tc);
                pool.reuse(done.tc);
                return done.ran;
            }
        }
        self.tc.start_candidate(candidate);
        self.execute()
    }

    /// Runs the reduced test case once more, for people. Where that does not fail again, the failure
    /// is shown as it was at first.
    fn show(&mut self, first: &Failure, best: Sequence, known: &Reduction) -> Found {
        let kind = &first.kind;
        self.tc.start_again(&best.choices, Beyond::Random);
        self.tc.set_shown(true);
        let ran = self.execute();
        let shown = self.tc.shown().to_vec();
        let read = self.tc.take_sequence();
        let (failure, is_stable) = match ran {
            Ran::Failed(failure) => {
                let is_same = failure.kind == *kind;
                (failure, is_same)
            }
            _ => (first.clone(), false),
        };
        let is_flaky = known.is_flaky || !is_stable;
        let explained = match self.settings.explains && !is_flaky {
            true => self.explain(&Shown {
                kind,
                choices: &read.choices,
                spans: &read.spans,
                lines: &shown,
                tests: known.tests,
            }),
            false => Vec::new(),
        };
        Found {
            lines: lines(&shown, &explained),
            failure,
            choices: best.choices,
            tests: known.tests,
            known: known.known,
            steps: known.steps,
            ended_early: known.ended_early,
            is_flaky,
        }
    }
}

/// What is known while one failure is reduced.
struct Reduction {
    tree: ChoiceDataTree<Status>,
    /// A candidate whose base is the sequence that the tree follows.
    followed: Option<Candidate<Choice>>,
    best: Sequence,
    /// The last test cases that failed.
    failing: VecDeque<Failed>,
    /// Whether their choices hold nothing that has to be freed.
    are_plain: bool,
    tests: u64,
    known: u64,
    steps: u64,
    /// Tests since the last progress.
    stalled: u64,
    ended_early: bool,
    is_flaky: bool,
    /// Whether the sequence to reduce has failed once more.
    is_confirmed: bool,
}

/// A test case that failed, with its spans.
struct Failed {
    sequence: Sequence,
    /// How many of its first choices are those of the sequence that the tree follows.
    same: usize,
}

impl Reduction {
    /// The sequence to reduce, as it was found, is known to fail: it need not be run again.
    fn has_failed(&mut self, start: &Sequence) {
        let (choices, conclusion) = (&start.choices, Conclusion::Done(Status::Fails));
        self.is_flaky |= self.tree.insert_shared(choices, conclusion, 0).is_err();
        self.are_plain &= choices.iter().all(Choice::is_plain);
        self.failing.push_back(Failed {
            sequence: start.clone(),
            same: 0,
        });
    }

    /// Whether so many tests have failed since the beginning that it may not fail again.
    fn is_doubtful(&self) -> bool {
        self.steps == 0 && self.tests >= DOUBTFUL && !self.is_confirmed
    }

    /// Has the tree follow the base of a candidate, which is known to fail unless there is no edit.
    fn follow(&mut self, candidate: &Candidate<Choice>) {
        if self.is_followed(candidate) {
            return;
        }
        let (base, conclusion) = (candidate.base(), Conclusion::Done(Status::Fails));
        let is_base = |failed: &&Failed| std::ptr::eq(failed.sequence.choices.as_slice(), base);
        let (same, inserted) = match self.failing.iter().find(is_base) {
            Some(Failed { sequence, same }) => {
                let inserted = (self.tree).insert_shared(&sequence.choices, conclusion, *same);
                (*same, inserted)
            }
            None if candidate.patch().is_empty() => (0, Ok(())),
            None => (0, self.tree.insert(base, conclusion)),
        };
        self.is_flaky |= inserted.is_err();
        self.tree.follow(base, same);
        self.followed = Some(candidate.clone());
        self.failing.iter_mut().for_each(|failed| failed.same = 0);
    }

    fn is_followed(&self, candidate: &Candidate<Choice>) -> bool {
        (self.followed.as_ref()).is_some_and(|followed| followed.has_base_of(candidate))
    }

    /// With how many of the choices that are followed a run of a candidate begins. What has no edit may
    /// never have been run: a run may read something else.
    fn same(&self, candidate: &Candidate<Choice>) -> usize {
        match self.is_followed(candidate) && !candidate.patch().is_empty() {
            true => candidate.same(),
            false => 0,
        }
    }

    /// Gives a failed test case back that was kept for long, where there has to be room for one more.
    fn forget(&mut self) -> Option<Sequence> {
        let forgotten = (self.failing.len() >= FAILING).then(|| self.failing.pop_front())?;
        Some(forgotten?.sequence)
    }

    /// Keeps a test case that fails and begins with so many of the choices that are followed.
    fn keep(&mut self, failed: &Sequence, same: usize) {
        if is_simpler(&failed.choices, &self.best.choices) {
            self.best = failed.clone();
            self.steps += 1;
            self.stalled = 0;
        }
        self.failing.push_back(Failed {
            sequence: failed.clone(),
            same,
        });
    }

    /// What a replay of a candidate would come to, where that is known.
    fn settled(&self, candidate: &Candidate<Choice>) -> Option<(Status, Sequence)> {
        let edits = candidate.patch().edits().iter();
        let mut inserted = edits.flat_map(|edit| edit.insert.as_deref().unwrap_or_default());
        // Marks mean something only to a replay.
        if inserted.any(|choice| choice.is_mark()) {
            return None;
        }
        match (self.tree).conclusion(choices_in(candidate), self.same(candidate)) {
            Walked::Unknown => None,
            Walked::Overrun => Some((Status::Overruns, Sequence::default())),
            // To go on from it, its spans are needed.
            Walked::Known(Status::Fails) => {
                let Prediction::Known(read, _) = self.tree.predict(choices_in(candidate)) else {
                    return None;
                };
                let mut failing = self.failing.iter().map(|failed| &failed.sequence);
                let failed = failing.find(|failed| *failed.choices == read);
                failed.map(|failed| (Status::Fails, failed.clone()))
            }
            Walked::Known(status) => Some((*status, Sequence::default())),
        }
    }
}

pub(super) fn values_of(choices: &[Choice]) -> Vec<Value> {
    choices.iter().map(|choice| choice.value()).collect()
}

fn is_simpler(a: &[Choice], b: &[Choice]) -> bool {
    compare_whole(&Simplicity, a, b).is_lt()
}
