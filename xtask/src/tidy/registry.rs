//! Every pass is in a registry: a file in a folder `passes` is named in some `registry.rs`. A pass on
//! any sequence may also be there by way of a pass in another crate that is made of it. A crate
//! without a registry has its passes in lists: some other file of it names each of them.

use super::{Problem, Tree};

/// Checks every pass of the project.
pub fn check(tree: &Tree) -> Vec<Problem> {
    let registries = tree
        .ending("/registry.rs")
        .filter(|file| file.starts_with("crates/"));
    let registered: String = registries.filter_map(|file| tree.text(file)).collect();
    let passes: Vec<(&str, &str)> = tree
        .files
        .iter()
        .filter_map(|file| Some((file.as_str(), pass(file)?)))
        .collect();
    let is_used = |file: &str, name: &str| {
        let type_name = type_name(name);
        passes.iter().any(|(other, _)| {
            let is_elsewhere = crate_of(other) != crate_of(file);
            is_elsewhere
                && tree
                    .text(other)
                    .is_some_and(|text| names(&text, &type_name))
        })
    };
    let is_listed = |file: &str, name: &str| {
        let folder = format!("crates/{}/", crate_of(file).unwrap_or_default());
        let has_registry = tree
            .ending("/registry.rs")
            .any(|other| other.starts_with(&folder));
        let others = tree
            .files
            .iter()
            .filter(|other| other.starts_with(&folder) && *other != file);
        !has_registry
            && others.filter_map(|other| tree.text(other)).any(|text| {
                let declares =
                    |line: &&str| line.trim_end_matches(';').ends_with(&format!("mod {name}"));
                text.lines()
                    .filter(|line| !declares(line))
                    .any(|line| names(line, name))
            })
    };
    passes
        .iter()
        .filter(|(file, name)| {
            !names(&registered, name) && !is_used(file, name) && !is_listed(file, name)
        })
        .map(|(file, name)| Problem {
            file: (*file).to_owned(),
            line: 0,
            message: format!("the pass `{name}` is in no registry.rs"),
        })
        .collect()
}

fn crate_of(file: &str) -> Option<&str> {
    file.split('/').nth(1)
}

/// `delete_lines` as `DeleteLines`.
fn type_name(name: &str) -> String {
    let words = name.split('_').filter_map(|word| {
        let first = word.chars().next()?.to_ascii_uppercase();
        Some(format!("{first}{}", &word[1..]))
    });
    words.collect()
}

/// The name of the pass that a file holds.
fn pass(file: &str) -> Option<&str> {
    let rest = file.strip_prefix("crates/")?;
    let (_, rest) = rest.split_once("/src/passes/")?;
    let name = rest.strip_suffix(".rs")?;
    (!name.contains('/') && name != "mod" && name != "tests").then_some(name)
}

/// Whether `name` stands in `text` as a whole word.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree_of;
    use super::*;

    #[test]
    fn a_pass_that_is_not_registered_is_found() {
        let (_folder, tree) = tree_of(&[
            ("crates/a/src/passes/mod.rs", ""),
            ("crates/a/src/passes/delete_lines.rs", ""),
            ("crates/a/src/passes/delete_line.rs", ""),
            ("crates/a/src/passes/lower_any.rs", ""),
            ("crates/b/src/passes/delete_lines.rs", "LowerAny { .. }"),
            (
                "crates/b/src/registry.rs",
                "\"passes/\" delete_lines: DeleteLines,",
            ),
        ]);
        let problems = check(&tree);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].file, "crates/a/src/passes/delete_line.rs");
    }
}
