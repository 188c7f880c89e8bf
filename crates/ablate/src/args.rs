//! The arguments of the command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use ablate_exec::InputModes;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::exit;

/// Makes a test case as small as it gets while TEST still finds it interesting.
///
/// TEST is any program that exits with status 0 when the test case still shows the bug. It gets
/// the candidate in every usual way: its path as the last argument, its content on standard input,
/// and as a file with FILE's base name in the current directory, alone in a fresh directory. FILE may
/// be a folder: then TEST gets a folder, as its argument and in the current directory. A zip,
/// tar or gzip archive stays one, and what is in it is reduced first; text in UTF-16 stays in UTF-16.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// The interestingness test: a path, or a command on PATH.
    #[arg(required = true)]
    pub test: Option<PathBuf>,
    /// The file or folder to reduce, in place (the original is kept as FILE.orig) unless -o is given.
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// Write the result to OUT and leave FILE alone. Goes on from what an earlier run has left in OUT, if
    /// TEST finds that interesting; another file that is there is kept as OUT.orig.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// How the reduction is to run.
    #[command(flatten)]
    pub options: Options,
    /// What else the command can do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// The arguments of this process.
    ///
    /// # Errors
    /// When they can't be understood, or ask for help only.
    pub fn of_process() -> Result<Arguments, clap::Error> {
        Arguments::try_parse().map_err(|error| match error.get(ContextKind::InvalidSubcommand) {
            // A third word is no mistake about subcommands.
            Some(ContextValue::String(word)) if error.kind() == ErrorKind::ArgumentConflict => {
                let message = format!(
                    "there is one TEST and one FILE, and '{word}' is neither; what the test needs \
                     besides goes into a script"
                );
                Arguments::command().error(ErrorKind::TooManyValues, message)
            }
            _ => error,
        })
    }
}

/// Whether the arguments of this process ask for messages for programs, also where they can't be
/// understood as a whole.
pub fn ask_for_json() -> bool {
    let arguments: Vec<_> = std::env::args_os().collect();
    let is_in_two = |two: &[OsString]| two[0] == "--message-format" && two[1] == "json";
    let is_in_one = |one: &OsString| one == "--message-format=json";
    arguments.windows(2).any(is_in_two) || arguments.iter().any(is_in_one)
}

/// How the reduction is to run.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// How many tests run at the same time [default: all cores]. Never changes the result.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), global = true)]
    pub jobs: Option<u16>,
    /// Where all randomness comes from.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How long a test may take, like 10s or 2m [default: found from the first runs].
    #[arg(long, value_name = "TIME", value_parser = limit_of_time, global = true)]
    pub timeout: Option<Duration>,
    /// How much address space each process of a test may have, like 4GB.
    #[arg(long, value_name = "SIZE", value_parser = limit_of_memory, global = true)]
    pub memory: Option<u64>,
    /// Stop after so many tests, counted in the order of the reduction.
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Stop after so much time, whatever is being done then.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub max_time: Option<Duration>,
    /// Passes to leave out (-NAME) or to add (+NAME), separated by commas; names without a sign
    /// are the only ones to run. `ablate passes` lists them.
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        value_delimiter = ','
    )]
    pub passes: Vec<String>,
    /// The language that FILE is in, or none [default: told by its name, then by its content].
    /// `ablate languages` lists them.
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,
    /// A pass of your own: a program that gets the test case as TEST does, and prints candidates or
    /// edits, one JSON object a line (docs/external-passes.md). Can be given several times.
    #[arg(long, value_name = "CMD")]
    pub with: Vec<String>,
    /// A reducer that is installed and can be used as well (docs/languages.md).
    #[arg(long = "use", value_name = "TOOL")]
    pub tools: Vec<Tool>,
    /// A formatter, such as clang-format: it gets the result on standard input and prints it nicely.
    /// That is kept if TEST finds it interesting.
    #[arg(long, value_name = "CMD")]
    pub format: Option<String>,
    /// How TEST gets the candidate: arg, stdin, cwd (several, separated by commas), or all.
    #[arg(long, value_name = "MODES", default_value = "all", global = true)]
    pub input: InputModes,
    /// How to tell what happens: for people, or as one JSON object a line.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Print nothing but errors; with json, the last message only.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print each reduction; twice: each test. With json, once is enough for both.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// A reducer of another project that can be used as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tool {
    /// The program behind C-Reduce and C-Vise, for C and C++
    #[value(name = "clang_delta")]
    ClangDelta,
}

/// Who reads the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// People.
    Human,
    /// Programs: one JSON object a line, described in docs/messages.md.
    Json,
}

/// What the command can do besides reducing.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the passes, or explain one of them.
    Passes {
        /// The pass to explain.
        name: Option<String>,
    },
    /// List the languages whose grammars are built in.
    Languages,
    /// Run the test on the file as a reduction would, and show what it printed.
    Check {
        /// The interestingness test: a path, or a command on PATH.
        test: PathBuf,
        /// The file or folder that a reduction would begin with.
        file: PathBuf,
    },
}

const AFTER_HELP: &str = "\
Examples:
  ablate ./crashes.sh bug.c                 reduce bug.c in place; bug.c.orig is the original
  ablate -o small.c ./crashes.sh bug.c      leave bug.c alone
  ablate ./crashes.sh project               reduce a folder: delete files, make the others small
  ablate check ./crashes.sh bug.c           see what the test says of bug.c
  ablate passes                             list the passes";

const AFTER_LONG_HELP: &str = const_format::concatcp!(
    AFTER_HELP,
    "

A test can be as short as this; it gets the candidate's path as its argument:
  #!/bin/sh
  gcc -O2 -c \"$1\" -o /dev/stdout 2>&1 >/dev/null | grep -q 'internal compiler error'

",
    exit::HELP
);

fn time(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string());
    }
    humantime::parse_duration(text).map_err(|error| format!("{error}; write it like 10s or 2m"))
}

fn limit_of_time(text: &str) -> Result<Duration, String> {
    let least = Duration::from_millis(1);
    match time(text)? {
        limit if limit < least => Err("no test ends so soon; give it some seconds".to_owned()),
        limit => Ok(limit),
    }
}

fn limit_of_memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        0..1_000_000 => Err("no program can run in that; write it like 512MB or 4GB".to_owned()),
        limit => Ok(limit),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let size = text.parse::<bytesize::ByteSize>();
    size.map(|size| size.as_u64())
        .map_err(|error| format!("{error}; write it like 512MB or 4GB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        assert!(time("-1").is_err() && time("soon").is_err());
        assert_eq!(size("4GB"), Ok(4_000_000_000));
        assert!(size("much").is_err());
        assert!(limit_of_time("0.001").is_ok() && limit_of_memory("1MB").is_ok());
    }
}
