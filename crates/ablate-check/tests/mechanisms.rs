//! What each of the rarer mechanisms of the reducer is there for: where nothing else helps.

use ablate_check::list;
use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

fn reduced(start: &str, property: impl Fn(&mut TestCase)) -> Report {
    let settings = Settings::new().storage(Storage::Off).explain(false);
    settings.name("here").replay(start).run(property)
}

fn check_reduced(start: &str, end: &str, property: impl Fn(&mut TestCase)) {
    let report = reduced(start, property);
    assert_eq!(report.failures[0].encoded(), end);
}

#[test]
fn an_earlier_alternative_makes_what_a_later_one_made() {
    let numbers = || {
        let tens = integers(0..100u32).map_with_inverse(
            |tens| 10 * tens,
            |number| (number % 10 == 0).then_some(number / 10),
        );
        one_of![tens, 0..1000u32]
    };
    // It is the only number that fails, and made of other choices by the first alternative.
    check_reduced("1.1.730", "1.0.73", |tc| {
        assert_ne!(tc.draw(numbers()), 730);
    });
    // What the earlier one can't make stays as it is.
    check_reduced("1.1.731", "1.1.731", |tc| {
        assert_ne!(tc.draw(numbers()), 731);
    });
}

#[test]
fn inverses_are_inverses() {
    fn check_inverse<G: Generator<Value: PartialEq + std::fmt::Debug>>(generator: G) {
        for seed in 0..200 {
            let Some(value) = generator.example(seed) else {
                continue;
            };
            let choices = generator.invert(&value).expect("it was made");
            let text = ablate_check::choice::encode(&choices);
            let settings = Settings::new().storage(Storage::Off).replay(text);
            let report = settings.explain(false).reduce(false).run(|tc| {
                assert_eq!(tc.draw(&generator), value);
                assert!(tc.is_shown() && !tc.is_shown(), "the same");
            });
            assert_eq!(report.failures[0].failure.message, "the same");
            let read = report.failures[0]
                .choices
                .iter()
                .map(ablate_check::choice::Choice::value);
            assert!(read.eq(choices.iter().cloned()));
        }
    }
    check_inverse(any::<(u8, i128, bool, char)>());
    check_inverse(any::<Vec<Option<String>>>());
    check_inverse(vec(0..9u8).exactly(3));
    check_inverse(any::<[u16; 3]>());
    check_inverse(f64s().nan(false));
    check_inverse(integers(0..100u8).filter(|x| x % 2 == 0));
    check_inverse(one_of![0..9u8, 50..60u8].boxed());
    check_inverse(bytes());
}

#[test]
fn what_is_simple_is_copied() {
    // Pairs that all have to be the same, of which only a few are permitted: none can be lowered
    // by itself, and no two by the same amount.
    let sound = |(a, b): (u16, u16)| u32::from(a) * 7 % 1009 == u32::from(b);
    check_reduced(
        "1.t.9.63.t.800.555.t.1.7.f",
        "1.t.0.0.t.0.0.t.0.0.f",
        |tc| {
            let pairs = tc.draw(vec((0..2000u16, 0..2000u16)));
            tc.assume(pairs.iter().all(|pair| sound(*pair)));
            assert!(pairs.len() < 3);
        },
    );
    let start = "1.t.9.63.t.800.555.t.1.7.f";
    check_reduced(start, "1.t.1.7.t.1.7.t.1.7.f", |tc| {
        let pairs = tc.draw(vec((0..2000u16, 0..2000u16)));
        tc.assume(pairs.iter().all(|pair| sound(*pair) && pair.0 > 0));
        assert!(pairs.len() < 3);
    });
}

#[test]
fn a_random_smaller_value_is_found() {
    // One in four fails, without any order.
    let fails = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) % 4 == 3;
    let starts = (1u64 << 40..).step_by(12_345).filter(|x| fails(*x));
    let ends = starts.take(20).map(|start| {
        let report = reduced(&format!("1.{start}"), |tc| {
            assert!(!fails(tc.draw(any::<u64>())));
        });
        report.failures[0].encoded()[2..].parse::<u64>().unwrap()
    });
    // The other ways to lower a number don't get this far.
    let far = ends.filter(|end| fails(*end) && *end < 1 << 39).count();
    assert!(far >= 8, "{far}");
}

#[test]
fn spans_are_exchanged_across_families() {
    check_reduced("1.t.t.3.f.7.t.t.1.f.2.f", "1.t.t.1.f.2.t.t.3.f.7.f", |tc| {
        let mut pairs = tc.draw(vec((vec(0..9u8), 0..9u8)));
        pairs.sort();
        assert_ne!(pairs, [(vec![1], 2), (vec![3], 7)]);
    });
    check_reduced("1.t.t.3.f.5.t.t.1.f.5.f", "1.t.t.1.f.5.t.t.3.f.5.f", |tc| {
        let pairs = tc.draw(vec((vec(0..9u8), 0..9u8)));
        let first: Vec<u8> = pairs.iter().flat_map(|pair| pair.0.clone()).collect();
        let all_five = pairs.iter().all(|pair| pair.1 == 5);
        assert!(!(first.len() == 2 && first.contains(&1) && first.contains(&3) && all_five));
    });
}

