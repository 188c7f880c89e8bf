//! Bit-vectors whose bits an SMT-LIB script names: `#b01`, `#x0f`, `(_ bv3 8)`.

use alloc::format;
use alloc::vec::Vec;

use crate::formats::sexpr::Sexprs;

/// Wider bit-vectors are not computed with.
const WIDEST: usize = 4096;

/// The bits of a bit-vector, the highest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Vec<bool>);

/// The number at a place in `(_ name 1 2)`, where `_` is at 0.
pub fn index(sexprs: &Sexprs, text: &[u8], list: u32, place: usize) -> Option<u32> {
    let node = sexprs.children(list).nth(place)?;
    number(sexprs.text(text, node))
}

/// The number that digits write.
pub fn number(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

impl Bits {
    /// The bits that a text writes; `None` if it is something else, or too wide.
    pub fn read(text: &[u8]) -> Option<Bits> {
        let bits: Vec<bool> = match text {
            [b'#', b'b', bits @ ..] => bits.iter().map(|&bit| bit == b'1').collect(),
            [b'#', b'x', digits @ ..] if digits.len() <= WIDEST => {
                let digits: Option<Vec<u32>> =
                    digits.iter().map(|&d| (d as char).to_digit(16)).collect();
                let bits = digits?
                    .into_iter()
                    .flat_map(|digit| (0..4).rev().map(move |bit| (digit >> bit) & 1 == 1));
                bits.collect()
            }
            _ => {
                let inner = text.strip_prefix(b"(")?.strip_suffix(b")")?;
                let mut words = inner
                    .split(u8::is_ascii_whitespace)
                    .filter(|w| !w.is_empty());
                let (mark, value, width) = (words.next()?, words.next()?, words.next()?);
                let value = core::str::from_utf8(value.strip_prefix(b"bv")?).ok()?;
                let value: u128 = value.parse().ok()?;
                let width = number(width).filter(|&width| width as usize <= WIDEST)?;
                if mark != b"_" || words.next().is_some() {
                    return None;
                }
                let bit = |bit: u32| value.checked_shr(bit).is_some_and(|value| value & 1 == 1);
                (0..width).rev().map(bit).collect()
            }
        };
        (1..=WIDEST).contains(&bits.len()).then_some(Bits(bits))
    }

    /// Zeros.
    pub fn zeros(width: u32) -> Option<Bits> {
        let width = usize::try_from(width).ok()?;
        (1..=WIDEST)
            .contains(&width)
            .then(|| Bits(alloc::vec![false; width]))
    }

    /// How many there are.
    pub fn width(&self) -> u32 {
        self.0.len() as u32
    }

    /// The shortest way to write them.
    pub fn written(&self) -> Vec<u8> {
        let (plain, indexed) = (self.plain(), self.indexed());
        if !indexed.is_empty() && indexed.len() < plain.len() {
            indexed
        } else {
            plain
        }
    }

    /// Them written with `#x`, or with `#b` where that does not do.
    pub fn plain(&self) -> Vec<u8> {
        if self.0.len().is_multiple_of(4) {
            let digit = |bits: &[bool]| {
                let bits = bits.iter();
                let value = bits.fold(0, |value, &bit| 2 * value + u32::from(bit));
                char::from_digit(value, 16).map_or(b'0', |digit| digit as u8)
            };
            let digits = self.0.chunks(4).map(digit);
            return b"#x".iter().copied().chain(digits).collect();
        }
        let bits = self.0.iter().map(|&bit| b'0' + u8::from(bit));
        b"#b".iter().copied().chain(bits).collect()
    }

    /// Them written as a number with a width; nothing if the number is too large.
    pub fn indexed(&self) -> Vec<u8> {
        let mut bits = self.0.iter().skip_while(|&&bit| !bit);
        if bits.clone().count() > 127 {
            return Vec::new();
        }
        let value = bits.try_fold(0_u128, |value, &bit| Some(2 * value + u128::from(bit)));
        format!("(_ bv{} {})", value.unwrap_or(0), self.0.len()).into_bytes()
    }

    /// Each bit the other way round.
    pub fn negated(&self) -> Bits {
        Bits(self.0.iter().map(|bit| !bit).collect())
    }

    /// These bits, and lower ones.
    pub fn followed_by(&self, lower: &Bits) -> Bits {
        Bits([&self.0[..], &lower.0[..]].concat())
    }

    /// These bits behind `by` others: zeros, or copies of the highest.
    pub fn extended(&self, by: u32, is_signed: bool) -> Option<Bits> {
        let fill = is_signed && self.0[0];
        let by = usize::try_from(by)
            .ok()
            .filter(|by| by + self.0.len() <= WIDEST)?;
        Some(Bits([&alloc::vec![fill; by][..], &self.0[..]].concat()))
    }

    /// The bits from `high` down to `low`.
    pub fn part(&self, high: u32, low: u32) -> Option<Bits> {
        let width = self.0.len();
        let start = width.checked_sub(high as usize + 1)?;
        let end = width.checked_sub(low as usize)?;
        let part = self.0.get(start..end)?;
        (!part.is_empty()).then(|| Bits(part.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn check_written(bits: Option<Bits>, expected: &str) {
        let written = bits.map(|bits| bits.written()).unwrap_or_default();
        assert_eq!(String::from_utf8_lossy(&written), expected);
    }

    #[test]
    fn bits_are_read_and_written_the_shortest_way() {
        check_written(Bits::read(b"(_ bv3 8)"), "#x03");
        check_written(Bits::read(b"(_ bv1 3)"), "#b001");
        check_written(Bits::read(b"#b0000000000001"), "(_ bv1 13)");
        check_written(Bits::read(b"#xFF"), "#xff");
        check_written(Bits::read(b"(_ bv1 4294967295)"), "");
        check_written(Bits::read(b"(_ BitVec 8)"), "");
        check_written(Bits::read(b"#b"), "");
    }

    #[test]
    fn bits_are_computed_with() {
        let bits = Bits::read(b"#b1010").unwrap();
        check_written(bits.part(3, 2), "#b10");
        check_written(bits.part(4, 0), "");
        check_written(bits.part(0, 1), "");
        check_written(bits.extended(4, true), "#xfa");
        check_written(bits.extended(4, false), "#x0a");
        check_written(bits.extended(u32::MAX, false), "");
        check_written(Some(bits.negated().followed_by(&bits)), "#x5a");
    }
}
