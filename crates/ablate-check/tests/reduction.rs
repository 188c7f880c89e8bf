//! The seam that a reducer is plugged into, and what is kept of a failure on disk.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ablate_check::choice::{Choice, Value, decode, encode};
use ablate_check::prelude::*;
use ablate_check::reduce::{Outcome, Reduce, Sequence, Status, Test};
use ablate_check::{Report, Storage};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

/// Cuts spans and single choices, and lowers integers to small ones, while anything works. Only
/// here to show that the seam holds; it is no reducer.
struct Naive;

fn candidates(target: &Sequence) -> Vec<Vec<Choice>> {
    let choices = &target.choices;
    let cut = |start: usize, end: usize| [&choices[..start], &choices[end..]].concat();
    let mut all: Vec<_> = target
        .spans
        .iter()
        .map(|span| cut(span.start, span.end))
        .collect();
    all.extend(Iterator::map(0..choices.len(), |at| cut(at, at + 1)));
    for (at, choice) in choices.iter().enumerate() {
        let lower = Iterator::map(0..8, Value::Integer).chain([Value::Boolean(false)]);
        for value in lower.filter_map(|value| choice.with(value)) {
            if value.index() < choice.index() {
                let mut changed = choices.to_vec();
                changed[at] = value;
                all.push(changed);
            }
        }
    }
    all
}

impl Reduce for Naive {
    fn reduce(&self, start: Sequence, test: &mut Test<'_>) -> Sequence {
        let mut target = start;
        'simpler: loop {
            for candidate in candidates(&target) {
                let Ok(Outcome {
                    status, sequence, ..
                }) = test(
                    &Target::new(candidate).candidate(Patch::default()),
                    &mut || None,
                )
                else {
                    return target;
                };
                let is_shorter = sequence.choices.len() < target.choices.len();
                let index = |s: &Sequence| s.choices.iter().map(Choice::index).collect::<Vec<_>>();
                let is_lower = sequence.choices.len() == target.choices.len()
                    && index(&sequence) < index(&target);
                if status == Status::Fails && (is_shorter || is_lower) {
                    target = sequence;
                    continue 'simpler;
                }
            }
            return target;
        }
    }
}

fn settings() -> Settings {
    Settings::new()
        .seed(1)
        .storage(Storage::Off)
        .name("here")
        .reducer(Naive)
}

#[test]
fn a_reducer_gets_what_it_needs_through_the_seam() {
    let report = settings().run(|tc| {
        let xs = tc.draw_named("xs", vec(any::<i32>()));
        let mut sorted = xs.clone();
        sorted.sort();
        assert_eq!(xs, sorted);
    });
    let found = &report.failures[0];
    assert_eq!(found.lines, ["let xs: Vec<i32> = vec![1, 0];"]);
    assert!(found.steps > 0 && found.tests > found.steps);
    assert!(!found.ended_early && !found.is_flaky);
}

#[test]
fn what_is_known_is_never_run_again() {
    let runs = Cell::new(0);
    let report = settings().explain(false).all_failures(false).run(|tc| {
        runs.set(runs.get() + 1);
        let n = tc.draw(0..4usize);
        let xs = tc.draw(vec(0..3u8).exactly(n));
        assert!(xs.iter().all(|x| *x < 2));
    });
    let found = &report.failures[0];
    assert!(found.lines[1].ends_with("2];"), "{:?}", found.lines);
    assert!(found.known > 0, "no candidate was known");
    // Each run is a case, a test of the reduction, or the last one, which is shown.
    assert_eq!(runs.get(), report.valid + 1 + found.tests + 1);
}

#[test]
fn a_reduction_ends_early_when_patience_does() {
    let report = settings().patience(5).run(|tc| {
        let xs = tc.draw(vec(any::<u64>()).len(3..));
        assert!(xs.len() < 5);
    });
    assert!(report.failures[0].ended_early);
    assert!(report.to_string().contains("ended early"));
}

