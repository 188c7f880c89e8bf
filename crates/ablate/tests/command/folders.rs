//! What becomes of folders.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::bench::Bench;

/// Keeps the word `needle` in one file, and another file that has the first one's name in it.
const NEEDLE: &str = "cd \"$1\" && grep -q needle src/a.c && grep -qF a.c list";

/// A bench with a folder.
fn with_folder(script: &str) -> Bench {
    let bench = Bench::new(script, "");
    for folder in ["project/src", "project/docs", "project/empty"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    bench.write(
        "project/src/a.c",
        "int hay;\nint needle(int hay) { return hay; }\n",
    );
    bench.write(
        "project/src/b.c",
        "int needle(int);\nint b() { return needle(1); }\n",
    );
    bench.write("project/docs/page", b"\x1c\x10\xff\0");
    bench.write("project/run", "#!/bin/sh\n");
    bench.set_mode("project/run", 0o755);
    bench.write("project/list", "src/a.c src/b.c\nhay\n");
    symlink("src/a.c", bench.path("project/link")).unwrap();
    bench
}

/// The names of all that is in a folder of the bench, but for folders, in order.
fn names(bench: &Bench, folder: &str) -> Vec<String> {
    fn add(at: &Path, root: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                add(&path, root, names);
            } else {
                let name = path.strip_prefix(root).unwrap();
                names.push(name.to_string_lossy().into_owned());
            }
        }
    }
    let mut names = Vec::new();
    add(&bench.path(folder), &bench.path(folder), &mut names);
    names.sort();
    names
}

#[test]
fn a_folder_is_reduced_in_place_and_the_original_is_kept() {
    let bench = with_folder(NEEDLE);
    let before = names(&bench, "project");
    let finished = bench.run("test.sh project/");
    finished.check(
        0,
        &["kept as project.orig", "result is in project/, 2 files"],
    );
    assert_eq!(names(&bench, "project"), ["list", "src/a.c"]);
    assert_eq!(bench.read("project/src/a.c"), "needle");
    assert_eq!(bench.read("project/list"), "a.c");
    assert_eq!(names(&bench, "project.orig"), before);
    assert_eq!(
        fs::read(bench.path("project.orig/docs/page")).unwrap(),
        b"\x1c\x10\xff\0"
    );
    assert!(bench.path("project.orig/empty").is_dir());
    assert_eq!(bench.mode("project.orig/run"), 0o755);
    let beside = fs::read_dir(bench.path("")).unwrap().count();
    assert_eq!(beside, 5, "something was left beside the result");
}

#[test]
fn a_test_gets_a_folder_with_all_that_is_in_it() {
    let script = "cd \"$1\" && [ -x run ] && [ -L link ] && [ -d empty ] && grep -q needle link";
    let bench = with_folder(script);
    bench
        .run("-o out test.sh project")
        .check(0, &["goes to out"]);
    assert_eq!(names(&bench, "out"), ["link", "run", "src/a.c"]);
    assert!(bench.path("out/empty").is_dir());
    assert_eq!(bench.mode("out/run"), 0o755);
    assert_eq!(bench.read("out/src/a.c"), "needle");
    assert!(!bench.path("project.orig").exists());
}

#[test]
fn a_second_run_goes_on_from_the_folder_that_the_first_has_reached() {
    let bench = with_folder(NEEDLE);
    let run = |options: &str| bench.run(&format!("{options} -o out test.sh project"));
    run("--passes delete_files").check(0, &[]);
    assert_eq!(names(&bench, "out"), ["list", "src/a.c"]);
    run("").check(0, &["going on from out, ", "result is in out, 2 files"]);
    assert_eq!(bench.read("out/src/a.c"), "needle");
    bench.write("out/src/a.c", "hay");
    run("").check(2, &["out is there already"]);
    assert_eq!(bench.read("out/src/a.c"), "hay");
}

