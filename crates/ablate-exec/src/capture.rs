//! The end of what a test prints, in bounded memory.

use std::io::Read;

/// Keeps the last bytes of a stream, and counts them all.
pub(crate) struct Tail {
    limit: usize,
    kept: Vec<u8>,
    total: u64,
}

impl Tail {
    /// Keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Tail {
        Tail {
            limit,
            kept: Vec::new(),
            total: 0,
        }
    }

    /// Takes what one read gives; `false` at the end of the stream.
    pub fn read_from(&mut self, mut source: impl Read, scratch: &mut [u8]) -> bool {
        match source.read(scratch) {
            Ok(0) => false,
            Ok(len) => {
                self.push(&scratch[..len]);
                true
            }
            Err(error) => error.kind() == std::io::ErrorKind::Interrupted,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let newest = &bytes[bytes.len().saturating_sub(self.limit)..];
        // Twice the limit, so that the front is moved away only now and then.
        if self.kept.len() + newest.len() > self.limit.saturating_mul(2) {
            let keep = self.limit - newest.len();
            self.kept.drain(..self.kept.len().saturating_sub(keep));
        }
        self.kept.extend_from_slice(newest);
    }

    /// The last bytes, and how many there were.
    pub fn finish(mut self) -> (Vec<u8>, u64) {
        let excess = self.kept.len().saturating_sub(self.limit);
        self.kept.drain(..excess);
        (self.kept, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_tail(limit: usize, writes: &[&str], expected: &str) {
        let mut tail = Tail::new(limit);
        for write in writes {
            assert!(tail.read_from(write.as_bytes(), &mut [0; 64]));
        }
        assert!(!tail.read_from(&b""[..], &mut [0; 64]));
        let (kept, total) = tail.finish();
        assert_eq!(String::from_utf8_lossy(&kept), expected);
        assert_eq!(total, writes.concat().len() as u64);
    }

    #[test]
    fn keeps_the_last_bytes() {
        check_tail(4, &["ab"], "ab");
        check_tail(4, &["ab", "cd", "ef", "gh", "i"], "fghi");
        check_tail(4, &["abcdefghij"], "ghij");
        check_tail(4, &["abc", "defghij", "k"], "hijk");
        check_tail(0, &["abc", "d"], "");
    }
}
