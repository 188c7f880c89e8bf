//! The notebook's algorithms do what the notebook shows, line for line.

#[path = "../examples/notebook/algorithms.rs"]
mod algorithms;
#[path = "../examples/notebook/conditions.rs"]
mod conditions;
#[path = "../examples/notebook/tables.rs"]
#[expect(dead_code, reason = "the example uses all of it")]
mod tables;
#[path = "../examples/notebook/trace.rs"]
mod trace;

use algorithms::{Simplifier, multicourse_shrink3, multicourse_shrink5, shrink_integer};
use conditions::{CONDITIONS, dataset};
use tables::{ALGORITHMS, measure};

/// What the document prints under a cell; eight of them are cut off there.
macro_rules! printed {
    ($($number:literal)*) => {
        [$(($number, include_str!(concat!("notebook/cell_", $number, ".txt")))),*]
    };
}

#[test]
fn all_eighteen_traces_equal_the_document() {
    let printed = printed!["05" "07" "08" "11" "12" "14" "15" "17" "18" "20" "28" "30" "34" "35"
        "36" "40" "41" "48"];
    let cells = trace::cells();
    assert_eq!(cells.len(), 18);
    let mut whole = 0;
    for (cell, (number, expected)) in cells.iter().zip(printed) {
        assert_eq!(format!("{:02}", cell.number), number);
        let (text, totals) = trace::show_trace(cell);
        assert_eq!(totals, cell.totals, "cell {number}");
        if expected.ends_with("function calls\n") {
            assert_eq!(text, expected, "cell {number}");
            whole += 1;
        } else {
            // Cut off in the document, in the middle of a line.
            assert!(text.starts_with(expected.trim_end()), "cell {number}");
        }
    }
    assert_eq!(whole, 10);
}

#[test]
fn shrink_integer_is_the_document_s() {
    let expected = [
        0, 1, 3, 7, 15, 31, 63, 127, 255, 378, 439, 469, 484, 492, 496, 498, 499,
    ];
    assert_eq!(shrink_integer(500), expected);
    assert_eq!(shrink_integer(0), []);
    assert_eq!(shrink_integer(1), [0]);
    assert_eq!(shrink_integer(u64::MAX).last(), Some(&(u64::MAX - 1)));
}

/// The worst cases that do not depend on the data, as the document has them.
#[test]
fn worst_cases_of_the_tables_equal_the_document() {
    let check = |condition: usize, expected: [usize; 10]| {
        let (name, holds) = CONDITIONS[condition];
        let lists = dataset(holds, 120, 1);
        let skipped = ["shrink2", "shrink3", "the engine"];
        let algorithms = ALGORITHMS
            .iter()
            .filter(|(name, _)| !skipped.contains(name));
        let worst: Vec<usize> = algorithms
            .map(|(_, algorithm)| measure(holds, &lists, *algorithm).worst())
            .collect();
        assert_eq!(worst, expected, "{name}");
    };
    check(0, [13, 13, 13, 6, 4, 5, 6, 6, 6, 6]);
    check(1, [80, 80, 80, 35, 34, 35, 35, 35, 35, 35]);
    check(2, [9, 9, 9, 6, 5, 6, 6, 6, 6, 6]);
    check(3, [809, 877, 144, 107, 58, 68, 73, 90, 73, 73]);
}

#[test]
fn the_document_s_last_algorithm_leaves_lists_that_can_be_reduced() {
    let (_, holds) = CONDITIONS[5];
    let lists = dataset(holds, 60, 1);
    let left = |algorithm: Simplifier| measure(holds, &lists, algorithm).left();
    assert!(left(multicourse_shrink5) > 50.0);
    assert_eq!(left(multicourse_shrink3), 0.0);
}

#[test]
fn messy_is_pythons() {
    // hashlib.md5(repr(xs).encode()).hexdigest()[0] == "0", computed by Python.
    let messy: Vec<u64> = (0..200).filter(|n| conditions::is_messy(&[*n])).collect();
    assert_eq!(messy, MESSY_SINGLETONS);
}

const MESSY_SINGLETONS: [u64; 11] = [11, 30, 48, 54, 95, 102, 107, 132, 146, 167, 198];

/// The document's algorithms that end only where none of their steps succeeds.
const COMPLETE: [&str; 4] = [
    "shrink6",
    "deduplicating shrink6",
    "multicourse_shrink4",
    "5, budget at least 1",
];

/// For each condition the calls in the mean that the engine needs for sixty lists: never more.
const MOST: [f64; 8] = [5.0, 27.0, 6.0, 66.0, 101.0, 8.0, 19.0, 235.0];

#[test]
fn the_engine_ends_at_a_minimum_with_the_fewest_calls() {
    for ((name, holds), most) in CONDITIONS.into_iter().zip(MOST) {
        let lists = dataset(holds, 60, 1);
        let row = |wanted| {
            let named = ALGORITHMS.iter().find(|(name, _)| *name == wanted);
            let (_, algorithm) = named.expect("the algorithm has a column");
            measure(holds, &lists, *algorithm)
        };
        let engine = row("the engine");
        assert_eq!(engine.left(), 0.0, "{name}");
        assert!(engine.mean() <= most, "{name}: {} calls", engine.mean());
        for other in COMPLETE {
            assert!(engine.mean() <= row(other).mean(), "{name}, {other}");
        }
    }
}
