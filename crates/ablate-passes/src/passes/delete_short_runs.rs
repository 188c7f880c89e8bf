//! Deletes one byte, or up to four that stand side by side, at any place.
//!
//! Whatever no other pass has a notion of, this one still finds: of `a+-b` can remain `ab`, even
//! where neither `+` nor `-` can go alone.
//!
//! Costs one test for each byte, and up to three more where a run neither starts nor ends within a
//! word; characters stay whole. A cut that succeeds is grown to both sides.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::delete_short_runs;
//!
//! let pass = delete_short_runs();
//! assert_eq!(reductions(&pass, "ab;"), ["ab", "a;", "b;", ";", ""]);
//! assert_eq!(reductions(&pass, "né"), ["n", "é", ""]);
//! ```

use ablate_engine::passes::DeleteShortRuns;

use crate::formats::characters::{splits_character, splits_word};

/// The pass of this module, on text.
pub fn delete_short_runs() -> DeleteShortRuns<u8> {
    DeleteShortRuns {
        longest: 4,
        makes_sense,
    }
}

fn makes_sense(text: &[u8], start: usize, end: usize) -> bool {
    if splits_character(text, start) || splits_character(text, end) {
        return false;
    }
    // A single character may be cut out of a word, more of them only as a whole word.
    let is_single = end - start == 1 || (start + 1..end).all(|at| splits_character(text, at));
    is_single || !(splits_word(text, start) || splits_word(text, end))
}
