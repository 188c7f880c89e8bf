//! The `ablate` command: arguments, start checks, screens, files. How a pass works and how a test
//! runs is not its business.

mod answers;
mod args;
mod clang_delta;
mod exit;
mod external;
mod failure;
mod folder;
mod found;
mod guarded;
mod image;
mod json;
mod kind;
mod passes;
mod program;
mod progress;
mod readers;
mod recheck;
mod reduce;
mod save;
mod save_folder;
mod start;

use std::io::Write;
use std::process::ExitCode;

use args::{Arguments, Command, MessageFormat};
use exit::Exit;
use failure::Failure;

fn main() -> ExitCode {
    ablate_exec::supervisor::run_if_asked();
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(error) => {
            // `--help` and `--version` come this way too, and are no mistakes.
            let is_mistake = error.use_stderr();
            if is_mistake && args::ask_for_json() {
                json::tell_failure(Exit::Usage, error.to_string().trim_end());
            }
            let _ = error.print();
            return if is_mistake {
                Exit::Usage.into()
            } else {
                Exit::Reduced.into()
            };
        }
    };
    // A panic has told about itself; on the way here it has ended the tests and their directories.
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(Failure::BrokenPipe)) => Exit::Reduced.into(),
        Ok(Err(failure)) => {
            if arguments.command.is_none()
                && arguments.options.message_format == MessageFormat::Json
            {
                json::tell_failure(failure.exit(), &failure.story());
            }
            // Nothing can be done if nobody listens.
            let _ = writeln!(std::io::stderr(), "ablate: {}", failure.story());
            failure.exit().into()
        }
        Err(_) => {
            let _ = writeln!(
                std::io::stderr(),
                "ablate: this is a mistake in ablate itself; please report it with the lines above"
            );
            Exit::Internal.into()
        }
    }
}

fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Some(Command::Passes { name }) => passes::show(name.as_deref()),
        Some(Command::Languages) => passes::show_languages(),
        Some(Command::Check { test, file }) => start::show(test, file, &arguments.options),
        None => reduce::run(arguments),
    }
}
