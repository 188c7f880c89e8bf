//! What has to change together changes together, and in few tests.

use ablate_check::choice::{Value, encode};
use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

fn settings() -> Settings {
    Settings::new()
        .storage(Storage::Off)
        .explain(false)
        .health_checks(false)
}

fn check_report(report: &Report, tests: u64, end: &str) {
    let found = &report.failures[0];
    assert_eq!(found.encoded(), format!("1{end}"));
    assert!(found.tests <= tests, "{} tests", found.tests);
}

/// What is found with different seeds ends with `end`, in no more tests.
fn check_found(tests: u64, end: &str, property: impl Fn(&mut TestCase)) {
    for seed in 0..6 {
        let report = settings().seed(seed).cases(50_000).run(&property);
        check_report(&report, tests, end);
    }
}

/// The same for this start.
fn check_reduced(tests: u64, start: &str, end: &str, property: impl Fn(&mut TestCase)) {
    let start = format!("1{start}");
    let report = settings().name("here").replay(start).run(property);
    check_report(&report, tests, end);
}

#[test]
fn numbers_that_the_same_bound_holds_are_lowered_together() {
    let numbers: Vec<Value> = (1..=40u32)
        .map(|n| Value::Integer(-4 - i128::from(n.wrapping_mul(0x9e37_79b9) >> (n % 30 + 2))))
        .collect();
    check_reduced(230, &encode(&numbers)[1..], &".-4".repeat(40), |tc| {
        let numbers = tc.draw(vec(any::<i32>()).exactly(40));
        assert!(numbers.iter().any(|x| *x >= -3));
    });
    // 0 is the choice for the number in the middle, as there is none so large.
    check_found(170, &(".t.100".repeat(15) + ".f"), |tc| {
        let numbers = tc.draw(vec(any::<u16>()));
        assert!(numbers.iter().filter(|x| **x >= 100).count() < 15);
    });
    check_found(250, &(".t.-1001".repeat(20) + ".f"), |tc| {
        let numbers = tc.draw(vec(any::<i128>()));
        assert!(numbers.iter().filter(|x| **x < -1000).count() < 20);
    });
}

#[test]
fn pairs_that_the_same_bounds_hold_are_lowered_together() {
    check_found(370, &(".t.50.70".repeat(12) + ".f"), |tc| {
        let pairs = tc.draw(vec((0..1000u16, 0..1000u16)));
        let held = pairs.iter().filter(|(a, b)| *a >= 50 && *b >= 70);
        assert!(held.count() < 12);
    });
}

#[test]
fn letters_that_the_same_bound_holds_are_lowered_together() {
    check_found(280, &(".s".to_owned() + &"41".repeat(15)), |tc| {
        let text = tc.draw(string().ascii());
        assert!(text.chars().filter(char::is_ascii_uppercase).count() < 15);
    });
}

#[test]
fn numbers_of_filters_name_no_lengths() {
    check_found(260, &(".t.1".repeat(30) + ".f"), |tc| {
        let odd = integers(0..1000u32).filter(|x| x % 2 == 1);
        assert!(tc.draw(vec(odd).len(0..50)).len() < 30);
    });
}
