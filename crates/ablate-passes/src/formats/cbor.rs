//! CBOR (RFC 8949): values within values, whose counts and lengths stand in the lower bits of a byte
//! or in the bytes behind it, or which go on until a byte that ends them.

use crate::formats::container::{Container, Encoding, Number, Reader};
use crate::formats::nested_values::{self, Head};

/// The parts of a file in CBOR; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    nested_values::container(text, head)
}

fn head(reader: &mut Reader<'_>) -> Option<Head> {
    let at = reader.at;
    let byte = reader.byte()?;
    let number = match byte & 31 {
        low @ 0..=23 => Some(Number {
            start: at,
            end: at + 1,
            encoding: Encoding::LowBits(5),
            value: u64::from(low),
        }),
        low @ 24..=27 => Some(reader.number(1 << (low - 24), Encoding::Big)?),
        31 => None,
        _ => return None,
    };
    Some(match (byte >> 5, number) {
        (0 | 1, Some(_)) => Head::Plain,
        (2 | 3, Some(len)) => Head::Bytes { len, skipped: 0 },
        (2..=4, None) => Head::UntilEnd { values: 1 },
        (4, Some(count)) => Head::Items { count, values: 1 },
        (5, Some(count)) => Head::Items { count, values: 2 },
        (5, None) => Head::UntilEnd { values: 2 },
        (6, Some(_)) => Head::Wrapper,
        (7, Some(_)) => Head::Plain,
        (7, None) => Head::End,
        _ => return None,
    })
}
