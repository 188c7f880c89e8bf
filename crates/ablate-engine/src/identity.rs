//! Content identity: a digest of a sequence that can be put together from the digests of its
//! parts, so that the identity of *base plus patch* is known without building the candidate.
//!
//! The digest is a pair of polynomial hashes modulo the Mersenne prime 2⁶¹ − 1 (Karp and Rabin,
//! "Efficient randomized pattern-matching algorithms", 1987), with fixed bases: the same content
//! has the same identity in every run and on every machine. It is no defence against an adversary
//! who constructs collisions, and does not need to be one.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// The modulus of both hashes: the Mersenne prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;
/// The two bases, arbitrary large constants below the modulus.
const BASES: [u64; 2] = [0x0fb3_24c9_51d7_e6a3, 0x1a85_9c3f_6be4_0d71];
/// A prefix digest is stored every so many elements, the rest is recomputed on demand: for
/// sequences up to each length. Long ones have fewer of them, so that they take a sixteenth of the
/// memory of the content.
const STRIDES: [(usize, usize); 3] = [(1 << 14, 1), (1 << 20, 16), (usize::MAX, 256)];
/// Powers of the bases with exponents 2⁰…2⁶³, for joining digests of any length.
const POWERS: [[u64; 2]; 64] = powers();

/// The third powers of the bases.
const CUBES: [u64; 2] = [
    multiply(POWERS[1][0], BASES[0]),
    multiply(POWERS[1][1], BASES[1]),
];

const fn multiply(a: u64, b: u64) -> u64 {
    let wide = (a as u128) * (b as u128);
    let folded = ((wide >> 61) as u64) + ((wide as u64) & PRIME);
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

/// What is left of a number below 2¹²⁵.
const fn remainder(wide: u128) -> u64 {
    let low = (wide as u64) & PRIME;
    let middle = ((wide >> 61) as u64) & PRIME;
    short_remainder(low + middle + (wide >> 122) as u64)
}

/// What is left of a number of one word.
const fn short_remainder(word: u64) -> u64 {
    let folded = (word & PRIME) + (word >> 61);
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

const fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

const fn subtract(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

const fn powers() -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    table[0] = BASES;
    let mut exponent = 1;
    while exponent < 64 {
        let last = table[exponent - 1];
        table[exponent] = [multiply(last[0], last[0]), multiply(last[1], last[1])];
        exponent += 1;
    }
    table
}

fn power(mut exponent: usize) -> [u64; 2] {
    let mut result = [1, 1];
    while exponent != 0 {
        let factor = POWERS[exponent.trailing_zeros() as usize];
        result = [
            multiply(result[0], factor[0]),
            multiply(result[1], factor[1]),
        ];
        exponent &= exponent - 1;
    }
    result
}

/// One member of a sequence that can be reduced.
pub trait Element: Clone + Eq + 'static {
    /// A digest of this element: equal elements have equal digests, in every run.
    fn digest(&self) -> u64;
}

macro_rules! unsigned_elements {
    ($($type:ty)*) => {$(
        impl Element for $type {
            fn digest(&self) -> u64 {
                u64::from(*self)
            }
        }
    )*};
}
unsigned_elements!(u8 u16 u32 u64);

/// The name of a content: equal contents have equal identities, different ones different
/// identities (but for a chance of about 2⁻¹⁰⁰ for each pair that is compared).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(pub u128);

/// What one element adds to the digest of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms([u64; 2]);

impl Terms {
    /// Those of `element`.
    #[inline]
    pub(crate) fn of<E: Element>(element: &E) -> Terms {
        let digest = element.digest();
        // The low half must not fold onto the high half, so both halves enter on their own.
        let value = add(short_remainder(digest), 1);
        let high = short_remainder((digest >> 32) * 0x9e37_79b9);
        Terms([value, add(high, value)])
    }

    #[inline]
    fn of_four<E: Element>([first, second, third, fourth]: &[E; 4]) -> [Terms; 4] {
        [
            Terms::of(first),
            Terms::of(second),
            Terms::of(third),
            Terms::of(fourth),
        ]
    }
}

/// The digest of one run of elements; digests of neighbouring runs can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    length: usize,
    hashes: [u64; 2],
}

impl Digest {
    /// The digest of the empty run.
    pub const EMPTY: Digest = Digest {
        length: 0,
        hashes: [0, 0],
    };

    /// The digest of `elements`.
    pub fn of<E: Element>(elements: &[E]) -> Digest {
        Digest::EMPTY.extended(elements)
    }

    /// The digest of this run followed by `elements`.
    pub fn extended<E: Element>(mut self, elements: &[E]) -> Digest {
        let (fours, rest) = elements.as_chunks();
        for four in fours {
            self = self.with_four(Terms::of_four(four));
        }
        for element in rest {
            self = self.with(Terms::of(element));
        }
        self
    }

