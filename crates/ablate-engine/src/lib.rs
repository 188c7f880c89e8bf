//! The reduction engine: what is simpler, which edit is tried next, how far it can be taken, when
//! nothing is left to try.
//!
//! The engine is sequential and pure. It knows no files, processes, clocks, threads or terminals
//! (`no_std` keeps it so), and what it does is a function of the target, the answers of the
//! [`oracle::Oracle`] and the seed.
#![no_std]

extern crate alloc;
#[cfg(test)]
#[macro_use]
extern crate std;

mod accept;
mod chain;
pub mod chooser;
pub mod drive;
pub mod event;
pub mod explain;
mod following;
pub mod identity;
mod index_set;
pub mod insert;
mod memo;
pub mod oracle;
pub mod order;
mod parts;
pub mod pass;
pub mod passes;
pub mod patch;
pub mod reducer;
mod refuted;
mod resemblance;
mod schedule;
pub mod search;
pub mod simulate;
mod state;
pub mod target;
mod upcoming;
mod walker;
