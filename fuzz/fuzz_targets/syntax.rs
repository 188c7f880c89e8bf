//! Parse, edit, render, and again, on arbitrary bytes: the first eight choose the language and the
//! passes. `crates/ablate-languages/tests/properties.rs` does the same on texts of its own.

#![no_main]

#[path = "../../crates/ablate-languages/tests/edits/mod.rs"]
mod edits;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some((choices, text)) = data.split_first_chunk() {
        edits::check_edits(u64::from_le_bytes(*choices), text);
    }
});
