//! Generators make what they say, in a good mixture.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{Duration, SystemTime};

use ablate_check::Storage;
use ablate_check::prelude::*;

fn drawn<G: Generator>(generator: G) -> Vec<G::Value> {
    let values = Iterator::map(0..2000u64, |seed| generator.example(seed));
    let values: Vec<G::Value> = values.flatten().collect();
    assert!(
        values.len() > 1500,
        "{} of 2000 were rejected",
        2000 - values.len()
    );
    values
}

/// Whether `condition` holds for some values, and for so many percent at most.
fn check_some<T>(values: &[T], most: usize, condition: impl Fn(&T) -> bool) {
    let count = values.iter().filter(|value| condition(value)).count();
    assert!(count > 0, "none of {}", values.len());
    assert!(
        count * 100 <= most * values.len(),
        "{count} of {}",
        values.len()
    );
}

#[test]
fn integers_mix_edges_small_and_large() {
    let numbers = drawn(any::<i64>());
    check_some(&numbers, 10, |n| *n == i64::MAX);
    check_some(&numbers, 10, |n| *n == i64::MIN);
    check_some(&numbers, 15, |n| *n == 0);
    check_some(&numbers, 50, |n| n.unsigned_abs() < 1000);
    check_some(&numbers, 60, |n| n.unsigned_abs() > 1 << 50);
    check_some(&numbers, 70, |n| *n < 0);
    assert!(drawn(5..8u8).iter().all(|n| (5..8).contains(n)));
    assert_eq!(drawn(5..8u8).into_iter().collect::<HashSet<_>>().len(), 3);
    check_some(&drawn(any::<u128>()), 70, |n| *n > 1 << 100);
    check_some(&drawn(any::<u128>()), 50, |n| *n < 1000);
    assert!(drawn(250u8..).iter().all(|n| *n >= 250));
    assert!(drawn(i128::MIN..0).iter().all(|n| *n < 0));
}

#[test]
fn earlier_values_are_repeated() {
    let pairs = drawn(any::<(u64, u64)>());
    check_some(&pairs, 40, |(a, b)| a == b && *a > 1000);
    check_some(&pairs, 40, |(a, b)| a.abs_diff(*b) == 1 && *a > 1000);
}

#[test]
fn collections_mix_sizes() {
    let lists = drawn(any::<Vec<u8>>());
    check_some(&lists, 25, Vec::is_empty);
    check_some(&lists, 30, |xs| xs.len() == 1);
    check_some(&lists, 50, |xs| xs.len() > 20);
    assert!(
        drawn(vec(0..9u8).len(2..=4))
            .iter()
            .all(|xs| (2..=4).contains(&xs.len()))
    );
    assert!(drawn(vec(0..9u8).exactly(3)).iter().all(|xs| xs.len() == 3));
    let nested = drawn(any::<Vec<Vec<Vec<u8>>>>());
    let total = |xs: &Vec<Vec<Vec<u8>>>| xs.iter().flatten().map(Vec::len).sum::<usize>();
    assert!(nested.iter().map(total).max().unwrap() < 3000);
}

#[test]
fn floats_have_classes_that_can_be_switched_off() {
    let all = drawn(f64s());
    check_some(&all, 20, |x| x.is_nan());
    check_some(&all, 20, |x| x.is_infinite());
    check_some(&all, 30, |x| x.is_subnormal());
    check_some(&all, 60, |x| x.fract() == 0.0 && x.abs() < 1e6);
    assert!(drawn(f64s().finite()).iter().all(|x| x.is_finite()));
    assert!(
        drawn(f64s().subnormal(false))
            .iter()
            .all(|x| !x.is_subnormal())
    );
    assert!(drawn(-1.0..1.0).iter().all(|x| (-1.0..1.0).contains(x)));
    assert!(drawn(0.1f32..=0.3).iter().all(|x| (0.1..=0.3).contains(x)));
    check_some(&drawn(f32s()), 20, |x| x.is_nan());
}

