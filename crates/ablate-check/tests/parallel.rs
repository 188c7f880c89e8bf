//! One property on several threads: what comes of it is the same as on one.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

#[path = "../examples/challenge/planted.rs"]
mod planted;
#[path = "../examples/challenge/properties.rs"]
mod properties;

fn settings(seed: u64) -> Settings {
    let settings = Settings::new().storage(Storage::Off).seed(seed);
    settings.name("parallel").cases(3000)
}

fn outline(report: &Report) -> String {
    let failures: Vec<_> = report
        .failures
        .iter()
        .map(|f| (f.encoded(), f.lines.clone(), f.tests, f.known, f.steps))
        .collect();
    let counts = (report.valid, report.invalid, report.too_large);
    let labels = (&report.labels, report.best_score);
    format!("{failures:?} {counts:?} {labels:?} {:?}", report.ill_health)
}

fn check_same(property: impl Fn(&mut TestCase) + Sync) {
    for seed in 0..3 {
        let alone = outline(&settings(seed).run(&property));
        for workers in [1, 2, 5] {
            let together = settings(seed).workers(workers).run_parallel(&property);
            assert_eq!(outline(&together), alone, "{workers} workers");
        }
    }
}

#[test]
fn a_property_that_holds_has_the_same_report() {
    check_same(|tc| {
        let xs = tc.draw(any::<Vec<u8>>());
        tc.assume(xs.len() != 3);
        tc.event("long", xs.len() > 20);
    });
}

#[test]
fn several_failures_are_the_same() {
    check_same(|tc| {
        let (n, text) = tc.draw((0..100_000u32, string()));
        assert!(n < 5000 || n % 7 != 3, "by seven");
        assert!(text.chars().count() < 9, "long");
    });
}

#[test]
fn a_target_is_approached_in_the_same_way() {
    check_same(|tc| {
        let x = tc.draw(0..1_000_000u32);
        if x > 500_000 {
            tc.target(f64::from(x));
        }
        assert!(x < 999_000);
    });
}

#[test]
fn the_challenge_is_reduced_in_the_same_tests() {
    for challenge in properties::CHALLENGES {
        if let Some(planted) = challenge.planted {
            let settings = settings(1).explain(false).regression(planted(1));
            let alone = settings.run(challenge.property);
            let together = settings.workers(3).run_parallel(challenge.property);
            assert_eq!(outline(&together), outline(&alone), "{}", challenge.name);
            assert!(!challenge.minima.is_empty());
        }
    }
}

#[test]
fn cases_and_candidates_run_on_several_threads() {
    let threads = Mutex::new(BTreeSet::new());
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let note = || {
        let name = format!("{:?}", thread::current().id());
        threads.lock().unwrap().insert(name);
        let now = 1 + running.fetch_add(1, Ordering::SeqCst);
        most.fetch_max(now, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(1));
        running.fetch_sub(1, Ordering::SeqCst);
    };
    let settings = settings(0).workers(4).cases(40).explain(false);
    assert!(settings.run_parallel(|_| note()).is_success());
    assert_eq!(most.swap(0, Ordering::SeqCst), 4);
    assert_eq!(threads.lock().unwrap().len(), 4);
    let start = planted::reverse(1);
    let report = settings.regression(start).run_parallel(|tc| {
        let xs = tc.draw(any::<Vec<i32>>());
        note();
        assert!(xs.iter().eq(xs.iter().rev()));
    });
    assert_eq!(
        report.failures[0].lines,
        ["let draw_1: Vec<i32> = vec![0, 1];"]
    );
    assert!(most.load(Ordering::SeqCst) > 1);
}

#[property(workers = 2, storage = Storage::Off)]
#[should_panic(expected = "let n: u32 = 100;")]
fn an_attribute_asks_for_workers(n: u32) {
    assert!(n < 100);
}

#[test]
fn equal_parts_come_about() {
    // Two lists that hardly are equal by chance.
    let settings = settings(4).reduce(false).explain(false);
    let report = settings.run(|tc| {
        let (a, b) = tc.draw((any::<Vec<u64>>(), any::<Vec<u64>>()));
        assert!(a.len() < 4 || a != b);
    });
    assert_eq!(report.failures.len(), 1);
}
