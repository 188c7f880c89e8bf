//! What is known of what has a digest, up to a bound. It is looked up, never gone through: in which order a table has
//! it shows nowhere.

use core::hash::{BuildHasherDefault, Hash, Hasher};

use hashbrown::HashMap;

use crate::identity::mixed;

/// A value for each of many digests. When there are too many all are forgotten.
#[derive(Debug)]
pub(crate) struct Memo<K, V> {
    known: HashMap<K, V, HashesDigests>,
    most: usize,
}

impl<K: Eq + Hash, V: Copy> Memo<K, V> {
    /// Nothing known yet, and never more than fits into a table of 2ᵇ places for so many bits.
    pub fn new(bits: u32) -> Memo<K, V> {
        Memo {
            known: HashMap::default(),
            // A table grows when it is filled to seven eighths.
            most: 7 << (bits - 3),
        }
    }

    pub fn get(&self, digest: K) -> Option<V> {
        self.known.get(&digest).copied()
    }

    pub fn insert(&mut self, digest: K, value: V) {
        if self.known.len() >= self.most {
            self.known.clear();
        }
        self.known.insert(digest, value);
    }
}

/// Hashes what is a digest already: by itself.
type HashesDigests = BuildHasherDefault<DigestHasher>;

/// See [`HashesDigests`].
#[derive(Default)]
struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mixed(self.0, (*byte).into());
        }
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = mixed((digest >> 64) as u64, digest as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    #[test]
    fn what_is_too_much_is_forgotten_at_once() {
        let mut memo = Memo::new(3);
        for number in 0..7 {
            memo.insert(Identity(number), number);
        }
        assert!((0..7).all(|number| memo.get(Identity(number)) == Some(number)));
        memo.insert(Identity(7), 7);
        let known: [_; 8] = core::array::from_fn(|number| memo.get(Identity(number as u128)));
        assert_eq!(known[..7], [None; 7]);
        assert_eq!(known[7], Some(7));
    }
}
