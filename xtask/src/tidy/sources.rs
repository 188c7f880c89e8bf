//! Rules that sources keep and that no compiler checks.

use super::{Problem, Tree};

/// Crates that know no clock, thread, process, file or environment.
const PURE: [&str; 2] = ["crates/ablate-engine/src/", "crates/ablate-passes/src/"];
const IMPURE_MODULES: [&str; 5] = ["time", "thread", "process", "fs", "env"];
const LINES_MAX: usize = 800;

/// Checks every source of the project.
pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in &tree.files {
        let Some(text) = tree.text(file) else {
            continue;
        };
        let mut report = |line: usize, message: String| {
            problems.push(Problem {
                file: file.clone(),
                line,
                message,
            });
        };
        for (index, line) in text.lines().enumerate() {
            if let Some(path) = machine_path(line) {
                report(index + 1, format!("{path} is a path of one machine"));
            }
            if ["<<<<<<< ", ">>>>>>> "]
                .iter()
                .any(|mark| line.starts_with(mark))
            {
                report(index + 1, "left over from a merge".to_owned());
            }
        }
        if !file.ends_with(".rs") {
            continue;
        }
        let lines = text.lines().count();
        if lines > LINES_MAX {
            report(0, format!("{lines} lines; at most {LINES_MAX}"));
        }
        let is_pure = PURE.iter().any(|folder| file.starts_with(folder));
        for (index, line) in text.lines().enumerate() {
            if let Some(mark) = unfinished(line) {
                report(index + 1, format!("{mark} must not stay"));
            }
            if is_pure && let Some(module) = impure(line) {
                report(index + 1, format!("std::{module} in a pure crate"));
            }
        }
    }
    problems
}

/// A mark of something unfinished. The marks are put together here, so that this file has none.
fn unfinished(line: &str) -> Option<&'static str> {
    let marks = [
        concat!("to", "do!("),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
        concat!("#[ign", "ore"),
        concat!("un", "implemented!("),
    ];
    marks.into_iter().find(|mark| line.contains(mark))
}

/// A module of the standard library that a line of code names and a pure crate must not.
fn impure(line: &str) -> Option<&'static str> {
    let code = line.trim_start();
    if code.starts_with("//") {
        return None;
    }
    let (_, after) = code.split_once("std::")?;
    IMPURE_MODULES.into_iter().find(|module| {
        let is_named = |text: &str| {
            let rest = text.trim_start().strip_prefix(module);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        match after.strip_prefix('{') {
            Some(list) => list.split(',').any(is_named),
            None => code.split("std::").skip(1).any(is_named),
        }
    })
}

/// A path that only exists on the machine where it was written.
fn machine_path(line: &str) -> Option<&'static str> {
    let folders = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
    ];
    folders.into_iter().find(|folder| {
        line.match_indices(folder).any(|(start, _)| {
            // In the middle of a longer path or an address it is another folder.
            let before = line[..start].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && !"._-/}~".contains(c))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree_of;
    use super::*;

    fn check_messages(file: &str, text: &str, expected: &[&str]) {
        let (_folder, tree) = tree_of(&[(file, text)]);
        let messages: Vec<String> = check(&tree).into_iter().map(|p| p.message).collect();
        assert_eq!(messages, expected, "{text}");
    }

    #[test]
    fn pure_crates_name_no_clock() {
        let pure = "crates/ablate-engine/src/a.rs";
        check_messages(
            pure,
            "use std::time::Instant;",
            &["std::time in a pure crate"],
        );
        check_messages(pure, "use std::{fmt, fs};", &["std::fs in a pure crate"]);
        check_messages(pure, "// std::time", &[]);
        check_messages(pure, "use std::vec::Vec; let envy = std::envy();", &[]);
        check_messages(
            "crates/ablate-exec/src/a.rs",
            "use std::time::Instant;",
            &[],
        );
    }

    #[test]
    fn nothing_unfinished_stays() {
        let mark = concat!("FIX", "ME");
        let text = format!("// {mark}: later");
        check_messages("a.rs", &text, &[&format!("{mark} must not stay")]);
    }

    #[test]
    fn no_leftovers_of_a_merge() {
        check_messages("Cargo.lock", "a\n<<<<<<< b\n", &["left over from a merge"]);
    }

    #[test]
    fn files_are_short() {
        check_messages("a.rs", &"\n".repeat(801), &["801 lines; at most 800"]);
        check_messages("a.rs", &"\n".repeat(800), &[]);
    }

    #[test]
    fn no_path_of_one_machine() {
        let path = concat!("/ho", "me/");
        let text = format!("cd {path}me");
        check_messages(
            "a.txt",
            &text,
            &[&format!("{path} is a path of one machine")],
        );
        check_messages("a.txt", &format!("a.org{path}me"), &[]);
    }
}
