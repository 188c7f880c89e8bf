//! `cargo xtask check-docs`: what documents name exists, and sources keep the project's rules. The
//! same checks run as a test.

mod documents;
mod markdown;
mod registry;
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::layout;

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, from the top of the checkout.
    pub file: String,
    /// The line, counted from one; zero for the whole file.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The files that belong to the project.
pub struct Tree {
    root: PathBuf,
    /// From the top of the checkout, with `/` between names.
    files: BTreeSet<String>,
}

impl Tree {
    /// The files that git tracks or would.
    pub fn of_checkout(root: &Path) -> Result<Tree> {
        let output = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root)
            .output()
            .context("git can't be run")?;
        if !output.status.success() {
            bail!("git can't list the files of {}", root.display());
        }
        let names = String::from_utf8_lossy(&output.stdout);
        let names = names.split('\0').filter(|name| !name.is_empty());
        Ok(Tree {
            root: root.to_path_buf(),
            files: names
                .filter(|name| root.join(name).is_file())
                .map(str::to_owned)
                .collect(),
        })
    }

    /// The files whose name ends like this.
    fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a str> {
        let files = self.files.iter().map(String::as_str);
        files.filter(move |name| name.ends_with(end))
    }

    fn has(&self, path: &str) -> bool {
        self.files.contains(path) || self.has_folder(path)
    }

    fn has_folder(&self, path: &str) -> bool {
        let start = format!("{path}/");
        let mut after = self.files.range(start.clone()..);
        path.is_empty() || after.next().is_some_and(|file| file.starts_with(&start))
    }

    /// The content, if it is text.
    fn text(&self, file: &str) -> Option<String> {
        let text = String::from_utf8(fs::read(self.root.join(file)).ok()?).ok()?;
        (!text.contains('\0')).then_some(text)
    }
}

/// Prints what breaks a rule; fails if anything does.
pub fn run() -> Result<ExitCode> {
    let tree = Tree::of_checkout(&layout::root())?;
    let problems = check(&tree);
    for Problem {
        file,
        line,
        message,
    } in &problems
    {
        println!("{file}:{line}: {message}");
    }
    if problems.is_empty() {
        println!("{} files keep the rules", tree.files.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("{} problems", problems.len());
    Ok(ExitCode::FAILURE)
}

fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = documents::check(tree);
    problems.extend(sources::check(tree));
    problems.extend(registry::check(tree));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of these files in a temporary folder.
    pub fn tree_of(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        let tree = Tree {
            root: folder.path().to_path_buf(),
            files: files.iter().map(|(name, _)| (*name).to_owned()).collect(),
        };
        (folder, tree)
    }

    #[test]
    fn this_project_keeps_its_rules() {
        let tree = Tree::of_checkout(&layout::root()).expect("a checkout");
        let problems = check(&tree);
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
