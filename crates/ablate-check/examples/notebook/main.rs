//! "Designing a better simplifier" (D. R. MacIver, 2017), run: its traces and its tables.
//!
//! `cargo run --release --example notebook` prints the tables on fresh data sets of 1,000 lists a
//! condition; `-- traces` prints its eighteen traces; `-- tables 200 7` takes 200 lists and seed 7.
//!
//! `multicourse_shrink5` is as in the document, whose budget falls to 0: it stops on lists that
//! can still be reduced. The column "left non-minimal" says how often.

mod algorithms;
mod conditions;
mod tables;
mod trace;

use conditions::{CONDITIONS, dataset};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|a| a == "traces") {
        for cell in trace::cells() {
            let (text, totals) = trace::show_trace(&cell);
            println!(
                "In [{}]: {totals:?} expected {:?}\n\n{text}",
                cell.number, cell.totals
            );
        }
        return;
    }
    let number = |at: usize, usual: u64| {
        let given = arguments.get(at).and_then(|text| text.parse().ok());
        given.unwrap_or(usual)
    };
    let (count, seed) = (number(1, 1000) as usize, number(2, 0));
    println!(
        "{count} lists a condition, seed {seed}; stopped at {} calls\n",
        tables::MAX_COUNT
    );
    for condition in CONDITIONS {
        let lists = dataset(condition.1, count, seed);
        println!("{}", tables::table(condition, &lists));
    }
}
