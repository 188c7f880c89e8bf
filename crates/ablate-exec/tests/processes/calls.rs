//! How a test is called, and what it finds.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use ablate_engine::oracle::{Executor, Job, Stop, Verdict};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_exec::{Ending, InputModes, Options, Unpacker};

use crate::bench::{Bench, candidate, wait_until};

crate::facts![
    the_candidate_is_an_argument_and_standard_input_and_a_file,
    the_path_alone_leaves_the_directory_empty,
    standard_input_alone_leaves_no_argument,
    the_file_alone_is_in_the_directory,
    leading_arguments_come_first,
    standard_input_is_the_file_itself_from_its_start,
    a_candidate_is_written_piece_by_piece,
    a_file_name_need_not_be_utf8,
    exit_status_0_is_interesting_and_nothing_else,
    a_test_that_ends_by_a_signal_is_not_interesting,
    a_test_leads_its_own_session,
    a_supervisor_is_not_in_the_group_of_the_terminal,
    no_signal_is_blocked_in_a_test_and_a_broken_pipe_ends_it,
    a_test_inherits_no_files_of_ours,
    a_report_shows_what_was_printed_and_how_it_was_called,
    verdicts_come_under_the_names_of_their_jobs,
    tests_run_at_the_same_time,
    another_directory_is_another,
    a_command_on_the_path_is_found,
    files_of_a_folder_that_nobody_reads_are_known,
    of_files_that_are_copied_it_counts_who_reads_the_copies,
    of_files_that_are_unpacked_those_are_known_that_nobody_reads,
];

fn check_passes(bench: &Bench, content: &str) {
    let report = bench.run(content);
    assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
}

fn with_input(script: &str, input: InputModes) -> Bench {
    Bench::new(script).with(|options| options.input = input)
}

fn the_candidate_is_an_argument_and_standard_input_and_a_file() {
    let bench = Bench::new(
        r#"[ "$#" = 1 ] && [ "$(cat "$1")" = hello ] && [ "$(cat)" = hello ] &&
           [ "$(cat input.txt)" = hello ] && [ "$(ls -A)" = input.txt ] &&
           [ "$1" = "$(pwd)/input.txt" ]"#,
    );
    check_passes(&bench, "hello");
}

fn the_path_alone_leaves_the_directory_empty() {
    let bench = with_input(
        r#"[ "$(cat "$1")" = hello ] && [ -z "$(cat)" ] && [ -z "$(ls -A)" ] &&
           [ "$(basename "$1")" = input.txt ]"#,
        InputModes {
            arg: true,
            ..InputModes::NONE
        },
    );
    check_passes(&bench, "hello");
}

fn standard_input_alone_leaves_no_argument() {
    let bench = with_input(
        r#"[ "$#" = 0 ] && [ "$(cat)" = hello ] && [ -z "$(ls -A)" ]"#,
        InputModes {
            stdin: true,
            ..InputModes::NONE
        },
    );
    check_passes(&bench, "hello");
}

fn the_file_alone_is_in_the_directory() {
    let bench = with_input(
        r#"[ "$#" = 0 ] && [ -z "$(cat)" ] && [ "$(cat input.txt)" = hello ]"#,
        InputModes {
            cwd: true,
            ..InputModes::NONE
        },
    );
    check_passes(&bench, "hello");
}

