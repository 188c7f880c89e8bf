//! Large failing test cases to start a reduction from, one for each seed, as choice sequences: so
//! that what a reducer costs does not depend on how small the first failure happens to be.

use ablate_check::choice::{Value, encode};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Writes a choice sequence.
struct Script {
    random: Xoshiro256PlusPlus,
    values: Vec<Value>,
}

impl Script {
    fn new(seed: u64) -> Script {
        Script {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            values: Vec::new(),
        }
    }

    fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.random.next_u64()) % (high - low + 1)
    }

    /// A number of 31 bits with a sign.
    fn wide(&mut self) -> i128 {
        self.between(-(1 << 31) + 1, (1 << 31) - 1)
    }

    fn integer(&mut self, value: i128) {
        self.values.push(Value::Integer(value));
    }

    fn toss(&mut self, value: bool) {
        self.values.push(Value::Boolean(value));
    }

    /// The numbers as elements of a list.
    fn list(&mut self, elements: &[i128]) {
        for element in elements {
            self.toss(true);
            self.integer(*element);
        }
        self.toss(false);
    }

    fn wide_list(&mut self, len: usize) -> Vec<i128> {
        (0..len).map(|_| self.wide()).collect()
    }

    fn text(&self) -> String {
        encode(&self.values)
    }
}

/// 50 random numbers.
pub fn reverse(seed: u64) -> String {
    let mut script = Script::new(seed);
    let list = script.wide_list(50);
    script.list(&list);
    script.text()
}

/// 50 random numbers.
pub fn distinct(seed: u64) -> String {
    reverse(seed)
}

/// 50 random numbers, one of them twice, at a place that can be named.
pub fn deletion(seed: u64) -> String {
    let mut script = Script::new(seed);
    let mut list = script.wide_list(50);
    let (place, other) = (script.between(0, 10), script.between(11, 49));
    list[other as usize] = list[place as usize];
    script.list(&list);
    script.integer(place);
    script.text()
}

/// Ten lists of ten random numbers.
pub fn large_union_list(seed: u64) -> String {
    let mut script = Script::new(seed);
    for _ in 0..10 {
        script.toss(true);
        let list = script.wide_list(10);
        script.list(&list);
    }
    script.toss(false);
    script.text()
}

/// Ten lists of ten elements.
pub fn nestedlists(seed: u64) -> String {
    let mut script = Script::new(seed);
    for _ in 0..10 {
        (0..11).for_each(|_| script.toss(true));
        script.toss(false);
    }
    script.toss(false);
    script.text()
}

/// 100 numbers, one of them too great.
pub fn lengthlist(seed: u64) -> String {
    let mut script = Script::new(seed);
    let great = script.between(0, 99);
    script.integer(100);
    for place in 0..100 {
        let (low, high) = if place == great {
            (900, 1000)
        } else {
            (0, 899)
        };
        let value = script.between(low, high);
        script.integer(value);
    }
    script.text()
}

/// Two random numbers of this distance.
pub fn difference(seed: u64, distance: i128) -> String {
    let mut script = Script::new(seed);
    let number = script.between(1 << 20, (1 << 31) - 8);
    script.integer(number);
    script.integer(number - distance);
    script.text()
}

/// Eleven places, two of which name each other.
pub fn coupling(seed: u64) -> String {
    let mut script = Script::new(seed);
    let mut list: Vec<i128> = (0..11).map(|_| script.between(0, 10)).collect();
    let first = script.between(0, 10);
    let second = (first + script.between(1, 10)) % 11;
    list[first as usize] = second;
    list[second as usize] = first;
    script.list(&list);
    script.text()
}

/// Five lists of ten random numbers of 16 bits, each list with a small sum.
pub fn bound5(seed: u64) -> String {
    let mut script = Script::new(seed);
    let sum = |list: &[i128]| list.iter().fold(0i16, |sum, x| sum.wrapping_add(*x as i16));
    loop {
        let mut lists = Vec::new();
        while lists.len() < 5 {
            let list: Vec<i128> = (0..10).map(|_| script.between(-32768, 32767)).collect();
            if sum(&list) < 256 {
                lists.push(list);
            }
        }
        if sum(&lists.concat()) >= 5 * 256 {
            lists.iter().for_each(|list| script.list(list));
            return script.text();
        }
    }
}

/// A million, and twenty factors.
pub fn replacement(seed: u64) -> String {
    let mut script = Script::new(seed);
    script.integer(1_000_000);
    let factors: Vec<i128> = (0..20).map(|_| script.between(2, 10)).collect();
    script.list(&factors);
    script.text()
}
