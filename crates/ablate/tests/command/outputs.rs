//! What becomes of what is where the result goes.

use serde_json::Value;

use crate::bench::{Bench, HAY, wait_until};

/// A run whose result goes to `out.txt`, where this is, has to end so, and say this.
#[track_caller]
fn check_beside(there: &str, said: &[&str]) -> Bench {
    let bench = Bench::needle();
    bench.write("out.txt", there);
    bench.run("-o out.txt test.sh a.txt").check(0, said);
    assert_eq!(bench.read("out.txt"), "needle");
    assert_eq!(bench.read("a.txt"), HAY);
    bench
}

#[test]
fn a_second_run_goes_on_from_what_the_first_has_reached() {
    let bench = Bench::needle();
    let line = "-o out.txt --max-tests 2 --passes delete_lines test.sh a.txt";
    bench.check_json(line, 4);
    let reached = bench.read("out.txt");
    assert!(reached.len() < HAY.len(), "{reached:?}");
    let finished = bench.run("--message-format json -o out.txt test.sh a.txt");
    finished.check(0, &[]);
    let messages = finished.messages();
    assert_eq!(messages[0]["reached_bytes"], reached.len());
    assert_eq!(messages[0]["kept"], Value::Null);
    assert_eq!(messages.last().unwrap()["initial_bytes"], HAY.len());
    assert_eq!(bench.read("out.txt"), "needle");
    let finished = bench.run("-o out.txt test.sh a.txt");
    finished.check(
        0,
        &["going on from out.txt, 6 bytes", "25 bytes -> 6 bytes"],
    );
    assert!(!bench.path("out.txt.orig").exists());
}

#[test]
fn what_is_not_interesting_is_kept_beside_the_result() {
    let said = "what was in out.txt is kept as out.txt.orig";
    let bench = check_beside("notes", &[said]);
    assert_eq!(bench.read("out.txt.orig"), "notes");
    bench.write("out.txt", "other notes");
    bench.write("a.txt", "needle.");
    let finished = bench.run("--message-format json -o out.txt test.sh a.txt");
    finished.check(0, &[]);
    assert_eq!(finished.messages()[0]["kept"], "out.txt.orig.1");
    assert_eq!(bench.read("out.txt.orig"), "notes");
    assert_eq!(bench.read("out.txt.orig.1"), "other notes");
}

#[test]
fn what_is_no_simpler_than_the_original_is_kept_too() {
    let there = format!("more {HAY}");
    let bench = check_beside(&there, &["kept as out.txt.orig"]);
    assert_eq!(bench.read("out.txt.orig"), there);
}

#[test]
fn the_original_itself_and_nothing_at_all_need_not_be_kept() {
    for there in [HAY, ""] {
        let bench = check_beside(there, &["goes to out.txt"]);
        assert!(!bench.path("out.txt.orig").exists(), "{there:?}");
    }
}

#[test]
fn what_somebody_else_writes_meanwhile_is_kept_beside_the_result() {
    // The test waits for it where the reduction has come some way.
    let script = "grep -q needle \"$1\" || exit 1
        [ $(wc -c < \"$1\") -gt 60 ] && exit 0
        touch $evidence/waits
        until [ -e $evidence/written ]; do sleep 0.01; done";
    let hay = "hay\n".repeat(20);
    let bench = Bench::new(script, &format!("{hay}needle\n{hay}"));
    let running = bench.start(&["test.sh", "a.txt"]);
    wait_until("a test waits", || bench.path("evidence/waits").exists());
    bench.write("a.txt", "something else");
    bench.write("evidence/written", "");
    let said = "warning: a.txt was changed meanwhile; what was in it is kept as a.txt.orig.1";
    running.finish().check(0, &[said]);
    assert_eq!(bench.read("a.txt"), "needle");
    assert_eq!(bench.read("a.txt.orig.1"), "something else");
    assert!(!bench.path("a.txt.orig.2").exists());
}

#[test]
fn a_run_that_can_not_begin_leaves_all_as_it_was() {
    let bench = Bench::new("exit 1", HAY);
    bench.write("out.txt", "notes");
    bench.run("-o out.txt test.sh a.txt").check(3, &[]);
    assert_eq!(bench.read("out.txt"), "notes");
    assert!(!bench.path("out.txt.orig").exists());
}
