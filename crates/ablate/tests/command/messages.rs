//! What is said, to programs and to people.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::archives::{NEEDLE_IN_PAGES, with_archive};
use crate::bench::{Bench, HAY, Running};

/// The fields of the last message.
const LAST: &[&str] = &[
    "event",
    "reason",
    "initial_bytes",
    "final_bytes",
    "reduced_bytes",
    "tests_logical",
    "tests_run",
    "tests_cancelled",
    "tests_cached",
    "tests_timed_out",
    "tests_after_last_success",
    "accepted",
    "wall_s",
    "test_time_s",
    "complete",
    "proof_candidates",
    "rechecks",
    "rechecks_failed",
    "result_hash",
    "trace_hash",
];

fn count(message: &Value, field: &str) -> u64 {
    message[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} is no number in {message}"))
}

#[test]
fn the_last_message_agrees_with_the_others_and_with_the_result() {
    let bench = Bench::needle();
    let finished = bench.run("--message-format json -v test.sh a.txt");
    finished.check(0, &[]);
    let messages = finished.messages();
    let of = |event: &str| -> Vec<&Value> {
        messages
            .iter()
            .filter(|message| message["event"] == event)
            .collect()
    };
    let last = messages.last().unwrap();
    let fields: BTreeSet<&str> = last
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(fields, LAST.iter().copied().collect());
    assert_eq!(last["reason"], "fixed point");
    assert_eq!(last["complete"], true);
    assert_eq!(count(last, "initial_bytes"), HAY.len() as u64);
    assert_eq!(count(last, "final_bytes"), 6);
    assert_eq!(count(last, "accepted"), of("reduced").len() as u64);
    assert_eq!(count(last, "tests_logical"), of("tested").len() as u64);
    assert_eq!(
        count(last, "proof_candidates"),
        count(of("proved")[0], "candidates")
    );
    assert!(count(last, "tests_run") >= count(last, "tests_logical"));
    let after = of("tested").len() as u64 - count(of("reduced").last().unwrap(), "tests");
    assert_eq!(count(last, "tests_after_last_success"), after);
    let wall_s = last["wall_s"].as_f64().unwrap();
    assert!(0.0 < wall_s && wall_s < 120.0);
    assert!(last["test_time_s"].as_f64().unwrap() <= 2.0 * wall_s);
    let hash = Sha256::digest(fs::read(bench.path("a.txt")).unwrap());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(last["result_hash"], hash.as_str());
    let removed: u64 = of("pass_finished")
        .iter()
        .map(|m| count(m, "removed_bytes"))
        .sum();
    assert_eq!(removed, HAY.len() as u64 - 6);
}

#[test]
fn the_language_that_a_file_is_taken_for_is_said() {
    let bench = Bench::needle();
    let content = "import os\n\ndef f(x):\n    return x  # needle\n";
    fs::write(bench.path("noname"), content).unwrap();
    let run = |options: &str| bench.run(&format!("{options} -o out test.sh noname"));
    run("--max-tests 1").check(4, &[", as python);", " in 1 test and"]);
    run("--max-tests 1 --language JSON").check(4, &[", as json);"]);
    run("--max-tests 1 --language None").check(4, &["bytes); the result"]);
    let finished = run("--max-tests 1 --language none --message-format json");
    assert_eq!(finished.messages()[0]["language"], Value::Null);
    let finished = run("--max-tests 1 --message-format json");
    assert_eq!(finished.messages()[0]["language"], "python");
}

#[test]
fn bytes_that_nothing_takes_apart_are_said_to_be_such() {
    let bench = Bench::needle();
    let noise = [b"\xff\xfe\x9d\x80\x13\xc3 needle ".as_slice(), &[0xf7; 20]].concat();
    fs::write(bench.path("a.txt"), noise).unwrap();
    let finished = bench.run("--max-tests 1 test.sh a.txt");
    finished.check(4, &[", as bytes);", "runs of bytes are cut"]);
}

