//! Which binary format a file is in: the one list of those that are taken apart. Those that are
//! guessed come last.

use alloc::rc::Rc;

use ablate_engine::target::Target;

use crate::formats::archive::pem;
use crate::formats::container::Container;
use crate::formats::{
    ar, avro, cbor, chains, class_files, coff, directories, elf, gguf, gif, gzip, lengths, macho,
    marshal, msgpack, parquet, pdf, pickles, png, protobuf, riff, safetensors, sqlite, tar, tiff,
    utf16, wasm, zip,
};

/// A format: the parts of a file, or `None` for a file of another format.
pub type Format = fn(&[u8]) -> Option<Container>;

/// The formats that are known, by name; those that can't be told by what they begin with last.
pub const FORMATS: &[(&str, Format)] = &[
    ("wasm", wasm::container),
    ("png", png::container),
    ("gif", gif::container),
    ("riff", riff::container),
    ("zip", zip::container),
    ("gzip", gzip::container),
    ("utf-16", utf16::container),
    ("pem", pem::container),
    ("elf", elf::container),
    ("mach-o", macho::container),
    ("pdf", pdf::container),
    ("sqlite", sqlite::container),
    ("tiff", tiff::container),
    ("class", class_files::container),
    ("avro", avro::container),
    ("parquet", parquet::container),
    ("gguf", gguf::container),
    ("pickle", pickles::container),
    ("safetensors", safetensors::container),
    ("pyc", marshal::container),
    ("coff", coff::container),
    ("tar", tar::container),
    ("ar", ar::container),
    ("msgpack", msgpack::container),
    ("cbor", cbor::container),
    ("protobuf", protobuf::container),
    ("directories", directories::container),
    ("chains", chains::container),
    ("lengths", lengths::container),
];

/// The parts of a target; none for what is in no known format.
pub fn container(target: &Target<u8>) -> Rc<Container> {
    target.analysis(|target| {
        let text = target.elements();
        let found = FORMATS.iter().find_map(|(_, format)| format(text));
        found.unwrap_or_default()
    })
}

/// The name of the format that a content is taken apart as, if any.
pub fn name(content: &[u8]) -> Option<&'static str> {
    let found = FORMATS.iter().find(|(_, format)| format(content).is_some());
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names_and_noise_has_none() {
        let png = include_bytes!("../../tests/samples/small.png");
        assert_eq!(name(png), Some("png"));
        assert_eq!(name(b"\xff\xfea\0"), Some("utf-16"));
        assert_eq!(name(b"\xff\xfe\x9d\x80\x13\xc3"), None);
    }
}
