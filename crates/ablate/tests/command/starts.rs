//! What is said before a reduction begins, when something is wrong with the test.

use crate::bench::{Bench, HAY, NEEDLE, Running};

/// The command refuses to begin, says so, and changes nothing.
#[track_caller]
fn check_refused(bench: &Bench, line: &str, said: &[&str]) {
    bench.run(line).check(3, said);
    assert_eq!(bench.read("a.txt"), HAY);
    assert!(!bench.path("a.txt.orig").exists() && !bench.path("out").exists());
}

#[test]
fn the_original_is_not_interesting() {
    let bench = Bench::new("echo 'no needle here' >&2; exit 7", HAY);
    let said = [
        "exit status 7",
        "cd /",
        "/test.sh",
        "a.txt <",
        "| no needle here",
        "ablate check",
    ];
    check_refused(&bench, "-o out test.sh a.txt", &said);
}

#[test]
fn the_original_takes_too_long() {
    let bench = Bench::new("exec sleep 100", HAY);
    check_refused(
        &bench,
        "--timeout 0.1 test.sh a.txt",
        &["timed out", "--timeout"],
    );
}

#[test]
fn the_test_is_missing() {
    let bench = Bench::needle();
    check_refused(
        &bench,
        "./no.sh a.txt",
        &["the test /", "/no.sh does not exist"],
    );
    check_refused(
        &bench,
        "no-such-command-here a.txt",
        &["does not exist", "PATH"],
    );
}

#[test]
fn a_test_with_arguments_belongs_into_a_script() {
    let bench = Bench::needle();
    let command = bench.command(&["grep -q needle", "a.txt"]);
    let finished = Running::new(command).finish();
    finished.check(3, &["grep -q needle does not exist", "a script"]);
    let finished = bench.run("./test.sh a.txt needle");
    finished.check(2, &["one TEST and one FILE", "'needle'", "a script"]);
    assert!(
        !finished.stderr.contains("subcommand"),
        "{}",
        finished.stderr
    );
}

#[test]
fn the_test_has_no_run_bit() {
    let bench = Bench::needle();
    bench.set_mode("test.sh", 0o644);
    check_refused(&bench, "./test.sh a.txt", &["chmod +x"]);
}

#[test]
fn test_and_file_are_the_wrong_way_round() {
    let bench = Bench::needle();
    bench
        .run("./a.txt test.sh")
        .check(2, &["the test comes first"]);
}

#[test]
fn the_test_has_no_interpreter() {
    let bench = Bench::needle();
    bench.write("test.sh", "#!/no/such/shell\n");
    check_refused(&bench, "./test.sh a.txt", &["\"/no/such/shell\"", "#!"]);
    bench.write("test.sh", "true\n");
    check_refused(&bench, "./test.sh a.txt", &["`#!/bin/sh`"]);
}

#[test]
fn the_test_takes_turns() {
    let script = "echo >> $evidence/calls; [ $(($(wc -l < $evidence/calls) % 2)) = 1 ]";
    let bench = Bench::new(script, HAY);
    check_refused(&bench, "-j1 test.sh a.txt", &["not reliable"]);
}

#[test]
fn a_test_that_changes_its_mind_is_blamed_for_that_alone() {
    let first_is_wrong = "mkdir $evidence/called && exit 1; grep -q needle \"$1\"";
    let two_on_disk_are_wrong = "case $PWD in /dev/shm/*) exit 0;; esac
        mkdir $evidence/first || mkdir $evidence/second || exit 0
        exit 1";
    for script in [first_is_wrong, two_on_disk_are_wrong] {
        let said = ["not reliable", "let it try several times"];
        check_refused(&Bench::new(script, HAY), "-j1 test.sh a.txt", &said);
    }
}

#[test]
fn the_test_depends_on_its_directory() {
    let script = "cat $evidence/first 2>/dev/null || pwd > $evidence/first
                  [ \"$(cat $evidence/first)\" = \"$(pwd)\" ]";
    let bench = Bench::new(script, HAY);
    check_refused(&bench, "test.sh a.txt", &["another directory"]);
}

/// Whoever comes first waits a little for the other one, who finds the lock and ends so.
fn bench_with_lock(end: &str) -> Bench {
    let script = format!(
        "mkdir $evidence/lock 2>/dev/null || {{ touch $evidence/other; {end}; }}
         for i in 1 2 3 4 5 6 7 8; do
             [ -e $evidence/other ] && break
             sleep 0.05
         done
         rm -rf $evidence/lock $evidence/other
         grep -q needle \"$1\""
    );
    Bench::new(&script, HAY)
}

#[test]
fn the_test_can_not_run_twice_at_the_same_time() {
    let bench = bench_with_lock("exit 1");
    check_refused(&bench, "-j2 test.sh a.txt", &["at the same time", "-j 1"]);
    let bench = bench_with_lock("exec sleep 100");
    let said = ["at the same time", "it was given 3.0 s; --timeout"];
    check_refused(&bench, "-j2 --timeout 3 test.sh a.txt", &said);
}

#[test]
fn an_empty_file_is_interesting() {
    let bench = Bench::new("true", HAY);
    check_refused(&bench, "test.sh a.txt", &["empty file", "grep -q"]);
}

#[test]
fn the_test_gets_its_input_only_as_asked() {
    let bench = Bench::new("[ $# = 0 ] && [ ! -e a.txt ] && grep -q needle", HAY);
    check_refused(&bench, "--input arg test.sh a.txt", &["exit status 1"]);
    bench.run("--input stdin test.sh a.txt").check(0, &[]);
    assert_eq!(bench.read("a.txt"), "needle");
    let bench = Bench::new("[ $# = 0 ] && grep -q needle a.txt", HAY);
    bench.run("--input cwd test.sh a.txt").check(0, &[]);
    let bench = Bench::new(NEEDLE, HAY);
    bench.run("--input ear test.sh a.txt").check(2, &["ear"]);
}
