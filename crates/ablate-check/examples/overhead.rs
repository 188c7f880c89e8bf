//! How much of the time of a reduction is spent outside the property, when the property takes ten
//! microseconds for a list of 1,000 elements: of several runs the one with the median share.
//! `cargo run --release --example overhead`; so many runs; one of the six by its number.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ablate_check::choice::{Value, encode};
use ablate_check::prelude::*;
use ablate_check::{Storage, list};

const PROPERTY: Duration = Duration::from_micros(10);
/// How often each is run unless told otherwise.
const RUNS: usize = 15;

/// Works for ten microseconds.
fn work(started: Instant) {
    while started.elapsed() < PROPERTY {
        black_box(0);
    }
}

/// What one reduction took.
struct Took {
    tests: u64,
    total: Duration,
    inside: Duration,
}

impl Took {
    fn outside(&self) -> Duration {
        self.total.saturating_sub(self.inside)
    }

    /// The part of the time that was spent outside the property.
    fn share(&self) -> f64 {
        self.outside().as_secs_f64() / self.total.as_secs_f64()
    }
}

fn report(name: &str, runs: usize, run: impl Fn() -> Took) {
    let mut took: Vec<Took> = (0..runs).map(|_| run()).collect();
    took.sort_by(|a, b| a.share().total_cmp(&b.share()));
    let median = &took[runs / 2];
    let per_test = |time: Duration| time.as_secs_f64() * 1e6 / median.tests as f64;
    println!(
        "{name:<34} {:>7} tests {:>8.1} us/test inside {:>6.1} us outside {:>5.1} %",
        median.tests,
        per_test(median.inside),
        per_test(median.outside()),
        median.share() * 100.0,
    );
}

fn through_generators(holds: Condition) -> Took {
    let mut values: Vec<Value> = Vec::new();
    for at in 0..1000i128 {
        values.extend([
            Value::Boolean(true),
            Value::Integer(at * 7919 % 10007 - 5000),
        ]);
    }
    values.push(Value::Boolean(false));
    let inside = Cell::new(Duration::ZERO);
    let settings = Settings::new().storage(Storage::Off).explain(false);
    let started = Instant::now();
    let run = settings.replay(encode(&values)).run(|tc| {
        let started = Instant::now();
        let xs = tc.draw(vec(any::<i32>()).len(..2000));
        work(Instant::now());
        let holds = holds(&xs);
        inside.set(inside.get() + started.elapsed());
        assert!(holds);
    });
    Took {
        tests: run.failures[0].tests,
        total: started.elapsed(),
        inside: inside.get(),
    }
}

fn as_a_list(holds: Condition) -> Took {
    let start: Vec<i32> = (0..1000).map(|at| at * 7919 % 10007 - 5000).collect();
    let mut inside = Duration::ZERO;
    let started = Instant::now();
    let reduced = list::reduce(&start, |xs| {
        let started = Instant::now();
        work(started);
        let holds = holds(xs);
        inside += started.elapsed();
        !holds
    });
    Took {
        tests: reduced.calls,
        total: started.elapsed(),
        inside,
    }
}

type Condition = fn(&[i32]) -> bool;

fn main() {
    let few = |xs: &[i32]| !(xs.contains(&1735) && xs.contains(&4141));
    let half = |xs: &[i32]| xs.iter().filter(|x| **x % 2 == 1).count() < 200;
    let long = |xs: &[i32]| xs.len() < 900;
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().ok());
    let runs = arguments.next().flatten().unwrap_or(RUNS).max(1);
    let only: Option<usize> = arguments.next().flatten();
    let conditions: [(&str, Condition); 3] = [
        ("two elements", few),
        ("two hundred odd elements", half),
        ("nine hundred elements", long),
    ];
    for (number, (name, holds)) in conditions.into_iter().enumerate() {
        if only.is_none_or(|only| only == 2 * number) {
            report(&format!("{name}, drawn"), runs, || {
                through_generators(holds)
            });
        }
        if only.is_none_or(|only| only == 2 * number + 1) {
            report(&format!("{name}, as a list"), runs, || as_a_list(holds));
        }
    }
}