#[test]
fn strings_keep_to_their_alphabets() {
    let texts = drawn(string());
    check_some(&texts, 25, String::is_empty);
    check_some(&texts, 60, |text| !text.is_ascii());
    check_some(&texts, 90, |text| text.is_ascii() && text.len() > 3);
    let few = drawn(string().alphabet("ab").len(1..=3));
    assert!(
        few.iter()
            .all(|t| (1..=3).contains(&t.len()) && t.chars().all(|c| "ab".contains(c)))
    );
    assert!(drawn('a'..='c').iter().all(|c| ('a'..='c').contains(c)));
    assert!(drawn('a'..'c').iter().all(|c| ('a'..='b').contains(c)));
    assert!(
        drawn(bytes().len(2..5))
            .iter()
            .all(|b| (2..5).contains(&b.len()))
    );
    let words = drawn(regex("[a-c]+(-[0-9]{2})?"));
    check_some(&words, 90, |word| word.contains('-'));
}

#[test]
fn sets_maps_and_unique_lists_hold_nothing_twice() {
    let unique = drawn(vec(0..30u8).unique().len(5..=20));
    assert!(
        unique
            .iter()
            .all(|xs| xs.len() == xs.iter().collect::<BTreeSet<_>>().len())
    );
    let by = drawn(vec(0..30u8).unique_by(|x| x % 7));
    assert!(by.iter().all(|xs| xs.len() <= 7));
    assert!(
        drawn(btree_set(0..9u8).len(3..=5))
            .iter()
            .all(|s| (3..=5).contains(&s.len()))
    );
    assert!(
        drawn(hash_map(0..9u8, any::<bool>()).len(2..))
            .iter()
            .all(|m| m.len() >= 2)
    );
    let _: Vec<BTreeMap<u8, String>> = drawn(any());
}

#[test]
fn alternatives_all_come() {
    check_some(&drawn(one_of![0..5u8, 10..15u8]), 70, |n| *n >= 10);
    check_some(&drawn(one_of![9 => just(1), 1 => just(2)]), 20, |n| *n == 2);
    assert_eq!(
        drawn(sample(["a", "b", "c"]))
            .into_iter()
            .collect::<HashSet<_>>()
            .len(),
        3
    );
    check_some(&drawn(sample_weighted([(1, 'a'), (9, 'b')])), 20, |c| {
        *c == 'a'
    });
    check_some(&drawn(option(0..9u8)), 50, Option::is_none);
    check_some(&drawn(result(0..9u8, any::<bool>())), 60, Result::is_err);
}

#[test]
fn permutations_and_subsets_come_from_what_is_given() {
    let orders = drawn(permutation([1, 2, 3]));
    assert_eq!(orders.iter().collect::<HashSet<_>>().len(), 6);
    assert_eq!(
        drawn(subset([1, 2, 3]))
            .iter()
            .collect::<HashSet<_>>()
            .len(),
        8
    );
}

#[derive(Debug, Clone, PartialEq, Arbitrary)]
enum Tree {
    Leaf,
    #[arbitrary(weight = 3)]
    Node(Vec<Tree>, #[arbitrary(from = 1..=3u8)] u8),
    Pair {
        left: Box<Tree>,
        right: Box<Tree>,
    },
    #[arbitrary(weight = 0)]
    Never(u8),
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf | Tree::Never(_) => 0,
        Tree::Node(trees, _) => 1 + trees.iter().map(depth).max().unwrap_or(0),
        Tree::Pair { left, right } => 1 + depth(left).max(depth(right)),
    }
}

#[derive(Debug, Arbitrary)]
struct Config<T> {
    name: String,
    #[arbitrary(from = 1..100u16)]
    port: u16,
    extra: Option<T>,
}

#[derive(Debug, Arbitrary)]
struct Marker;

#[test]
fn derived_values_respect_their_attributes_and_end() {
    let trees = drawn(any::<Tree>());
    assert!(!trees.iter().any(|tree| matches!(tree, Tree::Never(_))));
    check_some(&trees, 60, |tree| *tree == Tree::Leaf);
    check_some(&trees, 60, |tree| depth(tree) >= 3);
    let configs = drawn(any::<Config<Marker>>());
    assert!(configs.iter().all(|c| (1..100).contains(&c.port)));
    check_some(&configs, 80, |c| c.extra.is_some() && !c.name.is_empty());
}

