//! Permutations and subsets of given values.

use crate::generator::{Generator, label};
use crate::test_case::TestCase;

/// See [`permutation`].
#[derive(Clone, Debug)]
pub struct Permutations<T>(Vec<T>);

/// These values in any order; the simplest is the order given.
pub fn permutation<T: Clone>(values: impl Into<Vec<T>>) -> Permutations<T> {
    Permutations(values.into())
}

impl<T: Clone> Generator for Permutations<T> {
    type Value = Vec<T>;

    fn draw(&self, tc: &mut TestCase) -> Vec<T> {
        let mut values = self.0.clone();
        tc.span(label("permutation"), |tc| {
            // Each choice is how far the next value is fetched from, so 0 leaves it in place.
            for at in 0..values.len().saturating_sub(1) {
                let from = at + tc.index(values.len() - at);
                values[at..=from].rotate_right(1);
            }
        });
        values
    }
}

/// See [`subset`].
#[derive(Clone, Debug)]
pub struct Subsets<T>(Vec<T>);

/// Some of these values, in the order given; none of them is the simplest.
pub fn subset<T: Clone>(values: impl Into<Vec<T>>) -> Subsets<T> {
    Subsets(values.into())
}

impl<T: Clone> Generator for Subsets<T> {
    type Value = Vec<T>;

    fn draw(&self, tc: &mut TestCase) -> Vec<T> {
        tc.span(label("subset"), |tc| {
            let taken = self.0.iter().filter(|_| tc.toss(0.5));
            taken.cloned().collect()
        })
    }
}
