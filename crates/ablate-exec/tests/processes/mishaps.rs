//! What goes wrong, and what is said or done about it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ablate_engine::oracle::{Executor, Job, Stop, Verdict};
use ablate_exec::{Ending, ExecError, LocalProcesses};

use crate::bench::{Bench, candidate};

crate::facts![
    a_test_may_delete_its_input_and_its_directory,
    a_test_may_put_something_else_in_place_of_its_directory,
    a_missing_test_is_named,
    a_test_without_a_run_bit_is_named,
    a_test_without_an_interpreter_is_named,
    a_script_without_a_first_line_is_explained,
    a_test_that_vanishes_is_named,
    a_file_name_must_be_one,
    a_missing_place_for_work_directories_is_named,
    a_test_whose_supervisor_dies_is_run_again,
    a_test_that_always_kills_its_supervisor_is_an_error,
];

fn a_test_may_delete_its_input_and_its_directory() {
    let bench = Bench::new(
        r#"[ "$(cat "$1")" = content ] && [ -d "$TMPDIR" ] || exit 1
           rm -rf "$(pwd)" "$TMPDIR"; rm -rf "$(dirname "$(pwd)")"; exit 0"#,
    );
    let mut processes = bench.start();
    for _ in 0..3 {
        let report = processes.run_once(b"content").unwrap();
        assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
    }
    assert_eq!(processes.statistics().repeated, 0);
}

fn a_test_may_put_something_else_in_place_of_its_directory() {
    let bench = Bench::new(
        r#"[ "$(ls -A)" = input.txt ] || exit 1
           here=$(pwd); cd /; rm -rf "$here"; mkdir -p $evidence/other
           touch $evidence/other/kept; ln -s $evidence/other "$here""#,
    );
    let mut processes = bench.start();
    for _ in 0..3 {
        let report = processes.run_once(b"").unwrap();
        assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
        assert!(bench.evidence("other/kept").exists());
    }
}

/// The words that an error for people has to contain.
fn check_refused(bench: &Bench, words: &[&str]) {
    let refused = LocalProcesses::start(bench.options.borrow().clone())
        .and_then(|mut processes| processes.run_once(b""));
    let message = refused.unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
}

fn a_missing_test_is_named() {
    let bench = Bench::new("").with(|o| o.program = "./no-such-test.sh".into());
    check_refused(&bench, &["no-such-test.sh", "does not exist"]);
}

fn a_test_without_a_run_bit_is_named() {
    let bench = Bench::new("");
    fs::set_permissions(bench.script(), PermissionsExt::from_mode(0o644)).unwrap();
    check_refused(&bench, &["test.sh", "chmod +x"]);
}

fn a_test_without_an_interpreter_is_named() {
    let bench = Bench::new("");
    fs::write(bench.script(), "#!/no/such/shell -e\n").unwrap();
    check_refused(&bench, &["test.sh", "/no/such/shell", "#!"]);
}

fn a_script_without_a_first_line_is_explained() {
    let bench = Bench::new("");
    fs::write(bench.script(), "exit 0\n").unwrap();
    check_refused(&bench, &["test.sh", "#!/bin/sh"]);
}

fn a_test_that_vanishes_is_named() {
    let bench = Bench::new("");
    let mut processes = bench.start();
    processes.run_once(b"").unwrap();
    fs::remove_file(bench.script()).unwrap();
    processes.submit(Job(1), &candidate("")).unwrap();
    assert_eq!(processes.next_verdict(), Err(Stop::Failed));
    let error = processes.take_error();
    assert!(
        matches!(error, Some(ExecError::ProgramMissing { .. })),
        "{error:?}"
    );
}

fn a_file_name_must_be_one() {
    for name in ["", "..", "a/b", "/"] {
        let bench = Bench::new("").with(|options| options.file_name = name.into());
        check_refused(&bench, &["base name"]);
    }
}

fn a_missing_place_for_work_directories_is_named() {
    let bench = Bench::new("").with(|o| o.work_base = Some("/no/such/place".into()));
    check_refused(&bench, &["/no/such/place"]);
}

fn a_test_whose_supervisor_dies_is_run_again() {
    let bench = Bench::new(
        "[ -e $evidence/killed ] && exit 0
         setsid sleep 1000 & echo $! > $evidence/pids
         touch $evidence/killed; kill -9 $PPID; sleep 1000",
    );
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate("")).unwrap();
    let (job, observation) = processes.next_verdict().unwrap();
    assert_eq!((job, observation.verdict), (Job(1), Verdict::Interesting));
    assert_eq!(processes.statistics().repeated, 1);
    assert_eq!(bench.living("pids"), []);
}

fn a_test_that_always_kills_its_supervisor_is_an_error() {
    let bench = Bench::new("kill -9 $PPID; sleep 1000");
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate("")).unwrap();
    assert_eq!(processes.next_verdict(), Err(Stop::Failed));
    assert!(matches!(
        processes.take_error(),
        Some(ExecError::SupervisorDied)
    ));
    assert_eq!(bench.marked(), 0);
}
