//! The digests of the parts of a sequence, in time that does not depend on their lengths: of what
//! stands before a place, and of what stands from there to the end. Both are thinned out, and found
//! as far as they are asked for, from whichever end is nearer; what stands before the first edit of
//! a patch, and what stands behind the last, stays known.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use crate::identity::{Digest, Element, Terms, power, product};

/// A digest is stored every so many elements, the rest is computed on demand: for sequences up to
/// each length, four or a multiple of it. Long ones have fewer of them, so that they take a small part
/// of the memory of the content.
const STRIDES: [(usize, usize); 3] = [(1 << 14, 4), (1 << 20, 16), (usize::MAX, 256)];

/// The digests of the parts of one sequence.
#[derive(Debug)]
pub struct PartDigests {
    len: usize,
    stride: usize,
    front: RefCell<Vec<Digest>>,
    back: RefCell<Back>,
    /// That of the whole sequence, once it is known.
    whole: Cell<Option<Digest>>,
}

/// The digests of what stands at the end.
#[derive(Debug)]
struct Back {
    digests: Vec<Digest>,
    /// The powers of the bases for the length of the longest.
    power: [u64; 2],
}

impl PartDigests {
    /// Of a sequence of `len` elements nothing is known yet.
    pub fn new(len: usize) -> PartDigests {
        PartDigests {
            len,
            stride: stride_of(len),
            front: RefCell::new(alloc::vec![Digest::EMPTY]),
            back: RefCell::new(Back {
                digests: alloc::vec![Digest::EMPTY],
                power: power(0),
            }),
            whole: Cell::new(None),
        }
    }

    /// Those of a sequence with the digest `whole` that begins with the same `before` elements, and
    /// ends with the same `behind`: what is known of these stays known.
    pub fn of_successor(self, before: usize, behind: usize, whole: Digest) -> PartDigests {
        let mut successor = self;
        if stride_of(whole.len()) != successor.stride {
            successor = PartDigests::new(whole.len());
        }
        successor.len = whole.len();
        successor.whole.set(Some(whole));
        let stride = successor.stride;
        successor.front.get_mut().truncate(before / stride + 1);
        let back = successor.back.get_mut();
        if back.digests.len() > behind / stride + 1 {
            back.digests.truncate(behind / stride + 1);
            back.power = power(behind / stride * stride);
        }
        successor
    }

    /// The digest of all `elements`; they must be the sequence that this is for.
    pub fn whole<E: Element>(&self, elements: &[E]) -> Digest {
        self.whole.get().unwrap_or_else(|| {
            let whole = self.before(elements, self.len);
            self.whole.set(Some(whole));
            whole
        })
    }

    /// The digest of a run followed by `elements[start..]`; `elements` must be the sequence that
    /// this is for.
    pub fn completed<E: Element>(&self, run: Digest, elements: &[E], start: usize) -> Digest {
        if start == self.len {
            return run;
        }
        let to_whole = match self.whole.get() {
            Some(_) => 0,
            None => self.len - start,
        };
        if self.is_nearer_to_the_end(start, to_whole) {
            return run.joined(self.behind(elements, start));
        }
        run.joined((self.whole(elements)).without_start(self.before(elements, start)))
    }

    /// The digest of a run followed by `elements[start..end]`; `elements` must be the sequence that
    /// this is for.
    pub(crate) fn continued<E: Element>(
        &self,
        run: Digest,
        elements: &[E],
        (start, end): (usize, usize),
    ) -> Digest {
        if self.is_short(end - start) {
            return run.extended(&elements[start..end]);
        }
        if start == 0 && run.len() == 0 {
            return self.before(elements, end);
        }
        run.joined(self.between(elements, start, end))
    }

    /// The digest of `elements[start..end]`; `elements` must be the sequence that this is for.
    pub fn range<E: Element>(&self, elements: &[E], start: usize, end: usize) -> Digest {
        match self.is_short(end - start) {
            true => Digest::of(&elements[start..end]),
            false => self.between(elements, start, end),
        }
    }

    fn between<E: Element>(&self, elements: &[E], start: usize, end: usize) -> Digest {
        match start {
            0 => self.before(elements, end),
            _ => (self.before(elements, end)).without_start(self.before(elements, start)),
        }
    }

    /// Whether so few elements are sooner read than looked up.
    pub fn is_short(&self, len: usize) -> bool {
        len < (2 * self.stride).clamp(8, 24)
    }

    /// Whether what stands from `at` on is sooner found than what stands before it, and more.
    fn is_nearer_to_the_end(&self, at: usize, more: usize) -> bool {
        let known_before = (self.front.borrow().len() - 1) * self.stride;
        let known_behind = (self.back.borrow().digests.len() - 1) * self.stride;
        let unknown_before = at.saturating_sub(known_before + self.stride - 1);
        let unknown_behind = (self.len - at).saturating_sub(known_behind + self.stride - 1);
        unknown_behind < unknown_before + more
    }