fn leading_arguments_come_first() {
    let bench = Bench::new(r#"[ "$1" = "a b" ] && [ "$2" = "" ] && [ -f "$3" ] && [ $# = 3 ]"#)
        .with(|options| options.arguments = vec!["a b".into(), "".into()]);
    check_passes(&bench, "");
}

fn standard_input_is_the_file_itself_from_its_start() {
    let bench = Bench::new(
        r#"[ -f /dev/stdin ] && [ "$(head -c 2)" = ab ] && [ /dev/stdin -ef input.txt ]"#,
    );
    let mut processes = bench.start();
    for _ in 0..3 {
        let report = processes.run_once(b"abcdef").unwrap();
        assert_eq!(report.ending, Ending::Exited(0));
    }
}

fn a_candidate_is_written_piece_by_piece() {
    let content: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    let target = Target::new(content);
    let patch = Patch::cuts((0..1000).map(|i| (i * 50, i * 50 + 20)))
        .combined(&Patch::replace(400_000, 400_001, &[7; 100_000]))
        .unwrap();
    let candidate = target.candidate(patch);
    let bench = Bench::new(r#"cp "$1" $evidence/seen"#);
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate).unwrap();
    processes.next_verdict().unwrap();
    let seen = std::fs::read(bench.evidence("seen")).unwrap();
    assert!(seen == candidate.build());
}

fn a_file_name_need_not_be_utf8() {
    let name = OsString::from_vec(b"a\xff b.c".to_vec());
    let bench = Bench::new(r#"[ "$(cat "$1")" = hello ] && [ "$(cat ./a*)" = hello ]"#)
        .with(|options| options.file_name = name);
    check_passes(&bench, "hello");
}

fn exit_status_0_is_interesting_and_nothing_else() {
    let bench = Bench::new(r#"exit "$(cat)""#);
    let mut processes = bench.start();
    for (status, verdict) in [
        (0, Verdict::Interesting),
        (1, Verdict::NotInteresting),
        (77, Verdict::NotInteresting),
        (255, Verdict::NotInteresting),
    ] {
        let report = processes.run_once(status.to_string().as_bytes()).unwrap();
        assert_eq!(report.ending, Ending::Exited(status));
        assert_eq!(report.verdict(), verdict);
    }
}

fn a_test_that_ends_by_a_signal_is_not_interesting() {
    let bench = Bench::new(r#"kill -"$(cat)" $$"#);
    let mut processes = bench.start();
    // 40 is a real-time signal.
    for signal in [6, 9, 11, 15, 40] {
        let report = processes.run_once(signal.to_string().as_bytes()).unwrap();
        assert_eq!(report.ending, Ending::Signaled(signal));
        assert_eq!(report.verdict(), Verdict::NotInteresting);
    }
}

fn a_test_leads_its_own_session() {
    // The fifth and sixth fields are the process group and the session.
    let bench = Bench::new(r#"set -- $(cat /proc/$$/stat); [ "$5" = $$ ] && [ "$6" = $$ ]"#);
    check_passes(&bench, "");
}

fn a_supervisor_is_not_in_the_group_of_the_terminal() {
    let bench = Bench::new("set -- $(cat /proc/$PPID/stat); echo $5");
    let report = bench.run("");
    let group: i32 = String::from_utf8(report.stdout.tail)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    assert_ne!(group, nix::unistd::getpgrp().as_raw());
}

fn no_signal_is_blocked_in_a_test_and_a_broken_pipe_ends_it() {
    let bench = Bench::new(
        r"grep -q '^SigBlk:.0*$' /proc/self/status || exit 1
          kill -PIPE $$",
    );
    assert_eq!(bench.run("").ending, Ending::Signaled(13));
}

fn a_test_inherits_no_files_of_ours() {
    // What this process itself has inherited, a test inherits too.
    let is_inherited = |fd: &String| {
        let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
        flags.is_some_and(|flags| flags & nix::libc::O_CLOEXEC == 0)
    };
    let ours: Vec<String> = std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(is_inherited)
        .collect();
    let report = Bench::new("exec ls /proc/self/fd").run("");
    let printed = String::from_utf8(report.stdout.tail).unwrap();
    assert!(printed.lines().count() >= 4, "{printed}");
    for fd in printed.lines() {
        // The fourth is the directory that `ls` reads.
        let is_expected = ["0", "1", "2", "3"].contains(&fd) || ours.iter().any(|own| own == fd);
        assert!(is_expected, "{fd} comes from nowhere but a supervisor");
    }
}

fn a_report_shows_what_was_printed_and_how_it_was_called() {
    let bench = Bench::new("echo out; echo err >&2; exit 4")
        .with(|options| options.arguments = vec!["first".into()]);
    let report = bench.run("x");
    assert_eq!(report.ending, Ending::Exited(4));
    assert_eq!(report.stdout.tail, b"out\n");
    assert_eq!(report.stderr.tail, b"err\n");
    assert_eq!(report.call.program, bench.script());
    assert_eq!(report.call.arguments[0], "first");
    let input = report.call.directory.join("input.txt");
    assert_eq!(report.call.arguments[1], input);
    assert_eq!(report.call.stdin, Some(input));
    assert!(report.duration > std::time::Duration::ZERO);
}

fn verdicts_come_under_the_names_of_their_jobs() {
    let bench = Bench::new("grep -q yes").with(|options| options.slots = 3);
    let mut processes = bench.start();
    assert_eq!(processes.slots(), 3);
    for (name, content) in [(10, "yes"), (11, "no"), (12, "yes")] {
        processes.submit(Job(name), &candidate(content)).unwrap();
    }
    let mut verdicts: Vec<_> = (0..3)
        .map(|_| processes.next_verdict().unwrap())
        .map(|(Job(name), observation)| (name, observation.verdict))
        .collect();
    verdicts.sort_unstable();
    assert_eq!(
        verdicts,
        [
            (10, Verdict::Interesting),
            (11, Verdict::NotInteresting),
            (12, Verdict::Interesting)
        ]
    );
    assert_eq!(processes.statistics().started, 3);
    assert!(processes.report().is_some());
    assert_eq!(processes.next_verdict(), Err(Stop::Failed), "nothing runs");
}

fn tests_run_at_the_same_time() {
    // Each waits until both are there.
    let bench = Bench::new(
        r"touch $evidence/$$
          while [ $(ls $evidence | wc -l) -lt 2 ]; do sleep 0.01; done",
    )
    .with(|options| options.slots = 2);
    let reports = bench.start().run_together(b"", 2).unwrap();
    assert!(reports.iter().all(|r| r.ending == Ending::Exited(0)));
    assert_ne!(reports[0].call.directory, reports[1].call.directory);
}

fn another_directory_is_another() {
    let bench = Bench::new("pwd");
    let mut processes = bench.start();
    let here = processes.run_once(b"").unwrap();
    let elsewhere = processes.run_elsewhere(b"").unwrap();
    let here_again = processes.run_once(b"").unwrap();
    assert_ne!(here.stdout, elsewhere.stdout);
    assert_eq!(here.stdout, here_again.stdout);
    wait_until("the other directory is removed", || {
        bench.directories() == 1
    });
}

fn a_command_on_the_path_is_found() {
    let mut processes = ablate_exec::LocalProcesses::start(Options {
        arguments: vec!["-q".into(), "yes".into()],
        slots: 1,
        ..Options::new("grep", "a.txt")
    })
    .unwrap();
    assert_eq!(
        processes.run_once(b"yes").unwrap().verdict(),
        Verdict::Interesting
    );
    assert_eq!(
        processes.run_once(b"no").unwrap().verdict(),
        Verdict::NotInteresting
    );
}

/// Which of the files `a/x`, `a/y`, `a/z`, `x` and `link`, which is to `a/y`, are not read by a test.
fn unread(script: &str, unpacker: Option<Unpacker>) -> Vec<&'static str> {
    let bench = Bench::new(script).with(|options| options.unpacker = unpacker);
    let (report, reads) = bench.start().run_watched(b"content").unwrap();
    assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
    let reads = reads.expect("the kernel tells what is read");
    let names = ["a/x", "a/y", "a/z", "x", "link"].map(Path::new);
    let unread = reads.unread(&BTreeSet::from(names));
    unread.into_iter().filter_map(Path::to_str).collect()
}

fn folder() -> Option<Unpacker> {
    let unpack = |path: &Path, content: &[u8]| {
        fs::create_dir_all(path.join("a"))?;
        for name in ["a/x", "a/y", "a/z", "x"] {
            fs::write(path.join(name), content)?;
        }
        symlink("a/y", path.join("link"))
    };
    Some(Unpacker(Arc::new(unpack)))
}

fn files_of_a_folder_that_nobody_reads_are_known() {
    let script = r#"[ -e "$1/x" ] && ls -R "$1" && cd "$1/a" && cat x ../link"#;
    assert_eq!(unread(script, folder()), ["a/z", "link", "x"]);
}

fn of_files_that_are_copied_it_counts_who_reads_the_copies() {
    let copied = r#"cp -r "$1" "$TMPDIR/copy" && sleep 0.2 && cat "$TMPDIR/copy/a/x""#;
    assert_eq!(unread(copied, folder()), ["a/y", "a/z", "link", "x"]);
    let both = format!(r#"{copied} && cat "$1/a/z""#);
    assert_eq!(unread(&both, folder()), ["a/y", "link", "x"]);
}

fn of_files_that_are_unpacked_those_are_known_that_nobody_reads() {
    let script = r#"mkdir -p b/a && echo > b/a/x && echo > b/a/y && sleep 0.2 && cat b/a/x"#;
    assert_eq!(unread(script, None), ["a/y"]);
}
