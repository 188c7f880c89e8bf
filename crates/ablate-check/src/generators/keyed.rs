//! Sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::marker::PhantomData;

use super::collections::draw_elements;
use super::lengths::Lengths;
use crate::choice::{Sizes, mix};
use crate::generator::{Generator, label};
use crate::test_case::TestCase;

/// A set that tells whether it had an element already.
pub trait Growing<T>: Default {
    /// Whether `value` is new.
    fn grow(&mut self, value: T) -> bool;
}

impl<T: Ord> Growing<T> for BTreeSet<T> {
    fn grow(&mut self, value: T) -> bool {
        self.insert(value)
    }
}

impl<T: Hash + Eq> Growing<T> for HashSet<T> {
    fn grow(&mut self, value: T) -> bool {
        self.insert(value)
    }
}

/// A map that tells whether it has a key.
pub trait GrowingMap<K, V>: Default {
    /// Whether `key` is known.
    fn has(&self, key: &K) -> bool;

    /// Adds an entry.
    fn grow(&mut self, key: K, value: V);
}

impl<K: Ord, V> GrowingMap<K, V> for BTreeMap<K, V> {
    fn has(&self, key: &K) -> bool {
        self.contains_key(key)
    }

    fn grow(&mut self, key: K, value: V) {
        self.insert(key, value);
    }
}

impl<K: Hash + Eq, V> GrowingMap<K, V> for HashMap<K, V> {
    fn has(&self, key: &K) -> bool {
        self.contains_key(key)
    }

    fn grow(&mut self, key: K, value: V) {
        self.insert(key, value);
    }
}

/// See [`btree_set`] and [`hash_set`].
#[derive(Clone, Copy, Debug)]
pub struct Sets<S, G> {
    element: G,
    sizes: Sizes,
    types: PhantomData<fn() -> S>,
}

/// Ordered sets of what `element` makes.
pub fn btree_set<G: Generator<Value: Ord>>(element: G) -> Sets<BTreeSet<G::Value>, G> {
    Sets::new(element)
}

/// Sets of what `element` makes.
pub fn hash_set<G: Generator<Value: Hash + Eq>>(element: G) -> Sets<HashSet<G::Value>, G> {
    Sets::new(element)
}

impl<S, G> Sets<S, G> {
    fn new(element: G) -> Sets<S, G> {
        Sets {
            element,
            sizes: Sizes::new(0, usize::MAX),
            types: PhantomData,
        }
    }

    /// Only so many elements.
    pub fn len(mut self, lengths: impl Lengths) -> Self {
        self.sizes = lengths.sizes();
        self
    }
}

impl<G: Generator, S: Growing<G::Value>> Generator for Sets<S, G> {
    type Value = S;

    fn draw(&self, tc: &mut TestCase) -> S {
        let mut set = S::default();
        draw_elements(tc, self.element.label(), self.sizes, |tc| {
            set.grow(tc.draw_silent(&self.element))
        });
        set
    }

    fn label(&self) -> u64 {
        mix(label("set"), self.element.label())
    }
}

/// See [`btree_map`] and [`hash_map`].
#[derive(Clone, Copy, Debug)]
pub struct Maps<M, K, V> {
    key: K,
    value: V,
    sizes: Sizes,
    types: PhantomData<fn() -> M>,
}

/// Ordered maps from what `key` makes to what `value` makes.
pub fn btree_map<K: Generator<Value: Ord>, V: Generator>(
    key: K,
    value: V,
) -> Maps<BTreeMap<K::Value, V::Value>, K, V> {
    Maps::new(key, value)
}

/// Maps from what `key` makes to what `value` makes.
pub fn hash_map<K: Generator<Value: Hash + Eq>, V: Generator>(
    key: K,
    value: V,
) -> Maps<HashMap<K::Value, V::Value>, K, V> {
    Maps::new(key, value)
}

impl<M, K, V> Maps<M, K, V> {
    fn new(key: K, value: V) -> Maps<M, K, V> {
        Maps {
            key,
            value,
            sizes: Sizes::new(0, usize::MAX),
            types: PhantomData,
        }
    }

    /// Only so many entries.
    pub fn len(mut self, lengths: impl Lengths) -> Self {
        self.sizes = lengths.sizes();
        self
    }
}

impl<K: Generator, V: Generator, M: GrowingMap<K::Value, V::Value>> Generator for Maps<M, K, V> {
    type Value = M;

    fn draw(&self, tc: &mut TestCase) -> M {
        let mut map = M::default();
        let element = mix(self.key.label(), self.value.label());
        draw_elements(tc, element, self.sizes, |tc| {
            let key = tc.draw_silent(&self.key);
            let is_new = !map.has(&key);
            if is_new {
                let value = tc.draw_silent(&self.value);
                map.grow(key, value);
            }
            is_new
        });
        map
    }

    fn label(&self) -> u64 {
        mix(label("map_of"), mix(self.key.label(), self.value.label()))
    }
}
