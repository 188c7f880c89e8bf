//! How much of the time of a reduction is spent outside the property, when the property takes ten
//! microseconds for a list of 1,000 elements. `cargo run --release --example overhead`; one of the six by
//! its number.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ablate_check::choice::{Value, encode};
use ablate_check::prelude::*;
use ablate_check::{Storage, list};

const PROPERTY: Duration = Duration::from_micros(10);

/// Works for ten microseconds.
fn work(started: Instant) {
    while started.elapsed() < PROPERTY {
        black_box(0);
    }
}

fn report(name: &str, tests: u64, total: Duration, inside: Duration) {
    let outside = total.saturating_sub(inside);
    println!(
        "{name:<34} {tests:>7} tests {:>8.1} us/test inside {:>6.1} us outside {:>5.1} %",
        inside.as_secs_f64() * 1e6 / tests as f64,
        outside.as_secs_f64() * 1e6 / tests as f64,
        outside.as_secs_f64() * 100.0 / total.as_secs_f64()
    );
}

fn through_generators(name: &str, holds: fn(&[i32]) -> bool) {
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
    report(name, run.failures[0].tests, started.elapsed(), inside.get());
}

fn as_a_list(name: &str, holds: fn(&[i32]) -> bool) {
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
    report(name, reduced.calls, started.elapsed(), inside);
}

type Condition = fn(&[i32]) -> bool;

fn main() {
    let few = |xs: &[i32]| !(xs.contains(&1735) && xs.contains(&4141));
    let half = |xs: &[i32]| xs.iter().filter(|x| **x % 2 == 1).count() < 200;
    let long = |xs: &[i32]| xs.len() < 900;
    let only: Option<usize> = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let runs: [(&str, Condition); 3] = [
        ("two elements", few),
        ("two hundred odd elements", half),
        ("nine hundred elements", long),
    ];
    for (number, (name, holds)) in runs.into_iter().enumerate() {
        if only.is_none_or(|only| only == 2 * number) {
            through_generators(&format!("{name}, drawn"), holds);
        }
        if only.is_none_or(|only| only == 2 * number + 1) {
            as_a_list(&format!("{name}, as a list"), holds);
        }
    }
}
