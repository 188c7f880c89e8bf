//! How picireny is called: hierarchical delta debugging on the tree of an ANTLR grammar. The grammars
//! are other projects' and not part of this one; `bench/README.md` says where they come from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::layout;

/// A language that a grammar can be had for.
struct Language {
    /// The folder of its grammar.
    name: &'static str,
    extensions: &'static [&'static str],
    /// The rule that a whole file is.
    start_rule: &'static str,
    /// Whether comments, directives or blanks mean something, and so have to be part of the tree.
    keeps_hidden_tokens: bool,
}

const LANGUAGES: [Language; 9] = [
    language("c", &["c", "i", "h"], "compilationUnit", true),
    language("cpp", &["cc", "cpp", "ii"], "translationunit", false),
    language("css", &["css"], "stylesheet", false),
    language("javascript", &["js"], "program", true),
    language("json", &["json"], "json", false),
    language("python", &["py"], "file_input", true),
    language("rust", &["rs"], "crate", false),
    language("toml", &["toml"], "document", false),
    language("verilog", &["v"], "source_text", false),
];

const fn language(
    name: &'static str,
    extensions: &'static [&'static str],
    start_rule: &'static str,
    keeps_hidden_tokens: bool,
) -> Language {
    Language {
        name,
        extensions,
        start_rule,
        keeps_hidden_tokens,
    }
}

/// The call for `input`, and where its result lies.
///
/// # Errors
/// When the format has no grammar, or the grammar or the parser generator is not there.
pub fn call(
    input: &Path,
    test: &Path,
    workers: usize,
    folder: &Path,
) -> Result<(Command, PathBuf)> {
    let extension = input.extension().and_then(|e| e.to_str()).unwrap_or("");
    let Some(language) = LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension))
    else {
        bail!("picireny has no grammar for `.{extension}`");
    };
    let grammar = layout::peers().join("grammars").join(language.name);
    let generator = layout::peers().join("antlr/antlr-4.9.3-complete.jar");
    ensure!(
        generator.is_file(),
        "there is no {}; `bench/peers.sh picireny` installs it",
        generator.display()
    );

    let result = folder.join("smallest");
    let mut command = Command::new(layout::peers().join("python/bin/python"));
    command.arg(layout::root().join("bench/start_picireny.py"));
    command.arg("--input").arg(input);
    command
        .arg("--test")
        .arg(layout::root().join("bench/keep_smallest.sh"));
    command.env("KEEP_TEST", test).env("KEEP_RESULT", &result);
    command.arg("--out").arg(folder.join("picireny"));
    command.arg("--grammar").args(grammar_files(&grammar)?);
    command.args(["--start", language.start_rule]);
    command.arg("--antlr").arg(generator);
    command.args(["--parser", "java", "--sys-recursion-limit", "100000"]);
    if language.keeps_hidden_tokens {
        command.arg("--build-hidden-tokens");
    }
    let jobs = workers.to_string();
    // With the cache by content, 21.8 ends with an assertion as soon as it has hoisted.
    command.args(["--parallel", "--jobs", &jobs, "--cache", "config"]);
    // The coarse phase is cheap and makes the tree small before each rule's nodes are hoisted.
    command.args(["--phase", "coarse-prune", "--phase", "prune+hoist"]);
    command.arg("--flatten-recursion");
    Ok((command, result))
}

/// The grammar, and the classes that it extends.
fn grammar_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let missing = || {
        let folder = folder.display();
        format!("picireny has no grammar in {folder}; bench/README.md says where it comes from")
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(missing)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| {
        let extension = file.extension().and_then(|e| e.to_str());
        matches!(extension, Some("g4" | "java"))
    });
    ensure!(!files.is_empty(), missing());
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_without_a_grammar_is_an_error() {
        let folder = Path::new("work");
        let error = call(&folder.join("input.log"), folder, 2, folder).unwrap_err();
        assert_eq!(error.to_string(), "picireny has no grammar for `.log`");
    }

    #[test]
    fn a_folder_without_a_grammar_is_an_error() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("notes.txt"), "")?;
        assert!(grammar_files(folder.path()).is_err());
        fs::write(folder.path().join("JSON.g4"), "")?;
        assert_eq!(grammar_files(folder.path())?.len(), 1);
        Ok(())
    }
}
