//! What can be made of a generator: `map`, `filter`, `flat_map`, `filter_map`.

use crate::arbitrary::Any;
use crate::choice::{Value, mix};
use crate::generator::{Boxed, FromFn, Generator, Just, label};
use crate::generators as g;
use crate::test_case::TestCase;

/// The label of what a filter was asked to accept.
pub(crate) const FILTERED: u64 = label("filtered");

/// How often a filter draws again before the whole test case is given up.
const FILTER_TRIES: usize = 3;

/// What can be made of a generator.
///
/// Ranges are generators too, but do not have these methods: `(0..9).map(…)` goes on being the
/// iterator's. Write `integers(0..9).map(…)` for the generator's.
pub trait Combinators: Generator {
    /// Makes what `change` makes of a value.
    fn map<T, F: Fn(Self::Value) -> T>(self, change: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map {
            inner: self,
            change,
        }
    }

    /// Like [`Combinators::map`], with its inverse: what `back` makes of a value, `change` makes
    /// that value of. `None` where it can't. See [`Generator::invert`].
    fn map_with_inverse<T, F, I>(self, change: F, back: I) -> MapWithInverse<Self, F, I>
    where
        Self: Sized,
        F: Fn(Self::Value) -> T,
        I: Fn(&T) -> Option<Self::Value>,
    {
        MapWithInverse {
            map: self.map(change),
            back,
        }
    }

    /// Makes a value, then draws from the generator that `next` makes of it.
    fn flat_map<G: Generator, F: Fn(Self::Value) -> G>(self, next: F) -> FlatMap<Self, F>
    where
        Self: Sized,
    {
        FlatMap { inner: self, next }
    }

    /// Makes only values for which `condition` holds. After a few values for which it does not,
    /// the test case ends without a verdict.
    fn filter<F: Fn(&Self::Value) -> bool>(self, condition: F) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter {
            inner: self,
            condition,
        }
    }

    /// Makes only what `change` makes something of; otherwise like [`Combinators::filter`].
    fn filter_map<T, F: Fn(Self::Value) -> Option<T>>(self, change: F) -> FilterMap<Self, F>
    where
        Self: Sized,
    {
        FilterMap {
            inner: self,
            change,
        }
    }
}

/// See [`Combinators::map`].
#[derive(Clone, Copy, Debug)]
pub struct Map<G, F> {
    inner: G,
    change: F,
}

impl<T, G: Generator, F: Fn(G::Value) -> T> Generator for Map<G, F> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        (self.change)(self.inner.draw(tc))
    }

    fn label(&self) -> u64 {
        mix(label("map"), self.inner.label())
    }
}

/// See [`Combinators::map_with_inverse`].
#[derive(Clone, Copy, Debug)]
pub struct MapWithInverse<G, F, I> {
    map: Map<G, F>,
    back: I,
}

impl<T, G, F, I> Generator for MapWithInverse<G, F, I>
where
    G: Generator,
    F: Fn(G::Value) -> T,
    I: Fn(&T) -> Option<G::Value>,
{
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        self.map.draw(tc)
    }

    fn invert(&self, value: &T) -> Option<Vec<Value>> {
        self.map.inner.invert(&(self.back)(value)?)
    }

    fn label(&self) -> u64 {
        self.map.label()
    }
}

/// See [`Combinators::flat_map`].
#[derive(Clone, Copy, Debug)]
pub struct FlatMap<G, F> {
    inner: G,
    next: F,
}

impl<H: Generator, G: Generator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    fn draw(&self, tc: &mut TestCase) -> H::Value {
        tc.span(self.label(), |tc| {
            let first = self.inner.draw(tc);
            (self.next)(first).draw(tc)
        })
    }

    fn label(&self) -> u64 {
        mix(label("flat_map"), self.inner.label())
    }
}

