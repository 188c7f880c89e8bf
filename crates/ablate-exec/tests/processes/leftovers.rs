//! What is left of a test: no process and no file.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use ablate_engine::oracle::{Executor, Job, Verdict};
use ablate_exec::Ending;

use crate::bench::{Bench, candidate, role, wait_until};

crate::facts![
    background_processes_are_gone_with_the_verdict,
    daemons_are_gone_with_the_verdict,
    chains_of_fleeing_processes_are_caught,
    hundreds_of_daemons_are_gone_with_the_verdict,
    what_holds_the_output_open_does_not_delay_the_verdict,
    a_cancelled_test_is_gone_and_its_slot_is_free,
    dropping_the_executor_ends_all_tests,
    nothing_is_left_when_ablate_is_killed,
    an_interrupt_from_the_terminal_reaches_only_ablate,
    what_outlives_its_supervisor_is_swept_up_at_the_next_start,
    each_test_finds_a_fresh_directory,
    each_test_finds_a_fresh_place_for_temporary_files,
    links_in_place_of_the_input_are_not_followed,
    no_work_directory_is_left,
];

fn background_processes_are_gone_with_the_verdict() {
    let bench = Bench::new(
        "sleep 1000 & echo $! >> $evidence/pids
         (sleep 1000 & echo $! >> $evidence/pids)",
    );
    let mut processes = bench.start();
    let report = processes.run_once(b"").unwrap();
    assert_eq!(bench.told("pids").lines().count(), 2);
    assert_eq!(bench.living("pids"), []);
    assert_eq!(report.survivors, 0);
}

fn daemons_are_gone_with_the_verdict() {
    let bench = Bench::new(
        "(setsid sh -c 'echo $$ >> '$evidence'/pids; setsid sh -c \"echo \\$\\$ >> \
         '$evidence'/pids; sleep 1000; true\" & sleep 1000; true' > /dev/null 2>&1 < /dev/null &)
         while [ $(cat $evidence/pids | wc -l) -lt 2 ]; do sleep 0.01; done",
    );
    let mut processes = bench.start();
    let report = processes.run_once(b"").unwrap();
    assert_eq!(report.ending, Ending::Exited(0));
    assert_eq!(bench.told("pids").lines().count(), 2);
    assert_eq!(bench.living("pids"), []);
    assert_eq!(
        bench.marked(),
        0,
        "only supervisors are left, and they bear no mark"
    );
}

fn chains_of_fleeing_processes_are_caught() {
    // Each process starts its successor in a new session, and ends. Should all else fail, they
    // stop when the bench is cleared.
    let bench = Bench::new(
        r#"if [ "$1" = flee ]; then [ -d $evidence ] && setsid "$0" flee & exit 0; fi
           for chain in 1 2 3 4 5 6 7 8; do setsid "$0" flee > /dev/null 2>&1 & done
           sleep 0.05"#,
    );
    let mut processes = bench.start();
    let report = processes.run_once(b"").unwrap();
    assert_eq!(report.survivors, 0);
    assert_eq!(bench.marked(), 0);
}

fn hundreds_of_daemons_are_gone_with_the_verdict() {
    let bench = Bench::new(
        r#"for ten in 1 2 3 4 5 6 7 8 9 10; do for one in 1 2 3 4 5 6 7 8 9 10; do
             setsid sh -c "sleep 1000 & sleep 1000 & wait" > /dev/null 2>&1 &
           done; done"#,
    );
    let mut processes = bench.start();
    let report = processes.run_once(b"").unwrap();
    assert_eq!(report.survivors, 0);
    assert_eq!(bench.marked(), 0);
}

fn what_holds_the_output_open_does_not_delay_the_verdict() {
    let bench = Bench::new("setsid sleep 1000 & echo done");
    let report = bench.run("");
    assert_eq!(report.stdout.tail, b"done\n");
    assert!(report.duration.as_secs() < 100);
}

fn a_cancelled_test_is_gone_and_its_slot_is_free() {
    let bench = Bench::new(
        "grep -q quick && exit 0
         setsid sleep 1000 & echo $! > $evidence/pids
         echo $$ >> $evidence/pids; touch $evidence/ready; sleep 1000",
    );
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate("slow")).unwrap();
    wait_until("the test runs", || bench.evidence("ready").exists());
    assert_eq!(bench.living("pids").len(), 2);
    processes.cancel(Job(1));
    processes.cancel(Job(7));
    processes.submit(Job(2), &candidate("quick")).unwrap();
    assert_eq!(
        bench.living("pids"),
        [],
        "the slot was cleared before it was used"
    );
    let (job, observation) = processes.next_verdict().unwrap();
    assert_eq!((job, observation.verdict), (Job(2), Verdict::Interesting));
    assert_eq!(processes.statistics().cancelled, 1);
}

