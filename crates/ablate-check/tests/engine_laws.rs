//! The laws of the engine, as properties that `ablate-check` runs.

use std::cmp::Ordering;

use ablate_check::choice::{Choice, Simplicity, Value, decode, encode};
use ablate_check::list::{Reducible, reduce};
use ablate_check::prelude::*;
use ablate_engine::drive::Drive;
use ablate_engine::order::{self, ElementOrder, Natural, Text};
use ablate_engine::pass::Pass;
use ablate_engine::passes::{DeleteShortRuns, LowerElements};
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::reducer;
use ablate_engine::simulate::{Latency, SimulatedWorkers};
use ablate_engine::target::Target;

/// Edits of a sequence of `len` bytes that do not overlap.
fn patch(tc: &mut TestCase, len: usize) -> Patch<u8> {
    let wanted = tc.draw(vec((0..=len, 0..5usize, option(vec(0..3u8).len(1..3)))).len(..4));
    let mut patch = Patch::default();
    for (start, size, insert) in wanted {
        let end = (start + size).min(len);
        let insert = insert.map(Into::into);
        if let Ok(edit) = Patch::edits_of([Edit { start, end, insert }]) {
            patch = patch.combined(&edit).unwrap_or(patch);
        }
    }
    patch
}

fn base(tc: &mut TestCase) -> Vec<u8> {
    tc.draw(vec(0..10u8).len(..12))
}

fn sequence(tc: &mut TestCase) -> Vec<Choice> {
    let xs = tc.draw(vec((any::<bool>(), -20..20i64)).len(..5));
    xs.into_iter()
        .flat_map(|(a, b)| [a.choice(), b.choice()])
        .collect()
}

#[property]
fn combining_is_applying_in_sequence(tc: &mut TestCase) {
    let base = base(tc);
    let (first, second) = (patch(tc, base.len()), patch(tc, base.len()));
    let (Ok(both), Ok(rest)) = (first.combined(&second), second.rebased(&first)) else {
        return;
    };
    assert_eq!(both.applied(&base), rest.applied(&first.applied(&base)));
}

#[property]
fn combining_has_no_order_and_covers_both(tc: &mut TestCase) {
    let base = base(tc);
    let (first, second) = (patch(tc, base.len()), patch(tc, base.len()));
    let both = first.combined(&second);
    let swapped = second.combined(&first);
    assert_eq!(both.is_ok(), swapped.is_ok());
    if let (Ok(both), Ok(swapped)) = (both, swapped) {
        assert_eq!(both.applied(&base), swapped.applied(&base));
        assert!(both.covers(&first) && both.covers(&second));
        assert_eq!(both.combined(&first), Ok(both.clone()));
    }
}

#[property]
fn a_candidates_identity_length_and_content_agree(tc: &mut TestCase) {
    let base = base(tc);
    let patch = patch(tc, base.len());
    let target = Target::new(base.clone());
    let candidate = target.candidate(patch.clone());
    let content = patch.applied(&base);
    assert_eq!(candidate.build(), content);
    assert_eq!(candidate.len(), content.len());
    assert_eq!(candidate.pieces().flatten().count(), content.len());
    assert_eq!(candidate.identity(), Target::new(content).identity());
}

fn compared<E: ablate_engine::identity::Element>(
    order: &dyn ElementOrder<E>,
    a: &[E],
    b: &[E],
) -> Ordering {
    order::compare(order, (a.len(), a.chunks(3)), b)
}

fn check_total<E: ablate_engine::identity::Element>(order: &dyn ElementOrder<E>, abc: [&[E]; 3]) {
    let [a, b, c] = abc;
    assert_eq!(compared(order, a, b), compared(order, b, a).reverse());
    assert_eq!(compared(order, a, b).is_eq(), a == b);
    if compared(order, a, b).is_le() && compared(order, b, c).is_le() {
        assert!(compared(order, a, c).is_le());
    }
}

#[property]
fn every_order_is_total(a: Vec<u8>, b: Vec<u8>, c: Vec<u8>) {
    check_total(&Text, [&a, &b, &c]);
    check_total(&Natural, [&a, &b, &c]);
}

#[property]
fn the_order_on_choices_is_total(tc: &mut TestCase) {
    let [a, b, c] = [sequence(tc), sequence(tc), sequence(tc)];
    check_total(&Simplicity, [&a, &b, &c]);
}

