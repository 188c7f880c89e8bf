//! What text is made of: crude analyses that hold for most formats, each computed once per target.
//! None of them can fail; on bytes that are no text they find little or nothing.

pub mod brackets;
pub mod characters;
pub mod container;
pub mod containers;
pub mod couplings;
pub mod integers;
pub mod items;
pub mod lines;
pub mod quotes;
pub mod tokens;
pub mod wasm;
pub mod words;