#[test]
fn recursive_generators_end() {
    let trees = recursive(just(Tree::Leaf), |inner| {
        vec(inner).map(|trees| Tree::Node(trees, 1))
    });
    check_some(&drawn(&trees), 60, |tree| depth(tree) >= 2);
}

#[test]
fn lists_in_a_list_are_all_long_at_times() {
    for seed in 0..3 {
        let settings = Settings::new().storage(Storage::Off).explain(false);
        let settings = settings.reduce(false).cases(5_000).seed(seed);
        let report = settings.run(|tc| {
            let lists = tc.draw(vec(vec(any::<u8>())));
            assert!(lists.len() < 10 || lists.iter().any(|list| list.len() < 10));
        });
        assert!(!report.is_success());
    }
}

#[test]
fn ranges_of_times_are_kept_to_and_reduced_to_their_simplest() {
    fn check<G: Generator>(generator: G, simplest: G::Value)
    where
        G::Value: PartialEq + std::fmt::Debug,
    {
        let last = RefCell::new(None);
        let settings = Settings::new().storage(Storage::Off).explain(false);
        let report = settings.run(|tc| {
            last.replace(Some(tc.draw(&generator)));
            assert!(last.borrow().is_none(), "any");
        });
        assert_eq!(report.failures.len(), 1);
        // The reduced one is run once more to be shown.
        assert_eq!(last.take(), Some(simplest));
    }
    let millis = Duration::from_millis;
    let short = durations().range(millis(1500)..millis(3250));
    let drawn_short = drawn(short);
    assert!(
        drawn_short
            .iter()
            .all(|d| (millis(1500)..millis(3250)).contains(d))
    );
    check_some(&drawn_short, 90, |d| d.as_secs() == 3);
    check(short, millis(1500));
    check(durations().range(millis(7)..), millis(7));
    check(durations().range(..=millis(7)), Duration::ZERO);
    check(Duration::MAX..=Duration::MAX, Duration::MAX);

    let (first, last) = (Date::new(1990, 6, 30), Date::new(1999, 12, 24));
    let nineties = drawn(first..=last);
    assert!(nineties.iter().all(|date| (first..=last).contains(date)));
    check_some(&nineties, 30, |date| *date == first);
    // The year counts most.
    check(first..=last, Date::new(1999, 1, 1));
    check(first..Date::new(1999, 1, 1), Date::new(1998, 1, 1));
    check(first..Date::new(1990, 7, 1), first);
    check(dates().range(first..), Date::new(2000, 1, 1));
    check(
        dates().range(Date::new(2024, 2, 29)..),
        Date::new(2024, 2, 29),
    );

    let epoch = SystemTime::UNIX_EPOCH;
    let (start, end) = (epoch + millis(86_400_500), epoch + millis(90_000_250));
    let times = drawn(start..end);
    assert!(times.iter().all(|time| (start..end).contains(time)));
    check(start..end, start);
    check(
        system_times().range(..=epoch - millis(500)),
        epoch - millis(86_400_000),
    );
    check(start..=end, start);
    check(start..=start, start);
}

#[test]
fn open_ranges_single_lengths_and_boxes_are_drawn_by() {
    assert!(drawn(..10i8).iter().all(|x| *x < 10));
    assert!(drawn(..=10u64).iter().all(|x| *x <= 10));
    assert!(
        drawn(vec(any::<u8>()).len(3))
            .iter()
            .all(|xs| xs.len() == 3)
    );
    assert!(
        drawn(string().len(2))
            .iter()
            .all(|text| text.chars().count() == 2)
    );
    let boxed: Box<dyn Generator<Value = u8>> = Box::new(5..7u8);
    assert!(drawn(boxed).iter().all(|x| (5..7).contains(x)));
}

