//! Deletes one byte, or two that stand side by side, at any place.
//!
//! Whatever no other pass has a notion of, this one still finds: of `a+-b` can remain `ab`, even
//! where neither `+` nor `-` can go alone.
//!
//! Costs one test for each byte, and another where a run of two neither starts nor ends within a
//! word; characters stay whole, and of words with more than four letters only the ends and zeros are
//! tried. A cut that succeeds is grown to both sides.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::delete_short_runs;
//!
//! let pass = delete_short_runs();
//! assert_eq!(reductions(&pass, "ab;"), ["ab", "a;", "b;", ";"]);
//! assert_eq!(reductions(&pass, "né"), ["n", "é"]);
//! assert_eq!(reductions(&pass, "first0second"), ["first0secon", "firstsecond", "irst0second"]);
//! ```

use ablate_engine::passes::DeleteShortRuns;

use crate::formats::characters::{is_word, splits_character, splits_word};

/// Words up to this length also lose single characters in their middle.
const SHORT_WORD: usize = 4;

/// The pass of this module, on text.
pub fn delete_short_runs() -> DeleteShortRuns<u8> {
    DeleteShortRuns {
        longest: 2,
        makes_sense,
    }
}

fn makes_sense(text: &[u8], start: usize, end: usize) -> bool {
    if splits_character(text, start) || splits_character(text, end) {
        return false;
    }
    // A single character may be cut out of a word, more of them only as a whole word.
    let is_single = end - start == 1 || (start + 1..end).all(|at| splits_character(text, at));
    match (splits_word(text, start), splits_word(text, end)) {
        (false, false) => true,
        // A word of which neither end can go is hardly one whose middle can, unless it is short, or
        // a zero is all that is left of what stood between two words.
        (true, true) => is_single && (text[start] == b'0' || word_len(text, start) <= SHORT_WORD),
        _ => is_single,
    }
}

/// The length of the word around a position, or a little more than that of a short one.
fn word_len(text: &[u8], at: usize) -> usize {
    let limit = SHORT_WORD + 1;
    let before = text[..at]
        .iter()
        .rev()
        .take(limit)
        .take_while(|&&byte| is_word(byte));
    let after = text[at..]
        .iter()
        .take(limit)
        .take_while(|&&byte| is_word(byte));
    before.count() + after.count()
}
