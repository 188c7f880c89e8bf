//! How much sooner a property is done on several threads, when one case takes a millisecond:
//! random cases that hold, and the reduction of a failure. The property is asleep, so that what
//! else runs on the machine, or how many cores it has, hardly counts. `cargo run --release --example workers`.

use std::thread::sleep;
use std::time::{Duration, Instant};

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

const PROPERTY: Duration = Duration::from_millis(1);
/// How often each is run; the median counts.
const RUNS: usize = 5;

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
fn compare(name: &str, settings: &Settings, property: impl Fn(&mut TestCase) + Sync) {
    let mut one: Option<(Report, Duration)> = None;
    for workers in [1, 2, 4, 8] {
        let settings = settings.clone().workers(workers);
        let (report, took) = timed(|| settings.run_parallel(&property));
        let (alone, before) = one.get_or_insert_with(|| (report.clone(), took));
        assert_eq!(report.to_string(), alone.to_string(), "{name}");
        let times = before.as_secs_f64() / took.as_secs_f64();
        println!("{name:<34} {workers} workers {took:>10.1?} {times:>5.2} times as fast");
    }
}

fn main() {
    let settings = Settings::new().seed(1).storage(Storage::Off).explain(false);
    let lists = || vec(any::<i32>()).len(..200);
    compare(
        "1,000 cases that hold",
        &settings.clone().cases(1000),
        |tc| {
            tc.draw(lists());
            sleep(PROPERTY);
        },
    );
    let large: Vec<String> = (0..100)
        .map(|at| format!("t.{}", at * 7919 % 10007))
        .collect();
    let large = settings.replay(format!("1.{}.f", large.join(".")));
    compare("two elements of a hundred", &large, |tc| {
        let xs = tc.draw(lists());
        sleep(PROPERTY);
        assert!(!(xs.contains(&7919) && xs.contains(&5677)));
    });
    compare("twenty odd elements of a hundred", &large, |tc| {
        let xs = tc.draw(lists());
        sleep(PROPERTY);
        assert!(xs.iter().filter(|x| **x % 2 == 1).count() < 20);
    });
}
