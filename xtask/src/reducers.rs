//! How each reducer is called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::layout;
use crate::picireny;
use crate::tasks::Task;
use crate::test_case;

/// A run's private folder, with what the reducer is given.
pub struct Work<'a> {
    /// The folder, where the reducer runs.
    pub folder: &'a Path,
    /// What it reduces.
    pub task: &'a Task,
    /// The test that it runs.
    pub test: &'a Path,
    /// How many tests it may run at the same time.
    pub workers: usize,
}

/// A reducer about to be started.
pub struct Call {
    /// The command.
    pub command: Command,
    /// Where the reduced file lies while and after it runs.
    pub result: PathBuf,
    /// The test case that it was given.
    pub input: PathBuf,
}

/// The reducers that can be asked for, besides Ablate.
pub const PEERS: [&str; 9] = [
    "shrinkray",
    "shrinkray-no-restart",
    "cvise",
    "creduce",
    "picire",
    "picireny",
    "lithium",
    "ddsmt",
    "treereduce",
];

/// Ablate's call: it reduces to a file of its own and prints events as JSON.
pub fn ablate(ablate: &Path, work: &Work<'_>) -> Result<Call> {
    let input = copied_input(work)?;
    let result = work.folder.join("reduced");
    let mut command = Command::new(ablate);
    command.arg("-j").arg(work.workers.to_string());
    command.arg("-o").arg(&result);
    command.args(["--message-format", "json"]);
    command.arg(work.test).arg(&input);
    Ok(prepared(command, work, result, input))
}

/// The call of the peer `name`.
///
/// # Errors
/// When there is no such peer, or when it is no reducer for this task.
pub fn peer(name: &str, work: &Work<'_>) -> Result<Call> {
    let input = copied_input(work)?;
    let workers = work.workers.to_string();
    let python = |tool: &str| Command::new(layout::peers().join("python/bin").join(tool));
    let mut result = input.clone();
    let command = match name {
        "shrinkray" | "shrinkray-no-restart" => {
            let mut command = python("shrinkray");
            command.args(["--ui", "basic", "--parallelism", &workers]);
            command.args(["--no-llm", "--no-history", "--input-type", "arg"]);
            if name == "shrinkray-no-restart" {
                command.arg("--no-restart");
            }
            command.arg(work.test).arg(&input);
            command
        }
        "cvise" | "creduce" => {
            let mut command = Command::new(name);
            command.args(["--n", &workers, "--timeout", "60"]);
            if !work.task.is_c() {
                command.arg("--not-c");
            }
            // They run the test without arguments, in a folder with the file's base name.
            command.arg(work.test).arg(work.task.file_name());
            command
        }
        "picire" => {
            let out = work.folder.join("picire");
            result = out.join(work.task.file_name());
            let mut command = python("picire");
            command.args(["--parallel", "--jobs", &workers, "--atom", "both"]);
            command
                .arg("--input")
                .arg(&input)
                .arg("--test")
                .arg(work.test);
            command.arg("--out").arg(out);
            command
        }
        "picireny" => {
            let (command, smallest) = picireny::call(&input, work.test, work.workers, work.folder)?;
            result = smallest;
            command
        }
        "lithium" => {
            let mut command = python("lithium");
            command.arg("--tempdir").arg(work.folder.join("lithium"));
            fs::create_dir_all(work.folder.join("lithium"))?;
            command.arg(layout::root().join("bench/lithium_condition.py"));
            command.arg(work.test).arg(&input);
            command
        }
        "ddsmt" => {
            result = work.folder.join("reduced");
            let mut command = python("ddsmt");
            command.args(["-j", &workers, "--ignore-output"]);
            command.arg(&input).arg(&result).arg(work.test);
            command
        }
        "treereduce" => {
            let extension = input.extension().and_then(|e| e.to_str()).unwrap_or("");
            let language = match extension {
                "rs" => "rust",
                "c" | "i" | "h" => "c",
                _ => bail!("treereduce is set up for C and Rust only"),
            };
            result = work.folder.join("reduced");
            let tool = format!("bin/treereduce-{language}");
            let mut command = Command::new(layout::peers().join(tool));
            command.args(["--jobs", &workers, "--quiet", "--source"]);
            command.arg(&input).arg("--output").arg(&result).arg("--");
            command.arg(work.test).arg(format!("@@.{extension}"));
            command
        }
        _ => bail!("no reducer `{name}`; there are {}", PEERS.join(", ")),
    };
    Ok(prepared(command, work, result, input))
}

/// What `bench/peers.sh` has to install for the peer `name`.
pub fn package(name: &str) -> &str {
    name.strip_suffix("-no-restart").unwrap_or(name)
}

fn copied_input(work: &Work<'_>) -> Result<PathBuf> {
    let input = work.folder.join(work.task.file_name());
    test_case::copy(&work.task.input, &input)
        .with_context(|| format!("{} can't be copied", work.task.input.display()))?;
    Ok(input)
}

fn prepared(mut command: Command, work: &Work<'_>, result: PathBuf, input: PathBuf) -> Call {
    command.current_dir(work.folder);
    command.env("BENCH_TOOLS", layout::tools());
    Call {
        command,
        result,
        input,
    }
}
