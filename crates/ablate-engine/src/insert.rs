//! What an edit inserts.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;

/// Elements that an edit inserts, shared by all that have the same edit.
#[derive(Clone, Debug)]
pub struct Insert<E>(Shared<E>);

#[derive(Clone, Debug)]
enum Shared<E> {
    /// In one piece of memory.
    Few(Arc<[E]>),
    /// Where they were made: to copy many of them takes longer than all else.
    Many(Arc<Vec<E>>),
}

impl<E> Insert<E> {
    /// Whether both are the very same.
    pub(crate) fn is_shared_with(&self, other: &Insert<E>) -> bool {
        match (&self.0, &other.0) {
            (Shared::Few(one), Shared::Few(other)) => Arc::ptr_eq(one, other),
            (Shared::Many(one), Shared::Many(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// The elements, to be changed, unless somebody else has them too.
    pub(crate) fn get_mut(&mut self) -> Option<&mut [E]> {
        match &mut self.0 {
            Shared::Few(few) => Arc::get_mut(few),
            Shared::Many(many) => Arc::get_mut(many).map(Vec::as_mut_slice),
        }
    }
}

impl<E: Clone> Insert<E> {
    /// The elements by themselves; copied unless nobody else has them.
    pub(crate) fn into_vec(self) -> Vec<E> {
        match self.0 {
            Shared::Few(few) => few.to_vec(),
            Shared::Many(many) => Arc::unwrap_or_clone(many),
        }
    }
}

impl<E> Deref for Insert<E> {
    type Target = [E];

    #[inline]
    fn deref(&self) -> &[E] {
        match &self.0 {
            Shared::Few(few) => few,
            Shared::Many(many) => many,
        }
    }
}

impl<E: PartialEq> PartialEq for Insert<E> {
    fn eq(&self, other: &Insert<E>) -> bool {
        **self == **other
    }
}

impl<E: Eq> Eq for Insert<E> {}

impl<E> From<Vec<E>> for Insert<E> {
    fn from(elements: Vec<E>) -> Insert<E> {
        Insert(Shared::Many(Arc::new(elements)))
    }
}

impl<E: Clone> From<&[E]> for Insert<E> {
    fn from(elements: &[E]) -> Insert<E> {
        Insert(Shared::Few(elements.into()))
    }
}

impl<E, const N: usize> From<[E; N]> for Insert<E> {
    #[inline]
    fn from(elements: [E; N]) -> Insert<E> {
        Insert(Shared::Few(elements.into()))
    }
}
