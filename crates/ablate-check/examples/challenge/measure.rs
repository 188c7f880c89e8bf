//! Runs a challenge for many seeds and counts.

use std::time::{Duration, Instant};

use ablate_check::{Report, Settings, Storage};

use crate::properties::Challenge;

/// What was counted over all seeds.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many seeds there were.
    pub seeds: u64,
    /// For how many a failure was found.
    pub found: u64,
    /// For how many it was reduced to the smallest there is.
    pub minimal: u64,
    /// How often the property was run after the first failure, for each found.
    pub tests: Vec<u64>,
    /// How many cases it took to find each.
    pub cases: Vec<u64>,
    /// How long all that took.
    pub time: Duration,
    /// The first result that is not minimal.
    pub other: Option<String>,
}

/// Runs a challenge from random cases, or from its planted start.
pub fn measure(challenge: &Challenge, seeds: u64, is_planted: bool) -> Tally {
    let mut tally = Tally::default();
    let started = Instant::now();
    for seed in 0..seeds {
        let mut settings = Settings::new()
            .name(challenge.name)
            .seed(seed)
            .cases(100_000)
            .storage(Storage::Off)
            .all_failures(false)
            .explain(false)
            .health_checks(false);
        if is_planted {
            let Some(planted) = challenge.planted else {
                return tally;
            };
            settings = settings.regression(planted(seed));
        }
        tally.add(challenge, &settings.run(challenge.property));
    }
    tally.time = started.elapsed();
    tally
}

impl Tally {
    fn add(&mut self, challenge: &Challenge, report: &Report) {
        self.seeds += 1;
        let Some(found) = report.failures.first() else {
            return;
        };
        self.found += 1;
        self.tests.push(found.tests);
        self.cases
            .push(report.valid + report.invalid + report.too_large);
        let shown = shown(&found.lines);
        if challenge.minima.contains(&shown.as_str()) {
            self.minimal += 1;
        } else if self.other.is_none() {
            self.other = Some(shown);
        }
    }
}

/// The values of a report's lines, without names and types.
pub fn shown(lines: &[String]) -> String {
    let value = |line: &String| {
        let value = line.split_once(" = ").map_or("", |(_, value)| value);
        value.trim_end_matches(';').to_owned()
    };
    lines.iter().map(value).collect::<Vec<_>>().join("; ")
}
