//! How binary formats write numbers, and what checksums they use.

use alloc::vec::Vec;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// In as many bytes as it takes up now, the lowest first.
    Little,
    /// In as many bytes as it takes up now, the highest first.
    Big,
    /// How many units of so many bytes it is, in as many bytes as it takes up now, the lowest first, as
    /// SPIR-V and Windows metafiles count in words.
    LittleIn(u8),
    /// The same, the highest byte first, as shapefiles count, and TrueType in short offsets.
    BigIn(u8),
    /// Seven bits in each byte, the lowest first, the high bit set on all but the last.
    Leb128,
    /// Decimal digits, as many as are needed.
    Decimal,
    /// Decimal digits, as many as there are now, with zeros in front.
    PaddedDecimal,
    /// Decimal digits with spaces or zero bytes behind them, in as many bytes as it takes up now.
    SpacedDecimal,
    /// As the Unix archives write it: octal digits with zeros in front, and what ends them.
    Octal,
    /// As BER and DER write lengths: up to 127 in one byte, others behind a byte that says how many
    /// bytes they take, the highest first.
    Der,
    /// As EBML writes sizes: a bit in the first byte says how many bytes there are, and the bits behind
    /// it are the number; in as many bytes as it takes up now.
    Vint,
    /// Seven bits in each byte, the highest first, in as many bytes as it takes up now, as in ID3.
    SevenBits,
    /// In the lower bits of a byte, so many of them; the others stay.
    LowBits(u8),
    /// In the upper four bits of a byte; the others stay.
    HighBits,
    /// Twice the number as in `Leb128`, as Avro and Thrift write what could be negative.
    ZigZag,
}

impl Encoding {
    /// How many bytes a number has that says so itself; `bytes` begin with it.
    pub fn len_of(self, bytes: &[u8]) -> Option<usize> {
        let first = *bytes.first()?;
        match self {
            Encoding::Leb128 | Encoding::ZigZag => read_leb128(bytes).map(|(_, len)| len),
            Encoding::Der if first < 0x80 => Some(1),
            Encoding::Der => {
                Some(1 + usize::from(first & 0x7f)).filter(|len| (2..=9).contains(len))
            }
            Encoding::Vint => Some(first.leading_zeros() as usize + 1).filter(|&len| len <= 8),
            _ => None,
        }
    }

    /// How numbers are written beside those that count in units.
    pub fn plain(self) -> Encoding {
        match self {
            Encoding::LittleIn(_) => Encoding::Little,
            Encoding::BigIn(_) => Encoding::Big,
            other => other,
        }
    }

