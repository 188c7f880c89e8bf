//! The `ablate` command.
fn main() {}
