//! quickcheck: counted are all runs of the property. It makes values by their types alone, so what
//! depends on what was drawn before (lengthlist) is left out, and ranges are types.

use std::panic::{AssertUnwindSafe, catch_unwind};

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

use crate::challenges::{Value, beside, lengths, list, lists, pair, wrapped_sum};
use crate::trial;

/// A number of a range.
#[derive(Clone, Debug)]
struct Within<const LOW: i64, const HIGH: i64>(i64);

impl<const LOW: i64, const HIGH: i64> Arbitrary for Within<LOW, HIGH> {
    fn arbitrary(g: &mut Gen) -> Self {
        Within(LOW + (u64::arbitrary(g) % (HIGH - LOW + 1) as u64) as i64)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let simpler = self.0.shrink().filter(|x| (LOW..=HIGH).contains(x));
        Box::new(simpler.map(Within))
    }
}

impl<const LOW: i64, const HIGH: i64> From<Within<LOW, HIGH>> for i64 {
    fn from(number: Within<LOW, HIGH>) -> i64 {
        number.0
    }
}

/// A list of at most so many numbers of 16 bits, with a small sum.
#[derive(Clone, Debug)]
struct Small<const SIZE: usize>(Vec<i16>);

impl<const SIZE: usize> Arbitrary for Small<SIZE> {
    fn arbitrary(g: &mut Gen) -> Self {
        loop {
            let len = usize::arbitrary(g) % (SIZE + 1);
            let list: Vec<i16> = (0..len).map(|_| i16::arbitrary(g)).collect();
            if wrapped_sum(&list) < 256 {
                return Small(list);
            }
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(
            self.0
                .shrink()
                .filter(|xs| wrapped_sum(xs) < 256)
                .map(Small),
        )
    }
}

type Five<const SIZE: usize> = (
    Small<SIZE>,
    Small<SIZE>,
    Small<SIZE>,
    Small<SIZE>,
    Small<SIZE>,
);
type Natural = Within<0, 0x7fff_ffff>;

fn judged(value: Value) -> TestResult {
    trial::enter();
    match trial::judge(value) {
        Some(holds) => TestResult::from_bool(holds),
        None => TestResult::discard(),
    }
}

fn five<const SIZE: usize>((a, b, c, d, e): Five<SIZE>) -> TestResult {
    judged(lists(vec![a.0, b.0, c.0, d.0, e.0]))
}

pub fn run(name: &str, seed: u64) -> bool {
    let quick_check = QuickCheck::new()
        .tests(100_000)
        .max_tests(1_000_000)
        .rng(Gen::from_size_and_seed(100, seed));
    check(name, quick_check)
}

fn check(name: &str, mut quick_check: QuickCheck) -> bool {
    // It ends with an error when it finds something.
    macro_rules! tested {
        ($property:expr) => {{
            let _ = catch_unwind(AssertUnwindSafe(|| {
                quick_check.quicktest($property).is_ok()
            }));
        }};
    }
    match name {
        "bound5" => tested!(five::<10> as fn(Five<10>) -> TestResult),
        "bound5_max1" => tested!(five::<1> as fn(Five<1>) -> TestResult),
        "large_union_list" => {
            tested!((|xss| judged(lists(xss))) as fn(Vec<Vec<i32>>) -> TestResult)
        }
        "reverse" | "distinct" => tested!((|xs| judged(list(xs))) as fn(Vec<i32>) -> TestResult),
        "difference_zero" | "difference_small" | "difference_one" => {
            tested!((|a, b| judged(pair(a, b))) as fn(Natural, Natural) -> TestResult)
        }
        "coupling" => {
            tested!((|xs| judged(list(xs))) as fn(Vec<Within<0, 10>>) -> TestResult)
        }
        "deletion" => {
            let property: fn(Vec<i32>, Within<0, 10>) -> TestResult =
                |xs, i| judged(beside([i.0], vec![xs]));
            tested!(property);
        }
        "nestedlists" => {
            let property: fn(Vec<Vec<()>>) -> TestResult =
                |xss| judged(lengths(xss.iter().map(Vec::len)));
            tested!(property);
        }
        "replacement" => {
            let property: fn(Within<0, 1_000_000>, Vec<Within<2, 10>>) -> TestResult =
                |n, xs| judged(beside([n.0], vec![xs]));
            tested!(property);
        }
        _ => return false,
    }
    true
}
