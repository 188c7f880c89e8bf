//! Runs tests: local processes, limits, work directories. It does not know what a pass is.
//!
//! [`LocalProcesses`] is the engine's executor for the cores of this machine. Each of its slots has
//! a [`supervisor`], a small process that spawns one test after another, and that ends everything
//! a test leaves running, even when `ablate` itself is killed. A program that uses
//! [`LocalProcesses`] must call [`supervisor::run_if_asked`] first thing in `main`.
//!
//! ```text
//! LocalProcesses ── request ──► supervisor ── spawns ──► the test ──► its descendants
//!  (one thread)  ◄── report ──  (one a slot)  ◄─ reaps ──────┴────────────┘
//! ```
//!
//! The parts: [`Options`] say how a test is called; `places` has the directories it is called in;
//! `wire` is what `ablate` and its supervisors say to each other; `spawn` and `descendants` start
//! and end processes; `reads` sees which files a test reads; [`TimeLimit`] says how long a test may take.

#[cfg(not(target_os = "linux"))]
compile_error!("ablate-exec keeps hold of a test's descendants by means that only Linux has");

mod capture;
mod descendants;
mod drive;
mod error;
mod input;
mod interrupt;
mod limit;
mod local;
mod options;
mod places;
mod program;
mod reads;
mod report;
mod slot;
mod spawn;
pub mod supervisor;
mod wait;
mod wire;

pub use error::ExecError;
pub use interrupt::{Interrupt, is_ignored};
pub use limit::TimeLimit;
pub use local::{LocalProcesses, Statistics};
pub use options::{InputModes, Options, UnknownInputMode, Unpack, Unpacker};
pub use reads::Reads;
pub use report::{Call, Captured, Ending, RunReport};