    /// The number that `bytes` stand for; `None` if they are no number of at most 64 bits.
    pub fn read(self, bytes: &[u8]) -> Option<u64> {
        match self {
            Encoding::Little | Encoding::Big if bytes.is_empty() || bytes.len() > 8 => None,
            Encoding::Little => Some(bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))),
            Encoding::Big => Some(bytes.iter().fold(0, |n, &b| n << 8 | u64::from(b))),
            Encoding::LittleIn(unit) | Encoding::BigIn(unit) => {
                self.plain().read(bytes)?.checked_mul(unit.into())
            }
            Encoding::Leb128 => {
                let (value, len) = read_leb128(bytes)?;
                (len == bytes.len()).then_some(value)
            }
            Encoding::ZigZag => {
                let twice = Encoding::Leb128.read(bytes)?;
                twice.is_multiple_of(2).then_some(twice / 2)
            }
            Encoding::Der if self.len_of(bytes) != Some(bytes.len()) => None,
            Encoding::Der if bytes.len() == 1 => Some(u64::from(bytes[0])),
            Encoding::Der => Encoding::Big.read(&bytes[1..]),
            Encoding::Vint if self.len_of(bytes) != Some(bytes.len()) => None,
            Encoding::Vint => {
                let max = vint_max(bytes.len());
                // All ones stand for a size that is not known.
                Encoding::Big
                    .read(bytes)
                    .map(|n| n & max)
                    .filter(|&n| n < max)
            }
            Encoding::SevenBits => {
                let is_right =
                    (1..=8).contains(&bytes.len()) && bytes.iter().all(|&byte| byte < 0x80);
                is_right.then(|| bytes.iter().fold(0, |n, &b| n << 7 | u64::from(b)))
            }
            Encoding::LowBits(bits) => match bytes {
                [byte] => Some(u64::from(byte & low_bits(bits))),
                _ => None,
            },
            Encoding::HighBits => match bytes {
                [byte] => Some(u64::from(byte >> 4)),
                _ => None,
            },
            Encoding::Decimal | Encoding::PaddedDecimal => digits(bytes, 10),
            Encoding::SpacedDecimal => {
                let end = bytes.iter().rposition(|byte| !matches!(byte, 0 | b' '));
                digits(&bytes[..end.map_or(0, |end| end + 1)], 10)
            }
            Encoding::Octal => {
                let end = bytes
                    .iter()
                    .position(|byte| matches!(byte, 0 | b' '))
                    .unwrap_or(bytes.len());
                digits(&bytes[..end], 8)
            }
        }
    }

    /// The number `value` in place of `old`; `None` where it does not fit.
    pub fn written(self, value: u64, old: &[u8]) -> Option<Vec<u8>> {
        let width = old.len();
        match self {
            Encoding::Little | Encoding::Big => {
                if width == 0 || width > 8 || (width < 8 && value >> (8 * width) != 0) {
                    return None;
                }
                let mut bytes = value.to_le_bytes()[..width].to_vec();
                if self == Encoding::Big {
                    bytes.reverse();
                }
                Some(bytes)
            }
            Encoding::LittleIn(unit) | Encoding::BigIn(unit) => {
                let units = value.checked_div(unit.into())?;
                let is_whole = value == units * u64::from(unit);
                is_whole.then(|| self.plain().written(units, old))?
            }
            Encoding::Der if value < 0x80 => Some([value as u8].to_vec()),
            Encoding::Der => {
                let len = 8 - value.leading_zeros() as usize / 8;
                let mut bytes = [0x80 | len as u8].to_vec();
                bytes.extend_from_slice(&value.to_be_bytes()[8 - len..]);
                Some(bytes)
            }
            Encoding::Vint => {
                let max = vint_max(width);
                let is_right = (1..=8).contains(&width) && value < max;
                is_right.then(|| (value | (max + 1)).to_be_bytes()[8 - width..].to_vec())
            }
            Encoding::SevenBits => {
                let is_right = (1..=8).contains(&width) && value >> (7 * width) == 0;
                let byte = |at: usize| (value >> (7 * (width - 1 - at)) & 0x7f) as u8;
                is_right.then(|| (0..width).map(byte).collect())
            }
            Encoding::LowBits(bits) => {
                let mask = low_bits(bits);
                let value = u8::try_from(value)
                    .ok()
                    .filter(|value| value & !mask == 0)?;
                Some([old.first()? & !mask | value].to_vec())
            }
            Encoding::HighBits => {
                let value = u8::try_from(value).ok().filter(|value| *value < 16)?;
                Some([old.first()? & 15 | value << 4].to_vec())
            }
            Encoding::Leb128 => Some(write_leb128(value)),
            Encoding::ZigZag => Some(write_leb128(value.checked_mul(2)?)),
            Encoding::Decimal => Some(write_digits(value, 10, 1)),
            Encoding::PaddedDecimal => {
                let bytes = write_digits(value, 10, width);
                (bytes.len() == width).then_some(bytes)
            }
            Encoding::SpacedDecimal => {
                let mut bytes = write_digits(value, 10, 1);
                let is_right = bytes.len() <= width;
                let blank = old.last().filter(|byte| **byte == 0);
                bytes.resize(width, *blank.unwrap_or(&b' '));
                is_right.then_some(bytes)
            }
            Encoding::Octal => {
                let end = old
                    .iter()
                    .position(|byte| matches!(byte, 0 | b' '))
                    .unwrap_or(width);
                let mut bytes = write_digits(value, 8, end);
                if bytes.len() != end {
                    return None;
                }
                bytes.extend_from_slice(&old[end..]);
                Some(bytes)
            }
        }
    }
}