    /// The digest of `elements[..end]`.
    fn before<E: Element>(&self, elements: &[E], end: usize) -> Digest {
        if let Some(whole) = self.whole.get()
            && self.is_nearer_to_the_end(end, 0)
        {
            return whole.without_end(self.behind(elements, end));
        }
        let block = end / self.stride;
        let mut front = self.front.borrow_mut();
        let last = front.len() - 1;
        if last < block {
            let mut digest = front[last];
            let unknown = &elements[last * self.stride..block * self.stride];
            front.reserve(block - last);
            let (fours, _) = unknown.as_chunks();
            for fours in fours.chunks_exact(self.stride / 4) {
                for four in fours {
                    digest = digest.with_four(Terms::of_four(four));
                }
                front.push(digest);
            }
        }
        front[block].extended(&elements[block * self.stride..end])
    }

    /// The digest of `elements[start..]`.
    fn behind<E: Element>(&self, elements: &[E], start: usize) -> Digest {
        let block = (self.len - start) / self.stride;
        let mut back = self.back.borrow_mut();
        let last = back.digests.len() - 1;
        if last < block {
            let mut digest = back.digests[last];
            let known_from = self.len - last * self.stride;
            let unknown = &elements[self.len - block * self.stride..known_from];
            back.digests.reserve(block - last);
            let step = power(self.stride);
            for block in unknown.rchunks_exact(self.stride) {
                digest = Digest::of(block).joined_by(back.power, digest);
                back.power = product(back.power, step);
                back.digests.push(digest);
            }
        }
        let known_from = self.len - block * self.stride;
        match start == known_from {
            true => back.digests[block],
            false => Digest::of(&elements[start..known_from]).joined(back.digests[block]),
        }
    }
}

/// How far the stored digests of a sequence of this length are apart.
fn stride_of(len: usize) -> usize {
    let fits = |(most, _): &&(usize, usize)| len <= *most;
    STRIDES.iter().find(fits).map_or(1, |(_, stride)| *stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn range_digests_equal_the_digest_of_the_part() {
        let elements: Vec<u8> = (0..2000u32).map(|n| (n * 7 % 251) as u8).collect();
        for knows_whole in [false, true] {
            let parts = PartDigests::new(elements.len());
            if knows_whole {
                parts.whole.set(Some(Digest::of(&elements)));
            }
            for (start, end) in [
                (0, 0),
                (1990, 1991),
                (1000, 1999),
                (0, 2000),
                (255, 257),
                (256, 512),
                (13, 1999),
                (700, 701),
            ] {
                assert_eq!(
                    parts.range(&elements, start, end),
                    Digest::of(&elements[start..end])
                );
                let run = Digest::of(&elements[3..80]);
                assert_eq!(
                    parts.continued(run, &elements, (start, end)),
                    run.joined(Digest::of(&elements[start..end]))
                );
                assert_eq!(
                    parts.completed(run, &elements, start),
                    run.joined(Digest::of(&elements[start..]))
                );
            }
            assert_eq!(parts.whole(&elements), Digest::of(&elements));
        }
    }

    #[test]
    fn what_is_the_same_in_a_successor_stays_known() {
        let mut elements: Vec<u8> = (0..200).collect();
        let mut parts = PartDigests::new(elements.len());
        for (start, end) in [(150, 160), (40, 41), (90, 99), (0, 3), (160, 167)] {
            let whole = parts.completed(Digest::of(&elements[..start]), &elements, end);
            let behind = elements.len() - end;
            elements.drain(start..end);
            assert_eq!(whole, Digest::of(&elements));
            parts = parts.of_successor(start, behind, whole);
            for at in [0, start / 2, start, elements.len()] {
                let part = Digest::of(&elements[at / 2..at]);
                assert_eq!(parts.range(&elements, at / 2, at), part);
                let rest = parts.completed(Digest::EMPTY, &elements, at);
                assert_eq!(rest, Digest::of(&elements[at..]));
            }
        }
    }

    #[test]
    fn a_long_sequence_has_fewer_digests() {
        let mut elements: Vec<u8> = (0..1u32 << 15).map(|n| (n * 7 % 251) as u8).collect();
        let parts = PartDigests::new(elements.len());
        let whole = parts.completed(Digest::EMPTY, &elements, 1 << 14);
        elements.drain(..1 << 14);
        let parts = parts.of_successor(0, 1 << 14, whole);
        for at in [0, 1, 5000, 16383] {
            let rest = parts.completed(Digest::EMPTY, &elements, at);
            assert_eq!(rest, Digest::of(&elements[at..]));
            assert_eq!(parts.range(&elements, 0, at), Digest::of(&elements[..at]));
        }
    }
}
