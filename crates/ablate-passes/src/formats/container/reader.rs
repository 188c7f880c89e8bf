//! A cursor over bytes that may say anything: nothing is read beyond their end.

use super::encoding::{Encoding, read_leb128};

/// A number in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
    /// How it is written.
    pub encoding: Encoding,
    /// What it says.
    pub value: u64,
}

/// Reads from a part of the bytes, from the left.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a [u8],
    /// The next position to read from.
    pub at: usize,
    /// Where the part ends.
    pub end: usize,
}

impl<'a> Reader<'a> {
    /// Reads the part `start..end`, or as much of it as there is.
    pub fn new(text: &'a [u8], start: usize, end: usize) -> Reader<'a> {
        let end = end.min(text.len());
        Reader {
            text,
            at: start.min(end),
            end,
        }
    }

    /// Whether everything has been read.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// How much is left.
    pub fn left(&self) -> usize {
        self.end - self.at
    }

    /// What comes next, without reading it.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.at..self.end]
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let byte = self.rest().first().copied()?;
        self.at += 1;
        Some(byte)
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let len = usize::try_from(len).ok()?;
        let bytes = self.rest().get(..len)?;
        self.at += len;
        Some(bytes)
    }

    /// Whether the bytes go on with `expected`, which is read if so.
    pub fn expect(&mut self, expected: &[u8]) -> Option<()> {
        self.rest().strip_prefix(expected)?;
        self.at += expected.len();
        Some(())
    }

    /// A reader for the next `len` bytes, which this one goes past.
    pub fn part(&mut self, len: u64) -> Option<Reader<'a>> {
        let start = self.at;
        self.take(len)?;
        Some(Reader::new(self.text, start, self.at))
    }

    /// A number of `width` bytes.
    pub fn number(&mut self, width: usize, encoding: Encoding) -> Option<Number> {
        let start = self.at;
        let value = encoding.read(self.take(width as u64)?)?;
        Some(Number {
            start,
            end: self.at,
            encoding,
            value,
        })
    }

    /// A number of as many bytes as it says itself.
    pub fn sized_number(&mut self, encoding: Encoding) -> Option<Number> {
        let width = encoding.len_of(self.rest())?;
        self.number(width, encoding)
    }

    /// A number of as many bytes as it says.
    pub fn leb128(&mut self) -> Option<Number> {
        let (value, len) = read_leb128(self.rest())?;
        self.at += len;
        Some(Number {
            start: self.at - len,
            end: self.at,
            encoding: Encoding::Leb128,
            value,
        })
    }

    /// Skips a number of as many bytes as it says, signed or not, of at most `bytes_max` bytes.
    pub fn skip_leb128(&mut self, bytes_max: usize) -> Option<()> {
        let len = self.rest().iter().position(|byte| byte & 0x80 == 0)? + 1;
        self.at += len;
        (len <= bytes_max).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let mut reader = Reader::new(&[5, 1, 2, 0x80], 0, 99);
        assert_eq!(reader.byte(), Some(5));
        assert_eq!(reader.take(4), None);
        assert_eq!(reader.take(u64::MAX).map(<[u8]>::len), None);
        assert_eq!(
            reader.number(2, Encoding::Big).map(|n| n.value),
            Some(0x102)
        );
        assert_eq!(reader.leb128(), None);
        assert_eq!(reader.left(), 1);
        assert!(reader.part(1).is_some() && reader.is_at_end());
    }
}
