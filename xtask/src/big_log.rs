//! `cargo xtask big-log`: how long Ablate takes, and how much memory, to find the three lines that
//! matter in a log of 100 MB.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::child;
use crate::counting::{Counter, Wrapped};
use crate::finished;
use crate::layout;

/// What `cargo xtask big-log` is told.
#[derive(Args)]
pub struct Options {
    /// The size of the log in millions of bytes
    #[arg(long, default_value_t = 100)]
    megabytes: u64,
    /// How many tests may run at the same time
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Seconds that the reduction may take
    #[arg(long, default_value_t = 60)]
    goal_s: u64,
    /// Seconds after which it is stopped
    #[arg(long, default_value_t = 180)]
    limit: u64,
    /// An `ablate` to measure instead of this checkout's release build
    #[arg(long)]
    ablate: Option<PathBuf>,
}

const NEEDED: [&str; 3] = [
    "2031-04-05T06:07:08.009Z ERROR [scheduler] lease lost while job 7741 was running",
    "2031-04-05T06:07:08.031Z WARN [scheduler] job 7741 handed to worker 3",
    "2031-04-05T06:07:08.274Z ERROR [store] two writers for job 7741",
];
const MEGABYTE: u64 = 1_000_000;

/// Runs the benchmark. It fails when a goal is missed.
pub fn run(options: &Options) -> Result<ExitCode> {
    let ablate = layout::ablate(options.ablate.as_deref())?;
    let folder = tempfile::Builder::new().prefix("ablate-big-").tempdir()?;
    let log = folder.path().join("big.log");
    let size = write_log(&log, options.megabytes * MEGABYTE)?;
    let test = write_test(folder.path())?;
    let counter = Counter::new(
        folder.path(),
        &Wrapped {
            command: &[&test],
            delay_seed: None,
        },
    )?;
    let result = folder.path().join("reduced");
    let events = folder.path().join("events");
    let scratch = folder.path().join("scratch");
    fs::create_dir(&scratch)?;
    let mut command = Command::new(ablate);
    command.arg("-j").arg(options.workers.to_string());
    command.arg("-o").arg(&result);
    command.args(["--message-format", "json"]);
    command.arg(&counter.script).arg(&log);
    command.current_dir(folder.path()).env("TMPDIR", &scratch);
    command.stdin(Stdio::null()).stdout(File::create(&events)?);

    let in_memory = Path::new("/dev/shm");
    let before = names_in(in_memory);
    let (mut memory, mut scratch_size, mut looks) = (0, 0, 0_u32);
    let limit = Duration::from_secs(options.limit);
    let outcome = child::run(&mut command, limit, &mut |pid, _| {
        memory = memory.max(peak_memory(pid).unwrap_or(0));
        // Walking folders is dearer than reading a number; once in a while is enough.
        if looks.is_multiple_of(10) {
            let ours = names_in(in_memory);
            let new = ours.difference(&before).map(|name| in_memory.join(name));
            let shared: u64 = new.map(|path| size_of(&path)).sum();
            scratch_size = scratch_size.max(shared + size_of(&scratch));
        }
        looks += 1;
    })?;
    let reduced = fs::read(&result).unwrap_or_default();
    let wall = outcome.wall.as_secs_f64();
    let wanted = NEEDED.join("\n").len() as u64;
    println!("log            {size} bytes");
    println!(
        "reduced        {} bytes (the three lines: {wanted})",
        reduced.len()
    );
    println!("tests          {}", counter.tests());
    println!("wall           {wall:.1} s");
    println!("peak memory    {:.0} MB", memory as f64 / MEGABYTE as f64);
    println!(
        "work folders   {:.0} MB at most",
        scratch_size as f64 / MEGABYTE as f64
    );
    match finished::read(&events) {
        Some(finished) => println!("complete       {}", finished.complete),
        None => println!("complete       it printed no result"),
    }
    let goals = [
        (
            format!("reduced to the three lines: {} bytes", reduced.len()),
            // The last one may keep its end of line.
            (wanted..=wanted + 1).contains(&(reduced.len() as u64)),
        ),
        (
            format!("done in {} s: {wall:.1} s", options.goal_s),
            !outcome.was_stopped && wall <= options.goal_s as f64,
        ),
        (
            format!(
                "at most {} bytes of memory: {memory}",
                3 * size + 100 * MEGABYTE
            ),
            memory > 0 && memory <= 3 * size + 100 * MEGABYTE,
        ),
    ];
    let mut code = ExitCode::SUCCESS;
    for (goal, is_reached) in &goals {
        println!("{} {goal}", if *is_reached { "ok    " } else { "MISSED" });
        if !is_reached {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// Lines like those of a real log, the same ones each time, with the needed ones far apart.
fn write_log(path: &Path, bytes: u64) -> Result<u64> {
    let file = File::create(path).with_context(|| format!("{}", path.display()))?;
    let mut log = BufWriter::with_capacity(1 << 20, file);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut written = 0;
    let mut needed = NEEDED
        .iter()
        .zip([bytes / 10, bytes / 2, bytes * 9 / 10])
        .peekable();
    while written < bytes {
        let line = match needed.next_if(|(_, place)| written >= *place) {
            Some((line, _)) => format!("{line}\n"),
            None => {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695);
                let random = state >> 33;
                let level = ["INFO", "DEBUG", "WARN"][(random % 3) as usize];
                let part = ["http", "store", "scheduler", "mailer"][(random / 3 % 4) as usize];
                let second = written / 4000 % 86_400;
                let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
                format!(
                    "2031-04-05T{hour:02}:{minute:02}:{second:02}.{:03}Z {level} [{part}] \
                     request {random:08x} took {} ms\n",
                    random % 1000,
                    random / 7 % 2000
                )
            }
        };
        log.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    log.flush()?;
    Ok(written)
}

fn write_test(folder: &Path) -> Result<PathBuf> {
    let test = folder.join("has-the-lines.sh");
    let mut text = "#!/bin/sh\nexport LC_ALL=C\n".to_owned();
    for line in NEEDED {
        text.push_str(&format!("grep -qxF '{line}' \"$1\" || exit 1\n"));
    }
    fs::write(&test, text)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    Ok(test)
}

/// The most memory that the process itself ever had, in bytes.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn names_in(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

fn size_of(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| size_of(&entry.path())).sum()
        }
        Ok(about) => about.len(),
        Err(_) => 0,
    }
}
