//! The engine on a synthetic problem, in this process, with the passes and the order that the
//! command takes for a text. Nothing runs ahead, so the calls are the logical tests.

use std::time::Instant;

use ablate_engine::order::Text;
use ablate_engine::reducer::{self, Settings};
use ablate_engine::target::Target;
use ablate_passes::registry::PASSES;
use anyhow::Result;

use super::Run;
use crate::problems::{Call, Calls, Problem};

/// Reduces the problem's test case.
pub(super) fn reduce(problem: &Problem, seed: u64) -> Result<Run> {
    let initial = (problem.initial)();
    let mut judge = problem.test.oracle()?;
    // A command asks about the original first; counted here too, to compare like with like.
    let mut calls = Calls(vec![Call::new(&initial, judge(&initial))]);
    let mut oracle = |candidate: &[u8]| {
        let is_interesting = judge(candidate);
        calls.0.push(Call::new(candidate, is_interesting));
        is_interesting
    };
    let passes: Vec<_> = PASSES.iter().map(|entry| (entry.make)()).collect();
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let start = Instant::now();
    let target = Target::new(initial);
    let outcome = reducer::reduce(target, &passes, &Text, &mut oracle, &settings, &mut |_| {});
    let wall = start.elapsed();
    let reduced = outcome.target.elements();
    Ok(Run {
        reducer: "ablate, in process".to_owned(),
        final_bytes: reduced.len() as u64,
        is_interesting: judge(reduced),
        calls,
        wall,
        is_finished: outcome.stop.is_none(),
    })
}
