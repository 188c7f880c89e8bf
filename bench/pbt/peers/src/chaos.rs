//! chaos_theory: counted are all runs of the property.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use chaos_theory::{Env, Generator, Source, make};

use crate::challenges::{Value, beside, lengths, list, lists, pair, wrapped_sum};
use crate::trial;

fn check(seed: u64, draw: impl Fn(&mut Source) -> Value) {
    let env = Env::builder()
        .with_check_iters(100_000)
        .with_check_time(Duration::from_secs(30))
        // It counts on from there: seeds that are near each other would find the same failure.
        .with_rng_seed((seed as u32).wrapping_mul(0x9e37_79b9))
        .build();
    let property = |source: &mut Source| {
        trial::enter();
        assert!(trial::judge(draw(source)) != Some(false));
    };
    // It ends with a panic when it finds something.
    let _ = catch_unwind(AssertUnwindSafe(|| env.check(property)));
}

pub fn run(name: &str, seed: u64) -> bool {
    fn numbers() -> impl Generator<Item = Vec<i32>> {
        make::vec(make::arbitrary::<i32>())
    }
    fn small(size: usize) -> impl Generator<Item = Vec<Vec<i16>>> {
        let list = make::vec_n(make::arbitrary::<i16>(), ..=size);
        make::vec_n(list.filter(|xs| wrapped_sum(xs) < 256), 5..=5)
    }
    match name {
        "bound5" => check(seed, |source| lists(source.any_of("lists", small(10)))),
        "bound5_max1" => check(seed, |source| lists(source.any_of("lists", small(1)))),
        "large_union_list" => check(seed, |source| {
            lists(source.any_of("lists", make::vec(numbers())))
        }),
        "reverse" | "distinct" => check(seed, |source| list(source.any_of("list", numbers()))),
        "lengthlist" => check(seed, |source| {
            let len = source.any_of("len", make::int_in(1..=100usize));
            list(source.any_of("list", make::vec_n(make::int_in(0..=1000i32), len..=len)))
        }),
        "difference_zero" | "difference_small" | "difference_one" => check(seed, |source| {
            let a = source.any_of("a", make::int_in(0..=i32::MAX));
            pair(a, source.any_of("b", make::int_in(0..=i32::MAX)))
        }),
        "coupling" => check(seed, |source| {
            let place = || make::int_in(0..=10i32);
            let fits = |xs: &Vec<i32>| xs.iter().all(|x| (*x as usize) < xs.len());
            list(source.any_of("list", make::vec(place()).filter(fits)))
        }),
        "deletion" => check(seed, |source| {
            let xs = source.any_of("list", numbers());
            beside([source.any_of("place", make::int_in(0..=10i64))], vec![xs])
        }),
        "nestedlists" => check(seed, |source| {
            let xss = source.any_of("lists", make::vec(make::vec(make::just(0))));
            lengths(xss.iter().map(Vec::len))
        }),
        "replacement" => check(seed, |source| {
            let n = source.any_of("n", make::int_in(0..=1_000_000i64));
            beside(
                [n],
                vec![source.any_of("factors", make::vec(make::int_in(2..=10i32)))],
            )
        }),
        _ => return false,
    }
    true
}
