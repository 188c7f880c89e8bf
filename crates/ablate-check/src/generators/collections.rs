//! Vectors and arrays.
//!
//! A collection draws a boolean before each element: whether there is one more. So removing an
//! element is removing a run of choices, and joining two neighbouring collections is removing the
//! end of one and the start of the next.

use std::collections::BTreeSet;

use super::lengths::Lengths;
use crate::choice::{Sizes, Toss, Value, mix};
use crate::generator::{Generator, label};
use crate::test_case::TestCase;

const LIST: u64 = label("list");
const ELEMENT: u64 = label("element");

/// How many elements may be refused for each of those that a collection must have.
const REFUSED: u32 = 16;
/// How many may be refused at all until it has them.
const MOST_REFUSED: u32 = 3500;

/// Draws the elements of a collection one after another. An element that `element` does not want
/// is a discarded span.
pub(crate) fn draw_elements(
    tc: &mut TestCase,
    list_label: u64,
    sizes: Sizes,
    mut element: impl FnMut(&mut TestCase) -> bool,
) {
    tc.start_span(mix(LIST, list_label));
    let planned = tc.plan_len(sizes);
    let (mut count, mut refused, mut is_over) = (0, 0, false);
    loop {
        let start = tc.choices().len();
        // A fixed length needs no boolean.
        let has_more = if sizes.min == sizes.max {
            count < sizes.min && !is_over
        } else {
            let toss = match count {
                _ if is_over => Toss::Forced(false),
                _ if count < sizes.min => Toss::Forced(true),
                _ if count >= sizes.max => Toss::Forced(false),
                _ => Toss::More,
            };
            tc.toss_as(toss, |_, _| count < planned)
        };
        if !has_more {
            break;
        }
        tc.start_span_at(mix(ELEMENT, list_label), start);
        if element(tc) {
            tc.end_span();
            count += 1;
            if count == sizes.min {
                refused = 0;
            }
        } else {
            tc.discard_span();
            refused += 1;
            let is_wanting = count < sizes.min;
            // Of a small domain most values come again and again before the last ones come: of 256
            // even ones the last of 200 comes after 400. Those that are not even take longer.
            let most = match is_wanting {
                true => REFUSED.saturating_mul(sizes.min).min(MOST_REFUSED),
                false => 2 * count,
            };
            is_over = refused > most.max(3);
            if is_over && is_wanting {
                tc.reject();
            }
        }
    }
    tc.end_span();
}

/// A key that is the element itself.
type Itself<T> = fn(&T) -> T;

/// See [`vec()`].
#[derive(Clone, Copy, Debug)]
pub struct Lists<G> {
    element: G,
    sizes: Sizes,
}

/// Vectors of what `element` makes.
pub fn vec<G: Generator>(element: G) -> Lists<G> {
    Lists {
        element,
        sizes: Sizes::new(0, usize::MAX),
    }
}

impl<G: Generator> Lists<G> {
    /// Only so many elements.
    pub fn len(mut self, lengths: impl Lengths) -> Lists<G> {
        self.sizes = lengths.sizes();
        self
    }

    /// Exactly so many elements.
    pub fn exactly(mut self, len: usize) -> Lists<G> {
        self.sizes = Sizes::new(len, len);
        self
    }

    /// No element twice.
    pub fn unique(self) -> UniqueLists<G, Itself<G::Value>>
    where
        G::Value: Ord + Clone,
    {
        self.unique_by(G::Value::clone)
    }

    /// No two elements of which `key` is the same.
    pub fn unique_by<K: Ord, F: Fn(&G::Value) -> K>(self, key: F) -> UniqueLists<G, F> {
        UniqueLists { inner: self, key }
    }
}

impl<G: Generator> Generator for Lists<G> {
    type Value = Vec<G::Value>;

    fn draw(&self, tc: &mut TestCase) -> Vec<G::Value> {
        let mut values = Vec::new();
        draw_elements(tc, self.element.label(), self.sizes, |tc| {
            values.push(tc.draw_silent(&self.element));
            true
        });
        values
    }

    fn invert(&self, values: &Vec<G::Value>) -> Option<Vec<Value>> {
        if !self.sizes.contains(values.len()) {
            return None;
        }
        let is_open = self.sizes.min != self.sizes.max;
        let mut choices = Vec::new();
        for value in values {
            choices.extend(is_open.then_some(Value::Boolean(true)));
            choices.extend(self.element.invert(value)?);
        }
        choices.extend(is_open.then_some(Value::Boolean(false)));
        Some(choices)
    }

    fn label(&self) -> u64 {
        mix(LIST, self.element.label())
    }
}

/// See [`Lists::unique_by`].
#[derive(Clone, Copy, Debug)]
pub struct UniqueLists<G, F> {
    inner: Lists<G>,
    key: F,
}

impl<G: Generator, F> UniqueLists<G, F> {
    /// Only so many elements.
    pub fn len(mut self, lengths: impl Lengths) -> Self {
        self.inner = self.inner.len(lengths);
        self
    }
}

impl<K: Ord, G: Generator, F: Fn(&G::Value) -> K> Generator for UniqueLists<G, F> {
    type Value = Vec<G::Value>;

    fn draw(&self, tc: &mut TestCase) -> Vec<G::Value> {
        let (mut values, mut seen) = (Vec::new(), BTreeSet::new());
        draw_elements(tc, self.inner.element.label(), self.inner.sizes, |tc| {
            let value = tc.draw_silent(&self.inner.element);
            let is_new = seen.insert((self.key)(&value));
            if is_new {
                values.push(value);
            }
            is_new
        });
        values
    }

    fn label(&self) -> u64 {
        self.inner.label()
    }
}

/// See [`array()`].
#[derive(Clone, Copy, Debug)]
pub struct Arrays<G, const N: usize>(G);

/// Arrays of what `element` makes.
pub fn array<const N: usize, G: Generator>(element: G) -> Arrays<G, N> {
    Arrays(element)
}

impl<G: Generator, const N: usize> Generator for Arrays<G, N> {
    type Value = [G::Value; N];

    fn draw(&self, tc: &mut TestCase) -> [G::Value; N] {
        tc.span(self.label(), |tc| {
            std::array::from_fn(|_| tc.span(ELEMENT, |tc| tc.draw_silent(&self.0)))
        })
    }

    fn invert(&self, values: &[G::Value; N]) -> Option<Vec<Value>> {
        let choices: Option<Vec<_>> = values.iter().map(|value| self.0.invert(value)).collect();
        Some(choices?.concat())
    }

    fn label(&self) -> u64 {
        mix(label("array"), self.0.label())
    }
}
