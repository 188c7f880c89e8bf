//! Integer literals, as most languages write them.

use alloc::string::ToString;
use alloc::vec::Vec;

/// An integer literal and what follows its digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer<'a> {
    /// What it is worth.
    pub value: u128,
    /// A suffix such as `UL` or `i32`; empty for most.
    pub suffix: &'a [u8],
}

impl<'a> Integer<'a> {
    /// Reads decimal, hexadecimal, octal and binary digits, with `_` between them. `None` for what
    /// is no integer, or one of more than 128 bits.
    ///
    /// ```
    /// use ablate_passes::formats::integers::Integer;
    ///
    /// assert_eq!(Integer::read(b"0xFFu").unwrap().value, 255);
    /// assert_eq!(Integer::read(b"1_000i64").unwrap().suffix, b"i64");
    /// assert_eq!(Integer::read(b"1.5"), None);
    /// ```
    pub fn read(token: &'a [u8]) -> Option<Integer<'a>> {
        let (radix, digits) = match token {
            [b'0', b'x' | b'X', rest @ ..] => (16, rest),
            [b'0', b'o' | b'O', rest @ ..] => (8, rest),
            [b'0', b'b' | b'B', rest @ ..] => (2, rest),
            _ => (10, token),
        };
        let is_digit = |byte: &u8| *byte == b'_' || char::from(*byte).is_digit(radix);
        let count = digits.iter().take_while(|byte| is_digit(byte)).count();
        let (digits, suffix) = digits.split_at(count);
        // What follows an exponent or a point makes it another number.
        let is_other = suffix.contains(&b'.') || matches!(suffix, [b'e' | b'E', ..]);
        if !digits.iter().any(|&digit| digit != b'_') || is_other {
            return None;
        }
        let mut value = 0_u128;
        for &digit in digits.iter().filter(|&&digit| digit != b'_') {
            let digit = char::from(digit).to_digit(radix)?;
            value = value.checked_mul(radix.into())?.checked_add(digit.into())?;
        }
        Some(Integer { value, suffix })
    }

    /// The literal of the same kind that is worth `value`.
    pub fn written(&self, value: u128) -> Vec<u8> {
        let mut text = value.to_string().into_bytes();
        text.extend_from_slice(self.suffix);
        text
    }
}
