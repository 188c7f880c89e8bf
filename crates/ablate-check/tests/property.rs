//! `#[property]`: what it takes, and what a failure says.

use std::time::{Duration, SystemTime};

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

#[property]
fn arguments_are_drawn_from_their_types(xs: Vec<i32>, mut text: String, pair: (u8, bool)) {
    text.push('x');
    assert!(text.ends_with('x'));
    assert!(xs.len() < 10_000 && u32::from(pair.0) < 256);
}

#[property(cases = 50, seed = 3)]
fn arguments_are_drawn_from_generators(#[from(vec(0..10i64).len(1..=5))] xs: Vec<i64>) {
    assert!((1..=5).contains(&xs.len()));
    assert!(xs.iter().all(|x| (0..10).contains(x)));
}

#[property(cases = 0, example = (vec![], 7), example = (vec![1], 8))]
#[should_panic(expected = "the second example")]
fn examples_are_tried_first(mut xs: Vec<u8>, n: u8) {
    xs.push(n);
    assert!(xs.len() == 1, "the second example");
}

#[property(cases = 0, example = (vec![], 0), example = (vec![1], 5))]
fn examples_that_do_not_apply_are_left_out(xs: Vec<u8>, at: usize) {
    assume(at < xs.len());
    panic!("applied to {xs:?}");
}

#[property]
fn values_are_drawn_inline(tc: &mut TestCase) {
    let n = tc.draw(1..=20usize);
    let xs = tc.draw(vec(any::<u8>()).exactly(n));
    assert_eq!(xs.len(), n);
    tc.note("never shown");
}

#[property]
fn a_test_case_and_arguments_go_together(tc: &mut TestCase, n: u8) {
    let m = tc.draw(0..=n);
    assert!(m <= n);
}

#[property]
fn results_can_be_returned(text: String) -> Result<(), std::num::ParseIntError> {
    assume(text.parse::<u64>().is_err());
    "7".parse::<u8>()?;
    if text.is_empty() {
        return Ok(());
    }
    Ok(())
}

#[property]
async fn bodies_can_be_async(n: u32) {
    let twice = async { u64::from(n) * 2 }.await;
    assert_eq!(twice / 2, u64::from(n));
}

#[property(cases = 10, storage = Storage::Off)]
#[should_panic(expected = "too great")]
fn a_failure_panics_with_its_message(n: u64) {
    assert!(n < 1 << 40 || n == u64::MAX / 7, "too great");
}

#[property(cases = 0, regression = "1.77", storage = Storage::Off)]
#[should_panic(expected = "let n: u8 = 77;")]
fn a_regression_is_tried_first(n: u8) {
    assert_ne!(n, 77);
}

#[property(cases = 0, regression = "1.7.8.9", explain = false, storage = Storage::Off)]
#[should_panic(expected = "    let (a, b): (u8, u8) = (0, 0);\n    let [c]: [u8; 1] = [1];\n")]
fn patterns_are_shown_as_they_are(tc: &mut TestCase, (a, b): (u8, u8)) {
    let [c] = tc.draw(any::<[u8; 1]>());
    assert_eq!(a + b, c);
}

#[property(settings = Settings::new().storage(Storage::Off), cases = 0, regression = "1.5.t")]
#[should_panic(expected = "#[property(regression = \"1.5.t\")]")]
fn a_failure_says_how_to_see_it_again(n: u8, flag: bool) {
    assert!(n < 5 || !flag);
}

fn run(property: impl Fn(&mut TestCase)) -> Report {
    let settings = Settings::new().seed(1).storage(Storage::Off).name("here");
    settings.run(property)
}

