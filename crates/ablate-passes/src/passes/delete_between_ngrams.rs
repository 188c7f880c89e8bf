//! Deletes from one occurrence of some bytes to the next occurrence of the same bytes.
//!
//! Whatever a format separates its parts with, it does so again and again: in
//! `<li>a</li><li>b</li>` the cut from the first `<li>` to the second takes away one whole member,
//! without any idea of what `<li>` means.
//!
//! Costs about one test for each repetition of 4, 8 or 16 bytes, wherever it starts and however
//! long it is. A cut that succeeds is grown past more occurrences to both sides. Texts above
//! 128 KiB are left to other passes.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::delete_between_ngrams;
//!
//! let pass = delete_between_ngrams();
//! let text = "<li>a<li>b<li>c";
//! assert_eq!(reductions(&pass, text), ["<li>a<li>c", "<li>b<li>c"]);
//! assert_eq!(grown(&pass, text, "<li>a", 1), ["<li>c"]);
//! ```

use ablate_engine::passes::DeleteBetweenNgrams;

/// The pass of this module, on text.
pub fn delete_between_ngrams() -> DeleteBetweenNgrams {
    DeleteBetweenNgrams { sizes: &[4, 8, 16] }
}