#[test]
fn floats_are_reduced_in_lists() {
    let start = [2.75, -1e300, f64::NAN, 17.25, 3.0];
    let reduced = list::reduce(&start, |xs: &[f64]| xs.iter().sum::<f64>() > 3.5);
    assert_eq!(reduced.list, [4.0]);
    assert!(reduced.is_proved);
}

#[test]
fn a_number_of_any_size_is_halved_in_few_tests() {
    let report = reduced("1.r7fefffffffffffff", |tc| {
        assert!(tc.draw(f64s()) <= 1e6);
    });
    assert_eq!(report.failures[0].encoded(), "1.r412e848200000000");
    assert!(report.failures[0].tests <= 120);
}

#[test]
fn strings_are_reduced_in_lists() {
    let start = ["a long word", "", "übung", "another"].map(String::from);
    let reduced = list::reduce(&start, |words: &[String]| {
        words.iter().map(|word| word.chars().count()).sum::<usize>() >= 7 && words.len() >= 2
    });
    // The list reducer leaves elements where they are.
    assert_eq!(reduced.list, ["0000000", ""]);
}

#[test]
fn neighbouring_texts_are_joined() {
    let letters = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    check_reduced("1.t.s30.t.s3030.t.s30.t.s30.f", "1.t.s3030303030.f", |tc| {
        assert!(letters(&tc.draw(vec(string()))) < 5);
    });
    // Where a length is drawn first, it is set right.
    check_reduced("1.2.b00.b0000", "1.1.b000000", |tc| {
        let len = tc.draw(0..9usize);
        let parts = tc.draw(vec(bytes()).exactly(len));
        assert!(parts.concat().len() < 3);
    });
    let start = ["0", "00"].map(String::from);
    let reduced = list::reduce(&start, |words: &[String]| letters(words) >= 3);
    assert_eq!(reduced.list, ["000"]);
}

#[test]
fn numbers_that_are_far_from_their_bound_take_few_tests() {
    // What is close to the simplest value is tried before a step of one, and what is left is halved.
    let tests = |start: &str, end: &str, property: fn(&mut TestCase)| {
        let report = reduced(start, property);
        assert_eq!(report.failures[0].encoded(), end);
        report.failures[0].tests
    };
    let one = tests("1.1000000", "1.12", |tc| assert!(tc.draw(0..=1 << 30) < 12));
    assert!(one <= 7, "{one}");
    let equal = tests("1.1000000.1000000", "1.12.12", |tc| {
        let (a, b) = (tc.draw(0..=1 << 30), tc.draw(0..=1 << 30));
        assert!(a < 12 || a != b);
    });
    assert!(equal <= 11, "{equal}");
    // The greater one behind is brought in front of the other before both are lowered.
    let near = tests("1.1000000.1000003", "1.12.9", |tc| {
        let (a, b): (i32, i32) = (tc.draw(0..=1 << 30), tc.draw(0..=1 << 30));
        assert!(a < 12 || a.abs_diff(b) != 3);
    });
    assert!(near <= 15, "{near}");
}

#[test]
fn a_number_of_several_digits_is_lowered_past_a_borrow() {
    // The document's "interpret the interval as a number and subtract one": 256 becomes 255.
    check_reduced("1.1.0", "1.0.200", |tc| {
        let digits: (u8, u8) = tc.draw(any::<(u8, u8)>());
        assert!(u32::from(digits.0) * 256 + u32::from(digits.1) < 200);
    });
    check_reduced("1.t.7.t.1.t.0.f", "1.t.0.t.0.t.200.f", |tc| {
        let digits = tc.draw(vec(any::<u8>()));
        let number = digits
            .iter()
            .fold(0u64, |all, &digit| (all << 8) + u64::from(digit));
        assert!(digits.len() != 3 || number < 200);
    });
}

/// What is left of a failing number, and how many tests that took.
fn lowered<T>(from: i128, holds: fn(&T) -> bool) -> (String, u64)
where
    T: Arbitrary + std::fmt::Display + std::fmt::Debug,
{
    let report = reduced(&format!("1.{from}"), |tc| {
        let x = tc.draw(any::<T>());
        assert!(holds(&x), "{x}");
    });
    let found = &report.failures[0];
    (found.failure.message.clone(), found.tests)
}

#[test]
fn numbers_at_the_ends_of_the_widest_types_are_lowered_as_far_as_they_go() {
    let (least, _) = lowered::<i128>(i128::MIN, |x| *x > i128::MIN + 5);
    assert_eq!(least, (i128::MIN + 5).to_string());
    let (greatest, _) = lowered::<i128>(i128::MAX, |x| *x < i128::MAX - 5);
    assert_eq!(greatest, (i128::MAX - 5).to_string());
    // Choices of these are shifted down by 2¹²⁷.
    let (greatest, _) = lowered::<u128>(i128::MAX, |x| *x < u128::MAX - 5);
    assert_eq!(greatest, (u128::MAX - 5).to_string());
    let (any, _) = lowered::<u128>(i128::MAX, |x| *x == 0);
    assert_eq!(any, "1");
    let (any, _) = lowered::<i128>(i128::MIN, |x| *x >= 0);
    assert_eq!(any, "-1");
}

