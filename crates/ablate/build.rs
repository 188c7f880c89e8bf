//! How the command is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name| env::var(name).unwrap_or_default();
    // The tables of the grammars hold 33,000 pointers: in a program that may be loaded anywhere, each
    // takes 24 bytes of the file, and is put right at each start.
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
