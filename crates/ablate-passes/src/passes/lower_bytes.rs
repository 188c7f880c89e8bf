//! Replaces a byte by a simpler one.
//!
//! What remains when nothing can be deleted any more should not suggest a meaning that it has not:
//! if `"hello"` has to have five letters but may have any, it becomes `"a0000"`.
//!
//! Costs one test for each byte of a word (the first becomes `a`, the others `0`) and for each mark
//! or white space (it becomes a space), and two for a byte that is no text; of a run of equal bytes
//! only the ends are tried. A success is grown over the bytes that follow.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::lower_bytes;
//!
//! assert_eq!(reductions(&lower_bytes(), "hi!"), ["hi ", "h0!", "ai!"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::order::{Natural, Text};
use ablate_engine::passes::LowerElements;

use crate::formats::characters::{is_word, splits_character};

/// The pass of this module.
pub fn lower_bytes() -> LowerElements<u8, Text> {
    LowerElements {
        name: "lower_bytes",
        order: Text,
        values,
    }
}

/// The same in binary data, where a smaller value is a simpler one: zero, or half, or one less.
pub fn lower_bytes_in_binary() -> LowerElements<u8, Natural> {
    LowerElements {
        name: "lower_bytes",
        order: Natural,
        values: |bytes, at| [0, bytes[at] / 2, bytes[at].saturating_sub(1)].into(),
    }
}

fn values(text: &[u8], at: usize) -> Vec<u8> {
    let byte = text[at];
    if byte.is_ascii_alphanumeric() {
        let is_first = at == 0 || !is_word(text[at - 1]);
        let is_last = !text.get(at + 1).is_some_and(|&next| is_word(next));
        if !is_first && !is_last {
            // Where neither end of a word may be another byte, the word is hardly one of many.
            return Vec::new();
        }
        let is_name = is_first && byte.is_ascii_alphabetic();
        return [if is_name { b'a' } else { b'0' }].into();
    }
    if byte.is_ascii_graphic() || byte.is_ascii_whitespace() {
        return [b' '].into();
    }
    if splits_character(text, at) || splits_character(text, at + 1) {
        return Vec::new();
    }
    [b' ', b'0'].into()
}
