//! What a failure says of values, and parts of values, that do not matter.

use std::cell::Cell;
use std::collections::BTreeSet;

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

fn settings() -> Settings {
    Settings::new().seed(1).storage(Storage::Off).name("here")
}

fn run(property: impl Fn(&mut TestCase)) -> Report {
    settings().run(property)
}

fn check_lines(property: impl Fn(&mut TestCase), expected: &[&str]) {
    let report = run(property);
    assert_eq!(report.failures[0].lines, expected, "{report}");
}

#[derive(Clone, Debug, Arbitrary)]
#[expect(dead_code, reason = "only shown")]
struct Order {
    price: u32,
    name: String,
    tags: Vec<u8>,
}

#[derive(Clone, Debug, Arbitrary)]
#[expect(dead_code, reason = "only shown")]
enum Shape {
    Point,
    Circle { radius: i64, color: (u8, u8, bool) },
}

#[test]
fn fields_that_do_not_matter_are_told() {
    check_lines(
        |tc| {
            let order = tc.draw_named("order", any::<Order>());
            assert!(order.price < 1000);
        },
        &[
            "let order: Order = Order { price: 1000, name: \"\".to_string() /* or any other */, \
           tags: vec![] /* or any other */ };",
        ],
    );
}

#[test]
fn parts_of_a_variant_that_do_not_matter_are_told() {
    check_lines(
        |tc| {
            let shape = tc.draw_named("shape", any::<Shape>());
            assert!(matches!(
                shape,
                Shape::Point
                    | Shape::Circle {
                        color: (_, 0, _),
                        ..
                    }
            ));
        },
        &[
            "let shape: Shape = Shape::Circle { radius: 0 /* or any other */, \
           color: (0 /* or any other */, 1, false /* or any other */) };",
        ],
    );
}

#[test]
fn elements_that_do_not_matter_are_told() {
    check_lines(
        |tc| {
            let list = tc.draw_named("list", vec(0..1000i32));
            assert!(list.len() < 3 || list[1] < 7);
        },
        &["let list: Vec<i32> = vec![0 /* or any other */, 7, 0 /* or any other */];"],
    );
}

#[test]
fn a_list_within_is_told_as_a_whole() {
    check_lines(
        |tc| {
            let pair = tc.draw_named("pair", (vec(any::<u8>()).len(1..), any::<u8>()));
            assert!(pair.0.is_empty() || pair.1 < 5);
        },
        &["let pair: (Vec<u8>, u8) = (vec![0] /* or any other */, 5);"],
    );
}

#[test]
fn where_the_whole_does_not_matter_its_parts_are_not_told() {
    check_lines(
        |tc| {
            let (a, b) = tc.draw_named("pair", any::<(u8, u8)>());
            assert!(u16::from(a) + u16::from(b) > 1000);
        },
        &["let pair: (u8, u8) = (0, 0); // or any other"],
    );
}

#[test]
fn what_several_choices_make_is_not_told_by_one_of_them() {
    // Each of the two can be anything while the other is 5 or more; their sum can't.
    check_lines(
        |tc| {
            let sums = (0..10u8, 0..10u8).map(|(a, b)| a + b);
            let (sum, other) = tc.draw_named("sums", (sums, any::<u8>()));
            assert!(sum < 9 || other < 1);
        },
        &["let sums: (u8, u8) = (9, 1);"],
    );
    let in_any_order = |tc: &mut TestCase| {
        let set: (BTreeSet<u8>, bool) = tc.draw_named("set", (btree_set(5..200u8), any::<bool>()));
        assert!(!set.0.contains(&100) || set.0.len() < 2);
    };
    let report = settings().cases(100_000).run(in_any_order);
    assert_eq!(
        report.failures[0].lines,
        ["let set: (BTreeSet<u8>, bool) = (BTreeSet::from([5, 100]), false /* or any other */);"]
    );
}

#[test]
fn what_changes_other_values_too_is_not_told() {
    check_lines(
        |tc| {
            let (limit, _) = tc.draw_named("limit", (1..100u8, any::<bool>()));
            let x = tc.draw_named("x", 0..limit);
            assert!(x < 50);
        },
        &[
            "let limit: (u8, bool) = (51, false /* or any other */);",
            "let x: u8 = 50;",
        ],
    );
}

#[test]
fn parts_are_explained_in_few_runs_and_only_if_asked_for() {
    let runs = |explains| {
        let runs = Cell::new(0u64);
        let report = settings().explain(explains).run(|tc| {
            runs.set(runs.get() + 1);
            let lists = tc.draw(vec((any::<u32>(), any::<String>(), any::<f64>())));
            assert!(lists.len() < 12 || lists[3].0 < 5);
        });
        assert_eq!(report.failures.len(), 1);
        let is_marked = report.failures[0].lines[0].contains("or any other");
        (runs.get(), is_marked)
    };
    let ((without, is_marked), (with, _)) = (runs(false), runs(true));
    assert!(!is_marked);
    assert!(with <= without + 500 + 96, "{with} and {without}");
}

#[test]
fn parts_are_the_same_with_any_number_of_workers() {
    let property = |tc: &mut TestCase| {
        let order = tc.draw_named("order", any::<Order>());
        assert!(order.price < 1000 || order.tags.is_empty());
    };
    let alone = settings().run_parallel(property);
    let lines = &alone.failures[0].lines;
    assert!(lines[0].contains("/* or any other */"), "{lines:?}");
    for workers in [2, 8] {
        let report = settings().workers(workers).run_parallel(property);
        assert_eq!(report.failures[0].lines, *lines);
    }
}
