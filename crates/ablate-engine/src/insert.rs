//! What an edit inserts.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;
use core::slice;

/// Elements that an edit inserts, shared by all that have the same edit.
#[derive(Clone, Debug)]
pub struct Insert<E>(Shared<E>);

#[derive(Clone, Debug)]
enum Shared<E> {
    /// One element, as most edits insert: it needs no memory of its own.
    One(E),
    /// In one piece of memory.
    Few(Arc<[E]>),
    /// Where they were made: to copy many of them takes longer than all else.
    Many(Arc<Vec<E>>),
}

impl<E> Insert<E> {
    /// The elements, to be changed, unless somebody else has them too.
    pub(crate) fn get_mut(&mut self) -> Option<&mut [E]> {
        match &mut self.0 {
            Shared::One(one) => Some(slice::from_mut(one)),
            Shared::Few(few) => Arc::get_mut(few),
            Shared::Many(many) => Arc::get_mut(many).map(Vec::as_mut_slice),
        }
    }
}

impl<E: Clone> Insert<E> {
    /// The elements by themselves; copied unless nobody else has them.
    pub(crate) fn into_vec(self) -> Vec<E> {
        match self.0 {
            Shared::One(one) => alloc::vec![one],
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
            Shared::One(one) => slice::from_ref(one),
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
        Insert(match elements {
            [one] => Shared::One(one.clone()),
            elements => Shared::Few(elements.into()),
        })
    }
}

impl<E> From<[E; 1]> for Insert<E> {
    #[inline]
    fn from([one]: [E; 1]) -> Insert<E> {
        Insert(Shared::One(one))
    }
}
