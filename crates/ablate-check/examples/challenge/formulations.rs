//! The challenge's properties again, with values that are drawn in other ways: a length first and
//! then as many elements (`flat_map`), more than is wanted and then only some of it (`filter`),
//! trees of alternatives (`recursive`). What is smallest is the same value, wherever that is also
//! the shortest sequence of choices.

use ablate_check::prelude::*;

use crate::properties::{self, Challenge, Expr};

/// A challenge that has no planted start.
const fn drawn(
    name: &'static str,
    property: fn(&mut TestCase),
    minima: &'static [&'static str],
) -> Challenge {
    Challenge {
        name,
        property,
        minima,
        planted: None,
    }
}

/// All of them.
pub const FORMULATIONS: [Challenge; 12] = [
    drawn("reverse_flat_map", reverse_flat_map, &["vec![0, 1]"]),
    drawn("reverse_filter", reverse_filter, &["vec![0, 2]"]),
    drawn(
        "distinct_flat_map",
        distinct_flat_map,
        &["vec![0, 1, -1]", "vec![0, 1, 2]"],
    ),
    drawn(
        "distinct_filter",
        distinct_filter,
        &["vec![0, 2, -2]", "vec![0, 2, 4]"],
    ),
    drawn("deletion_flat_map", deletion_flat_map, &["(vec![0, 0], 0)"]),
    drawn("coupling_flat_map", coupling_flat_map, &["vec![1, 0]"]),
    drawn(
        "nestedlists_flat_map",
        nestedlists_flat_map,
        &["vec![vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"],
    ),
    drawn(
        "union_flat_map",
        union_flat_map,
        &["vec![vec![0, 1, -1, 2, -2]]"],
    ),
    drawn(
        "union_filter",
        union_filter,
        &["vec![vec![0, 1, -1, 2, -2]]"],
    ),
    drawn("lengthlist_filter", lengthlist_filter, &["vec![900]"]),
    drawn("difference_flat_map", difference_flat_map, &["(10, 9)"]),
    drawn(
        "calculator_recursive",
        calculator_recursive,
        &["Div(Int(0), Add(Int(0), Int(0)))"],
    ),
];

fn is_even(x: &i32) -> bool {
    x % 2 == 0
}

fn sized_by_length() -> impl Generator<Value = Vec<i32>> {
    integers(0..=60usize).flat_map(|len| vec(any::<i32>()).exactly(len))
}

fn reverse_flat_map(tc: &mut TestCase) {
    let xs = tc.draw(sized_by_length());
    assert!(xs.iter().eq(xs.iter().rev()));
}

fn reverse_filter(tc: &mut TestCase) {
    let xs = tc.draw(vec(any::<i32>().filter(is_even)));
    assert!(xs.iter().eq(xs.iter().rev()));
}

fn distinct_flat_map(tc: &mut TestCase) {
    let xs = tc.draw(sized_by_length());
    assert!(properties::distinct_in(&xs) < 3);
}

fn distinct_filter(tc: &mut TestCase) {
    let xs = tc.draw(vec(any::<i32>().filter(is_even)));
    assert!(properties::distinct_in(&xs) < 3);
}

fn deletion_flat_map(tc: &mut TestCase) {
    let lists = vec(any::<i32>()).len(1..);
    let (mut xs, i) = tc.draw(lists.flat_map(|xs| {
        let len = xs.len();
        (just(xs), 0..len)
    }));
    let x = xs.remove(i);
    assert!(!xs.contains(&x));
}

fn coupling_flat_map(tc: &mut TestCase) {
    let lists = integers(1..=11usize).flat_map(|len| vec(0..len).exactly(len));
    let xs = tc.draw(lists);
    for (i, &j) in xs.iter().enumerate() {
        assert!(i == j || xs[j] != i);
    }
}

fn nestedlists_flat_map(tc: &mut TestCase) {
    let lists = vec(integers(0..=30usize).flat_map(|len| vec(just(0)).exactly(len)));
    let lists = tc.draw(lists);
    assert!(lists.iter().map(Vec::len).sum::<usize>() <= 10);
}

fn union_flat_map(tc: &mut TestCase) {
    let lists = integers(0..=20usize).flat_map(|len| vec(sized_by_length()).exactly(len));
    let lists = tc.draw(lists);
    assert!(properties::distinct_in(lists.iter().flatten()) < 5);
}

fn union_filter(tc: &mut TestCase) {
    let lists = tc.draw(vec(vec(any::<i32>()).filter(|xs| xs.len() != 1)));
    assert!(properties::distinct_in(lists.iter().flatten()) < 5);
}

fn lengthlist_filter(tc: &mut TestCase) {
    let xs = tc.draw(vec(0..=1000i32).len(..=100).filter(|xs| !xs.is_empty()));
    assert!(xs.iter().all(|x| *x < 900));
}

fn difference_flat_map(tc: &mut TestCase) {
    let pairs = integers(0..=i32::MAX).flat_map(|a| (just(a), integers(0..=i32::MAX)));
    let (a, b) = tc.draw(pairs);
    assert!(a < 10 || a.abs_diff(b) != 1);
}

fn calculator_recursive(tc: &mut TestCase) {
    let expressions = recursive(any::<i32>().map(Expr::Int), |inner| {
        let pair = (inner.clone(), inner);
        (any::<bool>(), pair).map(|(divides, (a, b))| match divides {
            false => Expr::Add(Box::new(a), Box::new(b)),
            true => Expr::Div(Box::new(a), Box::new(b)),
        })
    });
    let expression = tc.draw(expressions);
    tc.assume(!expression.divides_by_literal_zero());
    assert!(expression.value().is_some());
}