#[test]
fn dates_and_points_in_time_are_reduced_by_their_parts() {
    fn check_found<T: std::fmt::Debug + Clone + PartialEq>(
        generator: impl Generator<Value = T>,
        holds: impl Fn(&T) -> bool,
        simplest: T,
    ) {
        let last = RefCell::new(None);
        for seed in 0..5 {
            let settings = Settings::new().storage(Storage::Off).explain(false);
            settings.cases(20_000).seed(seed).run(|tc| {
                let value = tc.draw(&generator);
                last.replace(Some(value.clone()));
                assert!(holds(&value));
            });
            assert_eq!(last.take().as_ref(), Some(&simplest));
        }
    }
    let leap = Date::new(2000, 2, 29);
    check_found(dates(), |date| (date.month, date.day) != (2, 29), leap);
    let is_late = |date: &Date| date.year > 2023 && date.month == 2 && date.day > 27;
    check_found(dates(), |date| !is_late(date), Date::new(2024, 2, 28));
    let is_friday_13 = |date: &Date| date.to_days().rem_euclid(7) == 6 && date.day == 13;
    check_found(dates(), |date| !is_friday_13(date), Date::new(2000, 10, 13));
    let after = Date::new(2024, 3, 15);
    check_found(dates(), |date| *date < after, after);
    let before = Date::new(1985, 3, 15);
    check_found(dates(), |date| *date > before, Date::new(1985, 1, 1));

    let epoch = SystemTime::UNIX_EPOCH;
    let seconds = Duration::from_secs;
    let second = move |time: &SystemTime| time.duration_since(epoch).map_or(0, |d| d.as_secs());
    let late = epoch + seconds(1_000_000_000);
    check_found(system_times(), |time| *time < late, late);
    let night = epoch + seconds(22 * 3600 + 30 * 60);
    check_found(system_times(), |time| second(time) % 86_400 < 81_000, night);
    let minute = epoch + seconds(59 * 60);
    check_found(system_times(), |time| second(time) / 60 % 60 != 59, minute);
}

#[test]
fn times_addresses_and_paths_come() {
    drawn(durations());
    drawn(system_times());
    let dates = drawn(dates());
    check_some(&dates, 5, |date| (date.month, date.day) == (2, 29));
    check_some(&dates, 15, |date| (date.month, date.day) == (2, 28));
    check_some(&dates, 35, |date| date.day > 28);
    check_some(&dates, 25, |date| date.day == 1);
    check_some(&dates, 15, |date| date.year == 2000);
    check_some(&dates, 5, |date| date.year == 1);
    check_some(&drawn(ip_addrs()), 90, |ip| ip.is_loopback());
    drawn(socket_addrs());
    check_some(&drawn(paths()), 60, |path| path.is_absolute());
}

#[test]
fn combinators_change_what_is_made() {
    assert!(
        drawn(integers(0..50u8).map(|n| n * 2))
            .iter()
            .all(|n| n % 2 == 0)
    );
    assert!(
        drawn(any::<u8>().filter(|n| n % 2 == 0))
            .iter()
            .all(|n| n % 2 == 0)
    );
    let sized = integers(1..5usize).flat_map(|n| vec(just(n)).exactly(n));
    assert!(
        drawn(sized)
            .iter()
            .all(|xs| xs.iter().all(|n| *n == xs.len()))
    );
    let halves = any::<u8>().filter_map(|n| (n % 2 == 0).then_some(n / 2));
    assert!(drawn(halves).iter().all(|n| *n < 128));
    let pair = from_fn(|tc: &mut TestCase| {
        let a = tc.draw(0..9u8);
        (a, tc.draw(a..=9))
    });
    assert!(drawn(pair).iter().all(|(a, b)| a <= b));
}