/// The largest number, which is no size, that EBML writes in so many bytes: 1 to 8.
fn vint_max(width: usize) -> u64 {
    (1 << (7 * width)) - 1
}

fn low_bits(bits: u8) -> u8 {
    u8::MAX
        .checked_shr(8_u32.saturating_sub(bits.into()))
        .unwrap_or(0)
}

/// The number that `bytes` begin with, and how many bytes it takes up.
pub fn read_leb128(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0_u64;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7f);
        let shifted = part << (7 * index);
        if shifted >> (7 * index) != part {
            return None;
        }
        value |= shifted;
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
    }
    None
}

fn write_leb128(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn digits(bytes: &[u8], base: u64) -> Option<u64> {
    if bytes.is_empty() {
        return None;
    }
    bytes.iter().try_fold(0_u64, |number, &byte| {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        let larger = number.checked_mul(base)?.checked_add(digit)?;
        (digit < base).then_some(larger)
    })
}

fn write_digits(mut value: u64, base: u64, width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0 || bytes.len() < width {
        bytes.push(b'0' + (value % base) as u8);
        value /= base;
    }
    bytes.reverse();
    bytes
}

/// A checksum of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// The one of PNG, gzip and zip: CRC-32 with the polynomial of Ethernet.
    Crc32,
    /// The one of zlib.
    Adler32,
    /// The sum of all bytes, those of the checksum itself taken as spaces: the one of tar.
    SumWithSpaces,
    /// The sum of all words of four bytes, most significant first, zeros behind the last byte: the one
    /// of TrueType.
    SumOfWords,
}

impl Checksum {
    /// The checksum of `bytes`. `own` is where the checksum itself stands in them, if it does.
    pub fn of(self, bytes: &[u8], own: Option<(usize, usize)>) -> u64 {
        match self {
            Checksum::Crc32 => u64::from(crc32(bytes)),
            Checksum::Adler32 => u64::from(adler32(bytes)),
            Checksum::SumWithSpaces => {
                let is_own = |at| own.is_some_and(|(start, end)| start <= at && at < end);
                let each = bytes.iter().enumerate();
                each.map(|(at, &byte)| u64::from(if is_own(at) { b' ' } else { byte }))
                    .sum()
            }
            Checksum::SumOfWords => {
                let word = |bytes: &[u8]| {
                    let padded = bytes.iter().copied().chain([0; 4]).take(4);
                    padded.fold(0, |word: u32, byte| word << 8 | u32::from(byte))
                };
                let words = bytes.chunks(4).map(word);
                u64::from(words.fold(0, u32::wrapping_add))
            }
        }
    }
}

