//! Runs a reducer up to a limit and leaves none of its processes behind.
//!
//! Tests fork and leave their process groups, so the whole tree of descendants is found by walking
//! `/proc`; where there is none (not Linux), only the reducer itself is ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use signal_hook::consts::SIGINT;
use signal_hook::flag::register_conditional_shutdown;

/// How often a running reducer is looked at.
const POLL: Duration = Duration::from_millis(20);
/// How long a reducer may take to end after an interrupt.
const GRACE: Duration = Duration::from_secs(10);
/// The exit status of a program that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// How a run ended.
pub struct Outcome {
    /// From the start to the end of the reducer's own process.
    pub wall: Duration,
    /// How the reducer's process ended.
    pub status: ExitStatus,
    /// Whether the limit ended it.
    pub was_stopped: bool,
}

/// Runs `command`, calling `look` with its process number and the time since its start again and
/// again. At `limit` it gets an interrupt, and is killed if it does not end soon. What it leaves
/// behind is killed as well.
pub fn run(
    command: &mut Command,
    limit: Duration,
    look: &mut dyn FnMut(u32, Duration),
) -> Result<Outcome> {
    run_with_grace(command, limit, GRACE, look)
}

fn run_with_grace(
    command: &mut Command,
    limit: Duration,
    grace: Duration,
    look: &mut dyn FnMut(u32, Duration),
) -> Result<Outcome> {
    adopt_orphans();
    hear_interrupts()?;
    let before = descendants(&BTreeSet::new());
    let start = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("{} can't be run", command.get_program().display()))?;
    let mut was_stopped = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let elapsed = start.elapsed();
        look(child.id(), elapsed);
        if elapsed > limit + grace {
            child.kill()?;
            break child.wait()?;
        }
        if elapsed > limit && !was_stopped {
            was_stopped = true;
            interrupt(&child);
        }
        sleep(POLL);
    };
    let wall = start.elapsed();
    look(child.id(), wall);
    kill_descendants(&before);
    Ok(Outcome {
        wall,
        status,
        was_stopped,
    })
}

fn interrupt(child: &Child) {
    if let Some(pid) = pid(child.id()) {
        _ = kill_process(pid, Signal::INT);
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// Makes an interrupt end this program, and with that those that it starts, also where it was
/// started in the background: a shell has what it starts so ignore interrupts, and what is ignored
/// stays so in children, while what is handled does not.
fn hear_interrupts() -> Result<()> {
    static HEARD: Once = Once::new();
    let mut done = Ok(());
    HEARD.call_once(|| {
        let always = Arc::new(AtomicBool::new(true));
        done = register_conditional_shutdown(SIGINT, INTERRUPTED, always).map(drop);
    });
    done.context("interrupts can't be heard")
}

/// Makes processes whose parent ends children of this one, so that they can be found.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
}

/// Kills all descendants of this process but `spared` ones, until there are none.
fn kill_descendants(spared: &BTreeSet<u32>) {
    // What forks while it is being killed is found in the next round.
    for _ in 0..100 {
        let left = descendants(spared);
        if left.is_empty() {
            return;
        }
        for pid in left.iter().filter_map(|&number| pid(number)) {
            _ = kill_process(pid, Signal::KILL);
            _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        sleep(Duration::from_millis(10));
    }
    eprintln!("some processes of the last run could not be ended");
}

fn descendants(spared: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|n| n.parse().ok());
        if let Some(number) = number
            && let Some(parent) = parent_of(number)
        {
            children.entry(parent).or_default().push(number);
        }
    }
    let mut found = BTreeSet::new();
    let mut open = vec![std::process::id()];
    while let Some(parent) = open.pop() {
        for &child in children.get(&parent).into_iter().flatten() {
            if !spared.contains(&child) && found.insert(child) {
                open.push(child);
            }
        }
    }
    found
}

fn parent_of(number: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// Set for a copy of a test that is alone in its process.
    const ALONE: &str = "XTASK_TEST_ALONE";

    #[test]
    fn a_stubborn_tree_is_gone_after_the_limit() {
        if std::env::var_os(ALONE).is_some() {
            return check_that_a_tree_is_gone();
        }
        // In a process of its own: tests beside this one have children, too.
        assert!(passes_alone(
            "a_stubborn_tree_is_gone_after_the_limit",
            "exec"
        ));
    }

    #[test]
    fn a_reducer_hears_its_interrupt_though_this_program_is_in_the_background() {
        if std::env::var_os(ALONE).is_some() {
            return check_that_an_interrupt_ends_it();
        }
        let this = "a_reducer_hears_its_interrupt_though_this_program_is_in_the_background";
        assert!(passes_alone(this, "trap '' INT; exec"));
    }

    /// Whether the test of this name passes when a shell starts it with `command`.
    fn passes_alone(test: &str, command: &str) -> bool {
        let this = std::env::current_exe().expect("this program has a path");
        let status = Command::new("sh")
            .args(["-c", &format!("{command} \"$@\""), "sh"])
            .arg(this)
            .args(["--exact", &format!("child::tests::{test}")])
            .env(ALONE, "yes")
            .status();
        status.expect("sh runs").success()
    }

    fn check_that_an_interrupt_ends_it() {
        let limit = Duration::from_millis(100);
        let mut command = Command::new("sleep");
        let outcome = run(command.arg("1000"), limit, &mut |_, _| {});
        let outcome = outcome.expect("sleep runs");
        assert_eq!(outcome.status.signal(), Some(SIGINT));
    }

    fn check_that_a_tree_is_gone() {
        let mut command = Command::new("sh");
        // One process leaves the group, and the shell does not end while its child runs.
        command.args(["-c", "(setsid sleep 1000 &); sleep 1000"]);
        let mut looks = 0;
        let (limit, grace) = (Duration::from_millis(100), Duration::from_millis(100));
        let outcome = run_with_grace(&mut command, limit, grace, &mut |_, _| looks += 1);
        let outcome = outcome.expect("sh runs");
        assert!(outcome.was_stopped);
        assert!(!outcome.status.success());
        assert!(looks > 1);
        assert_eq!(descendants(&BTreeSet::new()), BTreeSet::new());
    }
}
