//! Alphabets: the characters that a text may hold, the most readable first.

/// All characters by how well they read: digits, lower case, upper case, the rest of ASCII, what
/// is beyond it, and control characters last.
const CLASSES: [(char, char); 11] = [
    ('0', '9'),
    ('a', 'z'),
    ('A', 'Z'),
    (' ', '/'),
    (':', '@'),
    ('[', '`'),
    ('{', '~'),
    ('\u{a0}', '\u{d7ff}'),
    ('\u{e000}', '\u{10ffff}'),
    ('\0', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
];

/// A set of characters in the order of simplicity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alphabet {
    /// Runs of characters with the rank of the first of each.
    runs: Vec<(char, char, u32)>,
    len: u32,
}

impl Alphabet {
    /// The characters of these inclusive ranges, which may come in any order and may overlap.
    pub fn of_ranges(ranges: impl IntoIterator<Item = (char, char)>) -> Alphabet {
        let mut sorted: Vec<(u32, u32)> = ranges
            .into_iter()
            .filter(|(low, high)| low <= high)
            .map(|(low, high)| (low as u32, high as u32))
            .collect();
        sorted.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        let (mut runs, mut len) = (Vec::new(), 0);
        for (class_low, class_high) in CLASSES {
            for &(low, high) in &merged {
                let (low, high) = (low.max(class_low as u32), high.min(class_high as u32));
                // No class touches the surrogates, so both ends are characters.
                if let (true, Some(a), Some(b)) =
                    (low <= high, char::from_u32(low), char::from_u32(high))
                {
                    runs.push((a, b, len));
                    len += high - low + 1;
                }
            }
        }
        Alphabet { runs, len }
    }

    /// The characters of `text`.
    pub fn of(text: &str) -> Alphabet {
        Alphabet::of_ranges(text.chars().map(|c| (c, c)))
    }

    /// Every character there is.
    pub fn all() -> Alphabet {
        Alphabet::of_ranges(CLASSES)
    }

    /// The number of characters.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is no character.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The character at a place in the order; `None` beyond the last.
    pub fn at(&self, rank: u32) -> Option<char> {
        if rank >= self.len {
            return None;
        }
        let run = self.runs.partition_point(|run| run.2 <= rank) - 1;
        let (low, _, first) = self.runs[run];
        char::from_u32(low as u32 + (rank - first))
    }

    /// The place of a character in the order; `None` when it is not in the alphabet.
    pub fn rank(&self, character: char) -> Option<u32> {
        self.runs
            .iter()
            .find(|(low, high, _)| (*low..=*high).contains(&character))
            .map(|(low, _, first)| first + (character as u32 - *low as u32))
    }

    /// The characters as inclusive ranges.
    pub fn ranges(&self) -> impl Iterator<Item = (char, char)> {
        self.runs.iter().map(|&(low, high, _)| (low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_characters_come_first() {
        let alphabet = Alphabet::of("\n~éZaz 0");
        let ordered: String = (0..alphabet.len()).filter_map(|i| alphabet.at(i)).collect();
        assert_eq!(ordered, "0azZ ~é\n");
    }

    #[test]
    fn rank_is_the_inverse_of_at() {
        let alphabet = Alphabet::all();
        assert_eq!(alphabet.len(), 0x110000 - 0x800);
        for rank in (0..alphabet.len()).step_by(997).chain([alphabet.len() - 1]) {
            assert_eq!(alphabet.at(rank).and_then(|c| alphabet.rank(c)), Some(rank));
        }
        assert_eq!(alphabet.at(alphabet.len()), None);
        assert_eq!(Alphabet::of("abc").rank('d'), None);
    }

    #[test]
    fn overlapping_ranges_count_once() {
        let alphabet = Alphabet::of_ranges([('a', 'f'), ('c', 'z'), ('z', 'z')]);
        assert_eq!(alphabet.len(), 26);
    }
}
