//! What a pass would try, for documents and tests.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::order;
use ablate_engine::pass::Pass;
use ablate_engine::target::{Candidate, Target};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::DISCARDED;
use crate::choice::{Choice, Simplicity, decode, encode};
use crate::generator::Generator;
use crate::test_case::{Beyond, TestCase};

/// The values that a pass would try in the place of the one that `generator` makes of `choices`,
/// in the order of a sweep, each once; without those that growing a success would try. The same
/// value made of other choices is shown with them.
///
/// ```
/// use ablate_check::passes::reductions;
/// use ablate_check::prelude::*;
///
/// let tried = reductions("delete_spans", vec(0..10u8), "1.t.7.t.8.f");
/// assert_eq!(tried, ["[7]", "[8]"]);
/// ```
///
/// # Panics
/// When there is no such pass, or `choices` make no value.
pub fn reductions<G: Generator<Value: Debug>>(
    pass: &str,
    generator: G,
    choices: &str,
) -> Vec<String> {
    let all = super::all().into_iter().chain(super::on_lists());
    let pass = all.into_iter().find(|known| known.name() == pass);
    let pass = pass.expect("there is a pass of this name");
    let values = decode(choices).expect("choices can be decoded");
    let mut tc = TestCase::new(usize::MAX);
    tc.start_replay(values, Beyond::Overrun);
    let before = drawn(&generator, &mut tc);
    assert!(before.is_some(), "the choices make no value");
    let target = target_of(&tc);
    let mut tried: Vec<String> = Vec::new();
    for candidate in candidates(&*pass, &target) {
        tc.start_candidate(&candidate);
        let Some(made) = drawn(&generator, &mut tc) else {
            continue;
        };
        if before.as_ref() != Some(&made) {
            tried.push(made);
        } else if tc.choices() != target.elements() {
            let choices = encode(tc.choices().iter().map(Choice::value));
            tried.push(format!("{made} as {choices}"));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    tried.retain(|made| seen.insert(made.clone()));
    tried
}

/// What a generator makes of a test case that has been started, as text; `None` when it rejects or
/// overruns that.
fn drawn<G: Generator<Value: Debug>>(generator: &G, tc: &mut TestCase) -> Option<String> {
    let value = catch_unwind(AssertUnwindSafe(|| tc.draw_silent(generator)));
    tc.finish();
    value.ok().map(|value| format!("{value:?}"))
}

/// The last test case as a target of the engine.
fn target_of(tc: &TestCase) -> Target<Choice> {
    let mut spans = tc.spans().to_vec();
    for span in tc.discarded() {
        spans[*span as usize].label = DISCARDED;
    }
    Target::with_spans(tc.choices().to_vec(), spans)
}

/// All candidates of a pass that are simpler than the target, or may become so when they are run.
fn candidates(pass: &dyn Pass<Choice>, target: &Target<Choice>) -> Vec<Candidate<Choice>> {
    let mut tree = ChoiceTree::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let walk = Walk::Sweep { from: Vec::new() };
    let mut candidates = Vec::new();
    while let Some((_, step)) = tree.step(&walk, &mut random, |chooser| pass.step(target, chooser))
    {
        let Ok(patch) = step else { continue };
        let candidate = target.candidate(patch);
        let pieces = (candidate.len(), candidate.pieces());
        let simpler = order::compare(&Simplicity, pieces, target.elements());
        if pass.pumps() || simpler.is_lt() {
            candidates.push(candidate);
        }
    }
    candidates
}
