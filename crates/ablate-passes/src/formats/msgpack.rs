//! MessagePack: values within values, whose counts and lengths stand in the lower bits of a byte or
//! in the bytes behind it.

use crate::formats::container::{Container, Encoding, Number, Reader};
use crate::formats::nested_values::{self, Head};

/// The parts of a file in MessagePack; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    nested_values::container(text, head)
}

fn head(reader: &mut Reader<'_>) -> Option<Head> {
    let at = reader.at;
    let byte = reader.byte()?;
    let low = |bits: u8| Number {
        start: at,
        end: at + 1,
        encoding: Encoding::LowBits(bits),
        value: u64::from(byte) & ((1 << bits) - 1),
    };
    let (plain, bytes, items) = match byte {
        0x00..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => return Some(Head::Plain),
        0xc1 => return None,
        0x80..=0x8f => (None, None, Some((low(4), 2))),
        0x90..=0x9f => (None, None, Some((low(4), 1))),
        0xa0..=0xbf => (None, Some((low(5), 0)), None),
        0xc4..=0xc6 => (None, Some((number(reader, byte - 0xc4)?, 0)), None),
        0xc7..=0xc9 => (None, Some((number(reader, byte - 0xc7)?, 1)), None),
        0xca | 0xcb => (Some(4 << (byte - 0xca)), None, None),
        0xcc..=0xcf => (Some(1 << (byte - 0xcc)), None, None),
        0xd0..=0xd3 => (Some(1 << (byte - 0xd0)), None, None),
        0xd4..=0xd8 => (Some((1 << (byte - 0xd4)) + 1), None, None),
        0xd9..=0xdb => (None, Some((number(reader, byte - 0xd9)?, 0)), None),
        0xdc | 0xdd => (None, None, Some((number(reader, byte - 0xdc + 1)?, 1))),
        0xde | 0xdf => (None, None, Some((number(reader, byte - 0xde + 1)?, 2))),
    };
    if let Some(len) = plain {
        reader.take(len)?;
        return Some(Head::Plain);
    }
    let bytes = bytes.map(|(len, skipped)| Head::Bytes { len, skipped });
    bytes.or(items.map(|(count, values)| Head::Items { count, values }))
}

/// A number of 1, 2 or 4 bytes.
fn number(reader: &mut Reader<'_>, width_log2: u8) -> Option<Number> {
    reader.number(1 << width_log2, Encoding::Big)
}
