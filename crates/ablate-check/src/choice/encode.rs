//! Choice sequences as text: for `ABLATE_REPLAY`, for attributes and for files.
//!
//! A sequence is its version, `1`, and its values, joined by dots: `t` and `f` for booleans,
//! decimal numbers, `r` and 16 hexadecimal digits for a float, `b` and hexadecimal digits for
//! bytes, `s` and the hexadecimal digits of the UTF-8 for text. Only values are written: what each
//! might have been is known again when the sequence is replayed.

use std::borrow::Borrow;
use std::fmt::Write;

use super::Value;

/// The version of the format.
const VERSION: &str = "1";

/// The sequence as text.
pub fn encode(values: impl IntoIterator<Item: Borrow<Value>>) -> String {
    let mut text = String::from(VERSION);
    for value in values {
        text.push('.');
        write_value(&mut text, value.borrow());
    }
    text
}

fn write_value(text: &mut String, value: &Value) {
    // Writing to a string can't fail.
    let _ = match value {
        Value::Boolean(true) => text.write_char('t'),
        Value::Boolean(false) => text.write_char('f'),
        Value::Integer(value) => match i64::try_from(*value) {
            Ok(small) => write_small(text, small),
            Err(_) => write!(text, "{value}"),
        },
        Value::Float(bits) => write!(text, "r{bits:016x}"),
        Value::Bytes(bytes) => write_hex(text, 'b', bytes),
        Value::Text(letters) => write_hex(text, 's', letters.as_bytes()),
        // Only candidates hold marks, and those are not stored.
        Value::Open(_) => text.write_char('('),
        Value::Close => text.write_char(')'),
        Value::Recode => text.write_char('^'),
    };
}

/// A number, as most are, that is sooner written by hand.
fn write_small(text: &mut String, value: i64) -> std::fmt::Result {
    // Those of the greatest, the last one first.
    let mut digits = ['0'; 20];
    let (mut rest, mut count) = (value.unsigned_abs(), 0);
    while rest > 0 || count == 0 {
        digits[count] = char::from(b'0' + (rest % 10) as u8);
        rest /= 10;
        count += 1;
    }
    if value < 0 {
        text.push('-');
    }
    digits[..count]
        .iter()
        .rev()
        .for_each(|digit| text.push(*digit));
    Ok(())
}

fn write_hex(text: &mut String, tag: char, bytes: &[u8]) -> std::fmt::Result {
    text.push(tag);
    bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
}

/// The sequence that `text` stands for; `None` when it is not one, or of another version.
pub fn decode(text: &str) -> Option<Vec<Value>> {
    let text = text.trim().as_bytes();
    let is_dot = |byte: &u8| *byte == b'.';
    let mut parts = text.split(is_dot);
    (parts.next()? == VERSION.as_bytes()).then_some(())?;
    let mut values = Vec::with_capacity(text.iter().filter(|byte| is_dot(byte)).count());
    for part in parts {
        values.push(decode_value(part)?);
    }
    Some(values)
}

fn decode_value(text: &[u8]) -> Option<Value> {
    Some(match text {
        b"t" => Value::Boolean(true),
        b"f" => Value::Boolean(false),
        [b'r', digits @ ..] => {
            Value::Float(u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?)
        }
        [b'b', digits @ ..] => Value::Bytes(read_hex(digits)?.into()),
        [b's', digits @ ..] => Value::Text(String::from_utf8(read_hex(digits)?).ok()?.into()),
        number => {
            let read = || str::from_utf8(number).ok()?.parse().ok();
            Value::Integer(read_small(number).map(i128::from).or_else(read)?)
        }
    })
}

/// A number of few digits, as most are, that is sooner read by hand.
fn read_small(number: &[u8]) -> Option<i64> {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    if !(1..=18).contains(&digits.len()) {
        return None;
    }
    let size = digits.iter().try_fold(0, |size, digit| match digit {
        b'0'..=b'9' => Some(size * 10 + i64::from(digit - b'0')),
        _ => None,
    })?;
    Some(if digits.len() < number.len() {
        -size
    } else {
        size
    })
}

fn read_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let nibble = |digit: u8| (digit as char).to_digit(16);
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(nibble(*high)? * 16 + nibble(*low)?).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let values = vec![
            Value::Boolean(true),
            Value::Boolean(false),
            Value::Integer(-5),
            Value::Integer(i128::MIN),
            Value::Integer(i64::MIN.into()),
            Value::Integer(0),
            Value::Float((-1.5f64).to_bits()),
            Value::Bytes([0, 255].into()),
            Value::Text("né.".into()),
            Value::Bytes([].into()),
        ];
        let text = encode(&values);
        assert_eq!(
            text,
            "1.t.f.-5.-170141183460469231731687303715884105728.-9223372036854775808.0.rbff8000000000000.b00ff.s6ec3a92e.b"
        );
        assert_eq!(decode(&text), Some(values));
        assert_eq!(decode("1"), Some(vec![]));
    }

    #[test]
    fn what_is_damaged_is_refused() {
        for text in ["", "2.t", "1.", "1.x", "1.b0", "1.tt", "1.sff", "1.5é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
