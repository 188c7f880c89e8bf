//! The notebook's `show_trace` and its eighteen uses.

use std::fmt::Write;

use super::algorithms::*;
use super::conditions::{at_least_5, distinct, sum};

/// One use of `show_trace`.
pub struct Cell {
    /// The number of the cell in the document.
    pub number: u32,
    /// What is simplified.
    pub start: Vec<u64>,
    /// What has to hold.
    pub constraint: fn(&[u64]) -> bool,
    /// What simplifies.
    pub simplifier: Simplifier,
    /// The shrinks and calls that it takes, those of the cells that the document cuts off too.
    pub totals: (usize, usize),
}

fn more_than_max(xs: &[u64]) -> bool {
    xs.iter().max().is_some_and(|max| xs.len() as u64 > *max)
}

fn descends(xs: &[u64]) -> bool {
    xs.len() >= 2 && xs[0] > xs[1]
}

/// All cells, in the order of the document.
pub fn cells() -> Vec<Cell> {
    let cell = |number, start: &[u64], constraint, simplifier, totals| Cell {
        number,
        start: start.to_vec(),
        constraint,
        simplifier,
        totals,
    };
    let two: fn(&[u64]) -> bool = |xs| xs.len() >= 2;
    let sum_500: fn(&[u64]) -> bool = |xs| sum(xs) >= 500;
    let sum_3: fn(&[u64]) -> bool = |xs| sum(xs) >= 3;
    let five_by_5: fn(&[u64]) -> bool = |xs| at_least_5(xs) >= 5;
    let ten_distinct: fn(&[u64]) -> bool = |xs| distinct(xs) >= 10;
    let greedy1: Simplifier = |ls, c| greedy_shrink(ls, c, shrink1);
    let greedy2: Simplifier = |ls, c| greedy_shrink(ls, c, shrink2);
    let greedy3: Simplifier = |ls, c| greedy_shrink(ls, c, shrink3);
    let greedy4: Simplifier = |ls, c| greedy_shrink(ls, c, shrink4);
    let greedy5: Simplifier = |ls, c| greedy_shrink(ls, c, shrink5);
    let greedy6: Simplifier = |ls, c| greedy_shrink(ls, c, shrink6);
    let twenties = [20, 21, 22, 23, 24, 25, 26];
    let hundreds = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109];
    vec![
        cell(5, &[5, 5], two, greedy1, (10, 17)),
        cell(7, &[5, 5], two, greedy2, (2, 8)),
        cell(8, &[1000], sum_500, greedy2, (1, 1003)),
        cell(11, &[1000], sum_500, greedy3, (4, 79)),
        cell(12, &[2; 20], sum_3, greedy3, (19, 26)),
        cell(14, &[2; 20], sum_3, greedy4, (2, 13)),
        cell(15, &[20; 7], five_by_5, greedy4, (12, 236)),
        cell(17, &[20; 7], five_by_5, greedy5, (4, 64)),
        cell(18, &twenties, five_by_5, greedy5, (12, 264)),
        cell(20, &twenties, five_by_5, greedy6, (5, 73)),
        cell(28, &hundreds, ten_distinct, greedy6, (20, 848)),
        cell(30, &hundreds, ten_distinct, multicourse_shrink1, (20, 318)),
        cell(34, &hundreds, ten_distinct, multicourse_shrink2, (20, 75)),
        cell(35, &[101, 100], descends, multicourse_shrink2, (1, 16)),
        cell(36, &[5; 10], more_than_max, multicourse_shrink1, (2, 5)),
        cell(40, &[101, 100], descends, multicourse_shrink3, (2, 20)),
        cell(41, &[5; 10], more_than_max, multicourse_shrink3, (5, 10)),
        cell(48, &[5; 10], more_than_max, multicourse_shrink5, (5, 10)),
    ]
}

/// What `show_trace` prints, with the shrinks and the calls.
pub fn show_trace(cell: &Cell) -> (String, (usize, usize)) {
    let mut text = format!("✓ {:?}\n", cell.start);
    let (mut shrinks, mut tests) = (0, 0);
    let _ = (cell.simplifier)(&cell.start, &mut |ls| {
        tests += 1;
        let works = (cell.constraint)(ls);
        shrinks += usize::from(works);
        let mark = if works { '✓' } else { '✗' };
        // Writing to a string can't fail.
        let _ = writeln!(text, "{mark} {ls:?}");
        Some(works)
    });
    let _ = writeln!(text, "\n{shrinks} shrinks with {tests} function calls");
    (text, (shrinks, tests))
}
