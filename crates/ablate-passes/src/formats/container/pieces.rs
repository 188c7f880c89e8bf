//! Pieces of contents: each content as a whole, its halves, their halves, and so on.

use alloc::vec::Vec;

/// All pieces of some contents, numbered from the largest to the smallest, and from the end to the
/// start among those of the same size.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// For each size of pieces of each content: how many pieces there are before, which content,
    /// how long it is, and the size.
    sizes: Vec<(u32, u32, u32, u32)>,
    count: u32,
}

impl Pieces {
    /// The pieces of contents of these lengths.
    pub fn of(lengths: &[u32]) -> Pieces {
        Pieces::down_to(lengths.iter().map(|&len| (len, 1)))
    }

    /// The pieces of contents of these lengths, of each down to a size.
    pub fn down_to(lengths: impl IntoIterator<Item = (u32, u32)>) -> Pieces {
        let lengths: Vec<(u32, u32)> = lengths.into_iter().collect();
        let mut pieces = Pieces::default();
        for bits in (0..u32::BITS).rev() {
            for (content, &(len, smallest)) in lengths.iter().enumerate().rev() {
                if len >> bits == 0 || (len >> bits > 1 && 1 << bits < smallest) {
                    continue;
                }
                let size = if len >> bits == 1 { len } else { 1 << bits };
                let entry = (pieces.count, content as u32, len, size);
                pieces.sizes.push(entry);
                pieces.count = pieces.count.saturating_add(len.div_ceil(size));
            }
        }
        pieces
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Which content a piece is of, and where in it it starts and ends.
    pub fn piece(&self, number: usize) -> Option<(usize, u32, u32)> {
        let number = u32::try_from(number).ok()?;
        let at = self.sizes.partition_point(|size| size.0 <= number);
        let &(before, content, len, size) = self.sizes.get(at.checked_sub(1)?)?;
        let from_start = len.div_ceil(size).checked_sub(1 + number - before)?;
        let start = from_start * size;
        Some((content as usize, start, start.saturating_add(size).min(len)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn pieces_are_halved_down_to_one() {
        let pieces = Pieces::of(&[1, 5]);
        let all: Vec<_> = (0..=pieces.count())
            .filter_map(|number| pieces.piece(number))
            .collect();
        let expected = [
            (1, 0, 5),
            (1, 4, 5),
            (1, 2, 4),
            (1, 0, 2),
            (1, 4, 5),
            (1, 3, 4),
            (1, 2, 3),
            (1, 1, 2),
            (1, 0, 1),
            (0, 0, 1),
        ];
        assert_eq!(all, expected);
        assert_eq!(pieces.piece(pieces.count()), None);
    }
}
