//! Every pass is in a registry: a file in a folder `passes` is named in some `registry.rs`.

use super::{Problem, Tree};

/// Checks every pass of the project.
pub fn check(tree: &Tree) -> Vec<Problem> {
    let registries = tree
        .ending("/registry.rs")
        .filter(|file| file.starts_with("crates/"));
    let registered: String = registries.filter_map(|file| tree.text(file)).collect();
    let passes = tree
        .files
        .iter()
        .filter_map(|file| Some((file, pass(file)?)));
    passes
        .filter(|(_, name)| !names(&registered, name))
        .map(|(file, name)| Problem {
            file: file.clone(),
            line: 0,
            message: format!("the pass `{name}` is in no registry.rs"),
        })
        .collect()
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
