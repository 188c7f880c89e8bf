//! Memory of what has failed lately, by what the edit does to its surroundings: while the target
//! changes elsewhere, the same edit of the same place need not be tried again before the proof.

use alloc::collections::BTreeMap;

use crate::identity::Element;
use crate::target::{Candidate, Target};

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
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            context: 2,
            loss: 8,
            small: 256,
            edits: usize::MAX,
        }
    }
}

/// In small targets, what failed is remembered at least until more than one part in so many has gone.
const SMALL_LOSS: usize = 4;
/// How many refutations are remembered at most.
const CAPACITY: usize = 1 << 21;

/// Refuted edits, each with the length that the target had then.
#[derive(Debug, Default)]
pub struct Refuted {
    edits: BTreeMap<u128, u32>,
    memory: Memory,
}

impl Refuted {
    /// Nothing refuted yet.
    pub fn new(memory: Memory) -> Refuted {
        Refuted {
            edits: BTreeMap::new(),
            memory,
        }
    }

    /// The key of a candidate: what its patch removes, what it inserts, and what stands around.
    fn key<E: Element>(&self, target: &Target<E>, candidate: &Candidate<E>) -> u128 {
        let patch = candidate.patch();
        if patch.places() > self.memory.edits {
            return candidate.identity().0;
        }
        let context = self.memory.context;
        let mut key = 0u128;
        for edit in patch.edits() {
            let around = target.digest(
                edit.start.saturating_sub(context),
                (edit.end + context).min(target.len()),
            );
            let inside = target.digest(edit.start, edit.end);
            let insert = edit
                .insert
                .as_deref()
                .map_or(0, |i| 1 + crate::identity::Digest::of(i).identity().0);
            for part in [around.identity().0, inside.identity().0, insert] {
                key = (key ^ part)
                    .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b_u128)
                    .rotate_left(29);
            }
        }
        key
    }

    /// Remembers that a candidate failed.
    pub fn insert<E: Element>(&mut self, target: &Target<E>, candidate: &Candidate<E>) {
        if self.edits.len() >= CAPACITY {
            self.edits.clear();
        }
        let len = u32::try_from(target.len()).unwrap_or(u32::MAX);
        self.edits.insert(self.key(target, candidate), len);
    }

    /// Whether the candidate's edit failed on a target that was not much longer: since then hardly
    /// anything has gone that the edit can have depended on.
    pub fn contains<E: Element>(&self, target: &Target<E>, candidate: &Candidate<E>) -> bool {
        let key = self.key(target, candidate);
        self.edits.get(&key).is_some_and(|&then| {
            let is_small = target.len() < self.memory.small;
            let loss = if is_small {
                self.memory.loss.min(SMALL_LOSS)
            } else {
                self.memory.loss
            };
            (then as usize).saturating_sub(target.len()) <= then as usize / loss
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    fn key(target: &Target<u8>, patch: Patch<u8>) -> u128 {
        Refuted::default().key(target, &target.candidate(patch))
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
        let mut refuted = Refuted::default();
        let target_of = |len: usize| Target::new(std::vec![b'x'; len]);
        let candidate_of = |target: &Target<u8>| target.candidate(Patch::cut(100, 101));
        let failed = target_of(320);
        refuted.insert(&failed, &candidate_of(&failed));
        let contains = |len: usize| {
            let target = target_of(len);
            refuted.contains(&target, &candidate_of(&target))
        };
        assert!(!contains(256));
        assert!(contains(255));
        assert!(contains(240));
        assert!(!contains(239));
    }

    #[test]
    fn a_refutation_expires_when_the_target_has_become_much_shorter() {
        let mut refuted = Refuted::default();
        let target_of = |len: usize| Target::new(std::vec![b'x'; len]);
        let candidate_of = |target: &Target<u8>| target.candidate(Patch::cut(100, 101));
        let failed = target_of(800);
        refuted.insert(&failed, &candidate_of(&failed));
        let contains = |len: usize| {
            let target = target_of(len);
            refuted.contains(&target, &candidate_of(&target))
        };
        assert!(contains(800));
        assert!(contains(700));
        assert!(!contains(699));
        assert!(!refuted.contains(&failed, &failed.candidate(Patch::cut(100, 102))));
    }
}
