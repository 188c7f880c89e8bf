//! The properties of the shrinking challenge, on values that every library can draw.

use std::collections::BTreeSet;
use std::fmt;

/// What a property is about: some numbers, and some lists of numbers.
#[derive(Clone, Debug)]
pub struct Value {
    pub numbers: Vec<i64>,
    pub lists: Vec<Vec<i64>>,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.numbers, self.lists)
    }
}

/// One list.
pub fn list<T: Into<i64>>(list: Vec<T>) -> Value {
    lists(vec![list])
}

/// Some lists.
pub fn lists<T: Into<i64>>(lists: Vec<Vec<T>>) -> Value {
    beside([], lists)
}

/// Numbers and lists.
pub fn beside<T: Into<i64>>(numbers: impl IntoIterator<Item = i64>, lists: Vec<Vec<T>>) -> Value {
    let numbers = numbers.into_iter().collect();
    let lists = lists
        .into_iter()
        .map(|list| list.into_iter().map(Into::into).collect());
    Value {
        numbers,
        lists: lists.collect(),
    }
}

/// Two numbers.
pub fn pair(a: impl Into<i64>, b: impl Into<i64>) -> Value {
    beside([a.into(), b.into()], Vec::<Vec<i64>>::new())
}

/// Lists of which only the lengths count.
pub fn lengths(lengths: impl IntoIterator<Item = usize>) -> Value {
    lists(lengths.into_iter().map(|len| vec![0i64; len]).collect())
}

/// Whether a property holds; `None` where it does not apply.
pub type Holds = fn(&Value) -> Option<bool>;

pub struct Challenge {
    pub name: &'static str,
    pub holds: Holds,
    pub minima: &'static [&'static str],
}

const BOUND5: &[&str] = &["[] [[], [], [], [-1], [-32768]]"];

pub const CHALLENGES: [Challenge; 13] = [
    Challenge {
        name: "bound5",
        holds: bound5,
        minima: BOUND5,
    },
    Challenge {
        name: "bound5_max1",
        holds: bound5,
        minima: BOUND5,
    },
    Challenge {
        name: "large_union_list",
        holds: union,
        minima: &["[] [[0, 1, -1, 2, -2]]"],
    },
    Challenge {
        name: "reverse",
        holds: reverse,
        minima: &["[] [[0, 1]]"],
    },
    Challenge {
        name: "lengthlist",
        holds: lengthlist,
        minima: &["[] [[900]]"],
    },
    Challenge {
        name: "difference_zero",
        holds: |v| difference(v, 0..=0),
        minima: &["[10, 10] []"],
    },
    Challenge {
        name: "difference_small",
        holds: |v| difference(v, 1..=4),
        minima: &["[10, 6] []"],
    },
    Challenge {
        name: "difference_one",
        holds: |v| difference(v, 1..=1),
        minima: &["[10, 9] []"],
    },
    Challenge {
        name: "coupling",
        holds: coupling,
        minima: &["[] [[1, 0]]"],
    },
    Challenge {
        name: "deletion",
        holds: deletion,
        minima: &["[0] [[0, 0]]"],
    },
    Challenge {
        name: "distinct",
        holds: distinct,
        minima: &["[] [[0, 1, -1]]", "[] [[0, 1, 2]]"],
    },
    Challenge {
        name: "nestedlists",
        holds: nested,
        minima: &["[] [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"],
    },
    Challenge {
        name: "replacement",
        holds: replacement,
        minima: &["[1000000] [[]]"],
    },
];

/// The sum of numbers of 16 bits, wrapped as such.
pub fn wrapped_sum<'a, T: Copy + Into<i64> + 'a>(list: impl IntoIterator<Item = &'a T>) -> i64 {
    let sum = |sum: i16, x: &T| sum.wrapping_add((*x).into() as i16);
    i64::from(list.into_iter().fold(0i16, sum))
}

fn bound5(value: &Value) -> Option<bool> {
    Some(wrapped_sum(value.lists.iter().flatten()) < 5 * 256)
}

fn distinct_in<'a>(numbers: impl Iterator<Item = &'a i64>) -> usize {
    numbers.collect::<BTreeSet<_>>().len()
}

fn union(value: &Value) -> Option<bool> {
    Some(distinct_in(value.lists.iter().flatten()) < 5)
}

fn distinct(value: &Value) -> Option<bool> {
    Some(distinct_in(value.lists[0].iter()) < 3)
}

fn reverse(value: &Value) -> Option<bool> {
    Some(value.lists[0].iter().eq(value.lists[0].iter().rev()))
}

fn lengthlist(value: &Value) -> Option<bool> {
    Some(value.lists[0].iter().all(|x| *x < 900))
}

fn difference(value: &Value, of: std::ops::RangeInclusive<u64>) -> Option<bool> {
    let [a, b] = value.numbers[..] else {
        return None;
    };
    Some(a < 10 || !of.contains(&a.abs_diff(b)))
}

fn coupling(value: &Value) -> Option<bool> {
    let xs = &value.lists[0];
    let is_place = |x: &i64| (*x as usize) < xs.len();
    let is_coupled = |(i, &j): (usize, &i64)| i != j as usize && xs[j as usize] == i as i64;
    xs.iter()
        .all(is_place)
        .then(|| !xs.iter().enumerate().any(is_coupled))
}

fn deletion(value: &Value) -> Option<bool> {
    let (mut xs, i) = (value.lists[0].clone(), value.numbers[0] as usize);
    let x = *xs.get(i)?;
    xs.remove(xs.iter().position(|other| *other == x)?);
    Some(!xs.contains(&x))
}

fn nested(value: &Value) -> Option<bool> {
    Some(value.lists.iter().map(Vec::len).sum::<usize>() <= 10)
}

fn replacement(value: &Value) -> Option<bool> {
    let product = value.lists[0]
        .iter()
        .fold(value.numbers[0], |a, b| a.saturating_mul(*b));
    Some(product < 1_000_000)
}
