//! One choice: its value, and what it might have been.

use std::sync::Arc;

use super::{Alphabet, FloatRange, IntegerRange};

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Yes or no.
    Boolean(bool),
    /// A number, or the place of an alternative.
    Integer(i128),
    /// A floating-point number, as its bits.
    Float(u64),
    /// A run of bytes.
    Bytes(Arc<[u8]>),
    /// A run of characters.
    Text(Arc<str>),
    /// No value, but a mark in a candidate: what follows, up to the [`Value::Close`] that belongs
    /// to it, is for a span with this label that begins here. When the span wants more it gets the
    /// simplest values; when it wants less, the rest is passed over.
    Open(u64),
    /// See [`Value::Open`].
    Close,
    /// No value either: what the alternative that stands here makes is to be made by an earlier
    /// one, if that can make it.
    Recode,
}

impl Value {
    /// Whether this is no value, but a mark in a candidate.
    #[inline]
    pub(crate) fn is_mark(&self) -> bool {
        matches!(self, Value::Open(_) | Value::Close | Value::Recode)
    }
}

/// Which answers a boolean choice can have. How likely each is concerns only whoever chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Toss {
    /// Either.
    Free,
    /// Either: whether a collection has one more element.
    More,
    /// Bounds say that it must be this one.
    Forced(bool),
}

/// The bounds of a length, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sizes {
    /// The smallest length.
    pub min: u32,
    /// The greatest length.
    pub max: u32,
}

/// What a choice might have been.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// A boolean.
    Boolean(Toss),
    /// An integer of a range.
    Integer(IntegerRange),
    /// One of so many alternatives, the first being the simplest.
    Index(u32),
    /// The same, where an earlier alternative may be able to make what a later one does.
    Branch(u32),
    /// A floating-point number.
    Float(FloatRange),
    /// Bytes, of a length in these bounds.
    Bytes(Sizes),
    /// Characters of an alphabet that is not empty, of a length in these bounds.
    Text(Arc<Alphabet>, Sizes),
}

impl Constraint {
    /// Whether `value` may be chosen.
    pub fn permits(&self, value: &Value) -> bool {
        match (self, value) {
            (Constraint::Boolean(Toss::Free | Toss::More), Value::Boolean(_)) => true,
            (Constraint::Boolean(Toss::Forced(forced)), Value::Boolean(value)) => forced == value,
            (Constraint::Integer(range), Value::Integer(value)) => range.contains(*value),
            (Constraint::Index(count) | Constraint::Branch(count), Value::Integer(value)) => {
                (0..i128::from(*count)).contains(value)
            }
            (Constraint::Float(range), Value::Float(bits)) => range.contains(f64::from_bits(*bits)),
            (Constraint::Bytes(sizes), Value::Bytes(bytes)) => sizes.contains(bytes.len()),
            (Constraint::Text(alphabet, sizes), Value::Text(text)) => {
                sizes.contains(text.chars().count())
                    && text.chars().all(|c| alphabet.rank(c).is_some())
            }
            _ => false,
        }
    }

    /// The simplest value.
    pub fn simplest(&self) -> Value {
        match self {
            Constraint::Boolean(Toss::Free | Toss::More) => Value::Boolean(false),
            Constraint::Boolean(Toss::Forced(forced)) => Value::Boolean(*forced),
            Constraint::Integer(range) => Value::Integer(range.origin),
            Constraint::Index(_) | Constraint::Branch(_) => Value::Integer(0),
            Constraint::Float(range) => Value::Float(range.simplest().to_bits()),
            Constraint::Bytes(sizes) => Value::Bytes(vec![0; sizes.min as usize].into()),
            Constraint::Text(alphabet, sizes) => {
                let first = alphabet.at(0).unwrap_or('0');
                let text: String = (0..sizes.min).map(|_| first).collect();
                Value::Text(text.into())
            }
        }
    }

