//! What a pass on text would do, without a test to run: for documentation and for the curious.

use alloc::string::String;
use alloc::vec::Vec;

use ablate_engine::explain;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;

/// Every different text that `pass` proposes instead of `text`, in the order of a sweep.
///
/// ```
/// use ablate_passes::explain::reductions;
/// use ablate_passes::passes::DeleteLines;
///
/// assert_eq!(reductions(&DeleteLines, "a\nb\n"), ["a\n", "b\n"]);
/// ```
pub fn reductions(pass: &dyn Pass<u8>, text: &str) -> Vec<String> {
    readable(explain::reductions(pass, text.as_bytes()))
}

/// What becomes of `text` when the cut of `cut` (the place of its first occurrence) has succeeded
/// and is grown in `direction` by 1, 2, 3, … units.
///
/// ```
/// use ablate_passes::explain::grown;
/// use ablate_passes::passes::DeleteLines;
///
/// assert_eq!(grown(&DeleteLines, "a\nb\nc\n", "c\n", 0), ["a\n", ""]);
/// ```
pub fn grown(pass: &dyn Pass<u8>, text: &str, cut: &str, direction: usize) -> Vec<String> {
    let start = text.find(cut).unwrap_or(text.len());
    let patch = Patch::cut(start, (start + cut.len()).min(text.len()));
    grown_patch(pass, text, &patch, direction)
}

/// What becomes of `text` when `patch` has succeeded and is grown in `direction` by 1, 2, 3, …
/// units.
pub fn grown_patch(
    pass: &dyn Pass<u8>,
    text: &str,
    patch: &Patch<u8>,
    direction: usize,
) -> Vec<String> {
    readable(explain::grown(pass, text.as_bytes(), patch, direction))
}

fn readable(texts: Vec<Vec<u8>>) -> Vec<String> {
    texts
        .iter()
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}
