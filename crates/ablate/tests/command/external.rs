//! Passes from outside: `--with CMD`.

use crate::bench::Bench;

/// The example that ships with the project.
const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/passes/drop_python_docstrings.py"
);

/// A bench with an external pass, `pass.sh`, of which the lines of `answers` are what it does.
fn bench_with(pass: &str) -> Bench {
    let bench = Bench::new("grep -q needle \"$1\"", "hay (needle) hay\n");
    bench.write("pass.sh", format!("#!/bin/sh\n{pass}\n"));
    bench.set_mode("pass.sh", 0o755);
    bench
}

/// Only the pass from outside can do something: `sort_lines` has nothing to do on one line.
const ALONE: &str = "--passes sort_lines --with ./pass.sh";

#[track_caller]
fn check_pass(pass: &str, expected: &str) {
    let bench = bench_with(pass);
    bench.check_json(&format!("{ALONE} test.sh a.txt"), 0);
    assert_eq!(bench.read("a.txt"), expected, "{pass}");
}

/// The reduction goes on without a pass that misbehaves, and says why.
#[track_caller]
fn check_misbehaviour(pass: &str, said: &str) {
    let bench = bench_with(pass);
    let finished = bench.run("--timeout 1 --with ./pass.sh test.sh a.txt");
    finished.check(0, &["warning: with pass.sh:", said, "goes on without it"]);
    assert_eq!(bench.read("a.txt"), "needle", "{pass}");
}

#[test]
fn the_example_deletes_docstrings() {
    let text = "\"\"\"Module.\"\"\"\ndef f():\n    '''One.\n\n    É!'''\n    return 1\n\
                class A:\n    'Only.'\n";
    let bench = Bench::new("grep -q return \"$1\" && python3 -I \"$1\"", text);
    let line = format!("--passes sort_lines --with {EXAMPLE} test.sh a.txt");
    bench.check_json(&line, 0);
    assert_eq!(
        bench.read("a.txt"),
        "def f():\n    return 1\nclass A:\n    0\n"
    );
}

#[test]
fn what_a_pass_from_outside_proposes_is_tried() {
    check_pass("echo '{\"edits\": [[0, 4], [12, 17]]}'", "(needle)");
    check_pass(
        "echo '{\"candidate\": \"hay\"}'; echo '{\"candidate\": \"a needle\"}'",
        "a needle",
    );
    // As long as it finds the word; each target is asked for once.
    check_pass(
        "grep -q hay \"$1\" && sed 's/hay//' | sed 's/.*/{\"candidate\": \"&\"}/'; exit 0",
        " (needle) ",
    );
}

#[test]
fn what_is_not_simpler_is_passed_over() {
    check_pass(
        "echo '{\"candidate\": \"a much longer text with a needle\"}'",
        "hay (needle) hay\n",
    );
}

#[test]
fn the_arguments_of_a_pass_come_before_the_test_case() {
    let bench = bench_with("echo \"{\\\"candidate\\\": \\\"$1 $2\\\"}\"");
    let arguments = ["--passes", "sort_lines", "--with", "./pass.sh a needle"];
    bench
        .start(&[&arguments[..], &["test.sh", "a.txt"]].concat())
        .finish()
        .check(0, &[]);
    assert_eq!(bench.read("a.txt"), "a needle");
}

#[test]
fn a_pass_that_misbehaves_is_given_up() {
    check_misbehaviour("echo Oh no >&2; exit 3", "exit status 3 (Oh no)");
    check_misbehaviour("kill -9 $$", "ended by SIGKILL");
    check_misbehaviour("sleep 300 & sleep 300", "timed out");
    check_misbehaviour("echo nonsense", "line 1 of what it printed is no answer");
    check_misbehaviour(
        "echo '{\"edits\": [[0, 99]]}'",
        "line 1: edits overlap, or lie beyond",
    );
    check_misbehaviour(
        "yes '{\"candidate\": \"x\"}'| head -c 40000000",
        "more than 16777216 bytes",
    );
}

#[test]
fn a_pass_that_is_not_there_is_a_mistake() {
    let bench = Bench::needle();
    let finished = bench.run("--with ./missing test.sh a.txt");
    finished.check(2, &["--with: ", "/missing does not exist", "on PATH"]);
    assert!(!finished.stderr.contains("test"), "{}", finished.stderr);
}

#[test]
fn nothing_depends_on_the_number_of_workers() {
    let pass = "grep -o hay \"$1\" | head -1 | sed 's/.*/{\"edits\": [[0, 1]]}/'; exit 0";
    let hash = |jobs: &str| {
        let bench = bench_with(pass);
        let last = bench.check_json(&format!("{jobs} --with ./pass.sh test.sh a.txt"), 0);
        last["trace_hash"].clone()
    };
    assert_eq!(hash("-j1"), hash("-j4"));
}
