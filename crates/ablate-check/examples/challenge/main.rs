//! The shrinking challenge: for each property how often a failure is found, how often it is
//! reduced to the smallest there is, and how many tests that takes, from random cases and from
//! large planted ones; then the same with other generators. `cargo run --release --example challenge -- 200 reverse coupling`;
//! with `--json` first, a line of JSON for each row, as bench/pbt/run.py wants it.

mod formulations;
mod measure;
mod planted;
mod properties;

use formulations::FORMULATIONS;
use measure::{Tally, measure};
use properties::CHALLENGES;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_json = arguments.first().is_some_and(|first| first == "--json");
    arguments.drain(..usize::from(is_json));
    let seeds = arguments.first().and_then(|text| text.parse().ok());
    let names = &arguments[usize::from(seeds.is_some())..];
    let seeds = seeds.unwrap_or(20);
    if !is_json {
        println!("| challenge | start | found | minimal | tests mean | max | cases mean | other |");
        println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |");
    }
    for challenge in CHALLENGES.into_iter().chain(FORMULATIONS) {
        if !names.is_empty() && !names.iter().any(|name| name == challenge.name) {
            continue;
        }
        for (start, is_planted) in [("random", false), ("planted", true)] {
            let tally = measure(&challenge, seeds, is_planted);
            if tally.seeds == 0 {
                continue;
            }
            match is_json {
                true => println!("{}", json(challenge.name, start, &tally)),
                false => println!("| {} | {start} | {} |", challenge.name, row(&tally)),
            }
        }
    }
}

fn row(tally: &Tally) -> String {
    let other: String = tally
        .other
        .iter()
        .flat_map(|other| other.chars())
        .take(60)
        .collect();
    format!(
        "{}/{} | {}/{} | {:.1} | {} | {:.0} | {other}",
        tally.found,
        tally.seeds,
        tally.minimal,
        tally.found,
        mean(&tally.tests),
        tally.tests.iter().max().unwrap_or(&0),
        mean(&tally.cases),
    )
}

fn json(name: &str, start: &str, tally: &Tally) -> String {
    let (seeds, found, minimal) = (tally.seeds, tally.found, tally.minimal);
    let mut tests = tally.tests.clone();
    tests.sort_unstable();
    let median = tests.get(tests.len() / 2).copied().unwrap_or(0);
    let most = tests.last().copied().unwrap_or(0);
    let (mean, ms) = (mean(&tests), tally.time.as_secs_f64() * 1e3 / seeds as f64);
    format!(
        r#"{{"library": "ablate-check", "challenge": "{name}", "start": "{start}", "seeds": {seeds}, "found": {found}, "minimal": {minimal}, "mean": {mean:.1}, "median": {median}, "max": {most}, "ms": {ms:.1}}}"#
    )
}

fn mean(counts: &[u64]) -> f64 {
    counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64
}
