//! The notebook's eight conditions and its data sets.

use std::collections::HashSet;

use md5::{Digest, Md5};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A condition with its name.
pub type Condition = (&'static str, fn(&[u64]) -> bool);

/// The notebook's conditions, in its order.
pub const CONDITIONS: [Condition; 8] = [
    ("length >= 2", |xs| xs.len() >= 2),
    ("sum >= 500", |xs| sum(xs) >= 500),
    ("sum >= 3", |xs| sum(xs) >= 3),
    ("At least 10 by 5", |xs| at_least_5(xs) >= 10),
    ("10 distinct elements", |xs| distinct(xs) >= 10),
    ("First > Second", |xs| xs.len() >= 2 && xs[0] > xs[1]),
    ("Size > max & 63", |xs| {
        xs.iter()
            .max()
            .is_some_and(|max| xs.len() as u64 > max & 63)
    }),
    ("Messy", is_messy),
];

/// The sum, which may be greater than an element can be.
pub fn sum(xs: &[u64]) -> u128 {
    xs.iter().map(|x| u128::from(*x)).sum()
}

/// How many elements are at least 5.
pub fn at_least_5(xs: &[u64]) -> usize {
    xs.iter().filter(|x| **x >= 5).count()
}

/// How many different elements there are.
pub fn distinct(xs: &[u64]) -> usize {
    xs.iter().collect::<HashSet<_>>().len()
}

/// Whether the MD5 of how Python shows the list starts with the hexadecimal digit 0.
pub fn is_messy(xs: &[u64]) -> bool {
    // Rust's `Debug` of such a list is the same text as Python's `repr`.
    Md5::digest(format!("{xs:?}"))[0] >> 4 == 0
}

/// So many lists that satisfy a condition, up to 100 numbers of 64 bits each.
pub fn dataset(condition: fn(&[u64]) -> bool, count: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut lists = Vec::with_capacity(count);
    while lists.len() < count {
        let len = random.next_u64() % 101;
        let list: Vec<u64> = (0..len).map(|_| random.next_u64()).collect();
        if condition(&list) {
            lists.push(list);
        }
    }
    lists
}
