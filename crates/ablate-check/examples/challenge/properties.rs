//! The fifteen properties of the shrinking challenge (github.com/jlink/shrinking-challenge, and the
//! artifact of "Test-Case Reduction via Test-Case Generation", MacIver and Donaldson, 2020), with
//! the smallest failing test case of each.

use std::collections::BTreeSet;

use ablate_check::prelude::*;

use crate::planted;

/// One property of the challenge.
#[derive(Clone, Copy)]
pub struct Challenge {
    /// The challenge's name for it.
    pub name: &'static str,
    /// The property, which does not hold.
    pub property: fn(&mut TestCase),
    /// The smallest failing test cases, as reports show them, one draw after the other.
    pub minima: &'static [&'static str],
    /// A large failing test case to start from, for each seed.
    pub planted: Option<fn(u64) -> String>,
}

/// All of them.
pub const CHALLENGES: [Challenge; 15] = [
    Challenge {
        name: "bound5",
        property: |tc| bound5(tc, 10),
        minima: &["(vec![], vec![], vec![], vec![-1], vec![-32768])"],
        planted: Some(planted::bound5),
    },
    Challenge {
        name: "bound5_max1",
        property: |tc| bound5(tc, 1),
        minima: &["(vec![], vec![], vec![], vec![-1], vec![-32768])"],
        planted: None,
    },
    Challenge {
        name: "large_union_list",
        property: large_union_list,
        minima: &["vec![vec![0, 1, -1, 2, -2]]"],
        planted: Some(planted::large_union_list),
    },
    Challenge {
        name: "reverse",
        property: reverse,
        minima: &["vec![0, 1]"],
        planted: Some(planted::reverse),
    },
    Challenge {
        name: "calculator",
        property: calculator,
        minima: &[
            "Expr::Div(Box::new(Expr::Int(0)), Box::new(Expr::Add(Box::new(Expr::Int(0)), Box::new(Expr::Int(0)))))",
        ],
        planted: None,
    },
    Challenge {
        name: "lengthlist",
        property: lengthlist,
        minima: &["vec![900]"],
        planted: Some(planted::lengthlist),
    },
    Challenge {
        name: "difference_zero",
        property: |tc| difference(tc, |distance| distance == 0),
        minima: &["10; 10"],
        planted: Some(|seed| planted::difference(seed, 0)),
    },
    Challenge {
        name: "difference_small",
        property: |tc| difference(tc, |distance| (1..=4).contains(&distance)),
        minima: &["10; 6"],
        planted: Some(|seed| planted::difference(seed, 1 + (seed % 4) as i128)),
    },
    Challenge {
        name: "difference_one",
        property: |tc| difference(tc, |distance| distance == 1),
        minima: &["10; 9"],
        planted: Some(|seed| planted::difference(seed, 1)),
    },
    Challenge {
        name: "binheap",
        property: binheap,
        minima: &[
            "Some(Heap(0, None, Some(Heap(0, Some(Heap(0, None, None)), Some(Heap(1, None, None))))))",
        ],
        planted: None,
    },
    Challenge {
        name: "coupling",
        property: coupling,
        minima: &["vec![1, 0]"],
        planted: Some(planted::coupling),
    },
    Challenge {
        name: "deletion",
        property: deletion,
        minima: &["vec![0, 0]; 0"],
        planted: Some(planted::deletion),
    },
    Challenge {
        name: "distinct",
        property: distinct,
        minima: &["vec![0, 1, -1]", "vec![0, 1, 2]"],
        planted: Some(planted::distinct),
    },
    Challenge {
        name: "nestedlists",
        property: nestedlists,
        minima: &["vec![vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"],
        planted: Some(planted::nestedlists),
    },
    Challenge {
        name: "replacement",
        property: replacement,
        minima: &["1000000; vec![]"],
        planted: Some(planted::replacement),
    },
];

fn wrapping_sum(xs: &[i16]) -> i16 {
    xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Five lists, each with a small sum: the sum of all is small. Not when numbers overflow.
pub fn bound5(tc: &mut TestCase, max_len: usize) {
    let list = || {
        vec(any::<i16>())
            .len(..=max_len)
            .filter(|xs| wrapping_sum(xs) < 256)
    };
    let lists = tc.draw((list(), list(), list(), list(), list()));
    let sums = [&lists.0, &lists.1, &lists.2, &lists.3, &lists.4].map(|xs| wrapping_sum(xs));
    assert!(wrapping_sum(&sums) < 5 * 256);
}

/// How many different numbers there are.
pub fn distinct_in<'a>(xs: impl IntoIterator<Item = &'a i32>) -> usize {
    xs.into_iter().collect::<BTreeSet<_>>().len()
}

/// Fewer than five different numbers in a list of lists.
pub fn large_union_list(tc: &mut TestCase) {
    let lists = tc.draw(vec(vec(any::<i32>())));
    assert!(distinct_in(lists.iter().flatten()) < 5);
}

/// A list is the same backwards.
pub fn reverse(tc: &mut TestCase) {
    let xs = tc.draw(any::<Vec<i32>>());
    assert!(xs.iter().eq(xs.iter().rev()));
}

