//! The command as its users meet it: real processes, small shell scripts as tests.

mod archives;
mod bench;
mod clang_delta;
mod ends;
mod external;
mod files;
mod folders;
mod format;
mod messages;
mod mishaps;
mod outputs;
mod starts;
