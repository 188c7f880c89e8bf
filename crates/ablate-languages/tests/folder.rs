//! Folders: the files of one language have one tree, without their names.

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::explain::reductions;
use ablate_engine::target::Target;
use ablate_languages::Syntax;
use ablate_languages::passes::{DeleteLayout, DeleteWithNeeds};
use ablate_passes::formats::folder::{Entries, add};

fn folder(files: &[(&str, &str)]) -> Vec<u8> {
    let mut folder = Vec::new();
    for (name, content) in files {
        add(&mut folder, name.as_bytes(), content.as_bytes());
    }
    folder
}

fn python() -> Rc<Syntax> {
    syntax("python", ["a.py", "b.py"])
}

fn syntax(language: &str, names: [&str; 2]) -> Rc<Syntax> {
    let names = names.map(|name| name.as_bytes().to_vec());
    let language = ablate_languages::find(language).unwrap();
    Syntax::in_folder(language, BTreeSet::from(names))
}

/// What is in the files of a folder, with bars between them.
fn contents(folder: &[u8]) -> String {
    let entries = Entries::new(folder);
    let contents = entries.all().iter().map(|entry| entry.content(folder));
    let contents: Vec<Vec<u8>> = contents.collect();
    String::from_utf8(contents.join(&b'|')).unwrap()
}

#[test]
fn names_and_files_in_other_languages_are_not_read() {
    let folder = folder(&[
        ("a.py", "a = 1\n"),
        ("a.txt", "no )( python"),
        ("b.py", "b = a\n"),
    ]);
    let tree = python().tree(&Target::new(folder));
    assert!(tree.nodes().iter().all(|node| !node.is_error));
    let kinds: Vec<&str> = tree.children(0).map(|child| tree.kind(child)).collect();
    assert_eq!(kinds, ["expression_statement"; 2]);
}

#[test]
fn comments_at_the_heads_and_ends_of_files_go_with_all_others() {
    let folder = folder(&[
        ("a.py", "# licence\n\nimport b # why\n"),
        ("a.txt", "# stays\n"),
        ("b.py", "# licence\nb = 1\n# end"),
    ]);
    let seen = reductions(&DeleteLayout(python()), &folder);
    let contents: Vec<String> = seen.iter().map(|seen| contents(seen)).collect();
    let expected = "import b\n|# stays\n|b=1\n";
    assert!(contents.iter().any(|it| it == expected), "{contents:#?}");
}

#[test]
fn a_declaration_goes_with_its_uses_in_other_files() {
    let folder = folder(&[
        ("a.py", "def f():\n    pass\ndef g():\n    pass\n"),
        ("b.py", "from a import f, g\nf()\ng()\n"),
    ]);
    let seen = reductions(&DeleteWithNeeds(python()), &folder);
    let contents: Vec<String> = seen.iter().map(|seen| contents(seen)).collect();
    let expected = "def g():\n    pass\n|from a import g\ng()\n";
    assert!(contents.iter().any(|it| it == expected), "{contents:#?}");
}

#[test]
fn what_can_only_begin_a_file_can_begin_each() {
    let texts = [
        (
            "haskell",
            ["a.hs", "b.hs"],
            "module A where\nimport B\na = b\n",
        ),
        (
            "kotlin",
            ["a.kt", "b.kt"],
            "package a\nimport b.c\nfun d() {}\n",
        ),
    ];
    let known = texts.into_iter();
    let known = known.filter(|(language, ..)| ablate_languages::find(language).is_some());
    for (language, names, text) in known {
        let folder = folder(&names.map(|name| (name, text)));
        let tree = syntax(language, names).tree(&Target::new(folder));
        assert!(tree.nodes().iter().all(|node| !node.is_error), "{language}");
        let kinds: Vec<&str> = tree.children(0).map(|child| tree.kind(child)).collect();
        let (first, second) = kinds.split_at(kinds.len() / 2);
        assert_eq!(first, second);
        assert!(first.len() > 2, "{kinds:?}");
    }
}

#[test]
fn what_can_not_be_read_in_one_file_is_no_matter_to_the_others() {
    let folder = folder(&[("a.py", "def f(:\n"), ("b.py", "a = 1\ndef g():\n    0\n")]);
    let tree = python().tree(&Target::new(folder));
    let kinds: Vec<&str> = tree.children(0).map(|child| tree.kind(child)).collect();
    assert!(
        kinds.ends_with(&["expression_statement", "function_definition"]),
        "{kinds:?}"
    );
}

/// A tree is the same, whatever was read before.
#[test]
fn files_that_have_changed_are_read_anew() {
    let syntax = python();
    for files in [
        [("a.py", "a = 1\n"), ("b.py", "b = a\n")],
        [("a.py", "a = 1\nc = 2\n"), ("b.py", "b = a\n")],
        [("a.py", ""), ("b.py", "def f():\n    b = a\n")],
        [("a.py", "a = 1\nc = 2\n"), ("c.py", "b = a\n")],
        [("a.py", "a = (\n"), ("b.py", "b = a\n")],
        [("a.py", "a = ()\n"), ("b.py", "b = a\n")],
    ] {
        let target = Target::new(folder(&files));
        assert_eq!(syntax.tree(&target).nodes(), python().tree(&target).nodes());
    }
}