/// See [`Combinators::filter`].
#[derive(Clone, Copy, Debug)]
pub struct Filter<G, F> {
    inner: G,
    condition: F,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    fn draw(&self, tc: &mut TestCase) -> G::Value {
        draw_until(tc, self.label(), |tc| {
            Some(self.inner.draw(tc)).filter(&self.condition)
        })
    }

    fn invert(&self, value: &G::Value) -> Option<Vec<Value>> {
        (self.condition)(value).then(|| self.inner.invert(value))?
    }

    fn label(&self) -> u64 {
        mix(label("filter"), self.inner.label())
    }
}

/// See [`Combinators::filter_map`].
#[derive(Clone, Copy, Debug)]
pub struct FilterMap<G, F> {
    inner: G,
    change: F,
}

impl<T, G: Generator, F: Fn(G::Value) -> Option<T>> Generator for FilterMap<G, F> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        draw_until(tc, self.label(), |tc| (self.change)(self.inner.draw(tc)))
    }

    fn label(&self) -> u64 {
        mix(label("filter_map"), self.inner.label())
    }
}

/// Draws until there is a value; each failed attempt is a discarded span.
fn draw_until<T>(
    tc: &mut TestCase,
    label: u64,
    mut attempt: impl FnMut(&mut TestCase) -> Option<T>,
) -> T {
    for _ in 0..FILTER_TRIES {
        tc.start_span(label);
        // What a condition has accepted is told apart: its neighbours may not be accepted.
        if let Some(value) = tc.span(FILTERED, &mut attempt) {
            tc.end_span();
            return value;
        }
        tc.discard_span();
    }
    tc.reject()
}

impl<G: Combinators + ?Sized> Combinators for &G {}

macro_rules! combine {
    ($(($($parameter:tt)*) $type:ty;)*) => {$(
        impl<$($parameter)*> Combinators for $type where $type: Generator {}
    )*};
}
combine! {
    ('a, T) Boxed<'a, T>;
    (G, F) Map<G, F>;
    (G, F, I) MapWithInverse<G, F, I>;
    (G, F) FlatMap<G, F>;
    (G, F) Filter<G, F>;
    (G, F) FilterMap<G, F>;
    (F) FromFn<F>;
    (T) Just<T>;
    (T) Any<T>;
    (T) g::Integers<T>;
    () g::Bools;
    (T) g::Floats<T>;
    () g::Strings;
    () g::Chars;
    () g::Bytes;
    (G) g::Lists<G>;
    (G, F) g::UniqueLists<G, F>;
    (G, const N: usize) g::Arrays<G, N>;
    (S, G) g::Sets<S, G>;
    (M, K, V) g::Maps<M, K, V>;
    ('a, T) g::OneOf<'a, T>;
    (T, V) g::Sampled<T, V>;
    (T) g::Weighted<T>;
    (G) g::Options<G>;
    (G, H) g::Results<G, H>;
    (T) g::Permutations<T>;
    (T) g::Subsets<T>;
    () g::Dates;
    (T) g::Recursive<T>;
    (T) g::Inner<T>;
    () g::Regexes;
    (A) (A,);
    (A, B) (A, B);
    (A, B, C) (A, B, C);
    (A, B, C, D) (A, B, C, D);
    (A, B, C, D, E) (A, B, C, D, E);
    (A, B, C, D, E, F) (A, B, C, D, E, F);
    (A, B, C, D, E, F, G) (A, B, C, D, E, F, G);
    (A, B, C, D, E, F, G, H) (A, B, C, D, E, F, G, H);
    (A, B, C, D, E, F, G, H, I) (A, B, C, D, E, F, G, H, I);
    (A, B, C, D, E, F, G, H, I, J) (A, B, C, D, E, F, G, H, I, J);
    (A, B, C, D, E, F, G, H, I, J, K) (A, B, C, D, E, F, G, H, I, J, K);
    (A, B, C, D, E, F, G, H, I, J, K, L) (A, B, C, D, E, F, G, H, I, J, K, L);
}

#[cfg(feature = "arbitrary")]
combine! { (T) g::FromArbitrary<T>; }
