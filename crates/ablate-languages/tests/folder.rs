//! Folders: the files of one language have one tree, without their names.

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::explain::reductions;
use ablate_engine::pass::Pass;
use ablate_engine::target::Target;
use ablate_languages::Syntax;
use ablate_languages::passes::{DeleteBodies, DeleteLayout, DeleteWithNeeds, KeepReachable};
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

/// What a pass makes of a folder whose files are all in this language: what is in the files.
fn made(
    pass: impl Fn(Rc<Syntax>) -> Box<dyn Pass<u8>>,
    language: &str,
    files: &[(&str, &str)],
) -> Vec<String> {
    let names = files.iter().map(|(name, _)| name.as_bytes().to_vec());
    let language = ablate_languages::find(language).unwrap();
    let pass = pass(Syntax::in_folder(language, names.collect()));
    let seen = reductions(&*pass, &folder(files));
    seen.iter().map(|seen| contents(seen)).collect()
}

fn kept(language: &str, files: &[(&str, &str)]) -> Vec<String> {
    made(|syntax| Box::new(KeepReachable(syntax)), language, files)
}

/// One candidate of `keep_reachable` has this in its files.
fn check_kept(language: &str, files: &[(&str, &str)], expected: &str) {
    let seen = kept(language, files);
    assert!(seen.iter().any(|it| it == expected), "{seen:#?}");
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

#[test]
fn what_a_file_imports_is_followed_to_where_it_is_declared() {
    let files = [
        (
            "lib/a.js",
            "import h from './h.js';\nfunction f(n) { return h(n); }\nexport default f;\n",
        ),
        (
            "lib/b.js",
            "function f() { return 7; }\nexport function g() { return f(); }\nexport const i = 1;\n",
        ),
        ("lib/h.js", "export default (n) => n;\n"),
        (
            "lib/i.js",
            "import { g } from './b.js';\nexport default (n) => g();\n",
        ),
        (
            "lib/index.js",
            "export { default } from './a.js';\nexport { default as i } from './i.js';\nexport { g as k, i as l } from './b.js';\n",
        ),
        ("main.js", "import a, { k } from './lib';\na(k());\n"),
    ];
    let expected = "import h from './h.js';\nfunction f(n) { return h(n); }\nexport default f;\n\
                    |function f() { return 7; }\nexport function g() { return f(); }\n\
                    |export default (n) => n;\n\
                    |import { g } from './b.js';\n\
                    |export { default } from './a.js';\nexport { g as k } from './b.js';\n\
                    |import a, { k } from './lib';\na(k());\n";
    check_kept("javascript", &files, expected);
}

#[test]
fn what_is_imported_as_a_whole_is_named_by_its_parts() {
    let files = [
        (
            "a.ts",
            "export * from './b';\nexport function f(): void {}\nexport function g(): void {}\n",
        ),
        (
            "b.ts",
            "export function h(): void {}\nexport function i(): void {}\n",
        ),
        ("c.ts", "import * as a from '@/a';\na.f();\na.h();\n"),
    ];
    let expected = "export * from './b';\nexport function f(): void {}\n\
                    |export function h(): void {}\n\
                    |import * as a from '@/a';\na.f();\na.h();\n";
    check_kept("typescript", &files, expected);
}

#[test]
fn a_file_that_none_imports_stays_alone_with_what_it_needs() {
    let files = [
        ("a.ts", "export function f(): number { return 1; }\n"),
        ("b.ts", "export function g(): number { return 2; }\n"),
        (
            "index.ts",
            "export { f } from './a';\nexport { g } from './b';\n",
        ),
        (
            "main.ts",
            "import { f } from './a';\nconst h: string = f();\n",
        ),
    ];
    // Of files with nothing left in them the names go, too.
    let expected = "export function f(): number { return 1; }\n\
                    |import { f } from './a';\nconst h: string = f();\n";
    check_kept("typescript", &files, expected);
}

#[test]
fn what_types_say_of_objects_stays_in_them() {
    let text = "interface A { b(): number }\nconst c: A = { b() { return 1; } };\nconst d = c;\n\
                function e(f: A): number { return f.b(); }\n";
    let seen = kept("typescript", &[("a.ts", text)]);
    let mut without = seen
        .iter()
        .filter(|it| it.contains("d =") && !it.contains("e("));
    let is_whole = |it: &String| it.contains("b() {");
    assert!(without.next().is_some_and(is_whole), "{seen:#?}");
    assert!(without.all(is_whole), "{seen:#?}");
}

#[test]
fn bodies_stay_that_say_what_functions_give() {
    let text = "class A { b(): number { return 1; } c() { return 2; } }\nconst d = new A();\n";
    let seen = kept("typescript", &[("a.ts", text)]);
    let hollow = seen.iter().find(|it| it.contains("b(): number {throw 0}"));
    assert!(
        hollow.is_some_and(|it| it.contains("return 2")),
        "{seen:#?}"
    );
}

#[test]
fn constructors_that_have_to_call_others_do() {
    let text = "class A {}\nclass B extends A { constructor() { super(); } c() { return 2; } }\n";
    let delete = |syntax| Box::new(DeleteBodies(syntax)) as Box<dyn Pass<u8>>;
    let seen = made(delete, "typescript", &[("a.ts", text)]);
    let expected = "class A {}\nclass B extends A { constructor() { super(); } c() {throw 0} }\n";
    assert_eq!(seen, [expected]);
}

#[test]
fn what_no_file_needs_stays_with_what_leads_to_it() {
    let files = [
        (
            "a.js",
            "function f() { g(); }\nfunction g() {}\nexport { g };\n",
        ),
        ("b.js", "export const i = 1;\nexport { g } from './a.js';\n"),
        ("c.js", "export function j() {}\n"),
        (
            "main.js",
            "import { j } from './c.js';\nimport { g, i } from './b.js';\ng(i, j);\n",
        ),
    ];
    // The names of files go here with the ends of what is before them.
    let expected = "function f() { g(); }\nfunction g() {}\nexport { g };\n\
                    export { g } from './a.js';\nimport { g } from './b.js';\n";
    check_kept("javascript", &files, expected);
}

#[test]
fn what_a_file_requires_is_named_by_its_path_and_by_its_parts() {
    let files = [
        (
            "a.js",
            "const b = require('./b');\nfunction f() { return b(); }\nfunction g() {}\nmodule.exports = { f, g, h: f };\n",
        ),
        ("b.js", "function f() { return 1; }\nmodule.exports = f;\n"),
        (
            "c.js",
            "exports.i = function () {};\nexports.j = function () {};\n",
        ),
        (
            "main.js",
            "const { f } = require('./a');\nconst c = require('./c');\nf(c.i());\n",
        ),
    ];
    let expected = "const b = require('./b');\nfunction f() { return b(); }\nmodule.exports = { f };\n\
                    |function f() { return 1; }\nmodule.exports = f;\n\
                    |exports.i = function () {};\n\
                    |const { f } = require('./a');\nconst c = require('./c');\nf(c.i());\n";
    check_kept("javascript", &files, expected);
}

#[test]
fn what_is_exported_without_a_name_is_what_others_import_as_such() {
    let files = [
        (
            "a.ts",
            "export default class { b(): void {} }\nexport const c = 1;\n",
        ),
        (
            "d.ts",
            "export default function e(): void {}\nexport const f = 2;\n",
        ),
        (
            "main.ts",
            "import A from './a';\nimport { f } from './d';\nnew A(f);\n",
        ),
    ];
    // The name of a file goes here with the end of what is before it.
    let expected = "export default class { b(): void {} }\nexport const f = 2;\n\
                    |import A from './a';\nimport { f } from './d';\nnew A(f);\n";
    let seen = kept("typescript", &files);
    assert_eq!(seen[0], expected);
}
