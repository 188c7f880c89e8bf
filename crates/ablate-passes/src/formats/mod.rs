//! What text is made of: crude analyses that hold for most formats, each computed once per target.
//! None of them can fail; on bytes that are no text they find little or nothing.

pub mod brackets;
pub mod characters;
pub mod cnf;
pub mod integers;
pub mod items;
pub mod lines;
pub mod markup;
pub mod members;
pub mod quotes;
pub mod sexpr;
pub mod smt;
pub mod smt_sorts;
pub mod tokens;
pub mod words;
