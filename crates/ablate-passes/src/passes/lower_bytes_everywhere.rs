//! Replaces every occurrence of a byte by the same simpler one.
//!
//! Occurrences often have to agree: in `x+x` neither `x` can become `0` without the other, but both
//! together can.
//!
//! Costs one test for each different byte, however long the text is: letters and digits become `0`,
//! marks and white space a space, and what is no text either (two tests). Names are left to
//! `rename_identifiers`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::lower_bytes_everywhere;
//!
//! let seen = reductions(&lower_bytes_everywhere(), "x+x");
//! assert_eq!(seen, ["0+0", "x x"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::order::{Natural, Text};
use ablate_engine::passes::LowerElementsEverywhere;

/// The pass of this module.
pub fn lower_bytes_everywhere() -> LowerElementsEverywhere<u8, Text> {
    LowerElementsEverywhere {
        name: "lower_bytes_everywhere",
        order: Text,
        values,
    }
}

/// The same in binary data, where a smaller value is a simpler one: zero.
pub fn lower_bytes_everywhere_in_binary() -> LowerElementsEverywhere<u8, Natural> {
    LowerElementsEverywhere {
        name: "lower_bytes_everywhere",
        order: Natural,
        values: |_| [0].into(),
    }
}

fn values(byte: &u8) -> Vec<u8> {
    match byte {
        _ if byte.is_ascii_alphanumeric() => [b'0'].into(),
        _ if byte.is_ascii_graphic() || byte.is_ascii_whitespace() => [b' '].into(),
        _ => [b' ', b'0'].into(),
    }
}
