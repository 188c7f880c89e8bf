//! The `ablate` command: arguments, start checks, screens, files. How a pass works and how a test
//! runs is not its business.

mod args;
mod exit;
mod failure;
mod json;
mod passes;
mod progress;
mod readers;
mod reduce;
mod save;
mod start;

use clap::Parser;

use args::{Arguments, Command};
use exit::Exit;
use failure::Failure;

fn main() -> std::process::ExitCode {
    ablate_exec::supervisor::run_if_asked();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // `--help` and `--version` come this way too, and are no mistakes.
            let is_mistake = error.use_stderr();
            let _ = error.print();
            return if is_mistake {
                Exit::Usage.into()
            } else {
                Exit::Reduced.into()
            };
        }
    };
    let result = match &arguments.command {
        Some(Command::Passes { name }) => passes::show(name.as_deref()),
        Some(Command::Check { test, file }) => start::show(test, file, &arguments.options),
        None => reduce::run(&arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(Failure::BrokenPipe) => Exit::Reduced.into(),
        Err(failure) => {
            eprintln!("ablate: {failure}");
            failure.exit().into()
        }
    }
}
