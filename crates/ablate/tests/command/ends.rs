//! How a reduction ends, also when it is ended.

use nix::sys::signal::Signal;

use crate::bench::{Bench, HAY, Running, wait_until};

/// Keeps the word, as long as there are some bytes more; hangs on what is shorter.
const HANGING: &str = "grep -q needle \"$1\" || exit 1
    [ $(wc -c < \"$1\") -gt 20 ] && exit 0
    touch $evidence/hangs
    exec sleep 100";

/// A test case for that, and a reduction of it that has come so far that it hangs.
fn hanging() -> (Bench, Running) {
    let hay = "hay\n".repeat(20);
    let bench = Bench::new(HANGING, &format!("{hay}needle\n{hay}"));
    let running = bench.start(&[
        "--timeout",
        "90",
        "--message-format",
        "json",
        "test.sh",
        "a.txt",
    ]);
    wait_until("a test hangs", || bench.path("evidence/hangs").exists());
    (bench, running)
}

#[track_caller]
fn check_valid(bench: &Bench) {
    let result = bench.read("a.txt");
    assert!(result.contains("needle") && result.len() > 20, "{result:?}");
    assert_eq!(bench.read("a.txt.orig").len(), 167);
}

#[track_caller]
fn check_interrupted_by(signal: Signal) {
    let (bench, running) = hanging();
    running.kill(signal);
    let finished = running.finish();
    finished.check(5, &[]);
    let last = finished.messages().pop().unwrap();
    assert_eq!(last["reason"], "interrupted");
    assert_eq!(last["complete"], false);
    assert_eq!(last["final_bytes"], bench.read("a.txt").len());
    check_valid(&bench);
}

#[test]
fn ctrl_c_keeps_the_best_so_far() {
    check_interrupted_by(Signal::SIGINT);
}

#[test]
fn a_request_to_end_keeps_the_best_so_far() {
    check_interrupted_by(Signal::SIGTERM);
    check_interrupted_by(Signal::SIGHUP);
}

#[test]
fn a_closed_terminal_ends_nothing_under_nohup() {
    let script = "grep -q needle \"$1\" || exit 1
        touch $evidence/runs
        until [ -e $evidence/closed ]; do sleep 0.01; done";
    let bench = Bench::new(script, "hay\nneedle\n");
    let ablate = bench.command(&["-j2", "test.sh", "a.txt"]);
    let mut nohup = bench.command_of("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    nohup.arg(ablate.get_program()).args(ablate.get_args());
    let running = Running::new(nohup);
    wait_until("the test runs", || bench.path("evidence/runs").exists());
    running.kill(Signal::SIGHUP);
    bench.write("evidence/closed", "");
    running.finish().check(0, &[]);
    assert_eq!(bench.read("a.txt"), "needle");
}

#[test]
fn being_killed_leaves_a_whole_file_and_no_processes() {
    let (bench, running) = hanging();
    running.kill(Signal::SIGKILL);
    assert_eq!(running.finish().status, None);
    check_valid(&bench);
}

#[test]
fn an_interrupt_during_the_first_checks_changes_nothing() {
    let bench = Bench::new("touch $evidence/hangs; exec sleep 100", "needle");
    let running = bench.start(&["test.sh", "a.txt"]);
    wait_until("the test runs", || bench.path("evidence/hangs").exists());
    running.kill(Signal::SIGINT);
    running
        .finish()
        .check(5, &["interrupted", "nothing was changed"]);
    assert!(!bench.path("a.txt.orig").exists());
}

#[test]
fn a_budget_of_tests_is_kept() {
    let bench = Bench::needle();
    let last = bench.check_json("--max-tests 3 test.sh a.txt", 4);
    assert_eq!(
        (&last["reason"], &last["tests_logical"]),
        (&"budget".into(), &3.into())
    );
    assert!(bench.read("a.txt").contains("needle"));
}

#[test]
fn a_budget_of_time_is_kept() {
    let hay = "hay\n".repeat(20);
    let bench = Bench::new(HANGING, &format!("{hay}needle\n{hay}"));
    let finished = bench.run("--max-time 2 --timeout 90 test.sh a.txt");
    finished.check(4, &[]);
    assert!(bench.read("a.txt").len() > 20);
    bench
        .run("--max-time 0 test.sh a.txt")
        .check(4, &["--max-time"]);
}

/// Finds what is left in the end interesting once, and never again.
const ONCE: &str = "grep -q needle \"$1\" || exit 1
    [ \"$(cat \"$1\")\" = needle ] || exit 0
    mkdir $evidence/seen";

#[test]
fn a_test_that_does_not_hold_on_the_result_is_told() {
    for (options, status) in [("", 0), ("--max-tests 25", 4)] {
        let bench = Bench::new(ONCE, HAY);
        let finished = bench.run(&format!("-j1 {options} test.sh a.txt"));
        let said = [
            "warning: the test is not reliable: run once more on the result, it did not",
            "let it try several times",
        ];
        finished.check(status, &said);
        assert_eq!(bench.read("a.txt"), "needle");
    }
    let bench = Bench::new(ONCE, HAY);
    let last = bench.check_json("-j1 test.sh a.txt", 0);
    assert_eq!([&last["rechecks"], &last["rechecks_failed"]], [1, 1]);
}

#[test]
fn the_test_is_run_again_on_the_result_a_twentieth_of_the_times_that_it_was_run() {
    let bench = Bench::needle();
    let last = bench.check_json("-j1 --passes delete_lines test.sh a.txt", 0);
    assert!(last["tests_logical"].as_u64() < Some(10));
    assert_eq!([&last["rechecks"], &last["rechecks_failed"]], [0, 0]);
    let bench = Bench::needle();
    let last = bench.check_json("-j1 test.sh a.txt", 0);
    assert_eq!([&last["rechecks"], &last["rechecks_failed"]], [1, 0]);
    // Checked three times at the start on the original, and once on nothing.
    let (run, logical) = (last["tests_run"].as_u64(), last["tests_logical"].as_u64());
    assert_eq!(run, logical.map(|logical| logical + 4 + 1));
}

#[test]
fn what_was_reduced_is_not_reduced_further() {
    let bench = Bench::needle();
    bench.run("test.sh a.txt").check(0, &[]);
    let last = bench.check_json("test.sh a.txt", 0);
    assert_eq!(
        (&last["accepted"], &last["final_bytes"]),
        (&0.into(), &6.into())
    );
    assert_eq!(last["tests_logical"], last["tests_after_last_success"]);
}