#[test]
fn draws_are_shown_by_name_as_rust() {
    let report = run(|tc| {
        let _ = tc.draw_named("xs", just(vec![Some(1u8), None]));
        let _ = tc.draw(just("a\"b".to_string()));
        tc.note("a note");
        panic!("always");
    });
    let found = &report.failures[0];
    assert_eq!(
        found.lines,
        [
            "let xs: Vec<Option<u8>> = vec![Some(1), None];",
            "let draw_1: String = \"a\\\"b\".to_string();",
            "a note",
        ]
    );
    assert_eq!(found.failure.message, "always");
    let text = report.to_string();
    assert!(
        text.contains("property `here` fails:\n    let xs"),
        "{text}"
    );
    assert!(text.contains("ABLATE_REPLAY='here=1'"), "{text}");
}

#[test]
fn what_does_not_matter_is_told() {
    let report = run(|tc| {
        let a = tc.draw_named("a", any::<u64>());
        let b = tc.draw_named("b", vec(any::<u8>()).len(1..));
        assert!(a < 1000 || b.is_empty());
    });
    let lines = &report.failures[0].lines;
    assert!(!lines[0].ends_with("// or any other"), "{lines:?}");
    assert!(lines[1].ends_with("; // or any other"), "{lines:?}");
}

#[test]
fn different_failures_are_all_reported() {
    let report = run(|tc| {
        let n = tc.draw(0..100u8);
        assert!(n % 3 != 0, "by three");
        assert!(n % 5 != 0, "by five");
    });
    let mut messages: Vec<&str> = report
        .failures
        .iter()
        .map(|f| &*f.failure.message)
        .collect();
    messages.sort_unstable();
    assert_eq!(messages, ["by five", "by three"]);
}

#[test]
fn a_flaky_property_is_called_flaky() {
    let count = std::cell::Cell::new(0);
    let report = run(|tc| {
        let _ = tc.draw(any::<u64>());
        count.set(count.get() + 1);
        assert!(count.get() != 5);
    });
    assert!(report.failures[0].is_flaky);
    assert!(report.to_string().contains("flaky"));
}

#[test]
fn what_was_found_is_not_run_again_to_be_reduced() {
    let seen = std::cell::RefCell::new(Vec::new());
    let settings = Settings::new()
        .storage(Storage::Off)
        .explain(false)
        .all_failures(false);
    let report = settings.name("once").run(|tc| {
        let n = tc.draw(0..=3u8);
        seen.borrow_mut().push(n);
        assert!(n != 3);
    });
    let first = seen.borrow().iter().position(|n| *n == 3).unwrap();
    // The only one of these that fails is the one that is shown.
    let after = &seen.borrow()[first + 1..];
    assert_eq!(after.iter().filter(|n| **n == 3).count(), 1);
    assert!(report.failures[0].tests <= 3);
    assert!(!report.failures[0].is_flaky);
}

#[test]
fn a_failure_that_does_not_come_again_is_given_up_soon() {
    let has_failed = std::cell::Cell::new(false);
    let report = run(|tc| {
        let list = tc.draw(vec(any::<u64>()).len(50..=60));
        assert!(list.is_empty() || has_failed.replace(true));
    });
    assert!(report.failures[0].is_flaky);
    assert!(report.failures[0].tests < 25);
}

#[test]
fn the_same_seed_gives_the_same_cases() {
    let cases = |seed| {
        let seen = std::cell::RefCell::new(Vec::new());
        let settings = Settings::new().seed(seed).cases(50).storage(Storage::Off);
        settings
            .name("same")
            .run(|tc| seen.borrow_mut().push(tc.draw(any::<(u64, String)>())));
        seen.into_inner()
    };
    assert_eq!(cases(7), cases(7));
    assert_ne!(cases(7), cases(8));
}

#[test]
fn what_rejects_too_much_is_unhealthy() {
    let report = run(|tc| {
        let n = tc.draw(any::<u64>());
        tc.assume(n == 123_456_789_012);
    });
    assert!(!report.is_success());
    assert!(report.to_string().contains("cases applied"), "{report}");
    // The place is told, whoever rejects: the test case, who has none at hand, a generator.
    let check = |property: fn(&mut TestCase), line: u32| {
        let place = format!("were rejected at {}:{line}:", file!());
        let report = run(property);
        assert!(report.to_string().contains(&place), "{report}");
    };
    check(|tc| tc.assume(false), line!());
    check(|_| assume(false), line!());
    check(|tc| assert!(tc.draw(bools().filter(|_| false))), line!());
    check(|tc| drop(tc.draw(vec(sample([0u8; 0])).len(1..))), line!());
    let report = run(|tc| {
        tc.draw(vec(vec(any::<u64>()).exactly(1000)).exactly(100));
    });
    assert!(report.to_string().contains("too large"), "{report}");
}