    /// What a replay takes for `value` where it stands now: the value itself where it is
    /// permitted; else the nearest that is; the simplest where nothing is near.
    #[inline]
    pub fn repaired(&self, value: &Value) -> Value {
        match (self, value) {
            // By far the most.
            (Constraint::Integer(range), Value::Integer(value)) if range.contains(*value) => {
                Value::Integer(*value)
            }
            (Constraint::Boolean(Toss::Free | Toss::More), Value::Boolean(value)) => {
                Value::Boolean(*value)
            }
            _ => self.repaired_any(value),
        }
    }

    #[inline(never)]
    fn repaired_any(&self, value: &Value) -> Value {
        match (self, value) {
            _ if self.permits(value) => value.clone(),
            (Constraint::Integer(range), Value::Integer(value)) => {
                Value::Integer((*value).clamp(range.min, range.max))
            }
            (Constraint::Float(range), Value::Float(bits)) => {
                Value::Float(range.nearest(f64::from_bits(*bits)).to_bits())
            }
            (Constraint::Bytes(sizes), Value::Bytes(bytes)) => {
                let padding = std::iter::repeat_n(0, sizes.min as usize);
                let longest = bytes.len().max(sizes.min as usize);
                let taken = bytes.iter().copied().chain(padding);
                Value::Bytes(taken.take(longest.min(sizes.max as usize)).collect())
            }
            (Constraint::Text(alphabet, sizes), Value::Text(text)) => {
                let first = alphabet.at(0).unwrap_or('0');
                let length = text.chars().count().max(sizes.min as usize);
                let known = |c| if alphabet.rank(c).is_some() { c } else { first };
                let taken = text.chars().map(known).chain(std::iter::repeat(first));
                let taken: String = taken.take(length.min(sizes.max as usize)).collect();
                Value::Text(taken.into())
            }
            _ => self.simplest(),
        }
    }

    /// The place of `value` in the order of simplicity, 0 being the simplest; `u128::MAX` where
    /// that is not enough, for long texts.
    pub fn index(&self, value: &Value) -> u128 {
        match (self, value) {
            (Constraint::Boolean(Toss::Free | Toss::More), Value::Boolean(value)) => {
                u128::from(*value)
            }
            (Constraint::Integer(range), Value::Integer(value)) => range.index(*value),
            (Constraint::Float(range), Value::Float(bits)) => range.index(f64::from_bits(*bits)),
            (Constraint::Index(_) | Constraint::Branch(_), Value::Integer(value)) => {
                u128::try_from(*value).unwrap_or(0)
            }
            (Constraint::Bytes(sizes), Value::Bytes(bytes)) => shortlex(
                256,
                sizes.min,
                bytes.len(),
                bytes.iter().map(|b| u32::from(*b)),
            ),
            (Constraint::Text(alphabet, sizes), Value::Text(text)) => shortlex(
                alphabet.len(),
                sizes.min,
                text.chars().count(),
                text.chars().map(|c| alphabet.rank(c).unwrap_or(0)),
            ),
            _ => 0,
        }
    }

    /// The value at a place in the order of simplicity, the inverse of [`Constraint::index`]; `None`
    /// beyond the last, and for floating-point numbers that are no whole ones.
    pub(crate) fn at_index(&self, index: u128) -> Option<Value> {
        match self {
            Constraint::Boolean(Toss::Free | Toss::More) => {
                (index < 2).then_some(Value::Boolean(index == 1))
            }
            Constraint::Integer(range) => range.at_index(index).map(Value::Integer),
            Constraint::Index(count) | Constraint::Branch(count) => {
                (index < u128::from(*count)).then_some(Value::Integer(index as i128))
            }
            Constraint::Bytes(sizes) => {
                let bytes = at_shortlex(256, *sizes, index)?;
                Some(Value::Bytes(
                    bytes.into_iter().map(|rank| rank as u8).collect(),
                ))
            }
            Constraint::Text(alphabet, sizes) => {
                let ranks = at_shortlex(alphabet.len(), *sizes, index)?;
                let text: Option<String> =
                    ranks.into_iter().map(|rank| alphabet.at(rank)).collect();
                Some(Value::Text(text?.into()))
            }
            // Small whole ones come first.
            Constraint::Float(_) if index < 1 << 53 => Some(Value::Float((index as f64).to_bits())),
            Constraint::Boolean(Toss::Forced(_)) | Constraint::Float(_) => None,
        }
    }

