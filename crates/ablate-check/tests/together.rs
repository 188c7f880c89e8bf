//! What has to change together changes together, and in few tests.

use ablate_check::choice::{Value, encode};
use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

fn settings() -> Settings {
    Settings::new()
        .storage(Storage::Off)
        .explain(false)
        .health_checks(false)
}

fn check_report(report: &Report, tests: u64, end: &str) {
    let found = &report.failures[0];
    assert_eq!(found.encoded(), format!("1{end}"));
    assert!(found.tests <= tests, "{} tests", found.tests);
}

/// What is found with different seeds ends with `end`, in no more tests.
fn check_found(tests: u64, end: &str, property: impl Fn(&mut TestCase)) {
    for seed in 0..6 {
        let report = settings().seed(seed).cases(50_000).run(&property);
        check_report(&report, tests, end);
    }
}

/// The same for this start.
fn check_reduced(tests: u64, start: &str, end: &str, property: impl Fn(&mut TestCase)) {
    let start = format!("1{start}");
    let report = settings().name("here").replay(start).run(property);
    check_report(&report, tests, end);
}

#[test]
fn numbers_that_the_same_bound_holds_are_lowered_together() {
    let numbers: Vec<Value> = (1..=40u32)
        .map(|n| Value::Integer(-4 - i128::from(n.wrapping_mul(0x9e37_79b9) >> (n % 30 + 2))))
        .collect();
    check_reduced(230, &encode(&numbers)[1..], &".-4".repeat(40), |tc| {
        let numbers = tc.draw(vec(any::<i32>()).exactly(40));
        assert!(numbers.iter().any(|x| *x >= -3));
    });
    // 0 is the choice for the number in the middle, as there is none so large.
    check_found(170, &(".t.100".repeat(15) + ".f"), |tc| {
        let numbers = tc.draw(vec(any::<u16>()));
        assert!(numbers.iter().filter(|x| **x >= 100).count() < 15);
    });
    check_found(250, &(".t.-1001".repeat(20) + ".f"), |tc| {
        let numbers = tc.draw(vec(any::<i128>()));
        assert!(numbers.iter().filter(|x| **x < -1000).count() < 20);
    });
}

#[test]
fn floating_point_numbers_that_the_same_bound_holds_are_lowered_together() {
    let values = (1..=20u32).map(|n| f64::from(n.wrapping_mul(0x9e37_79b9)) / 7.0 + 1001.0);
    let start: Vec<Value> = values.map(|x| Value::Float(x.to_bits())).collect();
    let end = format!(".r{:016x}", 1001f64.to_bits()).repeat(20);
    check_reduced(190, &encode(&start)[1..], &end, |tc| {
        let numbers = tc.draw(vec(f64s().between(500.0, 1e9)).exactly(20));
        assert!(numbers.iter().any(|x| *x <= 1000.0));
    });
}

#[test]
fn pairs_that_the_same_bounds_hold_are_lowered_together() {
    check_found(370, &(".t.50.70".repeat(12) + ".f"), |tc| {
        let pairs = tc.draw(vec((0..1000u16, 0..1000u16)));
        let held = pairs.iter().filter(|(a, b)| *a >= 50 && *b >= 70);
        assert!(held.count() < 12);
    });
}

#[test]
fn letters_that_the_same_bound_holds_are_lowered_together() {
    check_found(280, &(".s".to_owned() + &"41".repeat(15)), |tc| {
        let text = tc.draw(string().ascii());
        assert!(text.chars().filter(char::is_ascii_uppercase).count() < 15);
    });
}

#[test]
fn numbers_of_filters_name_no_lengths() {
    check_found(260, &(".t.1".repeat(30) + ".f"), |tc| {
        let odd = integers(0..1000u32).filter(|x| x % 2 == 1);
        assert!(tc.draw(vec(odd).len(0..50)).len() < 30);
    });
}

#[test]
fn lists_that_have_to_be_equally_long_are_shortened_together() {
    let property = |tc: &mut TestCase| {
        let (a, b) = tc.draw((vec(any::<u8>()), vec(any::<i64>())));
        assert!(a.len() != b.len() || a.len() < 6);
    };
    check_found(100, &(".t.0".repeat(6) + ".f").repeat(2), property);
    // So are the rows of a table.
    let row = |len: usize| ".t".to_owned() + &".t.0".repeat(len) + ".f";
    let (start, end) = (row(9).repeat(4) + ".f", row(3).repeat(4) + ".f");
    check_reduced(60, &start, &end, |tc| {
        let rows = tc.draw(vec(vec(any::<u8>())));
        let is_table = rows.iter().all(|row| row.len() == rows[0].len());
        assert!(rows.len() < 4 || rows[0].len() < 3 || !is_table);
    });
}