#[test]
fn labels_are_counted() {
    let report = run(|tc| {
        let flag = tc.draw(any::<bool>());
        tc.event("yes", flag);
        tc.label("always");
        tc.label("always");
    });
    assert_eq!(report.labels["always"], 1000);
    assert!((300..700).contains(&report.labels["yes"]));
    assert!(report.statistics().contains("100.0 % always"));
}

#[test]
fn a_target_is_approached() {
    let best = |is_targeted| {
        let report = run(move |tc| {
            let x = tc.draw(0..1_000_000_007u32);
            let distance = f64::from(x.abs_diff(777_777_777));
            if is_targeted {
                tc.target(-distance);
            } else {
                tc.event("near", distance < 100.0);
            }
        });
        report
            .best_score
            .unwrap_or(report.labels.get("near").map_or(-1e9, |_| 0.0))
    };
    assert!(best(true) > -100.0, "{}", best(true));
    assert!(best(false) < -100.0);
}

#[test]
fn panics_inside_a_property_are_caught_where_they_happen() {
    let report = run(|tc| {
        let xs = tc.draw(vec(any::<u8>()).len(1..4));
        let _ = xs[xs.len()];
    });
    let kind = &report.failures[0].failure.kind;
    assert_eq!(report.failures.len(), 1);
    assert_eq!(kind.message, "index out of bounds");
    assert!(kind.place.contains("property.rs"), "{kind:?}");
}

#[test]
fn a_deadline_is_kept_only_when_set() {
    let slow = |_: &mut TestCase| std::thread::sleep(std::time::Duration::from_millis(3));
    let settings = Settings::new().cases(1).storage(Storage::Off);
    assert!(settings.run(slow).is_success());
    let deadline = std::time::Duration::from_millis(1);
    assert!(!settings.deadline(deadline).run(slow).is_success());
}

