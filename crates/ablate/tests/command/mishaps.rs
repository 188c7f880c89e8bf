//! Tests that behave badly.

use crate::bench::{Bench, HAY, NEEDLE};

#[test]
fn a_test_that_hangs_is_ended_and_counted() {
    let script = "grep -q needle \"$1\" || exit 1; [ $(wc -l < \"$1\") -gt 0 ] || sleep 100";
    let bench = Bench::new(script, "hay\nneedle\nhay\n");
    let last = bench.check_json("--timeout 0.5 test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle\n");
    assert!(last["tests_timed_out"].as_u64() > Some(0));
}

#[test]
fn a_test_may_print_without_end() {
    let script = format!("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; {NEEDLE}");
    let bench = Bench::new(&script, "hay\nneedle\n");
    bench.check_json("--timeout 60 test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle");
}

#[test]
fn daemons_of_a_test_do_not_outlive_it() {
    let script = format!("setsid sleep 300 </dev/null >/dev/null 2>&1 & (sleep 300 &) ; {NEEDLE}");
    let bench = Bench::new(&script, HAY);
    // The end of the run makes sure that nothing is left.
    bench.check_json("test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle");
}

#[test]
fn a_test_may_spoil_its_directory() {
    let script = format!("{NEEDLE}; status=$?; rm -rf ./* \"$PWD\"; exit $status");
    let bench = Bench::new(&script, HAY);
    bench.check_json("test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle");
    let script = format!("{NEEDLE} || exit 1; mkdir b; touch b/c; echo x >> \"$1\"; chmod 0 b .");
    let bench = Bench::new(&script, HAY);
    bench.check_json("test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle");
}

#[test]
fn a_test_that_kills_its_group_kills_nothing_else() {
    let bench = Bench::new(&format!("{NEEDLE} || kill -9 0"), HAY);
    bench.check_json("test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "needle");
}