/// CRC-32, four bits at a time.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut index = 0;
        while index < 16 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 4 {
                value = (value >> 1) ^ if value & 1 == 1 { 0xedb8_8320 } else { 0 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    let crc = bytes.iter().fold(!0_u32, |crc, &byte| {
        let crc = crc ^ u32::from(byte);
        let crc = (crc >> 4) ^ TABLE[(crc & 15) as usize];
        (crc >> 4) ^ TABLE[(crc & 15) as usize]
    });
    !crc
}

fn adler32(bytes: &[u8]) -> u32 {
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (a + b) % 65521)
    });
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for (encoding, bytes, value, next) in [
            (Encoding::Little, &[1, 2][..], 0x201, &[0, 1][..]),
            (Encoding::Big, &[1, 2], 0x102, &[1, 0]),
            (Encoding::BigIn(2), &[1, 2], 0x204, &[0, 128]),
            (Encoding::LittleIn(4), &[1, 2], 0x804, &[64, 0]),
            (Encoding::Leb128, &[0xe5, 0x8e, 0x26], 624_485, &[0x80, 2]),
            (Encoding::ZigZag, &[0x90, 3], 200, &[0x80, 4]),
            (Encoding::Decimal, b"1024", 1024, b"256"),
            (Encoding::PaddedDecimal, b"0001024", 1024, b"0000256"),
            (Encoding::Octal, b"00017\0", 15, b"00400\0"),
            (Encoding::SpacedDecimal, b"15    ", 15, b"256   "),
            (Encoding::Der, &[5], 5, &[0x82, 1, 0]),
            (Encoding::Der, &[0x82, 1, 2], 258, &[0x82, 1, 0]),
            (Encoding::Vint, &[0x40, 5], 5, &[0x41, 0]),
            (Encoding::SevenBits, &[0, 0, 1, 1], 129, &[0, 0, 2, 0]),
        ] {
            assert_eq!(encoding.read(bytes), Some(value), "{encoding:?}");
            assert_eq!(encoding.written(256, bytes).as_deref(), Some(next));
        }
    }

    #[test]
    fn what_is_no_whole_number_of_units_is_not_written() {
        assert_eq!(Encoding::LittleIn(4).written(6, &[1, 2]), None);
        assert_eq!(Encoding::BigIn(0).written(0, &[1, 2]), None);
    }

    #[test]
    fn the_upper_bits_stay() {
        assert_eq!(Encoding::LowBits(4).read(&[0x8f]), Some(15));
        assert_eq!(
            Encoding::LowBits(4).written(3, &[0x8f]),
            Some([0x83].into())
        );
        assert_eq!(Encoding::LowBits(8).written(3, &[0x8f]), Some([3].into()));
        assert_eq!(Encoding::LowBits(0).read(&[0x8f]), Some(0));
        assert_eq!(Encoding::HighBits.read(&[0x8f]), Some(8));
        assert_eq!(Encoding::HighBits.written(3, &[0x8f]), Some([0x3f].into()));
    }

    #[test]
    fn what_is_too_large_is_no_number() {
        assert_eq!(Encoding::Leb128.read(&[0xff; 9]), None);
        assert_eq!(
            Encoding::Leb128.read(&[255, 255, 255, 255, 255, 255, 255, 255, 255, 2]),
            None
        );
        assert_eq!(Encoding::Decimal.read(b"18446744073709551616"), None);
        assert_eq!(Encoding::Der.read(&[0x80]), None);
        assert_eq!(Encoding::Der.len_of(&[0xff]), None);
        assert_eq!(Encoding::Vint.read(&[0xff]), None);
        assert_eq!(Encoding::Vint.written(127, &[0x80]), None);
        assert_eq!(Encoding::Vint.len_of(&[0]), None);
        assert_eq!(Encoding::SevenBits.read(&[0x80, 0]), None);
        assert_eq!(Encoding::Little.written(256, &[0]), None);
        assert_eq!(Encoding::PaddedDecimal.written(100, b"00"), None);
        assert_eq!(Encoding::LowBits(4).written(16, &[0x8f]), None);
        assert_eq!(Encoding::HighBits.written(16, &[0x8f]), None);
        assert_eq!(Encoding::ZigZag.read(&[1]), None);
    }

    #[test]
    fn checksums_are_those_of_the_standards() {
        assert_eq!(Checksum::Crc32.of(b"123456789", None), 0xcbf4_3926);
        assert_eq!(Checksum::Adler32.of(b"Wikipedia", None), 0x11e6_0398);
        assert_eq!(
            Checksum::SumOfWords.of(b"\xff\xff\xff\xff\0\0\0\x03\x01", None),
            0x0100_0002
        );
        assert_eq!(Checksum::SumWithSpaces.of(b"a7", Some((1, 2))), 97 + 32);
    }
}
