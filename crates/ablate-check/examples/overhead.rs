//! How much of the time of a reduction is spent outside the property, when the property takes ten
//! microseconds for a list of 1,000 elements: of several runs the one that was disturbed least, which
//! is that which took the least time.
//! `cargo run --release --example overhead`; so many runs; one of the six by its number.
//!
//! A property that fails unwinds its own frames: its time ends when the last of them is left, but
//! the hook that the library sets for panics is no part of it. The share that is in brackets takes
//! the property for over when it panics.

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

thread_local! {
    /// The time spent in the library's hook for panics.
    static IN_HOOK: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Has the library set its hook, and takes the time of what the hook does from now on.
fn time_the_hook() {
    Settings::new().storage(Storage::Off).cases(1).run(|_| {});
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let started = Instant::now();
        hook(info);
        IN_HOOK.set(IN_HOOK.get() + started.elapsed());
    }));
}

/// The time of one run of a property, until its frame is left.
struct Inside<'a> {
    started: Instant,
    in_hook: Duration,
    sum: &'a Cell<Duration>,
}

impl<'a> Inside<'a> {
    fn begin(sum: &'a Cell<Duration>) -> Inside<'a> {
        Inside {
            started: Instant::now(),
            in_hook: IN_HOOK.get(),
            sum,
        }
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let in_hook = IN_HOOK.get() - self.in_hook;
        self.sum
            .set(self.sum.get() + self.started.elapsed() - in_hook);
    }
}

/// What one reduction took.
struct Took {
    tests: u64,
    total: Duration,
    inside: Duration,
    /// The part of `inside` before a property panicked.
    before_panics: Duration,
}

impl Took {
    fn outside(&self) -> Duration {
        self.total.saturating_sub(self.inside)
    }

    /// The part of the time that was spent outside the property.
    fn share(&self) -> f64 {
        self.outside().as_secs_f64() / self.total.as_secs_f64()
    }

    /// The same, where a property is over when it panics.
    fn share_with_panics(&self) -> f64 {
        1.0 - self.before_panics.as_secs_f64() / self.total.as_secs_f64()
    }
}

fn report(name: &str, runs: usize, run: impl Fn() -> Took) {
    let mut took: Vec<Took> = (0..runs).map(|_| run()).collect();
    took.sort_by_key(|took| took.total);
    let least = &took[0];
    let per_test = |time: Duration| time.as_secs_f64() * 1e6 / least.tests as f64;
    println!(
        "{name:<34} {:>7} tests {:>8.1} us/test inside {:>6.1} us outside {:>5.1} % ({:.1} %)",
        least.tests,
        per_test(least.inside),
        per_test(least.outside()),
        least.share() * 100.0,
        least.share_with_panics() * 100.0,
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
    let (inside, before_panics) = (Cell::default(), Cell::default());
    let settings = Settings::new().storage(Storage::Off).explain(false);
    let replayed = encode(&values);
    let started = Instant::now();
    let run = settings.replay(replayed).run(|tc| {
        let inside = Inside::begin(&inside);
        let xs = tc.draw(vec(any::<i32>()).len(..2000));
        work(Instant::now());
        let holds = holds(&xs);
        before_panics.set(before_panics.get() + inside.started.elapsed());
        assert!(holds);
    });
    Took {
        tests: run.failures[0].tests,
        total: started.elapsed(),
        inside: inside.get(),
        before_panics: before_panics.get(),
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
        before_panics: inside,
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
    time_the_hook();
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
