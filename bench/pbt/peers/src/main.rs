//! The shrinking challenge with other libraries for Rust: for each property how often the smallest
//! failing test case is reached, and how often the test function runs after the first failure.
//!
//! Usage: pbt-peers SEEDS [NAME…]     one line of JSON for each property and library
//!
//! All starts are what the library finds by itself: none of them takes a test case from outside.

mod challenges;
mod chaos;
mod hegel_test;
mod prop_test;
mod quick_check;
mod trial;

use std::time::{Duration, Instant};

use challenges::{CHALLENGES, Challenge};

/// Looks for a failure of the named property and reduces it; `false` where the library has no
/// generator for it.
type Run = fn(&str, u64) -> bool;

const LIBRARIES: [(&str, Run); 4] = [
    ("hegeltest", hegel_test::run),
    ("chaos_theory", chaos::run),
    ("proptest", prop_test::run),
    ("quickcheck", quick_check::run),
];
/// What takes longer is ended after the seed at hand.
const LONGEST: Duration = Duration::from_secs(40);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seeds = arguments.first().and_then(|text| text.parse().ok());
    let names = arguments.get(1..).unwrap_or_default();
    for challenge in &CHALLENGES {
        if names.is_empty() || names.iter().any(|name| name == challenge.name) {
            for (library, run) in LIBRARIES {
                measure(challenge, library, run, seeds.unwrap_or(20));
            }
        }
    }
}

fn measure(challenge: &Challenge, library: &str, run: Run, seeds: u64) {
    let (mut tests, mut minimal, mut tried) = (Vec::new(), 0, 0);
    let started = Instant::now();
    while tried < seeds && started.elapsed() < LONGEST {
        trial::start(challenge.holds);
        if !run(challenge.name, tried + 1) {
            return;
        }
        tried += 1;
        if let Some((count, value)) = trial::finish() {
            tests.push(count);
            minimal += usize::from(challenge.minima.contains(&value.to_string().as_str()));
        }
    }
    tests.sort_unstable();
    let mean = tests.iter().sum::<u64>() as f64 / tests.len().max(1) as f64;
    let median = tests.get(tests.len() / 2).copied().unwrap_or(0);
    let (name, found) = (challenge.name, tests.len());
    let most = tests.last().copied().unwrap_or(0);
    let ms = started.elapsed().as_secs_f64() * 1e3 / tried.max(1) as f64;
    println!(
        r#"{{"library": "{library}", "challenge": "{name}", "start": "random", "seeds": {tried}, "found": {found}, "minimal": {minimal}, "mean": {mean:.1}, "median": {median}, "max": {most}, "ms": {ms:.1}}}"#
    );
}