#[property]
fn deleting_and_lowering_make_simpler(tc: &mut TestCase) {
    let mut xs = sequence(tc);
    tc.assume(!xs.is_empty());
    let at = tc.draw(0..xs.len());
    let before = xs.clone();
    let lower = xs[at].constraint().simplest();
    if lower != xs[at].value() {
        xs[at].set(lower);
        assert!(compared(&Simplicity, &xs, &before).is_lt());
    }
    xs.remove(at);
    assert!(compared(&Simplicity, &xs, &before).is_lt());
}

/// A condition on lists, from a few kinds that need different things of a list.
fn condition(tc: &mut TestCase) -> impl Fn(&[u8]) -> bool + use<> {
    let (kind, bound) = (tc.draw(0..5u8), tc.draw(0..40u8));
    move |xs| {
        let sum: u32 = xs.iter().map(|x| u32::from(*x)).sum();
        match kind {
            0 => sum >= u32::from(bound),
            1 => xs.len() >= usize::from(bound % 6),
            2 => xs.windows(2).any(|pair| pair[0] > pair[1]),
            3 => xs.contains(&bound),
            _ => sum % 7 == u32::from(bound % 7) && xs.len() > 1,
        }
    }
}

#[property(cases = 300)]
fn the_end_is_a_fixed_point(tc: &mut TestCase) {
    let start = tc.draw(vec(any::<u8>()).len(..20));
    let holds = condition(tc);
    tc.assume(holds(&start));
    let reduced = reduce(&start, |xs: &[u8]| holds(xs));
    assert!(reduced.is_proved && holds(&reduced.list));
    assert_eq!(
        reduce(&reduced.list, |xs: &[u8]| holds(xs)).list,
        reduced.list
    );
    // No element can go, and none can be one less.
    for at in 0..reduced.list.len() {
        let mut less = reduced.list.clone();
        if less[at] > 0 {
            less[at] -= 1;
            assert!(!holds(&less));
        }
        less.remove(at);
        assert!(!holds(&less));
    }
}

#[property(cases = 300)]
fn nothing_is_asked_twice_and_the_same_is_asked_again(tc: &mut TestCase) {
    let start = tc.draw(vec(any::<u8>()).len(..20));
    let holds = condition(tc);
    tc.assume(holds(&start));
    let asked = || {
        let mut asked = Vec::new();
        reduce(&start, |xs: &[u8]| {
            asked.push(xs.to_vec());
            holds(xs)
        });
        asked
    };
    let first = asked();
    assert_eq!(asked(), first);
    let mut sorted = first.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), first.len());
    assert!(!first.contains(&start));
}

/// What a reduction by the engine's own passes comes to on simulated workers.
fn simulated(
    start: &[u8],
    holds: &impl Fn(&[u8]) -> bool,
    slots: usize,
    latency: Latency,
) -> (Vec<u8>, reducer::Counts) {
    let passes: Vec<Box<dyn Pass<u8>>> = vec![
        Box::new(DeleteShortRuns::up_to(3)),
        Box::new(LowerElements {
            name: "lower",
            order: Natural,
            values: |xs: &[u8], at| vec![0, xs[at] / 2, xs[at].saturating_sub(1)],
        }),
    ];
    let workers = SimulatedWorkers::new(slots, latency, |xs: &[u8]| holds(xs));
    let outcome = reducer::reduce(
        Target::new(start.to_vec()),
        &passes,
        &Natural,
        &mut Drive::new(workers),
        &reducer::Settings::default(),
        &mut |_| (),
    );
    (outcome.target.elements().to_vec(), outcome.counts)
}

#[property(cases = 100)]
fn workers_and_latencies_change_nothing(tc: &mut TestCase) {
    let start = tc.draw(vec(any::<u8>()).len(..60));
    let holds = condition(tc);
    let (slots, seed) = (tc.draw(2..9usize), tc.draw(any::<u64>()));
    tc.assume(holds(&start));
    let alone = simulated(&start, &holds, 1, Latency::Constant(1));
    for latency in [
        Latency::Constant(1),
        Latency::HeavyTailed { median: 10, seed },
    ] {
        assert_eq!(simulated(&start, &holds, slots, latency), alone);
    }
}

#[property]
fn stored_choices_are_read_again(tc: &mut TestCase) {
    let values = tc.draw(vec(one_of![
        any::<bool>().map(Value::Boolean),
        integers(-1000..1000i128).map(Value::Integer),
        any::<f64>().map(|float| Value::Float(float.to_bits())),
        any::<Vec<u8>>().map(|bytes| Value::Bytes(bytes.into())),
        any::<String>().map(|text| Value::Text(text.into())),
    ]));
    assert_eq!(decode(&encode(&values)), Some(values));
}