    /// Whether nothing simpler than `value` is permitted.
    pub(super) fn has_simplest(&self, value: &Value) -> bool {
        self.is_forced() || *value == self.simplest()
    }

    /// Whether there is only one value.
    pub fn is_forced(&self) -> bool {
        match self {
            Constraint::Boolean(toss) => matches!(toss, Toss::Forced(_)),
            Constraint::Integer(range) => range.width() == 0,
            Constraint::Index(count) | Constraint::Branch(count) => *count <= 1,
            Constraint::Float(_) => false,
            Constraint::Bytes(sizes) => sizes.max == 0,
            Constraint::Text(alphabet, sizes) => {
                sizes.max == 0 || (alphabet.len() == 1 && sizes.min == sizes.max)
            }
        }
    }
}

/// The one choice of `value`, where it may be chosen: what an inverse gives.
pub(crate) fn permitted(constraint: &Constraint, value: Value) -> Option<Vec<Value>> {
    constraint.permits(&value).then(|| vec![value])
}

/// The number of sequences over `base` letters that are simpler than this one: all shorter ones
/// down to `min`, then those that come first letter by letter. Stops counting at `u128::MAX`.
fn shortlex(base: u32, min: u32, len: usize, ranks: impl Iterator<Item = u32>) -> u128 {
    let base = u128::from(base.max(1));
    let mut shorter: u128 = 0;
    let mut count = base.saturating_pow(min);
    for _ in min as usize..len {
        shorter = shorter.saturating_add(count);
        count = count.saturating_mul(base);
        if shorter == u128::MAX {
            return shorter;
        }
    }
    let within = ranks.fold(0u128, |sum, rank| {
        sum.saturating_mul(base).saturating_add(u128::from(rank))
    });
    shorter.saturating_add(within)
}

/// The letters of the sequence at a place in the order of [`shortlex`].
fn at_shortlex(base: u32, sizes: Sizes, mut index: u128) -> Option<Vec<u32>> {
    let base = u128::from(base.max(1));
    let mut len = sizes.min;
    loop {
        let count = base.saturating_pow(len);
        if index < count {
            break;
        }
        index -= count;
        len += 1;
        if len > sizes.max {
            return None;
        }
    }
    let mut letters = vec![0; len as usize];
    for letter in letters.iter_mut().rev() {
        *letter = (index % base) as u32;
        index /= base;
    }
    Some(letters)
}

impl Sizes {
    /// Lengths from `min` to `max`.
    pub fn new(min: usize, max: usize) -> Sizes {
        let clip = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        assert!(min <= max, "ablate-check: no length is in {min}..={max}");
        Sizes {
            min: clip(min),
            max: clip(max),
        }
    }

    /// Whether `len` lies in the bounds.
    pub fn contains(&self, len: usize) -> bool {
        self.min as usize <= len && len <= self.max as usize
    }
}

impl Value {
    pub(super) fn digest(&self) -> u64 {
        match self {
            Value::Boolean(value) => digest_boolean(*value),
            Value::Integer(value) => digest_integer(*value),
            Value::Float(bits) => mix(3, *bits),
            Value::Bytes(bytes) => digest_bytes(4, bytes),
            Value::Text(text) => digest_bytes(5, text.as_bytes()),
            Value::Open(label) => mix(6, *label),
            Value::Close => mix(7, 0),
            Value::Recode => mix(8, 0),
        }
    }
}

#[inline]
pub(super) fn digest_boolean(value: bool) -> u64 {
    const DIGESTS: [u64; 2] = [mix(1, 0), mix(1, 1)];
    DIGESTS[usize::from(value)]
}