#[test]
fn every_message_is_documented() {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/messages.md");
    let schema = fs::read_to_string(schema).unwrap();
    let section = |event: &str| -> &str {
        let heading = format!("\n## `{event}`\n");
        let (_, rest) = schema
            .split_once(&heading)
            .unwrap_or_else(|| panic!("no {event}"));
        rest.split("\n## ").next().unwrap()
    };
    let bench = Bench::needle();
    let mut messages = bench
        .run("--message-format json -v test.sh a.txt")
        .messages();
    messages.extend(bench.run("--message-format json test.sh b.txt").messages());
    let archive = with_archive(NEEDLE_IN_PAGES);
    let some = "--passes delete_files,delete_large_nodes --message-format json";
    messages.extend(archive.run(&format!("{some} test.sh a.zip")).messages());
    let mut events = BTreeSet::new();
    for message in messages {
        let event = message["event"].as_str().unwrap().to_owned();
        for field in message.as_object().unwrap().keys() {
            let row = format!("\n| `{field}` |");
            let is_there = field == "event" || section(&event).contains(&row);
            assert!(is_there, "{event} without {field}");
        }
        events.insert(event);
    }
    assert_eq!(schema.matches("\n## `").count(), events.len(), "{events:?}");
}

#[test]
fn the_number_of_workers_changes_nothing_but_the_time() {
    let script = "grep -q alpha \"$1\" && grep -q 'beta.*7' \"$1\" && ! grep -q '((' \"$1\"";
    let lines: String = (0..12)
        .map(|n| format!("fn f{n}(alpha) {{ beta({n}, {}); }}\n", n * 7))
        .collect();
    let mut results = BTreeSet::new();
    for jobs in ["-j1", "-j2", "-j8"] {
        let bench = Bench::new(script, &lines);
        let last = bench.check_json(&format!("{jobs} test.sh a.txt"), 0);
        let fields = ["result_hash", "trace_hash", "tests_logical", "accepted"];
        results.insert(fields.map(|field| last[field].to_string()));
    }
    assert_eq!(results.len(), 1, "{results:?}");
}

#[test]
fn quiet_says_nothing_but_the_last_message() {
    let bench = Bench::needle();
    let finished = bench.run("-q test.sh a.txt");
    finished.check(0, &[]);
    assert_eq!(
        (finished.stdout.as_str(), finished.stderr.as_str()),
        ("", "")
    );
    let again = bench.run("-q --message-format json test.sh a.txt");
    assert_eq!(again.messages().len(), 1);
}

#[test]
fn a_failure_is_told_to_programs_too() {
    let bench = Bench::new("exit 1", HAY);
    let finished = bench.run("--message-format json test.sh a.txt");
    finished.check(3, &["exit status 1"]);
    let messages = finished.messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["event"], "failed");
    assert_eq!(messages[0]["exit_status"], 3);
    assert!(
        messages[0]["message"]
            .as_str()
            .unwrap()
            .contains("exit status 1")
    );
}

#[test]
fn arguments_that_make_no_sense_are_told_to_programs_too() {
    let bench = Bench::needle();
    for option in ["--message-format json", "--message-format=json"] {
        let finished = bench.run(&format!("{option} --no-such-option test.sh a.txt"));
        finished.check(2, &["--no-such-option"]);
        let messages = finished.messages();
        assert_eq!(messages.len(), 1, "{}", finished.stdout);
        assert_eq!(messages[0]["event"], "failed");
        assert_eq!(messages[0]["exit_status"], 2);
        let message = messages[0]["message"].as_str().unwrap();
        assert!(message.contains("--no-such-option"), "{message}");
    }
    assert_eq!(bench.run("--no-such-option test.sh a.txt").stdout, "");
}