#[test]
fn a_folder_is_the_same_with_any_number_of_workers() {
    let results = ["1", "8"].map(|jobs| {
        let bench = with_folder("cd \"$1\" && cat src/* | tr -d '\\n' | grep -q 'needle.*needle'");
        bench
            .run(&format!("-j {jobs} test.sh project"))
            .check(0, &[]);
        let names = names(&bench, "project");
        let contents = names
            .iter()
            .map(|name| bench.read(format!("project/{name}")));
        (contents.collect::<Vec<_>>(), names)
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn files_that_the_test_does_not_read_go_at_once() {
    let bench = with_folder("grep -q needle \"$1/src/a.c\" && [ -d \"$1/empty\" ]");
    let line = "--max-tests 1 -o out test.sh project";
    bench
        .run(line)
        .check(4, &["removed by delete_unread_files (100 %)"]);
    assert_eq!(names(&bench, "out"), ["link", "src/a.c"]);
    assert!(bench.path("out/empty").is_dir());
}

#[test]
fn files_that_have_to_be_there_and_are_not_read_are_emptied() {
    let bench = with_folder("cd \"$1\" && grep -q needle src/a.c && [ -e run ] && [ -e list ]");
    let line = "--passes delete_unread_files -o out test.sh project";
    bench.run(line).check(0, &[]);
    assert_eq!(names(&bench, "out"), ["link", "list", "run", "src/a.c"]);
    assert_eq!(bench.read("out/list"), "");
}

#[test]
fn what_can_not_be_done_with_a_folder_is_refused() {
    let bench = with_folder(NEEDLE);
    fs::create_dir(bench.path("full")).unwrap();
    bench.write("full/kept", "");
    bench
        .run("-o full test.sh project")
        .check(2, &["full is there already"]);
    bench
        .run("-o a.txt test.sh project")
        .check(2, &["not a folder"]);
    bench
        .run("--format cat test.sh project")
        .check(2, &["--format is for single files"]);
    bench
        .run("--with cat test.sh project")
        .check(2, &["--with is for single files"]);
    bench
        .run("--input stdin test.sh project")
        .check(2, &["--input stdin is for single files"]);
    bench
        .run("test.sh .")
        .check(2, &["run ablate from outside"]);
    assert_eq!(names(&bench, "full"), ["kept"]);
}

#[test]
fn pipes_and_sockets_are_left_out() {
    let bench = with_folder(NEEDLE);
    nix::unistd::mkfifo(&bench.path("project/pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(bench.path("project/src/socket")).unwrap();
    let finished = bench.run("--passes delete_files -o out test.sh project");
    let said = [
        "warning: pipe is left out: it is neither a file, a folder nor a symbolic link",
        "warning: src/socket is left out: ",
    ];
    finished.check(0, &said);
    assert_eq!(names(&bench, "out"), ["list", "src/a.c"]);
}

#[test]
fn folders_keep_their_permissions() {
    let bench = with_folder(NEEDLE);
    bench.set_mode("project", 0o710);
    bench.set_mode("project/src", 0o700);
    let line = "--passes delete_files test.sh project";
    bench.run(&format!("-o out {line}")).check(0, &[]);
    bench.run(line).check(0, &[]);
    for folder in ["out", "project", "project.orig"] {
        let modes = [folder, &format!("{folder}/src")].map(|name| bench.mode(name));
        assert_eq!(modes, [0o710, 0o700], "{folder}");
    }
    assert_eq!(bench.mode("project.orig/docs"), bench.mode("evidence"));
}

#[test]
fn a_test_that_does_not_enter_the_folder_is_told_to() {
    let bench = with_folder("grep -q needle src/a.c");
    bench
        .run("test.sh project")
        .check(3, &["does not find the original", "(`cd \"$1\"`)"]);
}

#[test]
fn what_is_interesting_without_files_is_no_test() {
    let bench = with_folder("[ -d \"$1\" ]");
    bench
        .run("test.sh project")
        .check(3, &["even an empty folder"]);
    let mode = fs::metadata(bench.path("project"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o700, 0o700);
}

#[test]
fn what_a_file_includes_takes_the_place_of_its_name() {
    let script = "cd \"$1\" && cc -E -P a.c | tr -d '\\n' | grep -q 'int b;.*int c;'";
    let bench = Bench::new(script, "");
    fs::create_dir_all(bench.path("project/inc")).unwrap();
    bench.write(
        "project/a.c",
        "#include \"inc/b.h\"\nint c;\nint hay() { return c; }\n",
    );
    bench.write(
        "project/inc/b.h",
        "#pragma once\nint b;\n#define HAY 1\nint straw;\n",
    );
    bench.run("test.sh project").check(0, &[]);
    assert_eq!(names(&bench, "project"), ["a.c"]);
    assert_eq!(bench.read("project/a.c").trim_end(), "int b;int c;");
}
