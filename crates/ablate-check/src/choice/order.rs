//! The order on choices: which of two is the simpler one.

use std::cmp::Ordering;

use ablate_engine::order::ElementOrder;

use super::{Choice, Constraint, Value};

/// A choice is simpler than another when its value stands further to the front among those that
/// it might have been. Integers: nearest to the origin. Floats: simple integers first. Bytes and
/// texts: shorter first, then smaller or more readable letters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplicity;

impl ElementOrder<Choice> for Simplicity {
    fn compare(&self, a: &Choice, b: &Choice) -> Ordering {
        // Most are numbers of one range: to find the place of each takes longer.
        if let Some(order) = a.compare_small(b) {
            return order;
        }
        // The same as by their places in the order, which takes long to count for long ones.
        if matches!(a.value(), Value::Bytes(_) | Value::Text(_)) && a.has_constraint_of(b) {
            let by_letters = compare_long(a, b);
            if by_letters.is_ne() {
                return by_letters;
            }
        }
        // The rest only orders what is equally simple, so that the order is total.
        a.index()
            .cmp(&b.index())
            .then_with(|| kind(&a.value()).cmp(&kind(&b.value())))
            .then_with(|| compare_long(a, b))
            .then_with(|| a.value().cmp(&b.value()))
            .then_with(|| a.constraint().cmp(&b.constraint()))
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Boolean(_) => 0,
        Value::Integer(_) => 1,
        Value::Float(_) => 2,
        Value::Bytes(_) => 3,
        Value::Text(_) => 4,
        Value::Open(_) | Value::Close | Value::Recode => 5,
    }
}

/// By length and then letter by letter, for those whose index is too great for a number.
fn compare_long(a: &Choice, b: &Choice) -> Ordering {
    match (&a.value(), &b.value()) {
        (Value::Bytes(x), Value::Bytes(y)) => x.len().cmp(&y.len()).then_with(|| x.cmp(y)),
        (Value::Text(x), Value::Text(y)) => {
            let lengths = x.chars().count().cmp(&y.chars().count());
            lengths.then_with(|| ranks(&a.constraint(), x).cmp(ranks(&b.constraint(), y)))
        }
        _ => Ordering::Equal,
    }
}

fn ranks<'a>(constraint: &'a Constraint, text: &'a str) -> impl Iterator<Item = u32> + 'a {
    text.chars().map(move |c| match constraint {
        Constraint::Text(alphabet, _) => alphabet.rank(c).unwrap_or(u32::MAX),
        _ => c as u32,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Alphabet, FloatRange, IntegerRange, Sizes, Toss};
    use super::*;

    fn examples() -> Vec<Choice> {
        let mut all = Vec::new();
        let mut add = |constraint: &Constraint, values: Vec<Value>| {
            all.extend(
                values
                    .into_iter()
                    .map(|v| Choice::new(v, constraint.clone())),
            );
        };
        for toss in [Toss::Free, Toss::Forced(true)] {
            add(&Constraint::Boolean(toss), vec![Value::Boolean(true)]);
        }
        add(
            &Constraint::Boolean(Toss::Free),
            vec![Value::Boolean(false)],
        );
        for (min, max, origin) in [(-9, 9, 0), (0, 9, 0), (3, 9, 5), (i128::MIN, i128::MAX, 0)] {
            let range = IntegerRange::new(min, max, origin);
            let values = [-9, -1, 0, 1, 2, 3, 5, 7, 9, i128::MIN, i128::MAX];
            let values = values.into_iter().filter(|v| range.contains(*v));
            add(
                &Constraint::Integer(range),
                values.map(Value::Integer).collect(),
            );
        }
        add(&Constraint::Index(3), (0..3).map(Value::Integer).collect());
        let floats = [0.0, -0.0, 1.0, 0.5, -3.25, f64::INFINITY, f64::NAN, 1e300];
        let floats = floats.map(|f: f64| Value::Float(f.to_bits()));
        add(&Constraint::Float(FloatRange::ALL), floats.to_vec());
        let sizes = Sizes { min: 0, max: 99 };
        for bytes in [
            vec![],
            vec![0],
            vec![255],
            vec![0, 1],
            vec![7; 60],
            vec![8; 60],
        ] {
            add(&Constraint::Bytes(sizes), vec![Value::Bytes(bytes.into())]);
        }
        for letters in ["ba", "bcaé"] {
            let constraint = Constraint::Text(Arc::new(Alphabet::of(letters)), sizes);
            for text in ["", "a", "b", "ab", "ba", &"b".repeat(200), &"a".repeat(200)] {
                add(&constraint, vec![Value::Text(text.into())]);
            }
        }
        all
    }

    #[test]
    fn the_order_is_total() {
        let all = examples();
        let compare = |a: &Choice, b: &Choice| Simplicity.compare(a, b);
        for a in &all {
            for b in &all {
                assert_eq!(compare(a, b), compare(b, a).reverse(), "{a:?} {b:?}");
                assert_eq!(compare(a, b).is_eq(), a == b, "{a:?} {b:?}");
                for c in &all {
                    if compare(a, b).is_le() && compare(b, c).is_le() {
                        assert!(compare(a, c).is_le(), "{a:?} {b:?} {c:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_texts_are_ordered_by_letters_too() {
        let sizes = Sizes { min: 0, max: 999 };
        let constraint = Constraint::Text(Arc::new(Alphabet::of("ab")), sizes);
        let text = |c: &str| Choice::new(Value::Text(c.repeat(300).into()), constraint.clone());
        assert_eq!(Simplicity.compare(&text("a"), &text("b")), Ordering::Less);
    }
}
