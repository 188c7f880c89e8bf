//! Formatters: `--format CMD`.

use crate::bench::Bench;

/// A bench with a formatter, `tidy.sh`, and the options that use it.
fn bench_with(formatter: &str) -> Bench {
    let bench = Bench::new("grep -q needle \"$1\"", "hay needle hay\n");
    bench.write("tidy.sh", format!("#!/bin/sh\n{formatter}\n"));
    bench.set_mode("tidy.sh", 0o755);
    bench
}

#[test]
fn a_result_is_formatted_when_it_stays_interesting() {
    let bench = bench_with("sed 's/needle/<needle>/'; echo");
    let finished = bench.check_json("--format ./tidy.sh test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "<needle>\n");
    assert_eq!(finished["reduced_bytes"], 6);
    assert_eq!(finished["final_bytes"], 9);
}

#[test]
fn a_formatter_that_spoils_the_result_or_fails_changes_nothing() {
    for (formatter, said) in [
        ("tr n N", "not interesting any more"),
        ("echo no >&2; exit 3", "(no)"),
        ("sleep 60", "tidy.sh: "),
    ] {
        let bench = bench_with(formatter);
        let finished = bench.run("--timeout 1 --format ./tidy.sh test.sh a.txt");
        finished.check(0, &["warning: tidy.sh:", said, "the result stays as it is"]);
        assert_eq!(bench.read("a.txt"), "needle", "{formatter}");
    }
}

#[test]
fn a_formatter_that_is_not_there_is_said_at_once() {
    let bench = bench_with("cat");
    let finished = bench.run("--format ./nothing test.sh a.txt");
    finished.check(2, &["--format: ", "/nothing does not exist", "on PATH"]);
    assert!(!finished.stderr.contains("test"), "{}", finished.stderr);
    assert_eq!(bench.read("a.txt"), "hay needle hay\n");
}