/// An arithmetical expression.
#[derive(Clone, Debug, Arbitrary)]
pub enum Expr {
    /// A number.
    Int(i32),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A quotient.
    Div(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Whether it divides by a zero that stands there.
    pub fn divides_by_literal_zero(&self) -> bool {
        match self {
            Expr::Int(_) => false,
            Expr::Div(_, divisor) if matches!(**divisor, Expr::Int(0)) => true,
            Expr::Add(a, b) | Expr::Div(a, b) => {
                a.divides_by_literal_zero() || b.divides_by_literal_zero()
            }
        }
    }

    /// Its value; `None` when it divides by zero.
    pub fn value(&self) -> Option<i32> {
        match self {
            Expr::Int(value) => Some(*value),
            Expr::Add(a, b) => Some(a.value()?.wrapping_add(b.value()?)),
            Expr::Div(a, b) => match (a.value()?, b.value()?) {
                (_, 0) => None,
                (a, b) => Some(a.wrapping_div(b)),
            },
        }
    }
}

/// An expression that divides by no literal zero divides by no zero.
pub fn calculator(tc: &mut TestCase) {
    let expression = tc.draw(any::<Expr>());
    tc.assume(!expression.divides_by_literal_zero());
    assert!(expression.value().is_some());
}

/// A list of a length that is drawn first has no great number in it.
pub fn lengthlist(tc: &mut TestCase) {
    let lists = integers(1..=100usize).flat_map(|len| vec(0..=1000i32).exactly(len));
    let xs = tc.draw(lists);
    assert!(xs.iter().all(|x| *x < 900));
}

/// Two numbers don't have this distance, when the first is at least ten.
pub fn difference(tc: &mut TestCase, is_wrong: fn(u32) -> bool) {
    let a = tc.draw(1..=i32::MAX);
    let b = tc.draw(1..=i32::MAX);
    assert!(a < 10 || !is_wrong(a.abs_diff(b)));
}

/// A heap: its key is at most the keys below it.
#[derive(Clone, Debug)]
pub struct Heap(i32, Option<Box<Heap>>, Option<Box<Heap>>);

fn heap(tc: &mut TestCase, least: i32, size: u32) -> Option<Box<Heap>> {
    if size == 0 || !tc.toss(0.6) {
        return None;
    }
    let key = tc.draw(least..=i32::MAX);
    let mut part = || tc.span(ablate_check::label("heap"), |tc| heap(tc, key, size / 2));
    let (left, right) = (part(), part());
    Some(Box::new(Heap(key, left, right)))
}

fn merged(a: Option<Box<Heap>>, b: Option<Box<Heap>>) -> Option<Box<Heap>> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) if a.0 <= b.0 => {
            let Heap(key, left, right) = *a;
            Some(Box::new(Heap(key, merged(right, Some(b)), left)))
        }
        (Some(a), Some(b)) => {
            let Heap(key, left, right) = *b;
            Some(Box::new(Heap(key, merged(right, Some(a)), left)))
        }
    }
}

fn keys(heap: Option<&Heap>) -> Vec<i32> {
    let (mut keys, mut stack) = (vec![], vec![heap]);
    while let Some(heap) = stack.pop() {
        if let Some(Heap(key, left, right)) = heap {
            keys.push(*key);
            stack.extend([left.as_deref(), right.as_deref()]);
        }
    }
    keys
}

/// A wrong heap sort sorts: it merges only once.
pub fn binheap(tc: &mut TestCase) {
    let heap = tc.draw(from_fn(|tc: &mut TestCase| {
        let least = i32::MIN;
        heap(tc, least, 20).map(|heap| *heap)
    }));
    let mut sorted = keys(heap.as_ref());
    sorted.sort_unstable();
    let wrong = match heap {
        None => vec![],
        Some(Heap(key, left, right)) => {
            let rest = merged(left, right);
            [vec![key], keys(rest.as_deref())].concat()
        }
    };
    assert_eq!(wrong, sorted);
}

/// No two places of a list name each other.
pub fn coupling(tc: &mut TestCase) {
    let xs = tc.draw(vec(0..=10usize));
    tc.assume(xs.iter().all(|x| *x < xs.len()));
    for (i, &j) in xs.iter().enumerate() {
        assert!(i == j || xs[j] != i);
    }
}

/// What is removed from a list is no longer in it.
pub fn deletion(tc: &mut TestCase) {
    let mut xs = tc.draw(any::<Vec<i32>>());
    let i = tc.draw(0..=10usize);
    tc.assume(i < xs.len());
    let x = xs[i];
    xs.retain({
        let mut is_first = true;
        move |y| !(*y == x && std::mem::take(&mut is_first))
    });
    assert!(!xs.contains(&x));
}

/// A list has fewer than three different numbers.
pub fn distinct(tc: &mut TestCase) {
    let xs = tc.draw(any::<Vec<i32>>());
    assert!(distinct_in(&xs) < 3);
}

/// A list of lists holds at most ten elements.
pub fn nestedlists(tc: &mut TestCase) {
    let lists = tc.draw(vec(vec(just(0))));
    assert!(lists.iter().map(Vec::len).sum::<usize>() <= 10);
}

/// A number times some factors stays below a million.
pub fn replacement(tc: &mut TestCase) {
    let n = tc.draw(0..=1_000_000u64);
    let factors = tc.draw(vec(2..=10u64));
    let product = factors
        .iter()
        .fold(n, |n, factor| n.saturating_mul(*factor));
    assert!(product < 1_000_000);
}
