//! The shrinking challenge's properties are as they should be: their smallest failing test cases
//! fail, and so do their planted starts; and they are reduced to these, however they are drawn.

#[path = "../examples/challenge/formulations.rs"]
mod formulations;
#[path = "../examples/challenge/measure.rs"]
mod measure;
#[path = "../examples/challenge/planted.rs"]
mod planted;
#[path = "../examples/challenge/properties.rs"]
mod properties;

use ablate_check::{Settings, Storage};
use formulations::FORMULATIONS;
use measure::{measure, shown};
use properties::CHALLENGES;

/// The choice sequence of the smallest failing test case.
const MINIMA: [(&str, &str); 15] = [
    ("bound5", "1.f.f.f.t.-1.f.t.-32768.f"),
    ("bound5_max1", "1.f.f.f.t.-1.f.t.-32768.f"),
    ("large_union_list", "1.t.t.0.t.1.t.-1.t.2.t.-2.f.f"),
    ("reverse", "1.t.0.t.1.f"),
    ("calculator", "1.2.0.0.1.0.0.0.0"),
    ("lengthlist", "1.1.900"),
    ("difference_zero", "1.10.10"),
    ("difference_small", "1.10.6"),
    ("difference_one", "1.10.9"),
    ("binheap", "1.t.0.f.t.0.t.0.f.f.t.1.f.f"),
    ("coupling", "1.t.1.t.0.f"),
    ("deletion", "1.t.0.t.0.f.0"),
    ("distinct", "1.t.0.t.1.t.-1.f"),
    ("nestedlists", "1.t.t.t.t.t.t.t.t.t.t.t.t.f.f"),
    ("replacement", "1.1000000.f"),
];

#[test]
fn the_smallest_test_cases_fail_and_are_shown_as_expected() {
    for (challenge, (name, choices)) in CHALLENGES.iter().zip(MINIMA) {
        assert_eq!(challenge.name, name);
        let settings = Settings::new()
            .storage(Storage::Off)
            .explain(false)
            .reduce(false);
        let report = settings.replay(choices).run(challenge.property);
        let found = report
            .failures
            .first()
            .unwrap_or_else(|| panic!("{name} holds"));
        assert_eq!(found.encoded(), choices, "{name}");
        assert!(!found.is_flaky, "{name}");
        let shown = shown(&found.lines);
        assert!(
            challenge.minima.contains(&shown.as_str()),
            "{name}: {shown}"
        );
    }
}

#[test]
fn planted_starts_fail_as_they_are() {
    let sizes = [
        ("bound5", 105),
        ("large_union_list", 221),
        ("reverse", 101),
        ("lengthlist", 101),
        ("difference_zero", 2),
        ("difference_small", 2),
        ("difference_one", 2),
        ("coupling", 23),
        ("deletion", 102),
        ("distinct", 101),
        ("nestedlists", 121),
        ("replacement", 42),
    ];
    let planted = CHALLENGES.iter().filter_map(|c| Some((c, c.planted?)));
    for ((challenge, planted), (name, size)) in planted.zip(sizes) {
        assert_eq!(challenge.name, name);
        for seed in 0..20 {
            let choices = planted(seed);
            assert_eq!(choices.split('.').count() - 1, size, "{name}");
            let settings = Settings::new()
                .storage(Storage::Off)
                .explain(false)
                .reduce(false);
            let report = settings.replay(choices.clone()).run(challenge.property);
            let found = report
                .failures
                .first()
                .unwrap_or_else(|| panic!("{name} holds"));
            assert_eq!(found.encoded(), choices, "{name}");
        }
    }
}

#[test]
fn random_cases_find_all_failures() {
    for challenge in &CHALLENGES {
        let tally = measure(challenge, 5, false);
        assert_eq!(tally.found, 5, "{}", challenge.name);
    }
}

/// The tests that a reduction takes in the mean, from random cases and from planted starts, for
/// ten seeds: never more than this.
const MOST: [(&str, f64, f64); 27] = [
    ("bound5", 70.8, 131.4),
    ("bound5_max1", 42.9, 0.0),
    ("large_union_list", 81.8, 75.8),
    ("reverse", 7.0, 8.6),
    ("calculator", 54.5, 0.0),
    ("lengthlist", 35.8, 37.9),
    ("difference_zero", 10.2, 10.0),
    ("difference_small", 13.4, 13.2),
    ("difference_one", 10.3, 10.0),
    ("binheap", 80.0, 0.0),
    ("coupling", 7.3, 7.1),
    ("deletion", 7.1, 35.4),
    ("distinct", 20.9, 23.9),
    ("nestedlists", 21.2, 16.0),
    ("replacement", 81.9, 6.0),
    ("reverse_flat_map", 12.0, 0.0),
    ("reverse_filter", 15.0, 0.0),
    ("distinct_flat_map", 33.7, 0.0),
    ("distinct_filter", 35.6, 0.0),
    ("deletion_flat_map", 3.8, 0.0),
    ("coupling_flat_map", 10.1, 0.0),
    ("nestedlists_flat_map", 13.3, 0.0),
    ("union_flat_map", 128.9, 0.0),
    ("union_filter", 82.2, 0.0),
    ("lengthlist_filter", 29.2, 0.0),
    ("difference_flat_map", 17.7, 0.0),
    ("calculator_recursive", 37.5, 0.0),
];

#[test]
fn every_challenge_is_reduced_to_its_minimum_with_few_tests() {
    let challenges = CHALLENGES.iter().chain(&FORMULATIONS);
    for (challenge, (name, random, planted)) in challenges.zip(MOST) {
        assert_eq!(challenge.name, name);
        for (is_planted, most) in [(false, random), (true, planted)] {
            let tally = measure(challenge, 10, is_planted);
            assert_eq!(tally.minimal, tally.found, "{name}: {:?}", tally.other);
            let sum: u64 = tally.tests.iter().sum();
            let mean = sum as f64 / tally.tests.len().max(1) as f64;
            assert!(
                mean <= most + 0.05,
                "{name}: {mean} tests, and {most} were enough"
            );
        }
    }
}
