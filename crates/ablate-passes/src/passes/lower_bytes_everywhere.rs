//! Replaces every occurrence of a byte by the same simpler one.
//!
//! Occurrences often have to agree: in `x+x` neither `x` can become `a` without the other, but both
//! together can.
//!
//! Costs up to two tests for each different byte, however long the text is: letters become `0` or
//! `a`, digits `0`, everything else a space or `0`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::lower_bytes_everywhere;
//!
//! let seen = reductions(&lower_bytes_everywhere(), "x+x");
//! assert_eq!(seen, ["0+0", "a+a", "x x"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::order::Text;
use ablate_engine::passes::LowerElementsEverywhere;

/// The pass of this module.
pub fn lower_bytes_everywhere() -> LowerElementsEverywhere<u8, Text> {
    LowerElementsEverywhere {
        name: "lower_bytes_everywhere",
        order: Text,
        values,
    }
}

fn values(byte: &u8) -> Vec<u8> {
    match byte {
        b'0'..=b'9' => [b'0'].into(),
        b'a'..=b'z' | b'A'..=b'Z' => [b'0', b'a'].into(),
        _ if byte.is_ascii_graphic() || byte.is_ascii_whitespace() => [b' '].into(),
        _ => [b' ', b'0'].into(),
    }
}