#[test]
fn of_two_properties_in_a_test_each_removes_only_what_it_stored() {
    let name = format!("ablate-two-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let settings = Settings::new().storage(Storage::Folder(folder.clone()));
    let (first_fails, second_fails) = (std::cell::Cell::new(false), std::cell::Cell::new(true));
    let run = || {
        let fails = |tc: &mut TestCase, fails: bool| {
            assert!(!fails || tc.draw(any::<u8>()) < 100);
        };
        let first = settings.run(|tc| fails(tc, first_fails.get()));
        let second = settings.run(|tc| fails(tc, second_fails.get()));
        (
            first.is_success(),
            second.failures.first().map(|found| found.tests),
        )
    };
    let stored = || {
        let folders = std::fs::read_dir(&folder).unwrap();
        let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
        files.count()
    };
    assert!(matches!(run(), (true, Some(_))));
    assert_eq!(stored(), 1);
    // The first one holds for what the second one has stored, which is still there for it.
    assert!(matches!(run(), (true, Some(_))));
    assert_eq!(stored(), 1);
    second_fails.set(false);
    assert_eq!(run(), (true, None));
    assert_eq!(stored(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failure_that_does_not_come_again_is_shown_as_it_was() {
    let has_failed = std::cell::Cell::new(false);
    let report = run(|tc| {
        let _ = tc.draw(any::<u64>());
        assert!(
            has_failed.replace(true),
            "could not connect to port 8080: refused"
        );
    });
    let failure = &report.failures[0].failure;
    assert_eq!(failure.message, "could not connect to port 8080: refused");
    assert_eq!(failure.kind.message, "could not connect to port #");
    assert!(report.failures[0].is_flaky);
}

#[test]
fn what_is_huge_is_cut_where_it_is_shown() {
    let name = format!("ablate-huge-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let settings = Settings::new().seed(1).reduce(false).name("huge").cases(1);
    let property = |tc: &mut TestCase| {
        let text = tc.draw_named("text", string().alphabet("é").len(50_000..=50_000));
        assert!(text.is_empty(), "no {text}");
    };
    let settings = settings.storage(Storage::Folder(folder.clone()));
    let report = settings.run(property);
    assert!(report.failures[0].lines[0].len() > 100_000);
    let shown = report.to_string();
    assert!(shown.len() < 10_000, "{}", shown.len());
    assert!(shown.contains("… (and 9"), "{shown}");
    assert!(shown.contains("again: by itself, from "), "{shown}");
    assert!(!shown.contains("ABLATE_REPLAY"), "{shown}");
    // What is stored is the whole.
    let again = settings.cases(0).run(property);
    assert_eq!(again.failures[0].lines, report.failures[0].lines);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_empty_range_is_named_as_it_was_written_and_where() {
    let report = run(|tc| {
        let _ = tc.draw(7..7u8);
    });
    let failure = &report.failures[0].failure;
    assert_eq!(failure.message, "ablate-check: the range 7..7 is empty");
    assert!(failure.kind.place.contains("property.rs:"), "{failure}");
    let report = run(|tc| {
        let _ = tc.draw(vec(5..5i32).len(1..));
    });
    let message = &report.failures[0].failure.message;
    assert_eq!(message, "ablate-check: the range 5..5 is empty");
    let complaint = |property: fn(&mut TestCase)| run(property).failures[0].failure.message.clone();
    let message = complaint(|tc| assert!(tc.draw('b'..'b') > 'b'));
    assert_eq!(message, "ablate-check: the range 'b'..'b' is empty");
    let message = complaint(|tc| assert!(tc.draw('c'..='b') > 'b'));
    assert_eq!(message, "ablate-check: the range 'c'..='b' is empty");
    let message = complaint(|tc| drop(tc.draw(string().alphabet("").len(1..))));
    assert_eq!(message, "ablate-check: the alphabet has no characters");
    let message = complaint(|tc| assert!(tc.draw(sample_weighted([(0, 'a')])) > 'b'));
    assert!(message.contains("a weight above zero"), "{message}");
}

#[test]
fn an_empty_range_of_times_is_named_as_it_was_written_and_where() {
    fn check<T>(draw: impl Fn(&mut TestCase) -> T, expected: &str) {
        let report = run(|tc| {
            draw(tc);
        });
        let failure = &report.failures[0].failure;
        assert_eq!(failure.message, format!("ablate-check: {expected}"));
        assert!(failure.kind.place.contains("property.rs:"), "{failure}");
    }
    let seconds = Duration::from_secs;
    check(
        |tc| tc.draw(durations().range(seconds(5)..=seconds(2))),
        "the range 5s..=2s is empty",
    );
    check(
        |tc| tc.draw(seconds(5)..seconds(5)),
        "the range 5s..5s is empty",
    );
    let new_year = Date::new(2024, 1, 1);
    check(
        |tc| tc.draw(dates().range(new_year..new_year)),
        "the range 2024-01-01..2024-01-01 is empty",
    );
    let leap = Date {
        year: 2023,
        month: 2,
        day: 29,
    };
    check(
        |tc| tc.draw(dates().range(leap..)),
        "there is no 2023-02-29",
    );
    let time = SystemTime::UNIX_EPOCH;
    check(
        |tc| tc.draw(time..time),
        "the range 1970-01-01 00:00:00..1970-01-01 00:00:00 is empty",
    );
}

#[property(cases = 0, example = (vec![], 7), example = (vec![1], 8))]
#[should_panic(expected = "fails for example 2 of 2, (vec![1], 8):\n")]
fn a_failing_example_is_named(xs: Vec<u8>, n: u8) {
    assert!(xs.is_empty() || n == 0);
}