    /// The digest of this run followed by one element.
    pub(crate) fn with(self, Terms(terms): Terms) -> Digest {
        Digest {
            length: self.length + 1,
            hashes: [
                add(multiply(self.hashes[0], BASES[0]), terms[0]),
                add(multiply(self.hashes[1], BASES[1]), terms[1]),
            ],
        }
    }

    /// The digest of this run followed by four elements: what takes long, that each needs the one
    /// before it, is done once.
    #[inline]
    fn with_four(self, terms: [Terms; 4]) -> Digest {
        let hash = |at: usize| {
            let by = |factor: u64, value: u64| u128::from(factor) * u128::from(value);
            let four = by(CUBES[at], terms[0].0[at])
                + by(POWERS[1][at], terms[1].0[at])
                + by(BASES[at], terms[2].0[at])
                + u128::from(terms[3].0[at]);
            remainder(by(POWERS[2][at], self.hashes[at]) + four)
        };
        Digest {
            length: self.length + 4,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run followed by the run that `next` describes.
    pub fn joined(self, next: Digest) -> Digest {
        let factor = power(next.length);
        Digest {
            length: self.length + next.length,
            hashes: [
                add(multiply(self.hashes[0], factor[0]), next.hashes[0]),
                add(multiply(self.hashes[1], factor[1]), next.hashes[1]),
            ],
        }
    }

    /// How many elements the run has.
    pub(crate) fn len(self) -> usize {
        self.length
    }

    /// The identity of a whole content with this digest.
    pub fn identity(self) -> Identity {
        let mixed = [
            add(self.hashes[0], (self.length as u64) % PRIME),
            self.hashes[1] ^ ((self.length as u64) << 58),
        ];
        Identity((u128::from(mixed[0]) << 64) | u128::from(mixed[1]))
    }
}

/// The digests of the prefixes of a sequence, thinned out; found as far as they are asked for.
#[derive(Debug)]
pub struct PrefixDigests {
    stride: usize,
    hashes: RefCell<Vec<[u64; 2]>>,
    /// The digest of the whole sequence, once it is known.
    whole: Cell<Option<Digest>>,
}

impl PrefixDigests {
    /// Of a sequence of `len` elements nothing is known yet.
    pub fn new(len: usize) -> PrefixDigests {
        let mut hashes = Vec::with_capacity(len / stride_of(len) + 1);
        hashes.push(Digest::EMPTY.hashes);
        PrefixDigests {
            stride: stride_of(len),
            hashes: RefCell::new(hashes),
            whole: Cell::new(None),
        }
    }

    /// Those of a sequence with the digest `whole` that begins with the same `same` elements: what
    /// is known of these stays known.
    pub fn of_successor(self, same: usize, whole: Digest) -> PrefixDigests {
        if stride_of(whole.length) != self.stride {
            return PrefixDigests::new(whole.length);
        }
        self.hashes.borrow_mut().truncate(same / self.stride + 1);
        self.whole.set(Some(whole));
        self
    }

    /// The digest of all `elements`; they must be the sequence that this is for.
    pub fn whole<E: Element>(&self, elements: &[E]) -> Digest {
        self.whole.get().unwrap_or_else(|| {
            let whole = self.prefix(elements, elements.len());
            self.whole.set(Some(whole));
            whole
        })
    }

    /// The digest of `elements[..end]`; `elements` must be the sequence that this is for.
    fn prefix<E: Element>(&self, elements: &[E], end: usize) -> Digest {
        let block = end / self.stride;
        let mut hashes = self.hashes.borrow_mut();
        let last = hashes.len() - 1;
        if last < block {
            let mut digest = Digest {
                length: last * self.stride,
                hashes: hashes[last],
            };
            let unknown = &elements[last * self.stride..block * self.stride];
            let (fours, rest) = match self.stride {
                1 => unknown.as_chunks(),
                _ => (&[][..], unknown),
            };
            for four in fours {
                let terms = Terms::of_four(four);
                let one = digest.with(terms[0]);
                let two = one.with(terms[1]);
                let three = two.with(terms[2]);
                digest = digest.with_four(terms);
                hashes.extend([one.hashes, two.hashes, three.hashes, digest.hashes]);
            }
            for block in rest.chunks_exact(self.stride) {
                digest = digest.extended(block);
                hashes.push(digest.hashes);
            }
        }
        let length = block * self.stride;
        let known = Digest {
            length,
            hashes: hashes[block],
        };
        known.extended(&elements[length..end])
    }

    /// The digest of a run followed by `elements[start..]`; `elements` must be the sequence that
    /// this is for.
    pub fn completed<E: Element>(&self, run: Digest, elements: &[E], start: usize) -> Digest {
        if start == elements.len() {
            return run;
        }
        self.joined(run, elements, start, self.whole(elements))
    }

    /// The digest of a run followed by `elements[start..end]`; `elements` must be the sequence that
    /// this is for.
    pub(crate) fn continued<E: Element>(
        &self,
        run: Digest,
        elements: &[E],
        (start, end): (usize, usize),
    ) -> Digest {
        // A few elements are sooner read than looked up.
        if end - start < (2 * self.stride).clamp(4, 24) {
            return run.extended(&elements[start..end]);
        }
        self.joined(run, elements, start, self.prefix(elements, end))
    }

    /// The digest of a run followed by what the prefix `until` has from `start` on.
    fn joined<E: Element>(
        &self,
        run: Digest,
        elements: &[E],
        start: usize,
        until: Digest,
    ) -> Digest {
        let (before, length) = (self.prefix(elements, start), until.length - start);
        let factor = power(length);
        // What stood before the rest is taken away, and the run put in its place.
        let put = |hash: usize| {
            let changed = subtract(run.hashes[hash], before.hashes[hash]);
            add(multiply(changed, factor[hash]), until.hashes[hash])
        };
        Digest {
            length: run.length + length,
            hashes: [put(0), put(1)],
        }
    }

    /// The digest of `elements[start..end]`; `elements` must be the sequence that this is for.
    pub fn range<E: Element>(&self, elements: &[E], start: usize, end: usize) -> Digest {
        let (before, whole) = (self.prefix(elements, start), self.prefix(elements, end));
        let factor = power(end - start);
        Digest {
            length: end - start,
            hashes: [
                subtract(whole.hashes[0], multiply(before.hashes[0], factor[0])),
                subtract(whole.hashes[1], multiply(before.hashes[1], factor[1])),
            ],
        }
    }
}

/// How far the prefixes of a sequence of this length are apart.
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
        let prefixes = PrefixDigests::new(elements.len());
        for (start, end) in [
            (0, 0),
            (0, 2000),
            (255, 257),
            (256, 512),
            (13, 1999),
            (700, 701),
        ] {
            assert_eq!(
                prefixes.range(&elements, start, end),
                Digest::of(&elements[start..end])
            );
            let run = Digest::of(&elements[3..80]);
            assert_eq!(
                prefixes.continued(run, &elements, (start, end)),
                run.joined(Digest::of(&elements[start..end]))
            );
            assert_eq!(
                prefixes.completed(run, &elements, start),
                run.joined(Digest::of(&elements[start..]))
            );
        }
    }

