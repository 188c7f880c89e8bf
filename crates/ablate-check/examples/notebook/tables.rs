//! The notebook's comparisons, on fresh data: calls (worst, mean, median), and what they bought.

use std::ops::ControlFlow::{Break, Continue};

use ablate_check::list::reduce_while;

use super::algorithms::*;
use super::conditions::Condition;

/// The document's `MAX_COUNT`: an algorithm that asks more often is stopped.
pub const MAX_COUNT: usize = 5000;

/// The algorithms that are compared.
pub const ALGORITHMS: [(&str, Simplifier); 13] = [
    ("shrink2", |ls, c| greedy_shrink(ls, c, shrink2)),
    ("shrink3", |ls, c| greedy_shrink(ls, c, shrink3)),
    ("shrink4", |ls, c| greedy_shrink(ls, c, shrink4)),
    ("shrink5", |ls, c| greedy_shrink(ls, c, shrink5)),
    ("shrink6", |ls, c| greedy_shrink(ls, c, shrink6)),
    ("deduplicating shrink6", |ls, c| {
        greedy_shrink_with_dedupe(ls, c, shrink6)
    }),
    ("multicourse_shrink1", multicourse_shrink1),
    ("multicourse_shrink2", multicourse_shrink2),
    ("multicourse_shrink3", multicourse_shrink3),
    ("multicourse_shrink4", multicourse_shrink4),
    ("multicourse_shrink5", multicourse_shrink5),
    ("5, budget at least 1", multicourse_shrink5_floored),
    ("the engine", on_the_engine),
];

/// Ablate's own.
fn on_the_engine(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    let reduced = reduce_while(ls, |ls| constraint(ls));
    reduced.is_proved.then_some(reduced.list)
}

/// How an algorithm did on one data set.
pub struct Row {
    /// The calls for each list; `MAX_COUNT + 1` where it was stopped.
    pub calls: Vec<usize>,
    /// How many results some candidate of `shrink6` still shrinks. A list on which the algorithm
    /// was stopped counts.
    pub non_minimal: usize,
}

impl Row {
    /// The most calls for one list.
    pub fn worst(&self) -> usize {
        self.calls.iter().copied().max().unwrap_or(0)
    }

    /// The calls in the mean.
    pub fn mean(&self) -> f64 {
        self.calls.iter().sum::<usize>() as f64 / self.calls.len().max(1) as f64
    }

    /// The calls in the median.
    pub fn median(&self) -> f64 {
        let mut sorted = self.calls.clone();
        sorted.sort_unstable();
        match (sorted.len() / 2, sorted.len() % 2) {
            (_, 0) if sorted.is_empty() => 0.0,
            (half, 0) => f64::midpoint(sorted[half - 1] as f64, sorted[half] as f64),
            (half, _) => sorted[half] as f64,
        }
    }

    /// The share of results that are not minimal, in percent.
    pub fn left(&self) -> f64 {
        self.non_minimal as f64 * 100.0 / self.calls.len().max(1) as f64
    }
}

/// Runs an algorithm on all lists.
pub fn measure(condition: fn(&[u64]) -> bool, lists: &[Vec<u64>], algorithm: Simplifier) -> Row {
    let (mut calls, mut non_minimal) = (Vec::with_capacity(lists.len()), 0);
    for list in lists {
        let mut count = 0;
        let result = algorithm(list, &mut |ls| {
            count += 1;
            (count <= MAX_COUNT).then(|| condition(ls))
        });
        calls.push(count);
        let is_minimal = result.is_some_and(|ls| is_minimal(condition, &ls));
        non_minimal += usize::from(!is_minimal);
    }
    Row { calls, non_minimal }
}

/// Whether no candidate of `shrink6` satisfies the condition.
pub fn is_minimal(condition: fn(&[u64]) -> bool, ls: &[u64]) -> bool {
    let walk = shrink6(ls, &mut |s| {
        if condition(&s) {
            Break(Halt::Shrunk(s))
        } else {
            Continue(())
        }
    });
    walk.is_continue()
}

/// One table, in Markdown.
pub fn table((name, condition): Condition, lists: &[Vec<u64>]) -> String {
    let mut text = format!(
        "### {name}\n\n| algorithm | worst | mean | median | left non-minimal |\n\
         | --- | ---: | ---: | ---: | ---: |\n"
    );
    for (algorithm_name, algorithm) in ALGORITHMS {
        let row = measure(condition, lists, algorithm);
        let worst = match row.worst() {
            worst if worst > MAX_COUNT => format!("> {MAX_COUNT}"),
            worst => worst.to_string(),
        };
        text.push_str(&format!(
            "| {algorithm_name} | {worst} | {:.1} | {} | {:.1} % |\n",
            row.mean(),
            row.median(),
            row.left()
        ));
    }
    text
}
