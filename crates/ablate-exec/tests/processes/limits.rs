//! The bounds that a test runs into.

use std::time::{Duration, Instant};

use ablate_engine::oracle::{Executor, Job, Stop, Verdict};
use ablate_exec::{Ending, TimeLimit};

use crate::bench::{Bench, candidate, role};

crate::facts![
    a_test_that_takes_too_long_is_ended_with_all_it_started,
    the_time_limit_follows_interesting_runs,
    a_test_gets_no_more_memory_than_it_may,
    a_flood_of_output_is_bounded,
    output_after_the_end_of_the_test_is_not_waited_for,
    a_test_need_not_read_its_input,
    a_raised_flag_ends_the_wait,
    a_signal_raises_the_flag,
    a_deadline_ends_the_wait,
    the_flag_and_the_deadline_are_heard_while_nobody_waits,
    a_flag_that_was_up_before_ends_a_first_run_too,
];

fn a_test_that_takes_too_long_is_ended_with_all_it_started() {
    let bench = Bench::new(
        "trap '' TERM; setsid sleep 1000 & echo $! > $evidence/pids; echo waiting; sleep 1000",
    )
    .with(|options| options.time_limit = TimeLimit::fixed(Duration::from_millis(300)));
    let mut processes = bench.start();
    let started = Instant::now();
    processes.submit(Job(1), &candidate("")).unwrap();
    let (_, observation) = processes.next_verdict().unwrap();
    assert_eq!(observation.verdict, Verdict::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(bench.living("pids"), []);
    let report = processes.report().unwrap();
    assert_eq!(report.ending, Ending::TimedOut);
    assert_eq!(report.stdout.tail, b"waiting\n");
    assert!(report.duration >= report.limit);
    assert_eq!(processes.statistics().timed_out, 1);
}

fn the_time_limit_follows_interesting_runs() {
    let bench = Bench::new("grep -q yes").with(|o| o.time_limit = TimeLimit::adaptive());
    let mut processes = bench.start();
    processes.run_once(b"no").unwrap();
    assert_eq!(processes.time_limit(), TimeLimit::CEILING);
    processes.run_once(b"yes").unwrap();
    assert!(processes.time_limit() < TimeLimit::CEILING);
}

fn a_test_gets_no_more_memory_than_it_may() {
    let (program, arguments) = role("allocate", &[]);
    let bench = Bench::new("").with(|options| {
        options.program = program;
        options.arguments = arguments;
    });
    assert_eq!(bench.run("").ending, Ending::Exited(0));
    let bench = bench.with(|options| options.memory_limit = Some(512 << 20));
    assert_eq!(bench.run("").ending, Ending::Exited(3));
}

fn a_flood_of_output_is_bounded() {
    let bench = Bench::new("head -c 1000000000 /dev/zero; echo end; echo small >&2");
    let report = bench.run("");
    assert_eq!(report.ending, Ending::Exited(0));
    assert_eq!(report.stdout.total_bytes, 1_000_000_004);
    assert_eq!(report.stdout.tail.len(), 64 << 10);
    assert!(report.stdout.tail.ends_with(b"\0end\n"));
    assert_eq!(report.stderr.tail, b"small\n");
}

fn output_after_the_end_of_the_test_is_not_waited_for() {
    let bench = Bench::new("yes & echo started; exit 0");
    let report = bench.run("");
    assert_eq!(report.ending, Ending::Exited(0));
    assert!(report.stdout.tail.len() <= 64 << 10);
}

fn a_test_need_not_read_its_input() {
    let bench = Bench::new("exec < /dev/null; exit 0");
    let content = "x".repeat(10_000_000);
    let mut processes = bench.start();
    for _ in 0..3 {
        let report = processes.run_once(content.as_bytes()).unwrap();
        assert_eq!(report.ending, Ending::Exited(0));
    }
}

fn a_raised_flag_ends_the_wait() {
    let bench = Bench::new("sleep 1000");
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate("")).unwrap();
    let flag = processes.interrupt();
    let raiser = std::thread::spawn(move || flag.raise());
    assert_eq!(processes.next_verdict(), Err(Stop::Interrupted));
    raiser.join().unwrap();
    assert_eq!(processes.interrupt().count(), 1);
    assert!(processes.take_error().is_none());
}

fn a_signal_raises_the_flag() {
    use nix::sys::signal::{Signal, raise};
    let bench = Bench::new("sleep 1000");
    let mut processes = bench.start();
    let flag = processes.interrupt();
    flag.raise_on(&[Signal::SIGUSR1 as i32]).unwrap();
    processes.submit(Job(1), &candidate("")).unwrap();
    raise(Signal::SIGUSR1).unwrap();
    assert_eq!(processes.next_verdict(), Err(Stop::Interrupted));
    raise(Signal::SIGUSR1).unwrap();
    assert_eq!(flag.count(), 2);
}

fn a_deadline_ends_the_wait() {
    let bench = Bench::new("sleep 1000");
    let mut processes = bench.start();
    processes.set_deadline(Some(Instant::now() + Duration::from_millis(100)));
    processes.submit(Job(1), &candidate("")).unwrap();
    assert_eq!(processes.next_verdict(), Err(Stop::Budget));
}

fn the_flag_and_the_deadline_are_heard_while_nobody_waits() {
    let bench = Bench::new("true");
    let mut processes = bench.start();
    let alarm = processes.alarm().unwrap();
    assert_eq!((alarm.0)(), None);
    processes.set_deadline(Some(Instant::now()));
    let late = processes.alarm().unwrap();
    assert_eq!((late.0)(), Some(Stop::Budget));
    processes.interrupt().raise();
    assert_eq!((alarm.0)(), Some(Stop::Interrupted));
}

fn a_flag_that_was_up_before_ends_a_first_run_too() {
    let bench = Bench::new("sleep 1000");
    let mut processes = bench.start();
    processes.interrupt().raise();
    let stopped = processes.run_once(b"").unwrap_err();
    assert!(matches!(
        stopped,
        ablate_exec::ExecError::Stopped(Stop::Interrupted)
    ));
}
