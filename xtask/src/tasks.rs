//! Tasks: folders with a test case, the test that it passes, and what to install for it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A test case, a file or a folder, and its test.
#[derive(Debug)]
pub struct Task {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The test case.
    pub input: PathBuf,
    /// The test: path of the candidate as first argument, exit status 0 when it is interesting.
    pub test: PathBuf,
}

/// The tasks of `folder` that are `wanted` (all when empty), in the order of their names. One
/// without a test case is left out with a note.
pub fn find(folder: &Path, wanted: &[String]) -> Result<Vec<Task>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("there is no folder of tasks `{}`", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| folder.join(name).join("interesting.sh").is_file())
        .collect();
    names.sort();
    if let Some(missing) = wanted.iter().find(|wanted| !names.contains(wanted)) {
        bail!("no task `{missing}` in {}", folder.display());
    }
    names.retain(|name| wanted.is_empty() || wanted.contains(name));
    let mut tasks = Vec::new();
    for name in names {
        match open(&folder.join(&name), &name)? {
            Some(task) => tasks.push(task),
            None => eprintln!("{name}: left out, it has no test case"),
        }
    }
    Ok(tasks)
}

fn open(folder: &Path, name: &str) -> Result<Option<Task>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_input = path.file_stem().is_some_and(|stem| stem == "input");
        if is_input {
            inputs.push(path);
        }
    }
    inputs.sort();
    let Some(input) = inputs.into_iter().next() else {
        return Ok(None);
    };
    Ok(Some(Task {
        name: name.to_owned(),
        folder: folder.to_path_buf(),
        input,
        test: folder.join("interesting.sh"),
    }))
}

impl Task {
    /// The base name of the test case.
    pub fn file_name(&self) -> &std::ffi::OsStr {
        self.input.file_name().unwrap_or_default()
    }

    /// Whether the test case is C or C++, for reducers that want to know.
    pub fn is_c(&self) -> bool {
        let extension = self.input.extension().and_then(|e| e.to_str());
        matches!(extension, Some("c" | "i" | "ii" | "cc" | "cpp" | "h"))
    }
}