fn dropping_the_executor_ends_all_tests() {
    let bench = Bench::new("setsid sleep 1000 & echo $! > $evidence/pids; sleep 1000");
    let mut processes = bench.start();
    processes.submit(Job(1), &candidate("")).unwrap();
    wait_until("the test runs", || !bench.told("pids").is_empty());
    drop(processes);
    assert_eq!(bench.living("pids"), []);
    assert_eq!(bench.marked(), 0);
    assert_eq!(bench.directories(), 0);
}

/// A test that tells its supervisor's number, and those of processes that go on for long.
const LINGERING: &str = "trap 'touch $evidence/interrupted' INT; setsid sh -c 'sleep 1000 & echo $! >> '$evidence'/pids; wait' &
     echo $PPID >> $evidence/supervisors; echo $$ >> $evidence/pids; sleep 1000";

fn drive_lingering(bench: &Bench) -> std::process::Child {
    let (program, arguments) = role("drive", &[&bench.script(), &bench.base()]);
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    wait_until("both tests run", || {
        let lines = |name| bench.told(name).lines().count();
        lines("pids") == 4 && lines("supervisors") == 2
    });
    child
}

fn nothing_is_left_when_ablate_is_killed() {
    let bench = Bench::new(LINGERING);
    let mut child = drive_lingering(&bench);
    assert_eq!(bench.living("pids").len(), 4);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("all processes are gone", || {
        bench.living("pids").is_empty() && bench.living("supervisors").is_empty()
    });
    assert_eq!(bench.marked(), 0);
    assert_eq!(
        bench.directories(),
        0,
        "supervisors clear up behind themselves"
    );
}

fn an_interrupt_from_the_terminal_reaches_only_ablate() {
    let bench = Bench::new(LINGERING);
    let mut child = drive_lingering(&bench);
    let group = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGINT).unwrap();
    // It has no handler, so it dies at once.
    child.wait().unwrap();
    wait_until("all processes are gone", || {
        bench.living("pids").is_empty() && bench.living("supervisors").is_empty()
    });
    assert!(!bench.evidence("interrupted").exists());
    assert_eq!(bench.directories(), 0);
}

fn what_outlives_its_supervisor_is_swept_up_at_the_next_start() {
    let bench = Bench::new(LINGERING);
    let mut child = drive_lingering(&bench);
    // Stopped first, so that it can't deal with the death of its supervisors.
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGSTOP).unwrap();
    for supervisor in bench.living("supervisors") {
        let supervisor = nix::unistd::Pid::from_raw(supervisor);
        nix::sys::signal::kill(supervisor, nix::sys::signal::Signal::SIGKILL).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(bench.directories(), 1);
    let processes = bench.start();
    wait_until("all processes are gone", || bench.living("pids").is_empty());
    assert_eq!(bench.directories(), 1, "only that of the new one");
    drop(processes);
}

fn each_test_finds_a_fresh_directory() {
    let bench = Bench::new(
        r#"[ "$(ls -A)" = input.txt ] || exit 1
           mkdir -p a/b .hidden; echo x > a/b/c; ln -s / root; ln input.txt again; mkfifo fifo
           echo more >> input.txt; chmod 0 input.txt a/b/c; chmod 555 a/b a; chmod 0 .hidden
           [ $(cat | wc -l) = 2 ] || exit 2
           case $(cat $evidence/turn 2> /dev/null) in
             "") echo 1 > $evidence/turn;;
             1) chmod 0 .; echo 2 > $evidence/turn;;
             2) chmod 500 .; echo 3 > $evidence/turn;;
             *) chmod 0 ..;;
           esac"#,
    );
    let mut processes = bench.start();
    for _ in 0..5 {
        let report = processes.run_once(b"line\n").unwrap();
        assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
    }
}

fn each_test_finds_a_fresh_place_for_temporary_files() {
    let bench = Bench::new(
        r#"[ -z "$(ls -A "$TMPDIR")" ] && mktemp > $evidence/made && mktemp -d &&
           [ "$(dirname "$(cat $evidence/made)")" = "$TMPDIR" ]"#,
    );
    let mut processes = bench.start();
    for _ in 0..2 {
        let report = processes.run_once(b"").unwrap();
        assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
    }
    drop(processes);
    assert!(!std::path::Path::new(bench.told("made").trim()).exists());
}

fn links_in_place_of_the_input_are_not_followed() {
    let bench = Bench::new(
        r#"[ "$(cat input.txt)" = content ] && echo precious > $evidence/file &&
           ln -sf $evidence/file input.txt"#,
    );
    let mut processes = bench.start();
    for _ in 0..2 {
        let report = processes.run_once(b"content").unwrap();
        assert_eq!(report.ending, Ending::Exited(0), "{report:#?}");
        assert_eq!(bench.told("file"), "precious\n");
    }
}

fn no_work_directory_is_left() {
    let bench = Bench::new("touch x").with(|options| options.slots = 2);
    let mut processes = bench.start();
    processes.run_together(b"", 2).unwrap();
    assert_eq!(bench.directories(), 1);
    drop(processes);
    assert_eq!(bench.directories(), 0);
}
