//! The order of simplicity: shorter first, then simpler member by member, from the left.
//!
//! It is total: two different sequences are never equally simple. Everything the engine accepts is
//! strictly simpler than what it replaces, so no reduction can go round in circles.

use core::cmp::Ordering;

use crate::identity::Element;

/// Which of two elements is the simpler one. Must be a total order in which only equal elements
/// compare equal.
pub trait ElementOrder<E> {
    /// `Less` when `a` is simpler than `b`.
    fn compare(&self, a: &E, b: &E) -> Ordering;
}

/// Shortlex by the elements' own order: for binary data and for numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Natural;

impl<E: Ord> ElementOrder<E> for Natural {
    fn compare(&self, a: &E, b: &E) -> Ordering {
        a.cmp(b)
    }
}

/// Text: of two texts of equal length the one that reads more simply, comparing byte by byte:
/// space, line end and tab; then digits; lower-case letters; upper-case letters; punctuation;
/// all other bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text;

impl Text {
    /// The place of a byte in this order; different bytes have different places.
    pub fn rank(byte: u8) -> u16 {
        let class = match byte {
            b' ' => return 0,
            b'\n' => return 1,
            b'\t' => return 2,
            b'0'..=b'9' => 1,
            b'a'..=b'z' => 2,
            b'A'..=b'Z' => 3,
            0x21..=0x7e => 4,
            _ => 5,
        };
        class * 256 + u16::from(byte)
    }
}

impl ElementOrder<u8> for Text {
    fn compare(&self, a: &u8, b: &u8) -> Ordering {
        Text::rank(*a).cmp(&Text::rank(*b))
    }
}

/// Compares a sequence that is given in pieces with a whole one: by length, then element by element.
/// Pieces of the other that stand where they stand there are not looked at.
pub fn compare<'a, E: Element>(
    order: &dyn ElementOrder<E>,
    (len, pieces): (usize, impl Iterator<Item = &'a [E]>),
    mut whole: &'a [E],
) -> Ordering {
    if len != whole.len() {
        return len.cmp(&whole.len());
    }
    for piece in pieces {
        let (front, rest) = whole.split_at(piece.len());
        whole = rest;
        let ordering = match core::ptr::eq(piece, front) {
            true => Ordering::Equal,
            false => compare_whole(order, piece, front),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}

/// Compares two whole sequences in the same way.
pub fn compare_whole<E: Element>(order: &dyn ElementOrder<E>, a: &[E], b: &[E]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| {
        let differing = a.iter().zip(b).find(|(a, b)| a != b);
        differing.map_or(Ordering::Equal, |(a, b)| order.compare(a, b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_simpler(order: &dyn ElementOrder<u8>, simpler: &[u8], other: &[u8]) {
        let compared = |a: &[u8], b: &[u8]| {
            let whole = compare_whole(order, a, b);
            assert_eq!(compare(order, (a.len(), a.chunks(1)), b), whole);
            whole
        };
        assert_eq!(compared(simpler, other), Ordering::Less);
        assert_eq!(compared(other, simpler), Ordering::Greater);
        assert_eq!(compared(simpler, simpler), Ordering::Equal);
    }

    #[test]
    fn shorter_is_simpler_whatever_it_holds() {
        check_simpler(&Text, b"~~", b"   ");
        check_simpler(&Natural, b"\xff\xff", b"\0\0\0");
    }

    #[test]
    fn text_reads_more_simply_by_class() {
        for pair in [
            " \n", "\n\t", "\t0", "09", "9a", "az", "zA", "AZ", "Z!", "!~", "~\x01",
        ]
        .map(str::as_bytes)
        {
            check_simpler(&Text, &pair[..1], &pair[1..]);
        }
    }

    #[test]
    fn every_byte_has_a_place_of_its_own() {
        let mut ranks: std::vec::Vec<u16> = (0..=255).map(Text::rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), 256);
    }
}
