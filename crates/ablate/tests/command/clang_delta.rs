//! clang_delta as a source of candidates: `--use clang_delta`, with a program that is called as
//! clang_delta is.

use crate::bench::{Bench, Running};

/// Does what clang_delta does with one of its transformations.
const CLANG_DELTA: &str = r#"#!/bin/sh
for file; do :; done
case "$1 $2" in
    "--query-instances=remove-unused-var "*)
        echo "Available transformation instances: $(grep -c "int a; " "$file")" ;;
    "--query-instances="*)
        echo "Available transformation instances: 0" ;;
    "--transformation=remove-unused-var --counter=1")
        sed "s/int a; //" "$file" ;;
    *)
        echo "Error: The counter value exceeded the number of transformation instances!" >&2
        exit 1 ;;
esac
"#;

#[test]
fn what_clang_delta_makes_of_a_test_case_is_tried() {
    let bench = Bench::new("grep -q needle \"$1\"", "int a; needle");
    bench.write("clang_delta", CLANG_DELTA);
    bench.set_mode("clang_delta", 0o755);
    let path = std::env::var("PATH").unwrap();
    let line = "-j2 --passes sort_lines --use clang_delta test.sh a.txt";
    let mut command = bench.command(&line.split(' ').collect::<Vec<_>>());
    command.env("PATH", format!("{}:{path}", bench.path("").display()));
    Running::new(command).finish().check(0, &[]);
    assert_eq!(bench.read("a.txt"), "needle");
}
