//! hegeltest: counted are all runs of the test function, also those that end before the property
//! is reached, and the library's own confirmations.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hegel::generators::{self as gs, Generator};
use hegel::{Database, HealthCheck, Hegel, Phase, Settings, TestCase, Verbosity};

use crate::challenges::{Value, beside, lengths, list, lists, pair, wrapped_sum};
use crate::trial;

fn check(seed: u64, draw: impl Fn(&TestCase) -> Value) {
    let settings = Settings::new()
        .test_cases(100_000)
        .seed(Some(seed))
        .database(Database::Disabled)
        .phases([Phase::Generate, Phase::Shrink])
        .verbosity(Verbosity::Quiet)
        .suppress_health_check(HealthCheck::all());
    let property = |tc: TestCase| {
        trial::enter();
        match trial::judge(draw(&tc)) {
            Some(holds) => assert!(holds),
            None => tc.assume(false),
        }
    };
    // It ends with a panic when it finds something.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        Hegel::new(property).settings(settings).run()
    }));
}

pub fn run(name: &str, seed: u64) -> bool {
    let numbers = || gs::vecs(gs::integers::<i32>());
    let within = |low: i32, high: i32| gs::integers::<i32>().min_value(low).max_value(high);
    let small = |size: usize| {
        let lists = gs::vecs(gs::integers::<i16>()).max_size(size);
        lists.filter(|xs: &Vec<i16>| wrapped_sum(xs) < 256)
    };
    match name {
        "bound5" => check(seed, |tc| {
            lists((0..5).map(|_| tc.draw(small(10))).collect())
        }),
        "bound5_max1" => check(seed, |tc| {
            lists((0..5).map(|_| tc.draw(small(1))).collect())
        }),
        "large_union_list" => check(seed, |tc| lists(tc.draw(gs::vecs(numbers())))),
        "reverse" | "distinct" => check(seed, |tc| list(tc.draw(numbers()))),
        "lengthlist" => check(seed, |tc| {
            let len = tc.draw(within(1, 100)) as usize;
            list(tc.draw(gs::vecs(within(0, 1000)).min_size(len).max_size(len)))
        }),
        "difference_zero" | "difference_small" | "difference_one" => check(seed, |tc| {
            pair(tc.draw(within(0, i32::MAX)), tc.draw(within(0, i32::MAX)))
        }),
        "coupling" => check(seed, |tc| list(tc.draw(gs::vecs(within(0, 10))))),
        "deletion" => check(seed, |tc| {
            let xs = tc.draw(numbers());
            beside([tc.draw(within(0, 10)).into()], vec![xs])
        }),
        "nestedlists" => check(seed, |tc| {
            let xss = tc.draw(gs::vecs(gs::vecs(gs::just(0))));
            lengths(xss.iter().map(Vec::len))
        }),
        "replacement" => check(seed, |tc| {
            let n = tc.draw(within(0, 1_000_000));
            beside([n.into()], vec![tc.draw(gs::vecs(within(2, 10)))])
        }),
        _ => return false,
    }
    true
}
