//! What documents name: paths in backticks and in code blocks, and links.

use std::path::Path;
use std::process::Command;

use super::markdown::{self, Names};
use super::{Problem, Tree};

/// Checks every document of the project.
pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let documents = tree.ending(".md");
    for document in documents {
        let Some(text) = tree.text(document) else {
            continue;
        };
        let names = markdown::names(&text);
        let mut report = |line: usize, message: String| {
            problems.push(Problem {
                file: document.to_owned(),
                line,
                message,
            });
        };
        for (line, code) in &names.code {
            for word in code.split_whitespace() {
                if is_path(tree, document, word) && !exists(tree, document, word) {
                    report(*line, format!("`{word}` does not exist"));
                }
            }
        }
        // Names in code blocks are often those of the reader's own files, so only what begins like
        // the project's is looked at there.
        for (line, word) in &names.words {
            if begins_like_ours(tree, word) && !exists(tree, document, word) {
                report(*line, format!("`{word}` does not exist"));
            }
        }
        for (line, link) in &names.links {
            if let Some(message) = broken(tree, document, &names, link) {
                report(*line, message);
            }
        }
    }
    problems
}

/// Ends of names that only files of a project like this one have.
const ENDINGS: [&str; 4] = [".rs", ".md", ".toml", ".sh"];

/// Whether a piece of code means a path in the project.
fn is_path(tree: &Tree, document: &str, code: &str) -> bool {
    let code = code.trim_start_matches("./").trim_end_matches('/');
    let is_plain = code
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-*{},".contains(c));
    if !is_plain || code.starts_with(['/', '.', '-', '*']) && !code.starts_with(".ci") {
        return false;
    }
    let is_ours = ENDINGS.iter().any(|end| code.ends_with(end));
    if code.contains('/') {
        // `and/or` is no path; what begins like a folder of ours, or ends like our files, is one.
        let first = code.split('/').next().unwrap_or_default();
        is_ours || tree.has_folder(first) || tree.has_folder(&beside(document, first))
    } else {
        // A script or a manifest without a folder may be the reader's.
        code.ends_with(".rs") || code.ends_with(".md")
    }
}

fn begins_like_ours(tree: &Tree, word: &str) -> bool {
    let word = word.trim_start_matches("./");
    let Some((first, _)) = word.split_once('/') else {
        return false;
    };
    !first.is_empty() && tree.has_folder(first) && !word.contains(['$', '<', '=', '('])
}

/// Whether the project has the path: from its top, beside the document, or as the end of a path.
fn exists(tree: &Tree, document: &str, path: &str) -> bool {
    let path = path
        .trim_start_matches("./")
        .trim_end_matches(['/', ',', ';']);
    expanded(path).iter().all(|path| {
        let near = beside(document, path);
        tree.files
            .iter()
            .any(|file| is_at(file, path) || is_at(file, &near) || is_within(file, path))
            || is_ignored(tree, path)
    })
}

/// Whether `file` is `pattern` or lies in the folder `pattern`.
fn is_at(file: &str, pattern: &str) -> bool {
    let mut names = file.split('/');
    let mut wanted = pattern.split('/');
    wanted.all(|wanted| names.next().is_some_and(|name| fits(name, wanted)))
}

/// Whether a part of the path of `file`, from any name to any other, is `pattern`.
fn is_within(file: &str, pattern: &str) -> bool {
    let starts = file.match_indices('/').map(|(slash, _)| slash + 1);
    starts
        .into_iter()
        .any(|start| is_at(&file[start..], pattern))
}

/// Whether a name fits a pattern with at most one `*`.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

/// `a/{b,c}` as `a/b` and `a/c`.
fn expanded(path: &str) -> Vec<String> {
    let braces = path.split_once('{').and_then(|(before, rest)| {
        let (inside, after) = rest.split_once('}')?;
        Some((before, inside, after))
    });
    match braces {
        Some((before, inside, after)) => {
            let parts = inside.split(',');
            parts.map(|part| format!("{before}{part}{after}")).collect()
        }
        None => vec![path.to_owned()],
    }
}

/// What builds and benchmarks make is not tracked, and may be named.
fn is_ignored(tree: &Tree, path: &str) -> bool {
    let status = Command::new("git")
        .args(["check-ignore", "--quiet", "--", path])
        .current_dir(&tree.root)
        .stderr(std::process::Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn beside(document: &str, path: &str) -> String {
    match document.rsplit_once('/') {
        Some((folder, _)) => normal(&format!("{folder}/{path}")),
        None => normal(path),
    }
}

/// Without `.` and `..`.
fn normal(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop(),
            name => names.push(name),
        }
    }
    names.join("/")
}

/// What is wrong with a link.
fn broken(tree: &Tree, document: &str, names: &Names, link: &str) -> Option<String> {
    // Links to items are checked by rustdoc.
    if ["://", "::"].iter().any(|part| link.contains(part)) || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (link, None),
    };
    let target = beside(document, path);
    if !path.is_empty() && !tree.has(&target) {
        return Some(format!("the link to `{path}` leads nowhere"));
    }
    let anchor = anchor?;
    let has_anchor = if path.is_empty() {
        names.anchors.iter().any(|a| a == anchor)
    } else if Path::new(&target).extension().is_some_and(|e| e == "md") {
        let text = tree.text(&target)?;
        markdown::names(&text).anchors.iter().any(|a| a == anchor)
    } else {
        true
    };
    (!has_anchor).then(|| format!("no heading makes the anchor of `{link}`"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree_of;
    use super::*;

    fn check_messages(document: &str, expected: &[&str]) {
        let (_folder, tree) = tree_of(&[
            ("README.md", "# Top\n"),
            ("docs/page.md", document),
            ("crates/one/src/passes/delete_lines.rs", ""),
            ("crates/two/src/lib.rs", ""),
        ]);
        let messages: Vec<String> = check(&tree).into_iter().map(|p| p.message).collect();
        assert_eq!(messages, expected, "{document}");
    }

    #[test]
    fn paths_in_backticks_exist() {
        check_messages("`crates/one/src/passes/delete_lines.rs` `crates/one`", &[]);
        check_messages(
            "`passes/delete_lines.rs` `crates/*/src` `delete_lines.rs`",
            &[],
        );
        check_messages("`crates/{one,two}/src` `page.md`", &[]);
        check_messages("`and/or` `/dev/null` `x/<name>.rs` `a.c` `test.sh`", &[]);
        check_messages("`crates/three`", &["`crates/three` does not exist"]);
        check_messages("`passes/other.rs`", &["`passes/other.rs` does not exist"]);
        check_messages("`crates/{one,x}`", &["`crates/{one,x}` does not exist"]);
    }

    #[test]
    fn paths_in_code_blocks_exist() {
        check_messages("```\ncat crates/one/src x/y\n```", &[]);
        check_messages("```\ncat crates/x\n```", &["`crates/x` does not exist"]);
    }

    #[test]
    fn links_lead_somewhere() {
        check_messages(
            "# A b\n[x](../README.md#top) [y](#a-b) [z](https://a.b)",
            &[],
        );
        check_messages("[x](README.md)", &["the link to `README.md` leads nowhere"]);
        check_messages("[x](#c)", &["no heading makes the anchor of `#c`"]);
        check_messages(
            "[x](../README.md#c)",
            &["no heading makes the anchor of `../README.md#c`"],
        );
    }
}
