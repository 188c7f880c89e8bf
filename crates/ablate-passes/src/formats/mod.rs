//! What text is made of: crude analyses that hold for most formats, each computed once per target.
//! None of them can fail; on bytes that are no text they find little or nothing.

pub mod brackets;
pub mod cbor;
pub mod characters;
pub mod cnf;
pub mod container;
pub mod containers;
pub mod couplings;
pub mod elf;
pub mod folder;
pub mod gif;
pub mod gzip;
pub mod integers;
pub mod items;
pub mod lengths;
pub mod lines;
pub mod markup;
pub mod members;
pub mod msgpack;
pub mod nested_values;
pub mod pdf;
pub mod png;
pub mod protobuf;
pub mod quotes;
pub mod records;
pub mod riff;
pub mod sexpr;
pub mod smt;
pub mod smt_bits;
pub mod smt_rules;
pub mod smt_sorts;
pub mod tar;
pub mod tokens;
pub mod wasm;
pub mod words;
pub mod zip;
