//! Content identity: a digest of a sequence that can be put together from the digests of its
//! parts, so that the identity of *base plus patch* is known without building the candidate.
//!
//! The digest is a pair of polynomial hashes modulo the Mersenne prime 2⁶¹ − 1 (Karp and Rabin,
//! "Efficient randomized pattern-matching algorithms", 1987), with fixed bases: the same content
//! has the same identity in every run and on every machine. It is no defence against an adversary
//! who constructs collisions, and does not need to be one.

/// The modulus of both hashes: the Mersenne prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;
/// The two bases, arbitrary large constants below the modulus.
const BASES: [u64; 2] = [0x0fb3_24c9_51d7_e6a3, 0x1a85_9c3f_6be4_0d71];
/// The powers of the bases, and of their inverses, whose exponents have one hexadecimal digit that
/// is not 0: for each place of the digit, and each digit.
const POWERS: [Powers; 2] = [powers(BASES), powers(INVERSES)];
/// What a product with a base is multiplied with to undo that.
const INVERSES: [u64; 2] = [inverse(BASES[0]), inverse(BASES[1])];

type Powers = [[[u64; 2]; 16]; 16];

/// The second, third and fourth powers of the bases.
const SQUARES: [u64; 2] = [multiply(BASES[0], BASES[0]), multiply(BASES[1], BASES[1])];
const CUBES: [u64; 2] = [
    multiply(SQUARES[0], BASES[0]),
    multiply(SQUARES[1], BASES[1]),
];
const FOURTHS: [u64; 2] = [
    multiply(SQUARES[0], SQUARES[0]),
    multiply(SQUARES[1], SQUARES[1]),
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

const fn powers(bases: [u64; 2]) -> Powers {
    let mut table = [[[1; 2]; 16]; 16];
    let mut first = bases;
    let mut place = 0;
    while place < 16 {
        let mut digit = 1;
        while digit < 16 {
            let last = table[place][digit - 1];
            table[place][digit] = [multiply(last[0], first[0]), multiply(last[1], first[1])];
            digit += 1;
        }
        let last = table[place][15];
        first = [multiply(last[0], first[0]), multiply(last[1], first[1])];
        place += 1;
    }
    table
}

/// The inverse of a number: its power of the modulus less two (Fermat).
const fn inverse(number: u64) -> u64 {
    let (mut result, mut square, mut exponent) = (1, number, PRIME - 2);
    while exponent != 0 {
        if exponent % 2 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        exponent /= 2;
    }
    result
}

/// One number of two: any difference in either shows in all bits of the product, folded.
pub(crate) fn mixed(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ other) * 0x9e37_79b9_7f4a_7c15_u128;
    (product as u64 ^ (product >> 64) as u64).wrapping_add(other.rotate_left(32))
}

fn raised(powers: &Powers, mut exponent: usize) -> [u64; 2] {
    let mut result = powers[0][exponent % 16];
    let mut place = 1;
    exponent /= 16;
    while exponent != 0 {
        let factor = powers[place][exponent % 16];
        result = [
            multiply(result[0], factor[0]),
            multiply(result[1], factor[1]),
        ];
        place += 1;
        exponent /= 16;
    }
    result
}

/// The powers of the bases with this exponent.
pub(crate) fn power(exponent: usize) -> [u64; 2] {
    raised(&POWERS[0], exponent)
}

