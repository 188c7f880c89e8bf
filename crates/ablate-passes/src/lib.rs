//! The passes on text, bytes and formats, and the registry that lists them. Nothing here knows how
//! a test runs.
#![no_std]

extern crate alloc;
#[cfg(test)]
#[macro_use]
extern crate std;

pub mod explain;
pub mod formats;
pub mod passes;
pub mod registry;
