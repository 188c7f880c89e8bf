//! Where numbers stand in a target, and which they are.

use std::ops::{Deref, Range};
use std::rc::Rc;

use ablate_engine::target::Target;

use super::choices::{distance, number};
use crate::choice::{Choice, Constraint, Toss, Value};

/// Which choices there are at all: passes that want others need not look for them.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    pub has_floats: bool,
    /// Bytes or texts.
    pub has_letters: bool,
    /// Booleans that could be either, and say nothing of a collection.
    pub has_tosses: bool,
}

impl Kinds {
    fn add(&mut self, choice: &Choice) {
        match choice.value() {
            Value::Float(_) => self.has_floats = true,
            Value::Bytes(_) | Value::Text(_) => self.has_letters = true,
            Value::Boolean(_) => self.has_tosses |= choice.toss() == Some(Toss::Free),
            _ => {}
        }
    }
}

/// Where numbers stand, in order.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Those that are not the simplest.
    pub lowerable: Vec<usize>,
    pub all: Vec<usize>,
    /// What else there is, and floats.
    pub kinds: Kinds,
}

impl Numbers {
    /// The numbers of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Numbers> {
        target.analysis(Numbers::found)
    }

    fn found(target: &Target<Choice>) -> Numbers {
        let elements = target.elements();
        let mut numbers = Numbers {
            lowerable: Vec::with_capacity(elements.len()),
            all: Vec::with_capacity(elements.len()),
            kinds: Kinds::default(),
        };
        // In a list all are of one range: what is the simplest is the same of all.
        if let Some(simplest) = Choice::simplest_of_all(elements) {
            numbers.all.extend(0..elements.len());
            numbers.lowerable.resize(elements.len(), 0);
            let mut count = 0;
            for (at, choice) in elements.iter().enumerate() {
                numbers.lowerable[count] = at;
                count += usize::from(!choice.is_word(simplest));
            }
            numbers.lowerable.truncate(count);
            return numbers;
        }
        for (at, choice) in elements.iter().enumerate() {
            let is_lowerable = match choice.small() {
                // By far the most.
                Some((value, origin)) => value != origin,
                None => {
                    numbers.kinds.add(choice);
                    match distance(choice) {
                        Some(distance) => distance > 0,
                        None => continue,
                    }
                }
            };
            numbers.all.push(at);
            if is_lowerable {
                numbers.lowerable.push(at);
            }
        }
        numbers
    }

    /// Which of all numbers is the only one in an interval.
    pub fn only_in(&self, interval: (usize, usize)) -> Option<usize> {
        only_in(&self.all, interval)
    }
}

/// Numbers that stand for an amount, in order: all but those that say which alternative was chosen.
#[derive(Debug)]
pub(crate) struct Amounts(Vec<usize>);

impl Amounts {
    /// The amounts of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Amounts> {
        target.analysis(|target| {
            let is_amount = |at: &usize| {
                let constraint = target.elements()[*at].constraint();
                !matches!(constraint, Constraint::Index(_) | Constraint::Branch(_))
            };
            let numbers = Numbers::of(target);
            Amounts(numbers.all.iter().copied().filter(is_amount).collect())
        })
    }

    /// Which of them is the only one in an interval.
    pub fn only_in(&self, interval: (usize, usize)) -> Option<usize> {
        only_in(&self.0, interval)
    }
}

impl Deref for Amounts {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

/// Which of these places is the only one in an interval.
fn only_in(places: &[usize], (start, end): (usize, usize)) -> Option<usize> {
    let first = places.partition_point(|&at| at < start);
    let is_only = places.get(first + 1).is_none_or(|&at| at >= end);
    (*places.get(first)? < end && is_only).then_some(first)
}

/// Numbers with their places, the least first; of equal ones the first.
#[derive(Debug)]
pub(crate) struct ByValue(Vec<(i128, usize)>);

impl ByValue {
    /// All numbers of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<ByValue> {
        target.analysis(|target| {
            let elements = target.elements();
            let numbers = Numbers::of(target);
            let places = numbers.all.iter();
            ByValue(sorted(
                places.filter_map(|&at| Some((number(&elements[at])?, at))),
            ))
        })
    }
}

impl Deref for ByValue {
    type Target = [(i128, usize)];

    fn deref(&self) -> &[(i128, usize)] {
        &self.0
    }
}

/// The same by value; their places come in order. Mostly a number and its place fit into one word,
/// and words are soon sorted.
fn sorted(numbers: impl Iterator<Item = (i128, usize)> + Clone) -> Vec<(i128, usize)> {
    let bounds = (i128::MAX, i128::MIN, 0);
    let (least, greatest, last) = numbers
        .clone()
        .fold(bounds, |(least, greatest, _), (value, at)| {
            (least.min(value), greatest.max(value), at)
        });
    let bits = u64::BITS - (last as u64).leading_zeros();
    let is_word = |above| least <= greatest && least.abs_diff(greatest) < above;
    if !1u128.checked_shl(u64::BITS - bits).is_some_and(is_word) {
        let mut numbers: Vec<(i128, usize)> = numbers.collect();
        numbers.sort_unstable();
        return numbers;
    }
    let packed = |(value, at)| ((value - least) as u64) << bits | at as u64;
    let mut words: Vec<u64> = numbers
        .map(|(value, at): (i128, usize)| packed((value, at)))
        .collect();
    let range = (greatest - least) as u64;
    sort_words(&mut words, bits..u64::BITS - range.leading_zeros() + bits);
    let unpacked = |word: u64| {
        (
            least + i128::from(word >> bits),
            (word & ((1 << bits) - 1)) as usize,
        )
    };
    words.into_iter().map(unpacked).collect()
}

/// So many bits are sorted by at a time.
const DIGIT: u32 = 8;

/// Sorts numbers that are in order but for these bits: where there are few for how many numbers there
/// are, from the lowest on, which takes less than to compare them.
fn sort_words(words: &mut Vec<u64>, bits: Range<u32>) {
    if words.len() >> (DIGIT - 2) < bits.len().div_ceil(DIGIT as usize) {
        words.sort_unstable();
        return;
    }
    let mut sorted = vec![0; words.len()];
    for shift in bits.step_by(DIGIT as usize) {
        let digit = |word: u64| (word >> shift) as usize % (1 << DIGIT);
        let mut places = [0; 1 << DIGIT];
        words.iter().for_each(|&word| places[digit(word)] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for &word in words.iter() {
            let place = &mut places[digit(word)];
            sorted[*place] = word;
            *place += 1;
        }
        std::mem::swap(words, &mut sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn numbers_of_any_range_are_sorted() {
        crate::check(|tc| {
            let bound = tc.draw(sample([3i128, 1 << 40, i128::MAX]));
            let values = tc.draw(vec(-bound..=bound));
            let numbers: Vec<(i128, usize)> = values.into_iter().zip(0..).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            assert_eq!(sorted(numbers.into_iter()), expected);
        });
    }
}
