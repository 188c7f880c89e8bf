//! What becomes of files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixListener;

use crate::bench::{Bench, HAY, Running};

#[test]
fn reduces_in_place_and_keeps_the_original() {
    let bench = Bench::needle();
    let finished = bench.run("test.sh a.txt");
    finished.check(0, &["kept as a.txt.orig", "result is in a.txt"]);
    assert_eq!(bench.read("a.txt"), "needle");
    assert_eq!(bench.read("a.txt.orig"), HAY);
    let names = fs::read_dir(bench.path("")).unwrap();
    assert_eq!(names.count(), 4, "something was left beside the result");
}

#[test]
fn leaves_the_input_alone_when_there_is_an_output() {
    let bench = Bench::needle();
    bench
        .run("-o out.txt test.sh a.txt")
        .check(0, &["goes to out.txt"]);
    assert_eq!(bench.read("a.txt"), HAY);
    assert_eq!(bench.read("out.txt"), "needle");
    assert!(!bench.path("a.txt.orig").exists());
}

#[test]
fn keeps_the_original_also_when_the_output_is_the_input() {
    let bench = Bench::needle();
    bench.run("-o ./a.txt test.sh a.txt").check(0, &[]);
    assert_eq!(bench.read("a.txt"), "needle");
    assert_eq!(bench.read("a.txt.orig"), HAY);
}

#[test]
fn keeps_permissions_and_shows_the_original_to_nobody_else() {
    let bench = Bench::needle();
    bench.set_mode("a.txt", 0o600);
    bench.run("test.sh a.txt").check(0, &[]);
    assert_eq!(bench.read("a.txt"), "needle");
    assert_eq!([bench.mode("a.txt"), bench.mode("a.txt.orig")], [0o600; 2]);
}

#[test]
fn replaces_the_file_that_a_symbolic_link_names() {
    let bench = Bench::needle();
    fs::create_dir(bench.path("there")).unwrap();
    fs::rename(bench.path("a.txt"), bench.path("there/real.txt")).unwrap();
    std::os::unix::fs::symlink("there/real.txt", bench.path("a.txt")).unwrap();
    bench.run("test.sh a.txt").check(0, &[]);
    assert!(
        fs::symlink_metadata(bench.path("a.txt"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(bench.read("there/real.txt"), "needle");
    assert_eq!(bench.read("a.txt.orig"), HAY);
}

#[test]
fn takes_names_and_contents_that_are_not_utf_8() {
    let bench = Bench::new("LC_ALL=C grep -qa \"$(printf '\\377\\376')\" \"$1\"", "");
    let name = OsString::from_vec(b"a \xff'\n.bin".to_vec());
    bench.write(&name, b"\x00\x01\xff\xfe\x80\x00");
    let arguments = [OsStr::new("-j2"), OsStr::new("test.sh"), &name];
    Running::new(bench.command(&arguments))
        .finish()
        .check(0, &[]);
    assert_eq!(fs::read(bench.path(&name)).unwrap(), b"\xff\xfe");
}

#[test]
fn an_empty_file_is_as_small_as_it_gets() {
    let bench = Bench::new("exit 0", "");
    let last = bench.check_json("test.sh a.txt", 0);
    assert_eq!(
        (&last["final_bytes"], &last["complete"]),
        (&0.into(), &true.into())
    );
    assert_eq!(bench.read("a.txt"), "");
}

#[test]
fn refuses_what_is_no_file() {
    let bench = Bench::needle();
    bench
        .run("test.sh /dev/null")
        .check(2, &["/dev/null is neither a regular file nor a folder"]);
    let missing = bench.run("test.sh b.txt");
    missing.check(2, &["can't read b.txt", "because: No such file"]);
}

#[test]
fn says_at_once_that_the_output_can_not_be_written() {
    let bench = Bench::needle();
    let missing = bench.run("-o no/such/out.txt test.sh a.txt");
    missing.check(
        2,
        &[
            "can't write no/such/out.txt",
            "with -o",
            "because: No such file",
        ],
    );
    let occupied = bench.run("-o a.txt/out.txt test.sh a.txt");
    occupied.check(
        2,
        &["can't write a.txt/out.txt", "because: Not a directory"],
    );
    bench
        .run("-o evidence test.sh a.txt")
        .check(2, &["evidence"]);
    assert_eq!(bench.read("a.txt"), HAY);
}

#[test]
fn never_replaces_what_is_no_regular_file() {
    let bench = Bench::needle();
    let _socket = UnixListener::bind(bench.path("socket")).unwrap();
    bench
        .run("-o socket test.sh a.txt")
        .check(2, &["can't write", "because: this is not a regular file"]);
    let there = fs::metadata(bench.path("socket")).unwrap();
    assert!(!there.is_file(), "the socket was replaced");
}