    #[test]
    fn what_is_the_same_in_a_successor_stays_known() {
        let mut elements: Vec<u8> = (0..200).collect();
        let mut prefixes = PrefixDigests::new(elements.len());
        for (start, end) in [(150, 160), (40, 41), (90, 99), (0, 3)] {
            let whole = prefixes.completed(Digest::of(&elements[..start]), &elements, end);
            elements.drain(start..end);
            assert_eq!(whole, Digest::of(&elements));
            prefixes = prefixes.of_successor(start, whole);
            for at in [0, start / 2, start, elements.len()] {
                let part = Digest::of(&elements[at / 2..at]);
                assert_eq!(prefixes.range(&elements, at / 2, at), part);
            }
        }
    }

    #[test]
    fn joining_parts_gives_the_digest_of_the_whole() {
        let elements: Vec<u64> = (0..600).map(|n| u64::MAX - n * n).collect();
        let (left, right) = elements.split_at(123);
        assert_eq!(
            Digest::of(left).joined(Digest::of(right)),
            Digest::of(&elements)
        );
    }

    #[test]
    fn four_elements_at_once_are_four_elements() {
        let elements: Vec<u64> = (0..9).map(|n| u64::MAX - n * n * n).collect();
        for len in 0..=elements.len() {
            let terms = elements[..len].iter().map(Terms::of);
            let one_by_one = terms.fold(Digest::EMPTY, Digest::with);
            assert_eq!(Digest::of(&elements[..len]), one_by_one);
            assert_eq!(PrefixDigests::new(9).prefix(&elements, len), one_by_one);
        }
    }

    #[test]
    fn different_contents_have_different_identities() {
        let contents: [&[u8]; 6] = [b"", b"\0", b"\0\0", b"ab", b"ba", b"abc"];
        for (i, a) in contents.iter().enumerate() {
            for b in &contents[i + 1..] {
                assert_ne!(Digest::of(a).identity(), Digest::of(b).identity());
            }
        }
        assert_ne!(
            Digest::of(&[1u64]).identity(),
            Digest::of(&[PRIME + 1]).identity()
        );
    }
}
