//! Measures what a test costs above a bare spawn of the same command, and how busy two workers
//! keep two cores; also, without a goal, what it takes to cancel a test and start the next. Ends with status 1 when a goal is missed.
//!
//! `cargo run --release -p ablate-exec --example overhead [RUNS]`

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use ablate_engine::oracle::{Executor, Job};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_exec::{LocalProcesses, Options, TimeLimit};
use nix::time::{ClockId, clock_gettime};

/// At the median, above a bare spawn.
const COST_GOAL: Duration = Duration::from_micros(300);
/// The share of the time in which the slots' tests run.
const BUSY_GOAL: f64 = 0.95;
const SPIN: Duration = Duration::from_millis(20);
const SPIN_ARGUMENT: &str = "--spin";

fn main() -> ExitCode {
    ablate_exec::supervisor::run_if_asked();
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some(SPIN_ARGUMENT) {
        spin();
        return ExitCode::SUCCESS;
    }
    let runs = argument.and_then(|runs| runs.parse().ok()).unwrap_or(2_000);
    let is_cheap = measure_cost("/bin/true", runs) & measure_cost("/bin/sh", runs);
    let is_busy = measure_busy(runs / 4);
    measure_cancel(runs / 4);
    ExitCode::from(u8::from(!(is_cheap && is_busy)))
}

/// Uses a core for a fixed time of its own.
fn spin() {
    let used = || clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map(Duration::from);
    while used().is_ok_and(|used| used < SPIN) {}
}

fn options(program: impl Into<std::path::PathBuf>, slots: usize) -> Options {
    Options {
        slots,
        time_limit: TimeLimit::fixed(Duration::from_secs(10)),
        ..Options::new(program, "input.txt")
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// One worker, tests one after the other, in turn with bare spawns, so that whatever else the
/// machine does weighs on both.
fn measure_cost(program: &str, runs: usize) -> bool {
    let content = "int main() { return 0; }\n".repeat(100).into_bytes();
    let target = Target::new(content);
    let mut processes = LocalProcesses::start(Options {
        arguments: vec!["-c".into(), ":".into()],
        ..options(program, 1)
    })
    .expect("the test can be run");
    let (mut bare, mut tested) = (Vec::new(), Vec::new());
    for run in 0..runs {
        let started = Instant::now();
        let status = Command::new(program)
            .args(["-c", ":", "input.txt"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .and_then(|mut child| child.wait());
        bare.push(started.elapsed());
        assert!(status.is_ok_and(|status| status.success()));

        let candidate = target.candidate(Patch::cut(run % 100, run % 100 + 50));
        let started = Instant::now();
        processes
            .submit(Job(run as u64), &candidate)
            .expect("submitted");
        processes.next_verdict().expect("a verdict");
        tested.push(started.elapsed());
    }
    let (bare, tested) = (median(bare), median(tested));
    let cost = tested.saturating_sub(bare);
    println!(
        "{program}: bare spawn {bare:?}, test {tested:?}, cost {cost:?} (goal {COST_GOAL:?}) \
         at the median of {runs}"
    );
    cost <= COST_GOAL
}

/// Two workers, tests of 20 ms that are asked for as soon as a slot is free.
fn measure_busy(runs: usize) -> bool {
    const SLOTS: usize = 2;
    let program = std::env::current_exe().expect("a path");
    let target = Target::new(vec![b'x'; 10_000]);
    let mut processes = LocalProcesses::start(Options {
        arguments: vec![SPIN_ARGUMENT.into()],
        ..options(program, SLOTS)
    })
    .expect("the test can be run");
    // The supervisors start with the first tests.
    processes.run_together(b"x", SLOTS).expect("runs");
    let before = processes.statistics().test_time;
    let started = Instant::now();
    let mut submitted = 0;
    let mut submit = |processes: &mut LocalProcesses| {
        let candidate = target.candidate(Patch::cut(submitted, submitted + 1));
        processes
            .submit(Job(submitted as u64), &candidate)
            .expect("submitted");
        submitted += 1;
        submitted < runs
    };
    (1..SLOTS).for_each(|_| {
        submit(&mut processes);
    });
    while submit(&mut processes) {
        processes.next_verdict().expect("a verdict");
    }
    (0..SLOTS).for_each(|_| {
        processes.next_verdict().expect("a verdict");
    });
    let wall = started.elapsed();
    let tested = processes.statistics().test_time - before;
    let busy = tested.as_secs_f64() / (wall.as_secs_f64() * SLOTS as f64);
    let spun = (SPIN * runs as u32).as_secs_f64() / (wall.as_secs_f64() * SLOTS as f64);
    println!(
        "{SLOTS} workers, tests of {SPIN:?}: {:.1} % busy (goal {:.0} %); the tests alone got {:.1} % \
         of two cores",
        busy * 100.0,
        BUSY_GOAL * 100.0,
        spun * 100.0
    );
    busy >= BUSY_GOAL
}

/// One worker: how long it takes from cancelling a test, a shell that waits for another process,
/// until the next is started.
fn measure_cancel(runs: usize) {
    let target = Target::new(vec![b'x'; 10_000]);
    let mut processes = LocalProcesses::start(Options {
        arguments: vec!["-c".into(), "sleep 100; true".into()],
        ..options("/bin/sh", 1)
    })
    .expect("the test can be run");
    let candidate = target.candidate(Patch::cut(0, 1));
    processes.submit(Job(0), &candidate).expect("submitted");
    let mut times = Vec::new();
    for run in 1..=runs as u64 {
        std::thread::sleep(Duration::from_millis(5));
        let started = Instant::now();
        processes.cancel(Job(run - 1));
        processes.submit(Job(run), &candidate).expect("submitted");
        times.push(started.elapsed());
    }
    println!(
        "cancelling a test and starting the next: {:?} at the median of {runs}",
        median(times)
    );
}