#[test]
fn texts_that_have_to_differ_become_the_simplest_there_are() {
    let start = ".t.s30.t.s31.t.s32.t.s3030.f";
    check_reduced(60, start, ".t.s30.t.s31.t.s32.t.s33.f", |tc| {
        let mut texts = tc.draw(vec(string().len(1..)));
        texts.sort();
        texts.dedup();
        assert!(texts.len() < 4);
    });
}

#[test]
fn numbers_near_each_other_are_lowered_together() {
    let four = ".t.7176.t.7176.t.7176.t.7174.f";
    check_reduced(130, four, &(".t.501".repeat(4) + ".f"), |tc| {
        let mut times = tc.draw(vec(0..10_000u32));
        times.sort_unstable();
        let mut windows = times.windows(4);
        assert!(!windows.any(|four| four[0] > 500 && four[3] - four[0] < 100));
    });
}

#[test]
fn bits_that_differ_are_kept_in_the_last_number() {
    check_reduced(150, ".t.56.t.109.f", ".t.0.t.85.f", |tc| {
        let bytes = tc.draw(vec(any::<u8>()));
        assert!(bytes.len() < 2 || bytes.iter().fold(0, |a, b| a ^ b) != 85);
    });
}

#[test]
fn where_only_the_length_matters_several_elements_go_at_once() {
    let zeros = |count: usize| ".t.0".repeat(count) + ".f";
    check_reduced(50, &zeros(24), &zeros(10), |tc| {
        let len = tc.draw(vec(any::<u8>())).len();
        assert!(len < 5 || len % 7 != 3);
    });
    let text = |count: usize| ".s".to_owned() + &"30".repeat(count);
    check_reduced(50, &text(24), &text(10), |tc| {
        let len = tc.draw(string()).len();
        assert!(len < 5 || len % 7 != 3);
    });
}

#[test]
fn lists_that_need_an_element_are_sorted_as_others_are() {
    check_found(100, ".t.0.t.599.f", |tc| {
        let numbers = tc.draw(vec(-1000..1000i32).len(1..));
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let mean = numbers.iter().sum::<i32>() / numbers.len() as i32;
        assert!((sorted[sorted.len() / 2] - mean).abs() < 300);
    });
}

#[test]
fn an_odd_number_above_a_bound_is_lowered_to_the_first() {
    check_found(80, ".59", |tc| {
        let x = tc.draw(any::<u32>());
        assert!(x < 58 || x % 2 == 0);
    });
}

#[derive(Debug, PartialEq, Arbitrary)]
enum Term {
    Zero,
    Minus(Box<Term>),
    Plus(Box<Term>, Box<Term>),
}

#[test]
fn equal_branches_become_simpler_together() {
    check_reduced(80, ".2.1.2.0.0.0.2.1.2.0.0.0", ".1.0.1.0", |tc| {
        let (one, other) = tc.draw((any::<Term>(), any::<Term>()));
        assert!(one != other || one == Term::Zero);
    });
    check_reduced(80, ".2.2.0.0.2.0.0", ".2.1.0.1.0", |tc| {
        let term = tc.draw(any::<Term>());
        assert!(!matches!(term, Term::Plus(one, other) if one == other && *one != Term::Zero));
    });
}

#[test]
fn digits_are_borrowed_for_whatever_they_are() {
    // A third of it is the proof that nothing small will do in place of the large number.
    check_reduced(120, ".6.0", ".5.500000001", |tc| {
        assert!(tc.draw(durations()).as_nanos() <= 5_500_000_000);
    });
    check_reduced(100, ".s3230303030", ".s3132333435", |tc| {
        let digits = tc.draw(string().alphabet("0123456789").len(1..));
        assert!(digits.parse::<u64>().is_ok_and(|number| number < 12_345));
    });
    check_reduced(100, ".b0100", ".b00c8", |tc| {
        let bytes = tc.draw(bytes().len(2..=2));
        assert!(bytes[0] == 0 && bytes[1] < 200);
    });
}

