//! Memory of what has failed lately, by what the edit does to its surroundings: while the target
//! changes elsewhere, the same edit of the same place need not be tried again before the proof.

use crate::identity::{Digest, Element, mixed};
use crate::memo::Memo;
use crate::target::{Candidate, Target};

/// Of so few elements each goes into a key by itself: that is sooner done than to digest them.
const FEW: usize = 24;

/// How long a refuted edit is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// How many elements on each side of an edit belong to its surroundings.
    pub context: usize,
    /// It is forgotten when more than one part in so many of the target has gone since.
    pub loss: usize,
    /// In a target with fewer elements, it is forgotten when more than a quarter has gone, if that is
    /// later: the proof is near there, and takes what depends on something else.
    pub small: usize,
    /// Patches for more places are only known again as the very same candidate.
    pub edits: usize,
    /// So are those that cut more than one part in so many of the target, and more than a few elements.
    pub large: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            context: 2,
            loss: 8,
            small: 256,
            edits: usize::MAX,
            large: 1,
        }
    }
}

/// In small targets, what failed is remembered at least until more than one part in so many has gone.
const SMALL_LOSS: usize = 4;
/// So many bits count the refutations that are remembered at most.
const CAPACITY: u32 = 21;

/// What a patch removes, what it inserts, and what stands around. Two different ones are taken for the
/// same with a chance of 2⁻⁶⁴; then a step is left to the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    fn add(&mut self, number: u64) {
        self.0 = mixed(self.0, number);
    }

    fn add_elements<E: Element>(&mut self, elements: &[E]) {
        self.add(elements.len() as u64);
        elements
            .iter()
            .for_each(|element| self.add(element.digest()));
    }

    fn add_long(&mut self, digest: Digest) {
        let identity = digest.identity().0;
        self.add(identity as u64);
        self.add((identity >> 64) as u64);
    }
}

/// Refuted edits, each with the length that the target had then.
#[derive(Debug)]
pub struct Refuted {
    edits: Memo<Key, u32>,
    /// Where there is none, nothing is remembered.
    memory: Option<Memory>,
}

impl Refuted {
    /// Nothing refuted yet.
    pub fn new(memory: Option<Memory>) -> Refuted {
        Refuted {
            edits: Memo::new(CAPACITY),
            memory,
        }
    }

    /// The key of a candidate, unless nothing is remembered.
    pub(crate) fn key<E: Element>(
        &self,
        target: &Target<E>,
        candidate: &Candidate<E>,
    ) -> Option<Key> {
        let memory = self.memory?;
        let mut key = Key(0);
        let patch = candidate.patch();
        let cut = patch.single_cut().map_or(0, |(start, end)| end - start);
        let is_large = cut > FEW.max(target.len() / memory.large);
        if patch.places() > memory.edits || is_large {
            key.add_long(candidate.digest());
            return Some(key);
        }
        let (context, elements) = (memory.context, target.elements());
        for edit in patch.edits() {
            let from = edit.start.saturating_sub(context);
            let to = (edit.end + context).min(elements.len());
            for (start, end) in [(from, edit.start), (edit.start, edit.end), (edit.end, to)] {
                match end - start <= FEW {
                    true => key.add_elements(&elements[start..end]),
                    false => key.add_long(target.digest(start, end)),
                }
            }
            let insert = edit.insert.as_deref().unwrap_or_default();
            match insert.len() <= FEW {
                true => key.add_elements(insert),
                false => key.add_long(Digest::of(insert)),
            }
        }
        Some(key)
    }

    /// Remembers that the candidate with this key, made from a target of this length, failed.
    pub(crate) fn insert(&mut self, key: Option<Key>, len: usize) {
        if let Some(key) = key {
            (self.edits).insert(key, u32::try_from(len).unwrap_or(u32::MAX));
        }
    }

    /// Whether an edit with this key failed on a target that was not much longer than now: since then
    /// hardly anything has gone that the edit can have depended on.
    pub(crate) fn contains(&self, key: Option<Key>, len: usize) -> bool {
        let (Some(memory), Some(key)) = (self.memory, key) else {
            return false;
        };
        self.edits.get(key).is_some_and(|then| {
            let loss = match len < memory.small {
                true => memory.loss.min(SMALL_LOSS),
                false => memory.loss,
            };
            (then as usize).saturating_sub(len) <= then as usize / loss
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    fn key(target: &Target<u8>, patch: Patch<u8>) -> Option<Key> {
        let refuted = Refuted::new(Some(Memory::default()));
        refuted.key(target, &target.candidate(patch))
    }

    #[test]
    fn an_edit_is_known_again_where_its_surroundings_are_the_same() {
        let before = Target::new(
            b"a long way before it; the middle of it all; a long way behind it".to_vec(),
        );
        let cut = Patch::cut(26, 32);
        let after = Target::new(Patch::cut(0, 5).applied(before.elements()));
        let moved = cut.rebased(&Patch::cut(0, 5)).unwrap();
        assert_eq!(key(&before, cut.clone()), key(&after, moved.clone()));
        assert_ne!(key(&before, cut.clone()), key(&before, Patch::cut(26, 31)));
        assert_ne!(
            key(&before, cut.clone()),
            key(&before, Patch::replace(26, 32, b"x"))
        );
        let near = Target::new(Patch::cut(25, 26).applied(before.elements()));
        assert_ne!(key(&before, cut.clone()), key(&near, Patch::cut(25, 31)));
    }

    #[test]
    fn in_a_small_target_it_expires_later() {
        let mut refuted = Refuted::new(Some(Memory::default()));
        let target_of = |len: usize| Target::new(std::vec![b'x'; len]);
        refuted.insert(key(&target_of(320), Patch::cut(100, 101)), 320);
        let contains =
            |len: usize| refuted.contains(key(&target_of(len), Patch::cut(100, 101)), len);
        assert!(!contains(256));
        assert!(contains(255));
        assert!(contains(240));
        assert!(!contains(239));
    }

    #[test]
    fn a_refutation_expires_when_the_target_has_become_much_shorter() {
        let mut refuted = Refuted::new(Some(Memory::default()));
        let target_of = |len: usize| Target::new(std::vec![b'x'; len]);
        refuted.insert(key(&target_of(800), Patch::cut(100, 101)), 800);
        let contains =
            |len: usize| refuted.contains(key(&target_of(len), Patch::cut(100, 101)), len);
        assert!(contains(800));
        assert!(contains(700));
        assert!(!contains(699));
        assert!(!refuted.contains(key(&target_of(800), Patch::cut(100, 102)), 800));
    }
}