#[test]
fn failures_found_on_the_way_are_reduced_too() {
    let report = settings().run(|tc| {
        let n = tc.draw(0..1_000_000u32);
        assert!(n < 500_000 || n % 7 != 3, "large");
        // Only a reduction comes by here.
        assert!(n != 3, "small");
    });
    assert!(
        report
            .failures
            .iter()
            .any(|found| found.failure.message == "large")
    );
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("ablate-check-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        Scratch(folder)
    }

    fn files(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for property in std::fs::read_dir(&self.0).into_iter().flatten().flatten() {
            for file in std::fs::read_dir(property.path())
                .into_iter()
                .flatten()
                .flatten()
            {
                texts.extend(std::fs::read_to_string(file.path()));
            }
        }
        texts
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_failure_is_stored_and_tried_first_until_it_is_mended() {
    let scratch = Scratch::new("stored");
    let limit = Arc::new(AtomicU64::new(1000));
    let runs = Cell::new(0);
    let run = |seed: u64| -> Report {
        runs.set(0);
        let storage = Storage::Folder(scratch.0.clone());
        let settings = settings().storage(storage).seed(seed).explain(false);
        let limit = Arc::clone(&limit);
        settings.run(|tc| {
            runs.set(runs.get() + 1);
            let n = tc.draw_named("n", 0..1_000_000u64);
            assert!(n < limit.load(Ordering::Relaxed));
        })
    };
    assert!(!run(1).is_success());
    let files = scratch.files();
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(
        files[0].starts_with("ablate-check 1\n# property: here\n"),
        "{files:?}"
    );
    assert!(files[0].contains("# let n: u64 = "), "{files:?}");
    let stored = files[0].lines().last().and_then(decode);
    assert!(stored.is_some(), "{files:?}");
    // Found again by the first run, whatever the seed.
    let again = run(2);
    assert_eq!(again.valid, 0);
    assert!(!again.is_success());
    // Mended: it is forgotten.
    limit.store(u64::MAX, Ordering::Relaxed);
    assert!(run(3).is_success());
    assert_eq!(scratch.files(), Vec::<String>::new());
}

#[test]
fn a_replay_runs_one_test_case() {
    let runs = Cell::new(0);
    let report = settings()
        .replay("1.7")
        .explain(false)
        .reduce(false)
        .run(|tc| {
            runs.set(runs.get() + 1);
            assert_ne!(tc.draw(0..100u8), 7);
        });
    assert_eq!(report.failures.len(), 1);
    // Found, shown.
    assert_eq!(runs.get(), 2);
    assert!(
        settings()
            .replay("1.8")
            .run(|tc| assert_ne!(tc.draw(0..100u8), 7))
            .is_success()
    );
    assert!(!settings().replay("9.8").run(|_| ()).is_success());
}

#[test]
fn a_longer_sequence_keeps_only_what_was_read() {
    let report = settings().replay("1.7.1.2.3").reduce(false).run(|tc| {
        assert_ne!(tc.draw(0..100u8), 7);
    });
    assert_eq!(report.failures[0].encoded(), "1.7");
}

#[test]
fn properties_run_in_parallel_threads_do_not_disturb_each_other() {
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            scope.spawn(move || {
                let settings = settings().seed(thread).name(format!("thread {thread}"));
                let report = settings.run(|tc| {
                    let n = tc.draw(0..1000u64);
                    assert!(n < 100 + thread, "thread {thread}");
                });
                assert_eq!(report.failures.len(), 1);
                let message = &report.failures[0].failure.message;
                assert_eq!(*message, format!("thread {thread}"));
            });
        }
    });
}

/// What a failing property is reduced to, for a few seeds.
fn check_reduced(property: fn(&mut TestCase), expected: &[&str]) {
    for seed in 0..10 {
        let settings = Settings::new()
            .seed(seed)
            .cases(20_000)
            .storage(Storage::Off);
        let report = settings.all_failures(false).explain(false).run(property);
        assert_eq!(report.failures[0].lines, expected, "seed {seed}");
    }
}

#[test]
fn texts_are_reduced_by_length_and_by_letter() {
    check_reduced(
        |tc| {
            let text = tc.draw_named("text", any::<String>());
            assert!(text.chars().count() < 4);
        },
        &["let text: String = \"0000\".to_string();"],
    );
    check_reduced(
        |tc| {
            let text = tc.draw_named("text", any::<String>());
            assert!(!text.contains(|c: char| c.is_ascii_uppercase()));
        },
        &["let text: String = \"A\".to_string();"],
    );
}

#[test]
fn equal_texts_are_reduced_together() {
    check_reduced(
        |tc| {
            let a = tc.draw_named("a", string().len(..20));
            let b = tc.draw_named("b", string().len(..20));
            assert!(a.chars().count() < 2 || a != b);
        },
        &[
            "let a: String = \"00\".to_string();",
            "let b: String = \"00\".to_string();",
        ],
    );
}

