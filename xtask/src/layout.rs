//! Where things lie: the checkout, its build, the tools of tasks, and the other reducers.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The top folder of the checkout.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Where the tools that tasks run are installed: `$BENCH_TOOLS`, or `bench/.tools`.
pub fn tools() -> PathBuf {
    absolute_variable("BENCH_TOOLS").unwrap_or_else(|| root().join("bench/.tools"))
}

/// Where the other reducers are installed: `$PEERS`, or `bench/.peers`.
pub fn peers() -> PathBuf {
    absolute_variable("PEERS").unwrap_or_else(|| root().join("bench/.peers"))
}

/// The folder of tasks: `given`, or `$ABLATE_BENCH_TASKS`, or `shared/bench` beside the checkout,
/// or `bench/tasks`.
pub fn task_dir(given: Option<&Path>) -> PathBuf {
    if let Some(given) = given {
        return std::path::absolute(given).unwrap_or_else(|_| given.to_path_buf());
    }
    if let Some(named) = absolute_variable("ABLATE_BENCH_TASKS") {
        return named;
    }
    let beside = root().join("../shared/bench");
    match beside.canonicalize() {
        Ok(beside) if beside.is_dir() => beside,
        _ => root().join("bench/tasks"),
    }
}

fn absolute_variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    std::path::absolute(value).ok()
}

/// The `ablate` to measure: `given`, or the release build, which is made now.
pub fn ablate(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(given) = given {
        return given
            .canonicalize()
            .with_context(|| format!("there is no `{}`", given.display()));
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "ablate"])
        .current_dir(root())
        .status()
        .context("cargo can't be run")?;
    ensure!(status.success(), "the release build of ablate failed");
    let target = absolute_variable("CARGO_TARGET_DIR").unwrap_or_else(|| root().join("target"));
    Ok(target.join("release/ablate"))
}

/// The short name of the commit that is checked out.
pub fn commit() -> String {
    let output = Command::new("git")
        .args(["describe", "--always", "--dirty"])
        .current_dir(root())
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}