/// The product of two powers of the bases.
pub(crate) fn product(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [multiply(one[0], other[0]), multiply(one[1], other[1])]
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
/// identities (but for a chance of about 2⁻¹⁰⁰ for each pair that is compared, and of n · 2⁻⁶¹ for n
/// elements where their digests differ in nothing but the highest three bits, or in a way that one of
/// the two hashes misses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(pub u128);

/// What one element adds to the digest of a run, below 2⁶³: the remainder is taken of the sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms([u64; 2]);

impl Terms {
    /// Those of `element`. Either of them may be the same for two digests, both are not.
    #[inline]
    pub(crate) fn of<E: Element>(element: &E) -> Terms {
        let digest = element.digest();
        let low = (digest & PRIME) + 1;
        Terms([low, low + (digest >> 61)])
    }

    /// What is added where these take the place of `others`.
    #[inline]
    fn less(self, others: Terms) -> Terms {
        let change = |at: usize| self.0[at] + 2 * PRIME - others.0[at];
        Terms([change(0), change(1)])
    }

    #[inline(always)]
    pub(crate) fn of_four<E: Element>([first, second, third, fourth]: &[E; 4]) -> [Terms; 4] {
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
        let hash = |at: usize| {
            let before = u128::from(self.hashes[at]) * u128::from(BASES[at]);
            remainder(before + u128::from(terms[at]))
        };
        Digest {
            length: self.length + 1,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run followed by four elements: what takes long, that each needs the one
    /// before it, is done once.
    #[inline]
    pub(crate) fn with_four(self, terms: [Terms; 4]) -> Digest {
        let hash = |at: usize| {
            let by = |factor: u64, value: u64| u128::from(factor) * u128::from(value);
            let four = by(CUBES[at], terms[0].0[at])
                + by(SQUARES[at], terms[1].0[at])
                + by(BASES[at], terms[2].0[at])
                + u128::from(terms[3].0[at]);
            remainder(by(FOURTHS[at], self.hashes[at]) + four)
        };
        Digest {
            length: self.length + 4,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run followed by the run that `next` describes.
    pub fn joined(self, next: Digest) -> Digest {
        self.joined_by(power(next.length), next)
    }

    /// The same, where `factor` is the power of the bases for the length of `next`.
    pub(crate) fn joined_by(self, factor: [u64; 2], next: Digest) -> Digest {
        let hash = |at: usize| add(multiply(self.hashes[at], factor[at]), next.hashes[at]);
        Digest {
            length: self.length + next.length,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run without `end`, with which it ends.
    pub(crate) fn without_end(self, end: Digest) -> Digest {
        let factor = raised(&POWERS[1], end.length);
        let hash = |at: usize| {
            let before = subtract(self.hashes[at], end.hashes[at]);
            multiply(before, factor[at])
        };
        Digest {
            length: self.length - end.length,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run without `start`, with which it begins.
    pub(crate) fn without_start(self, start: Digest) -> Digest {
        let length = self.length - start.length;
        let factor = power(length);
        let hash = |at: usize| {
            let before = multiply(start.hashes[at], factor[at]);
            subtract(self.hashes[at], before)
        };
        Digest {
            length,
            hashes: [hash(0), hash(1)],
        }
    }

    /// The digest of this run with `new` in the place of `old`, a part that is as long and has `behind`
    /// elements behind it.
    pub(crate) fn exchanged<E: Element>(self, old: &[E], new: &[E], behind: usize) -> Digest {
        let change = old
            .iter()
            .zip(new)
            .fold(Digest::EMPTY, |change, (old, new)| {
                change.with(Terms::of(new).less(Terms::of(old)))
            });
        let factor = power(behind);
        let hash = |at: usize| add(self.hashes[at], multiply(change.hashes[at], factor[at]));
        Digest {
            length: self.length,
            hashes: [hash(0), hash(1)],
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn joining_parts_gives_the_digest_of_the_whole() {
        let elements: Vec<u64> = (0..600).map(|n| u64::MAX - n * n).collect();
        for at in [0, 1, 15, 16, 123, 599, 600] {
            let (left, right) = elements.split_at(at);
            let [left, right] = [left, right].map(Digest::of);
            let whole = Digest::of(&elements);
            assert_eq!(left.joined(right), whole);
            assert_eq!(whole.without_end(right), left);
            assert_eq!(whole.without_start(left), right);
            let turned: Vec<u64> = elements[..at].iter().rev().copied().collect();
            let exchanged = whole.exchanged(&elements[..at], &turned, right.len());
            assert_eq!(exchanged, Digest::of(&turned).joined(right));
        }
    }

    #[test]
    fn four_elements_at_once_are_four_elements() {
        let elements: Vec<u64> = (0..9).map(|n| u64::MAX - n * n * n).collect();
        for len in 0..=elements.len() {
            let terms = elements[..len].iter().map(Terms::of);
            let one_by_one = terms.fold(Digest::EMPTY, Digest::with);
            assert_eq!(Digest::of(&elements[..len]), one_by_one);
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
        for other in [PRIME + 1, 1 << 61, 1 << 63, (1 << 61) + 1] {
            assert_ne!(
                Digest::of(&[1u64]).identity(),
                Digest::of(&[other]).identity()
            );
        }
    }
}
