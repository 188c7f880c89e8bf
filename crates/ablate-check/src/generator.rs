//! What a generator is, and the simplest ones.

use std::panic::{AssertUnwindSafe, Location};
use std::sync::Arc;

use crate::choice::{Value, mix};
use crate::test_case::TestCase;

/// Makes values out of the choices of a test case.
///
/// There is nothing about reduction here: a failing test case is reduced by replaying simpler
/// choices, whatever is made of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no generator",
    label = "nothing can be drawn by this",
    note = "generators are ranges (`0..10u8`), `any::<T>()` for the values of a type, and what the functions of `ablate_check::generators` give, once they are called: `vec(0..10u8)`",
    note = "other things become one: a value by `just(…)`, several by `sample([…])`, a closure by `from_fn(|tc: &mut TestCase| …)`, a pattern by `regex(\"…\")`",
    note = "`(0..10u8).map(…)` is an iterator: write `integers(0..10u8).map(…)`"
)]
pub trait Generator {
    /// What is made.
    type Value;

    /// Makes a value.
    fn draw(&self, tc: &mut TestCase) -> Self::Value;

    /// What kind of thing is made: values whose generators have the same label may stand for each
    /// other when a test case is reduced.
    fn label(&self) -> u64 {
        0
    }

    /// The choices that this generator makes `value` of: the inverse of [`Generator::draw`].
    /// `None` where it can't make it, or nothing is known of that.
    ///
    /// When an earlier alternative of [`one_of!`](crate::one_of) can make what a later one made,
    /// a failing test case is shown as made by the earlier.
    fn invert(&self, value: &Self::Value) -> Option<Vec<Value>> {
        let _ = value;
        None
    }

    /// A value made at random from `seed`, to look at; `None` when the generator rejects it.
    fn example(&self, seed: u64) -> Option<Self::Value> {
        let mut tc = TestCase::from_seed(seed);
        match std::panic::catch_unwind(AssertUnwindSafe(|| tc.draw_silent(self))) {
            Ok(value) => Some(value),
            Err(_) if tc.halted().is_some() => None,
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }

    /// The same generator, its type forgotten.
    fn boxed<'a>(self) -> Boxed<'a, Self::Value>
    where
        Self: Sized + Send + Sync + 'a,
    {
        Boxed(Arc::new(self))
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        // What something else lacks, as `&str`, is said of it and not of what it points to.
        #[diagnostic::do_not_recommend]
        impl<G: Generator + ?Sized> Generator for $pointer {
            type Value = G::Value;

            fn draw(&self, tc: &mut TestCase) -> G::Value {
                (**self).draw(tc)
            }

            fn invert(&self, value: &G::Value) -> Option<Vec<Value>> {
                (**self).invert(value)
            }

            fn label(&self) -> u64 {
                (**self).label()
            }
        }
    )*};
}
pointers!(&G, Box<G>);

/// A generator whose type is forgotten; cheap to clone.
pub struct Boxed<'a, T>(Arc<dyn Generator<Value = T> + Send + Sync + 'a>);

impl<T> Clone for Boxed<'_, T> {
    fn clone(&self) -> Self {
        Boxed(Arc::clone(&self.0))
    }
}

impl<T> Generator for Boxed<'_, T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        self.0.draw(tc)
    }

    fn invert(&self, value: &T) -> Option<Vec<Value>> {
        self.0.invert(value)
    }

    fn label(&self) -> u64 {
        self.0.label()
    }
}

/// See [`from_fn`].
#[derive(Clone, Copy, Debug)]
pub struct FromFn<F> {
    draw: F,
    label: u64,
}

/// The generator that `draw` is: a composite of whatever it draws.
///
/// ```
/// use ablate_check::prelude::*;
///
/// let ordered = from_fn(|tc: &mut TestCase| {
///     let low = tc.draw(0..100u8);
///     let high = tc.draw(low..=100);
///     (low, high)
/// });
/// check(|tc| {
///     let (low, high) = tc.draw(&ordered);
///     assert!(low <= high);
/// });
/// ```
#[track_caller]
pub fn from_fn<T, F: Fn(&mut TestCase) -> T>(draw: F) -> FromFn<F> {
    let place = Location::caller();
    let position = (u64::from(place.line()) << 32) | u64::from(place.column());
    FromFn {
        draw,
        label: mix(mix(label("from_fn"), place.file().len() as u64), position),
    }
}

impl<T, F: Fn(&mut TestCase) -> T> Generator for FromFn<F> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        tc.span(self.label, |tc| (self.draw)(tc))
    }

    fn label(&self) -> u64 {
        self.label
    }
}

/// See [`just`].
#[derive(Clone, Copy, Debug)]
pub struct Just<T>(T);

/// Always the same value.
pub fn just<T: Clone>(value: T) -> Just<T> {
    Just(value)
}

impl<T: Clone> Generator for Just<T> {
    type Value = T;

    fn draw(&self, _: &mut TestCase) -> T {
        self.0.clone()
    }
}

/// A label for spans, from a name.
pub const fn label(name: &str) -> u64 {
    // FNV-1a; `const`, so that it costs nothing where it is used.
    let (bytes, mut sum, mut at) = (name.as_bytes(), 0xcbf2_9ce4_8422_2325u64, 0);
    while at < bytes.len() {
        sum = (sum ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    sum
}

macro_rules! tuples {
    ($($generator:ident $at:tt),+) => {
        impl<$($generator: Generator),+> Generator for ($($generator,)+) {
            type Value = ($($generator::Value,)+);

            fn draw(&self, tc: &mut TestCase) -> Self::Value {
                tc.span(self.label(), |tc| ($(self.$at.draw(tc),)+))
            }

            fn invert(&self, value: &Self::Value) -> Option<Vec<Value>> {
                let mut choices = Vec::new();
                $(choices.extend(self.$at.invert(&value.$at)?);)+
                Some(choices)
            }

            fn label(&self) -> u64 {
                let mut sum = label("tuple");
                $(sum = mix(sum, self.$at.label());)+
                sum
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