#[test]
fn nobody_has_to_read_what_is_said() {
    for format in ["json", "human"] {
        let bench = Bench::needle();
        let mut command =
            bench.command(&["-j2", "-vv", "--message-format", format, "test.sh", "a.txt"]);
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
        assert_eq!(bench.read("a.txt"), "needle");
    }
    let mut child = Bench::needle().command(&["passes"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn people_are_told_what_was_done_and_nothing_is_drawn_without_a_terminal() {
    let bench = Bench::needle();
    let finished = bench.run("test.sh a.txt");
    finished.check(
        0,
        &[
            "25 bytes -> 6 bytes (24.0 %)",
            "removed by",
            "done: none of the",
        ],
    );
    assert!(!finished.stderr.contains(['\r', '\x1b']));
    assert_eq!(finished.stdout, "");
    bench.write("a.txt", HAY);
    bench.run("-v test.sh a.txt").check(0, &[": 25 bytes -> "]);
    bench.write("a.txt", HAY);
    bench
        .run("-vv test.sh a.txt")
        .check(0, &["not interesting"]);
}

#[test]
fn passes_are_listed_and_explained() {
    let bench = Bench::needle();
    let list = Running::new(bench.command(&["passes"])).finish();
    assert!(list.stdout.contains("\ndelete_lines "), "{}", list.stdout);
    let one = Running::new(bench.command(&["passes", "delete_lines"])).finish();
    assert!(one.stdout.contains("Costs") && one.stdout.contains("reductions("));
    let none = Running::new(bench.command(&["passes", "delete_everything"])).finish();
    none.check(2, &["\"delete_everything\"", "`ablate passes` lists them"]);
}

#[test]
fn only_the_passes_asked_for_run() {
    let bench = Bench::needle();
    let last = bench.check_json("--passes delete_lines test.sh a.txt", 0);
    assert_eq!(bench.read("a.txt"), "{ hay (needle) }\n");
    assert_eq!(last["complete"], true);
    bench
        .run("--passes -no_such_pass test.sh a.txt")
        .check(2, &["no_such_pass"]);
}

#[test]
fn a_run_without_passes_is_a_mistake() {
    let bench = Bench::needle();
    // The second one needs a language, and none is known of this file.
    for passes in ["delete_lines,-delete_lines", "delete_nodes"] {
        let finished = bench.run(&format!("--passes {passes} test.sh a.txt"));
        finished.check(2, &["no pass is left", "--passes", "`ablate passes`"]);
    }
    assert_eq!(bench.read("a.txt"), HAY);
}

#[test]
fn check_shows_what_the_test_says() {
    let bench = Bench::new("echo out; echo err >&2; grep -q needle \"$1\"", HAY);
    let fine = bench.run("check test.sh a.txt");
    fine.check(0, &[]);
    for words in [
        "called:   cd ",
        "exit status 0",
        "verdict:  interesting",
        "out\n",
        "err\n",
    ] {
        assert!(fine.stdout.contains(words), "no {words:?}: {}", fine.stdout);
    }
    bench.write("a.txt", "hay");
    let not = bench.run("check test.sh a.txt");
    not.check(3, &[]);
    assert!(not.stdout.contains("verdict:  not interesting"));
}

#[test]
fn limits_that_nothing_can_keep_are_mistakes() {
    let bench = Bench::needle();
    for limit in ["--timeout 0", "--timeout 1ns"] {
        let finished = bench.run(&format!("{limit} test.sh a.txt"));
        finished.check(2, &["--timeout", "no test ends so soon"]);
    }
    for limit in ["--memory 0", "--memory 4"] {
        let finished = bench.run(&format!("{limit} test.sh a.txt"));
        finished.check(2, &["--memory", "no program can run in that", "4GB"]);
    }
}

#[test]
fn the_help_has_examples_and_the_exit_statuses() {
    let bench = Bench::needle();
    let help = bench.run("--help");
    help.check(0, &[]);
    for words in ["Examples:", "#!/bin/sh", "Exit status:", "  5  interrupted"] {
        assert!(help.stdout.contains(words), "no {words:?}: {}", help.stdout);
    }
    bench.run("").check(2, &["Usage:"]);
    bench.run("--jobs 0 test.sh a.txt").check(2, &["--jobs"]);
}
