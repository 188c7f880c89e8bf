//! What text is made of: crude analyses that hold for most formats, each computed once per target.
//! None of them can fail; on bytes that are no text they find little or nothing.

pub mod ar;
pub mod archive;
pub mod arithmetic;
pub mod avro;
pub mod brackets;
pub mod cbor;
pub mod chains;
pub mod characters;
pub mod class_files;
pub mod cnf;
pub mod coff;
pub mod conditionals;
pub mod conditions;
pub mod container;
pub mod containers;
pub mod couplings;
pub mod definitions;
pub mod directories;
pub mod elf;
pub mod folder;
pub mod forms;
pub mod gguf;
pub mod gif;
pub mod gzip;
mod heads;
pub mod hunks;
pub mod includes;
pub mod integers;
pub mod items;
pub mod json;
pub mod lengths;
pub mod lines;
pub mod lisp;
pub mod listed;
pub mod macho;
pub mod markup;
pub mod marshal;
pub mod members;
pub mod mir;
pub mod msgpack;
pub mod named;
pub mod nested_values;
mod objects;
pub mod onnx;
pub mod ordinals;
pub mod paragraphs;
pub mod parquet;
pub mod pdf;
pub mod pickles;
pub mod png;
pub mod preprocessor;
pub mod protobuf;
pub mod quotes;
pub mod riff;
pub mod routines;
pub mod rtlil;
pub mod runs;
pub mod safetensors;
pub mod sexpr;
pub mod smt;
pub mod smt_bits;
pub mod smt_rules;
pub mod smt_sorts;
pub mod spirv;
pub mod sqlite;
pub mod stubs;
pub mod tables;
pub mod tagged;
pub mod tar;
pub mod tiff;
pub mod tokens;
pub mod utf16;
pub mod wasm;
pub mod wat;
pub mod worded;
pub mod words;
pub mod zip;

use ablate_engine::target::Target;

/// Whether a text is a module of code for machines, or of hardware, with passes of its own. It may hold the
/// source that it is made of.
pub fn is_module(target: &Target<u8>) -> bool {
    spirv::Module::of(target).is_some()
        || !mir::Mir::of(target).functions().is_empty()
        || !wat::Wat::of(target).functions().is_empty()
        || !rtlil::Rtlil::of(target).is_empty()
}