#[test]
fn bytes_are_reduced_by_length_and_by_value() {
    check_reduced(
        |tc| {
            let bytes = tc.draw_named("bytes", bytes());
            assert!(bytes.iter().map(|b| u32::from(*b)).sum::<u32>() < 300);
        },
        &["let bytes: Vec<u8> = vec![45, 255];"],
    );
}

#[test]
fn floats_are_reduced_to_simple_ones() {
    check_reduced(
        |tc| {
            let x = tc.draw_named("x", any::<f64>());
            assert!(x.is_nan() || x < 1234.5);
        },
        &["let x: f64 = 1235.0;"],
    );
    check_reduced(
        |tc| {
            let x = tc.draw_named("x", 0.0..=1000.0f64);
            assert!(x.fract() == 0.0);
        },
        &["let x: f64 = 1.5;"],
    );
}

#[test]
fn many_numbers_that_cannot_be_the_simplest_become_the_next() {
    let drawn = |at: i128| [Value::Boolean(true), Value::Integer(at * 7919 % 10007)];
    let mut values: Vec<Value> = Iterator::flat_map(0..200, drawn).collect();
    values.push(Value::Boolean(false));
    let settings = Settings::new().storage(Storage::Off).explain(false);
    let run = settings.replay(encode(&values)).run(|tc| {
        let xs = tc.draw(vec(any::<i32>()).len(..2000));
        assert!(xs.iter().filter(|x| **x % 2 == 1).count() < 40);
    });
    let tests = run.failures[0].tests;
    assert!(tests < 1000, "{tests}");
}

#[test]
fn many_numbers_are_made_alike_before_any_is_deleted_by_itself() {
    let numbers = (1..=1000i128).map(|at| at * 7919 % 10007 - 5000);
    let pairs = numbers.flat_map(|number| [Value::Boolean(true), Value::Integer(number)]);
    let start: Vec<Value> = pairs.chain([Value::Boolean(false)]).collect();
    let settings = Settings::new().storage(Storage::Off).explain(false);
    let run = settings.replay(encode(&start)).run(|tc| {
        let xs = tc.draw_silent(vec(any::<i32>()).len(..2000));
        tc.note(format!("{xs:?}"));
        assert!(xs.iter().filter(|x| **x % 2 != 0).count() < 200);
    });
    let failure = &run.failures[0];
    assert_eq!(failure.lines, [format!("{:?}", [1; 200])]);
    assert!(failure.tests < 300, "{} tests", failure.tests);
}

#[test]
fn messages_that_hold_values_are_one_failure() {
    let run = |property: fn(&mut TestCase)| {
        let settings = Settings::new().storage(Storage::Off).seed(5).name("one");
        let report = settings.run(property);
        let parallel = settings.workers(2).run_parallel(property);
        let one = |report: Report| match &report.failures[..] {
            [found] if !found.is_flaky => (found.lines.join(" "), found.tests),
            _ => panic!("one failure: {report}"),
        };
        let found = one(report);
        assert_eq!(one(parallel), found);
        found.0
    };
    let unquoted = run(|tc| {
        let text = tc.draw(any::<String>());
        assert!(text.chars().count() < 3, "could not parse {text}");
    });
    assert_eq!(unquoted, r#"let draw_1: String = "000".to_string();"#);
    let sliced = run(|tc| {
        let text = tc.draw(any::<String>());
        let _ = &text[..text.len() / 2];
    });
    assert_eq!(sliced, r#"let draw_1: String = "\u{a0}".to_string();"#);
    let address = run(|tc| {
        let x = Box::new(tc.draw(any::<u64>()));
        assert!(*x <= 100, "bad pointer {:p}", &*x);
    });
    assert_eq!(address, "let draw_1: u64 = 101;");
    // Seldom, so that it shows only in the reduction.
    let set = run(|tc| {
        let set = tc.draw(btree_set(0..1000u32));
        assert!(
            set.iter().sum::<u32>() < 8000,
            "{set:?} has {} parts",
            set.len()
        );
    });
    assert!(set.len() < 90, "{set}");
}

#[test]
fn few_messages_of_one_place_are_told_apart() {
    fn fail(why: &str) {
        panic!("{why}");
    }
    let report = Settings::new()
        .storage(Storage::Off)
        .seed(5)
        .run(|tc| match tc.draw(0..100u8) {
            10..20 => fail("the first"),
            30..40 => fail("the second"),
            _ => {}
        });
    let mut lines: Vec<&str> = report
        .failures
        .iter()
        .map(|found| &*found.lines[0])
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, ["let draw_1: u8 = 10;", "let draw_1: u8 = 30;"]);
}
