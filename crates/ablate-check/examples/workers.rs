//! How much sooner a property is done on several threads, when one case takes a millisecond:
//! random cases that hold, and the reduction of a failure. The property is asleep, so that what
//! else runs on the machine, or how many cores it has, hardly counts; with `busy` it computes, on no
//! more threads than there are cores. `cargo run --release --example workers [busy]`.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

const PROPERTY: Duration = Duration::from_millis(1);
/// How often each is run; the median counts.
const RUNS: usize = 5;

/// What a property does for a millisecond.
#[derive(Clone, Copy)]
enum Work {
    /// Nothing.
    Sleep,
    /// So many rounds of a loop.
    Loop(u64),
}

impl Work {
    /// As many rounds as take a millisecond here.
    fn busy() -> Work {
        let mut rounds = 1000;
        loop {
            let started = Instant::now();
            Work::Loop(rounds).run();
            let took = started.elapsed();
            if took >= PROPERTY {
                let share = PROPERTY.as_secs_f64() / took.as_secs_f64();
                return Work::Loop((rounds as f64 * share) as u64);
            }
            rounds *= 2;
        }
    }

    fn run(self) {
        match self {
            Work::Sleep => sleep(PROPERTY),
            Work::Loop(rounds) => {
                for round in 0..rounds {
                    black_box(round);
                }
            }
        }
    }

    /// On how many threads that makes sense.
    fn workers(self) -> usize {
        match self {
            Work::Sleep => 8,
            Work::Loop(_) => available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }
}

/// What came of it, and the median of what it took.
fn timed(run: impl Fn() -> Report) -> (Report, Duration) {
    let mut took: Vec<(Report, Duration)> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            let report = run();
            (report, started.elapsed())
        })
        .collect();
    took.sort_by_key(|(_, took)| *took);
    took.swap_remove(RUNS / 2)
}

/// Runs on one thread and on more; what comes of it must be the same.
fn compare(name: &str, most: usize, settings: &Settings, property: impl Fn(&mut TestCase) + Sync) {
    let mut one: Option<(Report, Duration)> = None;
    for workers in [1, 2, 4, 8].into_iter().filter(|&workers| workers <= most) {
        let settings = settings.clone().workers(workers);
        let (report, took) = timed(|| settings.run_parallel(&property));
        let (alone, before) = one.get_or_insert_with(|| (report.clone(), took));
        assert_eq!(report.to_string(), alone.to_string(), "{name}");
        let times = before.as_secs_f64() / took.as_secs_f64();
        println!("{name:<34} {workers} workers {took:>10.1?} {times:>5.2} times as fast");
    }
}

fn main() {
    let is_busy = std::env::args().any(|argument| argument == "busy");
    let work = if is_busy { Work::busy() } else { Work::Sleep };
    let most = work.workers();
    let settings = Settings::new().seed(1).storage(Storage::Off).explain(false);
    let lists = || vec(any::<i32>()).len(..200);
    compare(
        "1,000 cases that hold",
        most,
        &settings.clone().cases(1000),
        |tc| {
            tc.draw(lists());
            work.run();
        },
    );
    let large: Vec<String> = (0..100)
        .map(|at| format!("t.{}", at * 7919 % 10007))
        .collect();
    let large = settings.replay(format!("1.{}.f", large.join(".")));
    compare("two elements of a hundred", most, &large, |tc| {
        let xs = tc.draw(lists());
        work.run();
        assert!(!(xs.contains(&7919) && xs.contains(&5677)));
    });
    compare("twenty odd elements of a hundred", most, &large, |tc| {
        let xs = tc.draw(lists());
        work.run();
        assert!(xs.iter().filter(|x| **x % 2 == 1).count() < 20);
    });
}
