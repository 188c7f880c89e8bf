//! Sets of numbers, most of which lie together.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// A set of more runs is kept bit by bit.
const MANY_RUNS: usize = 256;

/// A set of numbers as runs, small where the numbers lie together; where there are many runs, as bits.
#[derive(Debug, Default)]
pub(crate) struct IndexSet {
    /// The first number of each run, and the one after its last, in order. A sweep makes hardly
    /// more than two, at random there are many only where most steps are in vain.
    runs: Vec<(u32, u32)>,
    /// What is in the set, instead, once there were many runs. Few sets have it, and there are many sets.
    bits: Option<Box<Bits>>,
    len: u32,
}

impl IndexSet {
    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Takes all numbers out.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.bits = None;
        self.len = 0;
    }

    /// Adds numbers none of which is in the set.
    pub fn insert(&mut self, numbers: Range<u32>) {
        if numbers.is_empty() {
            return;
        }
        self.len += numbers.end - numbers.start;
        if let Some(bits) = &mut self.bits {
            bits.insert(numbers);
            return;
        }
        let place = self.behind(numbers.start);
        let touches_next = (self.runs.get(place)).is_some_and(|next| next.0 == numbers.end);
        let touches_last = place > 0 && self.runs[place - 1].1 == numbers.start;
        match (touches_last, touches_next) {
            (true, true) => {
                self.runs[place - 1].1 = self.runs[place].1;
                self.runs.remove(place);
            }
            (true, false) => self.runs[place - 1].1 = numbers.end,
            (false, true) => self.runs[place].0 = numbers.start,
            (false, false) => self.runs.insert(place, (numbers.start, numbers.end)),
        }
        if self.runs.len() > MANY_RUNS {
            let bits = self.bits.insert(Box::default());
            let runs = self.runs.drain(..);
            runs.for_each(|(start, end)| bits.insert(start..end));
        }
    }

    /// The place of the first run that begins behind `index`.
    fn behind(&self, index: u32) -> usize {
        self.runs.partition_point(|&(start, _)| start <= index)
    }

    /// The greatest number up to `index` that is not in the set, behind the first of those next to it
    /// that are not either.
    pub fn absent_at_or_below(&self, index: u32) -> Option<(u32, u32)> {
        if let Some(bits) = &self.bits {
            let absent = bits.last(index, false)?;
            let present = bits.last(absent, true);
            return Some((present.map_or(0, |present| present + 1), absent));
        }
        let mut below = self.runs[..self.behind(index)].iter().rev();
        let end = |run: Option<&(u32, u32)>| run.map_or(0, |run| run.1);
        match below.next() {
            Some(&(start, last)) if index < last => {
                Some((end(below.next()), start.checked_sub(1)?))
            }
            run => Some((end(run), index)),
        }
    }

    /// The number that is not in the set and has `n` such numbers below it.
    pub fn nth_absent(&self, n: u32) -> Option<u32> {
        if let Some(bits) = &self.bits {
            return bits.nth_absent(n);
        }
        let mut at = n;
        for &(start, end) in &self.runs {
            if start > at {
                break;
            }
            at = at.checked_add(end - start)?;
        }
        Some(at)
    }
}

/// So many words of bits make a block.
const WORDS: usize = 64;
/// And so many bits.
const BLOCK: u32 = u64::BITS * WORDS as u32;

/// A set of numbers bit by bit, with how many there are in each block. It is not empty.
#[derive(Debug, Default)]
struct Bits {
    /// As many words as blocks have; numbers behind them are not in the set.
    words: Vec<u64>,
    counts: Vec<u32>,
}

impl Bits {
    /// Adds numbers none of which is in the set.
    fn insert(&mut self, numbers: Range<u32>) {
        let blocks = numbers.end.div_ceil(BLOCK) as usize;
        if blocks > self.counts.len() {
            self.counts.resize(blocks, 0);
            self.words.resize(blocks * WORDS, 0);
        }
        let mut at = numbers.start;
        while at < numbers.end {
            let word = at / u64::BITS;
            let end = numbers.end.min((word + 1) * u64::BITS);
            let ones = u64::MAX >> (u64::BITS - (end - at));
            self.words[word as usize] |= ones << (at % u64::BITS);
            self.counts[(at / BLOCK) as usize] += end - at;
            at = end;
        }
    }