#[test]
fn floating_point_numbers_near_each_other_are_lowered_together() {
    let float = |value: f64| format!(".r{:016x}", value.to_bits());
    let pair = |a, b| float(a) + &float(b);
    let property = |tc: &mut TestCase| {
        let (a, b) = tc.draw((0.0..100.0f64, 0.0..100.0f64));
        assert!(!(a < b && b < a + 1.0 && a > 3.0));
    };
    check_reduced(50, &pair(99.0, 99.5), &pair(4.0, 4.5), property);
    check_reduced(50, &pair(8.5, 9.0), &pair(4.0, 4.5), property);
    // 13/128 becomes 7/64.
    check_reduced(15, &float(0.101_562_5), &float(0.109_375), |tc| {
        assert!(!(0.1..0.12).contains(&tc.draw(0.0..=1.0f64)));
    });
}

#[test]
fn permutations_are_kept_as_long_as_they_can_be() {
    let late = |tc: &mut TestCase| {
        let values = tc.draw(permutation([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert!(values.iter().position(|x| *x == 9).unwrap() > 3);
    };
    // 0, 1, 2, 9, 3, 4, …
    check_found(50, ".0.0.0.6.0.0.0.0.0", late);
    let inversions = |tc: &mut TestCase| {
        let values = tc.draw(permutation([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
        let greater = |at: usize| values[at..].iter().filter(|x| **x < values[at]).count();
        assert!(Iterator::map(0..10, greater).sum::<usize>() < 20);
    };
    check_found(130, ".0.0.0.5.5.4.3.2.1", inversions);
}

#[test]
fn a_product_is_kept_while_its_first_factor_is_lowered() {
    // A third of it is the proof that nothing small will do in place of the large number.
    check_reduced(90, ".250.4000", ".101.9901", |tc| {
        let (a, b) = tc.draw((1..10_000u64, 1..10_000u64));
        assert!(a * b < 1_000_000);
    });
    check_reduced(90, ".-700.-1500", ".-1.-1000000", |tc| {
        let (a, b) = tc.draw((-2_000_000..0i64, -2_000_000..0i64));
        assert!(a * b < 1_000_000);
    });
}

#[test]
fn what_fails_for_every_so_manieth_number_is_reduced_to_a_small_one() {
    let check = |property: fn(&mut TestCase), smallest: &[&str]| {
        for seed in 0..20 {
            let settings = Settings::new().seed(seed).storage(Storage::Off);
            let run = settings.cases(5000).explain(false).run(property);
            let found = run.failures[0].encoded();
            assert!(smallest.contains(&found.as_str()), "{found}");
        }
    };
    check(|tc| assert!(tc.draw(any::<u64>()) % 64 != 17), &["1.17"]);
    check(|tc| assert!(tc.draw(any::<u32>()) % 100 != 37), &["1.37"]);
    // Which of the two is nearer to zero is the second one, but to either there is no step.
    check(
        |tc| assert!(tc.draw(any::<i64>()).rem_euclid(16) != 5),
        &["1.5", "1.-11"],
    );
    check(
        |tc| assert!(tc.draw(any::<u64>()) & 0xf000 != 0x5000),
        &["1.20480"],
    );
    // It has to be odd, and above 2²⁴.
    check(
        |tc| {
            let number = tc.draw(any::<u32>());
            assert_eq!(number as f32 as u32, number);
        },
        &["1.16777217"],
    );
}

#[test]
fn floating_point_numbers_that_are_large_together_are_scaled_together() {
    let float = |value: f64| format!(".r{:016x}", value.to_bits());
    let all = |values: [f64; 3]| values.map(float).concat();
    let property = |tc: &mut TestCase| {
        let (a, b, c) = tc.draw((any::<f64>(), any::<f64>(), any::<f64>()));
        tc.assume(a.is_finite() && b.is_finite() && c.is_finite());
        let (left, right) = ((a + b) + c, a + (b + c));
        assert!(left == right || left.is_nan() || right.is_nan());
    };
    let smallest = all([1.0, 1.0, WHOLE]);
    let start = [
        1.1153051235517538e145,
        8.072276125388015e155,
        4.2038396936988345e155,
    ];
    check_reduced(100, &all(start), &smallest, property);
    let start = all([1.0, f64::MAX, -f64::MAX]);
    check_reduced(100, &start, &all([1.0, WHOLE, -1.0]), property);
    // Doubled by halves of the exponent until it is large enough.
    check_reduced(
        30,
        &float(3e-300),
        &float(1.455_191_522_836_685_2e-11),
        |tc| {
            let x = tc.draw(any::<f64>());
            assert!(!(x > 0.0 && x < 1e-10));
        },
    );
}

#[test]
fn infinities_become_numbers_of_their_own_width() {
    let float = |value: f64| format!(".r{:016x}", value.to_bits());
    check_reduced(40, &float(f64::NEG_INFINITY), &float(-2.0), |tc| {
        assert!(tc.draw(any::<f32>()) >= -1.0);
    });
    check_reduced(60, &float(f64::INFINITY), &float(1000.0), |tc| {
        assert!(tc.draw(any::<f32>()) < 1000.0);
    });
    // Any number is simpler than what is none.
    for start in [f64::NEG_INFINITY, f64::NAN] {
        check_reduced(40, &float(start), &float(-2.0), |tc| {
            let is_above = tc.draw(any::<f64>()) >= -1.0;
            assert!(is_above);
        });
    }
}

#[test]
fn a_number_comes_near_its_bound_with_the_digits_after_the_point_that_it_needs() {
    let float = |value: f64| format!(".r{:016x}", value.to_bits());
    for start in [98_765_432.5, 1234.75, 1001.5, 1e12 + 0.25] {
        check_reduced(90, &float(start), &float(1000.5), |tc| {
            let x = tc.draw(any::<f64>());
            assert!(!(x > 1000.0 && x.is_finite() && x.fract() != 0.0));
        });
    }
}

/// Up to here every whole number is a float.
const WHOLE: f64 = (1u64 << 53) as f64;

#[test]
fn two_numbers_that_are_equal_are_lowered_together_though_others_equal_them_by_chance() {
    check_found(80, ".0.1.0.0.0.1", |tc| {
        let (a, b) = tc.draw((any::<(u16, u8, u8)>(), any::<(u16, u8, u8)>()));
        assert!(!(a.0 == b.0 && a.1 > b.1 && a.2 < b.2));
    });
    check_reduced(60, ".1.1.0.1.0.1", ".0.1.0.0.0.1", |tc| {
        let (a, b) = tc.draw((any::<(u8, u8, u8)>(), any::<(u8, u8, u8)>()));
        assert!(!(a.0 == b.0 && a.1 > b.1 && a.2 < b.2));
    });
}

#[test]
fn names_are_given_in_the_order_in_which_they_come() {
    // The edges of a chain of three.
    check_found(260, ".4.t.0.1.t.1.2.t.2.3.f", |tc| {
        let count = tc.draw(2..10usize);
        let edges = tc.draw(vec((0..count, 0..count)));
        let mut far = vec![usize::MAX; count];
        far[0] = 0;
        for _ in 0..count {
            for &(from, to) in &edges {
                far[to] = far[to].min(far[from].saturating_add(1));
            }
        }
        assert!(far.iter().all(|far| *far == usize::MAX || *far < 3));
    });
}

#[test]
fn a_square_table_loses_a_row_and_a_column() {
    check_found(120, ".2.2.0.0.1.0", |tc| {
        let rows = tc.draw(1..6usize);
        let columns = tc.draw(1..6usize);
        let table = tc.draw(vec(vec(any::<i32>()).exactly(columns)).exactly(rows));
        let is_mirrored =
            || (0..rows).all(|row| (0..columns).all(|at| table[row][at] == table[at][row]));
        assert!(rows != columns || is_mirrored());
    });
}

#[test]
fn what_has_to_be_filled_becomes_smaller_with_what_fills_it() {
    // The capacity, and as many entries and one more; the first is asked for.
    check_found(300, ".1.t.0.t.1.f", |tc| {
        let capacity = tc.draw(1..6usize);
        let entries = tc.draw(vec(0..8u8));
        let mut different = entries.clone();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() != capacity + 1 || different.len() != entries.len());
    });
    // A place in the midst of a character.
    check_found(300, ".sc2a0.1", |tc| {
        let text = tc.draw(string());
        let place = tc.draw(0..20usize);
        assert!(place >= text.len() || text.is_char_boundary(place));
    });
}

#[test]
fn an_alternative_gives_way_to_an_earlier_one_around_the_same() {
    #[derive(Debug, Arbitrary)]
    enum Json {
        Null,
        List(Vec<Json>),
        Map(std::collections::BTreeMap<String, Json>),
    }
    fn depth(json: &Json) -> usize {
        let inner = match json {
            Json::Null => return 0,
            Json::List(list) => list.iter().map(depth).max(),
            Json::Map(map) => map.values().map(depth).max(),
        };
        1 + inner.unwrap_or(0)
    }
    check_found(150, ".1.t.1.t.1.f.f.f", |tc| {
        assert!(depth(&tc.draw(any::<Json>())) < 3);
    });
}

#[test]
fn both_signs_go_together() {
    check_found(80, ".1.2147483647", |tc| {
        let (a, b) = tc.draw(any::<(i32, i32)>());
        assert!(a.checked_add(b).is_some());
    });
}
