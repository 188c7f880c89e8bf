//! Programming languages and data formats that have a grammar: what a file is, its syntax tree, and
//! the passes on syntax trees. The grammars are compiled in, each behind a feature of its name; this
//! crate keeps them, and the C code in them, away from the others.

mod arguments;
mod blocks;
mod bodies;
mod conditionals;
mod detect;
pub mod explain;
mod exported;
mod expressions;
mod generics;
mod gone;
mod hollows;
mod inner;
mod items;
mod keyed;
mod kotlin;
mod language;
mod languages;
mod llvm;
mod members;
mod metadata;
mod modules;
mod names;
mod needs;
mod newtypes;
mod node_types;
mod overrides;
mod owners;
mod parsing;
pub mod passes;
mod paths;
mod pieces;
mod queries;
mod readable;
pub mod registry;
mod retained;
mod runs;
mod shapes;
mod sound;
mod sql;
mod templates;
pub mod tree;
mod typescript;
mod unused;
mod uses;
mod value_types;
mod verilog;
mod weights;
mod wgsl;

pub use detect::detect;
pub use language::Language;
pub use languages::{LANGUAGES, find};
pub use sound::sound;
pub use tree::{Syntax, SyntaxTree};
pub use unused::without_unused;
