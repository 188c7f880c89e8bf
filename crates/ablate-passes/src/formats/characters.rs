//! Characters: which bytes make words, and where it is no use to cut.

use core::cmp::Ordering;

use ablate_engine::chooser::DeadBranch;
use ablate_engine::order::{ElementOrder, Text};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

/// Whether `byte` can be a part of a word: a letter, a digit, `_`, or a part of a character beyond
/// ASCII.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether `byte` is white space within a line.
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Whether `byte` is a control character other than white space, as text has none.
pub fn is_control(byte: u8) -> bool {
    byte < b' ' && !byte.is_ascii_whitespace()
}

/// Whether text may have a character in it: one that is printed, white space, or what begins the commands of
/// a terminal.
pub fn is_text(c: char) -> bool {
    !c.is_control() || c.is_whitespace() || c == '\x1b'
}

/// Whether `at` lies between two parts of one word.
pub fn splits_word(text: &[u8], at: usize) -> bool {
    0 < at && at < text.len() && is_word(text[at - 1]) && is_word(text[at])
}

/// Whether `at` lies within one UTF-8 character.
pub fn splits_character(text: &[u8], at: usize) -> bool {
    if at == 0 || at >= text.len() || text[at] & 0xc0 != 0x80 {
        return false;
    }
    let lead = (at.saturating_sub(3)..at)
        .rev()
        .find(|&lead| text[lead] & 0xc0 != 0x80);
    lead.is_some_and(|lead| {
        let length = match text[lead] {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        at < lead + length
    })
}

/// The cut of `start..end` with the blanks on one side of it, if what is left stays apart.
///
/// ```
/// use ablate_passes::formats::characters::with_blanks;
///
/// assert_eq!(with_blanks(b"return x;", 0, 6), (0, 7));
/// assert_eq!(with_blanks(b"return x;", 7, 8), (6, 8));
/// assert_eq!(with_blanks(b"a+ b", 1, 2), (1, 2));
/// ```
pub fn with_blanks(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let joins = |left: usize, right: usize| {
        let left = left.checked_sub(1).and_then(|left| text.get(left));
        left.is_some_and(|&byte| is_word(byte))
            && text.get(right).is_some_and(|&byte| is_word(byte))
    };
    let after = text[end..].iter().take_while(|&&byte| is_blank(byte));
    let wide = end + after.count();
    if wide > end {
        return (start, if joins(start, wide) { end } else { wide });
    }
    let before = text[..start]
        .iter()
        .rev()
        .take_while(|&&byte| is_blank(byte));
    let wide = start - before.count();
    (if joins(wide, end) { start } else { wide }, end)
}

/// `patch`, if what it makes of `target` is simpler in the order of texts.
///
/// # Errors
/// [`DeadBranch`] when it is not.
pub fn simpler(target: &Target<u8>, patch: Patch<u8>) -> Result<Patch<u8>, DeadBranch> {
    match patch.growth() {
        ..0 => return Ok(patch),
        1.. => return Err(DeadBranch),
        0 => (),
    }
    let Some((start, end)) = patch.extent() else {
        return Err(DeadBranch);
    };
    // Before and after its extent the patch changes nothing, and it keeps the length.
    let before = &target.elements()[start..end];
    let shifted = patch.pieces(target.elements()).flatten().skip(start);
    let first_change = before
        .iter()
        .zip(shifted)
        .find(|(before, after)| before != after);
    match first_change {
        Some((before, after)) if Text.compare(after, before) == Ordering::Less => Ok(patch),
        _ => Err(DeadBranch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_whole() {
        let text = "aé€x".as_bytes();
        let splits: std::vec::Vec<usize> = (0..=text.len())
            .filter(|&at| splits_character(text, at))
            .collect();
        assert_eq!(splits, [2, 4, 5]);
        assert!(!splits_character(b"a\x80\x80", 1));
    }

    #[test]
    fn simpler_is_judged_at_the_first_change() {
        let target = Target::new(b"xbay".to_vec());
        assert!(simpler(&target, Patch::replace(1, 3, b"ab")).is_ok());
        assert!(simpler(&target, Patch::replace(1, 3, b"bb")).is_err());
        assert!(simpler(&target, Patch::replace(1, 3, b"ba")).is_err());
        assert!(simpler(&target, Patch::cut(1, 2)).is_ok());
        assert!(simpler(&target, Patch::default()).is_err());
    }
}
