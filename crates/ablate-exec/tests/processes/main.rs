//! What holds of real processes. The binary is also what its tests start: a supervisor, or one of
//! the roles in `bench`.

mod bench;
mod calls;
mod leftovers;
mod limits;
mod mishaps;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    ablate_exec::supervisor::run_if_asked();
    if let Some(status) = bench::play_role() {
        return status;
    }
    let tests = [
        calls::TESTS,
        leftovers::TESTS,
        limits::TESTS,
        mishaps::TESTS,
    ];
    let trials = tests.concat().into_iter().map(|(name, check)| {
        Trial::test(name, move || {
            check();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
