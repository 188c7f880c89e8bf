//! One of several: generators, values, options, results. The first is always the simplest.

use crate::choice::{Value, mix};
use crate::generator::{Boxed, Generator, label};
use crate::test_case::TestCase;

/// See [`one_of!`](crate::one_of).
pub struct OneOf<'a, T> {
    weights: Vec<u32>,
    alternatives: Vec<Boxed<'a, T>>,
}

impl<'a, T> OneOf<'a, T> {
    /// One of these generators, each as likely as its weight says.
    ///
    /// # Panics
    /// When there is none, or no weight is above zero.
    pub fn new(alternatives: Vec<(u32, Boxed<'a, T>)>) -> OneOf<'a, T> {
        let (weights, alternatives): (Vec<u32>, Vec<_>) = alternatives.into_iter().unzip();
        let has_any = weights.iter().any(|weight| *weight > 0);
        assert!(has_any, "ablate-check: one_of needs an alternative");
        OneOf {
            weights,
            alternatives,
        }
    }
}

impl<T> OneOf<'_, T> {
    /// The first of the `count` first alternatives that can make this value, and its choices.
    fn inverted(&self, value: &T, count: usize) -> Option<Vec<Value>> {
        let mut alternatives = self.alternatives.iter().take(count).enumerate();
        alternatives.find_map(|(place, alternative)| {
            let mut choices = vec![Value::Integer(place as i128)];
            choices.extend(alternative.invert(value)?);
            Some(choices)
        })
    }
}

impl<T> Clone for OneOf<'_, T> {
    fn clone(&self) -> Self {
        OneOf {
            weights: self.weights.clone(),
            alternatives: self.alternatives.clone(),
        }
    }
}

impl<T> Generator for OneOf<'_, T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        tc.span(self.label(), |tc| {
            tc.branch(
                &self.weights,
                |tc, chosen| tc.draw_silent(&self.alternatives[chosen]),
                |value, chosen| self.inverted(value, chosen),
            )
        })
    }

    fn invert(&self, value: &T) -> Option<Vec<Value>> {
        self.inverted(value, self.alternatives.len())
    }

    fn label(&self) -> u64 {
        let labels = self.alternatives.iter().map(Generator::label);
        labels.fold(label("one_of"), mix)
    }
}

/// One of several generators of the same type, the first being the simplest; each with a weight,
/// or all equally likely.
///
/// ```
/// use ablate_check::prelude::*;
///
/// let small_or_huge = one_of![0..10u32, 1_000_000..2_000_000u32];
/// let mostly_small = one_of![9 => 0..10u32, 1 => just(77)];
/// check(|tc| {
///     let (a, b) = (tc.draw(&small_or_huge), tc.draw(&mostly_small));
///     assert!(a != 77 && b <= 77);
/// });
/// ```
#[macro_export]
macro_rules! one_of {
    ($($weight:expr => $generator:expr),+ $(,)?) => {
        $crate::OneOf::new(vec![
            $(($weight, $crate::Generator::boxed($generator))),+
        ])
    };
    ($($generator:expr),+ $(,)?) => {
        $crate::OneOf::new(vec![$((1, $crate::Generator::boxed($generator))),+])
    };
}

/// One of these values, the first being the simplest. Where there are none the test case is rejected.
///
/// ```
/// use ablate_check::prelude::*;
///
/// check(|tc| {
///     let day = tc.draw(sample(["Mon", "Tue", "Wed"]));
///     assert_eq!(day.len(), 3);
/// });
/// ```
pub fn sample<T: Clone, V: AsRef<[T]>>(values: V) -> Sampled<T, V> {
    Sampled {
        values,
        types: std::marker::PhantomData,
    }
}

/// See [`sample`].
#[derive(Clone, Copy, Debug)]
pub struct Sampled<T, V> {
    values: V,
    types: std::marker::PhantomData<fn() -> T>,
}

impl<T: Clone, V: AsRef<[T]>> Generator for Sampled<T, V> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        let values = self.values.as_ref();
        values[tc.index(values.len())].clone()
    }
}

/// See [`sample_weighted`].
#[derive(Clone, Debug)]
pub struct Weighted<T> {
    weights: Vec<u32>,
    values: Vec<T>,
}

/// One of these values, each as likely as its weight says, the first being the simplest.
///
/// # Panics
/// When there is none, or no weight is above zero.
#[track_caller]
pub fn sample_weighted<T: Clone>(values: impl IntoIterator<Item = (u32, T)>) -> Weighted<T> {
    let (weights, values): (Vec<u32>, Vec<T>) = values.into_iter().unzip();
    let has_any = weights.iter().any(|weight| *weight > 0);
    assert!(
        has_any,
        "ablate-check: sample_weighted needs a value with a weight above zero"
    );
    Weighted { weights, values }
}

impl<T: Clone> Generator for Weighted<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        self.values[tc.weighted_index(&self.weights)].clone()
    }
}

/// See [`option`].
#[derive(Clone, Copy, Debug)]
pub struct Options<G>(G);

/// `None`, which is simpler, or `Some` of what `inner` makes.
pub fn option<G: Generator>(inner: G) -> Options<G> {
    Options(inner)
}

impl<G: Generator> Generator for Options<G> {
    type Value = Option<G::Value>;

    fn draw(&self, tc: &mut TestCase) -> Option<G::Value> {
        tc.span(self.label(), |tc| {
            tc.toss(0.75).then(|| tc.draw_silent(&self.0))
        })
    }

    fn invert(&self, value: &Option<G::Value>) -> Option<Vec<Value>> {
        let mut choices = vec![Value::Boolean(value.is_some())];
        if let Some(value) = value {
            choices.extend(self.0.invert(value)?);
        }
        Some(choices)
    }

    fn label(&self) -> u64 {
        mix(label("option"), self.0.label())
    }
}

/// See [`result`].
#[derive(Clone, Copy, Debug)]
pub struct Results<G, H>(G, H);

/// `Ok` of what `ok` makes, which is simpler, or `Err` of what `err` makes.
pub fn result<G: Generator, H: Generator>(ok: G, err: H) -> Results<G, H> {
    Results(ok, err)
}

impl<G: Generator, H: Generator> Generator for Results<G, H> {
    type Value = Result<G::Value, H::Value>;

    fn draw(&self, tc: &mut TestCase) -> Self::Value {
        tc.span(self.label(), |tc| {
            if tc.toss(0.4) {
                Err(tc.draw_silent(&self.1))
            } else {
                Ok(tc.draw_silent(&self.0))
            }
        })
    }

    fn label(&self) -> u64 {
        mix(label("result"), mix(self.0.label(), self.1.label()))
    }
}