#[test]
fn the_widest_numbers_take_hardly_more_tests_than_others() {
    let (third, tests) = lowered::<u128>(i128::MAX, |x| *x < u128::MAX / 3);
    assert_eq!(third, (u128::MAX / 3).to_string());
    assert!(tests < 300, "{tests}");
    let (third, tests) = lowered::<i128>(i128::MIN, |x| *x > i128::MIN / 3);
    assert_eq!(third, (i128::MIN / 3).to_string());
    assert!(tests < 300, "{tests}");
}

#[test]
fn long_runs_of_letters_are_lowered_together() {
    let start = format!("1.b{}", "c8".repeat(5_000));
    let report = reduced(&start, |tc| {
        let bytes = tc.draw(bytes().len(5_000..=5_000));
        assert!(bytes.iter().filter(|byte| **byte >= 100).count() < 3);
    });
    let found = &report.failures[0];
    let end = format!("1.b{}646464", "00".repeat(4_997));
    assert_eq!(found.encoded(), end);
    assert!(found.tests < 150, "{}", found.tests);
    let letters: String = (0x4e00..0x4e00 + 2_000u32)
        .filter_map(char::from_u32)
        .collect();
    let start = ablate_check::choice::encode([&ablate_check::choice::Value::Text(letters.into())]);
    let report = reduced(&start, |tc| {
        let text = tc.draw(string().len(2_000..=2_000));
        assert!(!text.contains('\u{4e99}'));
    });
    let found = &report.failures[0];
    let end = format!("1.s{}e4ba99", "30".repeat(1_999));
    assert_eq!(found.encoded(), end);
    assert!(found.tests < 150, "{}", found.tests);
}

#[test]
fn of_elements_that_there_have_to_be_no_part_is_deleted_alone() {
    let report = Settings::new()
        .storage(Storage::Off)
        .explain(false)
        .seed(1)
        .run(|tc| {
            let xs = tc.draw(vec(any::<u16>()).len(500..));
            assert!(xs.iter().filter(|x| **x > 1_000).count() < 3);
        });
    let found = &report.failures[0];
    assert_eq!(found.choices.len(), 2 * 500 + 1);
    assert!(
        found.tests + found.known < 400,
        "{} {}",
        found.tests,
        found.known
    );
}

#[test]
fn many_booleans_are_made_simple_together() {
    let settings = || Settings::new().storage(Storage::Off).explain(false).seed(1);
    let tests = |property: fn(&mut TestCase)| {
        let report = settings().run(property);
        let found = &report.failures[0];
        (found.tests, found.encoded())
    };
    let (of_booleans, end) = tests(|tc| {
        let xs = tc.draw(vec(any::<bool>()).len(300..));
        assert!(xs.iter().filter(|x| **x).count() < 3);
    });
    assert_eq!(end, format!("1{}.t.t.t.t.t.t.f", ".t.f".repeat(297)));
    assert!(of_booleans < 100, "{of_booleans}");
}

#[test]
fn the_keys_of_a_map_are_ranked_without_its_values() {
    let settings = Settings::new().storage(Storage::Off).explain(false).seed(1);
    let report = settings.run(|tc| {
        let map = tc.draw(btree_map(any::<u32>(), any::<u8>()).len(100..));
        assert!(map.values().filter(|x| **x > 100).count() < 3);
    });
    let found = &report.failures[0];
    let numbers = found
        .choices
        .iter()
        .filter_map(|choice| match choice.value() {
            ablate_check::choice::Value::Integer(number) => Some(number),
            _ => None,
        });
    // Keys and values in turn.
    assert!(numbers.step_by(2).eq(0..100));
    assert!(found.tests < 2_500, "{}", found.tests);
}

#[test]
fn values_of_which_only_counts_that_they_differ_become_the_simplest_there_are() {
    fn check<G: Generator<Value = Vec<T>>, T: Ord + std::fmt::Debug>(
        vectors: impl Fn() -> G,
        seed: u64,
        tests: u64,
        last: &str,
    ) {
        let settings = Settings::new().storage(Storage::Off).explain(false);
        let report = settings.seed(seed).cases(20_000).run(|tc| {
            let values = tc.draw(vectors());
            assert!(
                values
                    .iter()
                    .collect::<std::collections::BTreeSet<_>>()
                    .len()
                    < 20
            );
        });
        let choices = report.failures[0].encoded();
        assert!(choices.ends_with(last), "{choices}");
        let counted = report.failures[0].tests;
        assert!(counted <= tests, "{counted} tests");
    }
    for seed in 0..3 {
        check(|| vec(any::<i64>()), seed, 450, "t.-9.t.10.f");
        check(|| vec(string()), seed, 300, "t.s68.t.s69.f");
        check(|| vec(chars()), seed, 300, "t.s69.t.s6a.f");
    }
}
