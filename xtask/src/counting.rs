//! The wrapper between a reducer and a test: it counts, may dawdle, and becomes the test.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A wrapped test.
pub struct Counter {
    /// What the reducer runs.
    pub script: PathBuf,
    tally: PathBuf,
}

/// What a wrapped test does, besides counting.
pub struct Wrapped<'a> {
    /// The command that the wrapper becomes, without the candidate's path.
    pub command: &'a [&'a Path],
    /// The seed of a delay of 0 to 30 ms before each test.
    pub delay_seed: Option<u64>,
}

impl Counter {
    /// Writes the wrapper into `folder`.
    pub fn new(folder: &Path, wrapped: &Wrapped<'_>) -> Result<Counter> {
        let script = folder.join("counted-test");
        let tally = folder.join("tally");
        fs::write(&tally, "")?;
        // `printf` is part of the shell, and so small an append is one write: nothing gets lost.
        let mut text = b"#!/bin/sh\nprintf . >>".to_vec();
        text.extend(quoted(&tally));
        if let Some(seed) = wrapped.delay_seed {
            text.extend(delay(seed).bytes());
        }
        text.extend(b"\nexec");
        for part in wrapped.command {
            text.push(b' ');
            text.extend(quoted(part));
        }
        text.extend(b" \"$@\"\n");
        fs::write(&script, text)
            .with_context(|| format!("{} can't be written", script.display()))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        Ok(Counter { script, tally })
    }

    /// How many tests were started so far.
    pub fn tests(&self) -> u64 {
        fs::metadata(&self.tally).map_or(0, |tally| tally.len())
    }
}

/// Sleeps 0 to 30 ms, by the seed and the number of the process.
fn delay(seed: u64) -> String {
    let seed = seed % 1_000_000;
    format!("\nms=$(( 1000 + ($$ + {seed}) * 2654435761 / 65536 % 31 ))\nsleep 0.${{ms#1}}")
}

fn quoted(path: &Path) -> Vec<u8> {
    let mut text = vec![b'\''];
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => text.extend(b"'\\''"),
            _ => text.push(byte),
        }
    }
    text.push(b'\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn check_counts(delay_seed: Option<u64>) {
        let folder = tempfile::Builder::new()
            .prefix("it's ")
            .tempdir()
            .expect("a folder");
        let wrapped = Wrapped {
            command: &[Path::new("test"), Path::new("-d")],
            delay_seed,
        };
        let counter = Counter::new(folder.path(), &wrapped).expect("a wrapper");
        let judge = |argument: &Path| {
            let status = Command::new(&counter.script).arg(argument).status();
            status.expect("the wrapper runs").success()
        };
        assert!(judge(folder.path()));
        assert!(!judge(&counter.script));
        assert_eq!(counter.tests(), 2);
    }

    #[test]
    fn a_wrapper_counts_and_keeps_the_verdict() {
        check_counts(None);
    }

    #[test]
    fn a_wrapper_dawdles_and_keeps_the_verdict() {
        check_counts(Some(7));
    }
}