#[test]
fn types_that_are_made_of_others_are_drawn() {
    use std::borrow::Cow;
    use std::cmp::{Ordering, Reverse};
    use std::collections::{BinaryHeap, LinkedList, VecDeque};
    use std::ffi::OsString;
    use std::marker::PhantomData;
    use std::num::{NonZeroI8, NonZeroU128, Saturating, Wrapping};
    use std::ops::{Bound, Range, RangeInclusive};
    use std::sync::Arc;

    type Many = (
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        u8,
        PhantomData<Ordering>,
    );
    check(|tc| {
        let deque = tc.draw(any::<VecDeque<NonZeroI8>>());
        assert!(deque.iter().all(|x| x.get() != 0));
        let heap = tc.draw(any::<BinaryHeap<NonZeroU128>>());
        assert!(
            heap.peek()
                .is_none_or(|most| heap.iter().all(|x| x <= most))
        );
        let (words, bytes) = tc.draw(any::<(Box<[Arc<str>]>, Arc<[u8]>)>());
        assert!(words.len() < 1000 && bytes.len() < 1000);
        let order = tc.draw(any::<Ordering>());
        assert_eq!(order.reverse().reverse(), order);
        tc.draw(any::<Many>().map(|many| many.10));
        let (list, text) = tc.draw(any::<(LinkedList<Wrapping<u8>>, Cow<'static, str>)>());
        assert!(list.len() < 1000 && text.chars().count() < 1000);
        let (name, bounds) = tc.draw(any::<(OsString, [Bound<Reverse<i8>>; 2])>());
        assert!(name.to_str().is_some() && bounds.len() == 2);
        let (range, inclusive) = tc.draw(any::<(Range<u8>, RangeInclusive<Saturating<u8>>)>());
        assert!(range.len() < 256 && inclusive.contains(inclusive.start()) != inclusive.is_empty());
    });
}

#[test]
fn sets_of_most_of_a_small_domain_are_found() {
    let settings = Settings::new().seed(1).storage(Storage::Off).cases(100);
    let report = settings.run(|tc| {
        let set = tc.draw(btree_set(any::<u8>()).len(200..));
        assert!(set.len() >= 200);
    });
    assert!(report.is_success(), "{report}");
    assert!(report.invalid + report.too_large <= 10, "{report:?}");
    // One that can't be is given up soon.
    let report = settings.run(|tc| {
        tc.draw(btree_set(any::<bool>()).len(3..));
    });
    assert_eq!(report.valid, 0);
}

#[derive(Debug, Arbitrary)]
enum Chain {
    End,
    Link(Box<Chain>),
}

#[derive(Debug, Arbitrary)]
enum Fork {
    End,
    Both(Box<Fork>, Box<Fork>),
}

#[test]
fn long_chains_come_sometimes_and_trees_do_not_explode() {
    let settings = Settings::new().storage(Storage::Off);
    let length = |mut chain: &Chain| {
        let mut length = 0;
        while let Chain::Link(next) = chain {
            (chain, length) = (next, length + 1);
        }
        length
    };
    for seed in 0..10 {
        let settings = settings.clone().seed(seed);
        let long = settings.run(|tc| {
            let chain = tc.draw(any::<Chain>());
            assert!(length(&chain) < 40);
        });
        assert_eq!(long.failures.len(), 1, "{seed}");
        assert_eq!(long.failures[0].choices.len(), 41);
        let trees = settings.run(|tc| {
            fn size(fork: &Fork) -> usize {
                match fork {
                    Fork::End => 1,
                    Fork::Both(left, right) => 1 + size(left) + size(right),
                }
            }
            assert!(size(&tc.draw(any::<Fork>())) < 2000);
        });
        assert!(trees.is_success() && trees.too_large <= 2, "{trees}");
    }
}

#[test]
fn what_programs_stumble_over_comes_in_texts() {
    let check = |has: fn(&str) -> bool| {
        let settings = Settings::new().storage(Storage::Off).cases(5000);
        let found = (0..4).filter(|seed| {
            let settings = settings.clone().seed(*seed).reduce(false).explain(false);
            let report = settings.run(|tc| assert!(!has(&tc.draw(string()))));
            !report.is_success()
        });
        assert_eq!(found.count(), 4);
    };
    check(|text| text.contains('\0'));
    check(|text| !text.is_empty() && text.trim().is_empty());
    check(|text| text.to_lowercase().len() != text.len());
    check(|text| text.contains(char::is_control));
    check(|text| text.contains('\u{feff}'));
}
