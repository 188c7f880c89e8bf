//! proptest: counted are all runs of the property.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

use crate::challenges::{Value, beside, lengths, list, lists, pair, wrapped_sum};
use crate::trial;

fn check(seed: u64, strategy: impl Strategy<Value = Value>) {
    let config = Config {
        cases: 100_000,
        failure_persistence: None,
        max_local_rejects: 1 << 24,
        max_global_rejects: 1 << 24,
        ..Config::default()
    };
    let seed = [seed.to_le_bytes(), (!seed).to_le_bytes()].concat();
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &seed);
    let property = |value: Value| {
        trial::enter();
        match trial::judge(value) {
            Some(true) => Ok(()),
            Some(false) => Err(TestCaseError::fail("")),
            None => Err(TestCaseError::reject("")),
        }
    };
    let ended = TestRunner::new_with_rng(config, rng).run(&strategy, property);
    if let Err(TestError::Fail(_, value)) = ended {
        // The last one that failed.
        trial::judge(value);
    }
}

pub fn run(name: &str, seed: u64) -> bool {
    let numbers = || vec(any::<i32>(), 0..100);
    let small = |size: usize| {
        let lists = vec(any::<i16>(), 0..=size);
        vec(lists.prop_filter("sum", |xs| wrapped_sum(xs) < 256), 5).prop_map(lists_of)
    };
    fn lists_of<T: Into<i64>>(values: Vec<Vec<T>>) -> Value {
        lists(values)
    }
    match name {
        "bound5" => check(seed, small(10)),
        "bound5_max1" => check(seed, small(1)),
        "large_union_list" => check(seed, vec(numbers(), 0..100).prop_map(lists_of)),
        "reverse" | "distinct" => check(seed, numbers().prop_map(list)),
        "lengthlist" => {
            let sized = (1..=100usize).prop_flat_map(|len| vec(0..=1000i32, len));
            check(seed, sized.prop_map(list));
        }
        "difference_zero" | "difference_small" | "difference_one" => {
            check(
                seed,
                (0..=i32::MAX, 0..=i32::MAX).prop_map(|(a, b)| pair(a, b)),
            );
        }
        "coupling" => check(seed, vec(0..=10i32, 0..100).prop_map(list)),
        "deletion" => {
            let drawn = (numbers(), 0..=10i64);
            check(seed, drawn.prop_map(|(xs, i)| beside([i], vec![xs])));
        }
        "nestedlists" => {
            let drawn = vec(vec(Just(()), 0..100), 0..100);
            check(
                seed,
                drawn.prop_map(|xss| lengths(xss.iter().map(Vec::len))),
            );
        }
        "replacement" => {
            let drawn = (0..=1_000_000i64, vec(2..=10i32, 0..100));
            check(seed, drawn.prop_map(|(n, xs)| beside([n], vec![xs])));
        }
        _ => return false,
    }
    true
}
