//! Which binary format a file is in: the one list of those that are taken apart.

use alloc::rc::Rc;

use ablate_engine::target::Target;

use crate::formats::container::Container;
use crate::formats::wasm;

/// A format: the parts of a file, or `None` for a file of another format.
pub type Format = fn(&[u8]) -> Option<Container>;

/// The formats that are known, by name.
pub const FORMATS: &[(&str, Format)] = &[("wasm", wasm::container)];

/// The parts of a target; none for what is in no known format.
pub fn container(target: &Target<u8>) -> Rc<Container> {
    target.analysis(|target| {
        let text = target.elements();
        let found = FORMATS.iter().find_map(|(_, format)| format(text));
        found.unwrap_or_default()
    })
}