    /// The greatest number up to `index` that is in the set, or that is not.
    fn last(&self, index: u32, is_present: bool) -> Option<u32> {
        let all = self.counts.len() as u32 * BLOCK;
        if index >= all && !is_present {
            return Some(index);
        }
        let mut index = index.min(all - 1);
        loop {
            let block = index / BLOCK;
            let none = if is_present { 0 } else { BLOCK };
            if self.counts[block as usize] == none {
                index = (block * BLOCK).checked_sub(1)?;
                continue;
            }
            let word = index / u64::BITS;
            let bits = self.words[word as usize];
            let wanted = if is_present { bits } else { !bits };
            let wanted = wanted & u64::MAX >> (u64::BITS - 1 - index % u64::BITS);
            match wanted.checked_ilog2() {
                Some(bit) => return Some(word * u64::BITS + bit),
                None => index = (word * u64::BITS).checked_sub(1)?,
            }
        }
    }

    fn nth_absent(&self, mut n: u32) -> Option<u32> {
        for (block, count) in (0..).zip(&self.counts) {
            let absent = BLOCK - count;
            if n >= absent {
                n -= absent;
                continue;
            }
            let words = &self.words[block * WORDS..][..WORDS];
            for (at, word) in (block * WORDS..).zip(words) {
                let zeros = word.count_zeros();
                if n >= zeros {
                    n -= zeros;
                    continue;
                }
                let rest = (0..n).fold(!word, |rest, _| rest & (rest - 1));
                return Some(at as u32 * u64::BITS + rest.trailing_zeros());
            }
        }
        (self.counts.len() as u32 * BLOCK).checked_add(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn a_set_holds_what_was_put_in_whatever_the_order() {
        for order in [[3, 2, 1, 5, 7, 6], [6, 7, 5, 1, 2, 3], [2, 6, 1, 5, 3, 7]] {
            let mut set = IndexSet::default();
            for index in order {
                set.insert(index..index + 1);
            }
            assert_eq!((set.len, set.runs.len()), (6, 2));
            let below = (0..9).map(|index| set.absent_at_or_below(index));
            let (zero, four) = ((0, 0), (4, 4));
            let expected = [zero, zero, zero, zero, four, four, four, four, (8, 8)].map(Some);
            assert_eq!(below.collect::<Vec<_>>(), expected);
            let absent = (0..3).map(|n| set.nth_absent(n));
            assert_eq!(absent.collect::<Vec<_>>(), [0, 4, 8].map(Some));
            assert_eq!(set.absent_at_or_below(9), Some((8, 9)));
            set.insert(8..9);
            set.insert(4..5);
            assert_eq!((set.len, set.runs.len()), (8, 1));
        }
    }

    #[test]
    fn many_runs_are_the_same_set_as_few() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        for numbers in [3_000, 20_000] {
            let (mut set, mut is_in) = (IndexSet::default(), std::vec![false; numbers]);
            let mut has_bits = false;
            while is_in.contains(&false) {
                // Alone or with those behind it, as far as these are not in there.
                let start = random.next_u64() as usize % numbers;
                let longest = if random.next_u64() % 50 == 0 {
                    5_000
                } else {
                    2
                };
                let absent = is_in[start..].iter().take(longest);
                let len = absent.take_while(|is_in| !**is_in).count();
                is_in[start..start + len].fill(true);
                set.insert(start as u32..(start + len) as u32);
                has_bits |= set.bits.is_some();
                if random.next_u64() % 16 == 0 {
                    check_same(&set, &is_in, random.next_u64());
                }
            }
            check_same(&set, &is_in, 0);
            assert!(has_bits, "{numbers}");
        }
    }

    fn check_same(set: &IndexSet, is_in: &[bool], random: u64) {
        let absent: Vec<usize> = (0..is_in.len()).filter(|&at| !is_in[at]).collect();
        assert_eq!(set.len() as usize, is_in.len() - absent.len());
        let index = random as usize % is_in.len();
        let last = is_in[..=index].iter().rposition(|is_in| !is_in);
        let expected = last.map(|last| {
            let before = is_in[..last].iter().rposition(|is_in| *is_in);
            (before.map_or(0, |before| before as u32 + 1), last as u32)
        });
        assert_eq!(set.absent_at_or_below(index as u32), expected);
        let nth = random as usize % (absent.len() + 1);
        let expected = absent.get(nth).copied().unwrap_or(is_in.len());
        assert_eq!(set.nth_absent(nth as u32), Some(expected as u32));
    }
}