/// That of a small number is another one for each: to mix it, thousands of times, would take longer
/// than all else that is done with it.
#[inline]
pub(super) fn digest_integer(value: i128) -> u64 {
    const SMALL: u64 = mix(2, 0);
    match i64::try_from(value) {
        Ok(small) => SMALL ^ small as u64,
        Err(_) => mix(mix(2, value as u64), (value >> 64) as u64),
    }
}

fn digest_bytes(start: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    let mixed = words.chain(rest).fold(start, mix);
    mix(mixed, bytes.len() as u64)
}

/// Joins two numbers so that any difference in either shows in all bits.
pub(crate) const fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x2545_f491_4f6c_dd1d);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(alphabet: &str, min: u32, max: u32) -> Constraint {
        Constraint::Text(Arc::new(Alphabet::of(alphabet)), Sizes { min, max })
    }

    #[test]
    fn what_is_not_permitted_is_repaired() {
        let range = Constraint::Integer(IntegerRange::new(0, 10, 0));
        let repaired = |c: &Constraint, v: Value| c.repaired(&v);
        assert_eq!(repaired(&range, Value::Integer(99)), Value::Integer(10));
        assert_eq!(repaired(&range, Value::Boolean(true)), Value::Integer(0));
        assert_eq!(repaired(&range, Value::Integer(7)), Value::Integer(7));
        let bytes = Constraint::Bytes(Sizes { min: 2, max: 3 });
        let check = |from: &[u8], to: &[u8]| {
            assert_eq!(
                repaired(&bytes, Value::Bytes(from.into())),
                Value::Bytes(to.into())
            );
        };
        check(&[1], &[1, 0]);
        check(&[1, 2, 3, 4], &[1, 2, 3]);
        let text = text("ab", 1, 3);
        let check = |from: &str, to: &str| {
            assert_eq!(
                repaired(&text, Value::Text(from.into())),
                Value::Text(to.into())
            );
        };
        check("", "a");
        check("bxbb", "bab");
        let forced = Constraint::Boolean(Toss::Forced(true));
        assert_eq!(
            repaired(&forced, Value::Boolean(false)),
            Value::Boolean(true)
        );
    }

    #[test]
    fn texts_are_counted_by_length_then_by_letter() {
        let text = text("ab", 1, 9);
        let ordered = ["a", "b", "aa", "ab", "ba", "bb", "aaa"];
        for (index, value) in ordered.into_iter().enumerate() {
            assert_eq!(text.index(&Value::Text(value.into())), index as u128);
        }
    }

    #[test]
    fn values_are_found_by_their_places() {
        for constraint in [
            Constraint::Boolean(Toss::Free),
            Constraint::Integer(IntegerRange::new(-7, 9, 3)),
            Constraint::Integer(IntegerRange::new(i128::MIN, i128::MAX, 0)),
            Constraint::Index(4),
            Constraint::Float(FloatRange::ALL),
            Constraint::Bytes(Sizes { min: 0, max: 2 }),
            text("zyx", 2, 4),
            text("a", 1, 3),
        ] {
            let found = (0..1000).map_while(|index| constraint.at_index(index));
            let mut count = 0;
            for value in found {
                assert!(constraint.permits(&value), "{constraint:?} {value:?}");
                assert_eq!(constraint.index(&value), count, "{constraint:?} {value:?}");
                count += 1;
            }
            assert!(count > 1, "{constraint:?}");
        }
    }

    #[test]
    fn the_simplest_value_has_index_zero_and_is_permitted() {
        for constraint in [
            Constraint::Boolean(Toss::Free),
            Constraint::Boolean(Toss::Forced(true)),
            Constraint::Integer(IntegerRange::new(-7, 9, 3)),
            Constraint::Index(4),
            Constraint::Bytes(Sizes { min: 2, max: 3 }),
            text("zyx", 2, 4),
        ] {
            let simplest = constraint.simplest();
            assert!(constraint.permits(&simplest), "{constraint:?}");
            assert_eq!(constraint.index(&simplest), 0, "{constraint:?}");
        }
    }
}
