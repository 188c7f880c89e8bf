//! Values within values, as MessagePack, CBOR and their like write them: each value begins with what
//! it is, and with how many bytes or values are in it. What a beginning says, a format has to tell;
//! this makes a container of it.

use alloc::vec::Vec;

use crate::formats::characters::is_control;
use crate::formats::container::{Builder, Container, Number, Reader};

/// Values that are nested deeper are not looked into, and neither is the file.
const DEPTH_MAX: usize = 1 << 10;

/// What a value begins with.
#[derive(Clone, Copy, Debug)]
pub enum Head {
    /// All of the value: nothing follows.
    Plain,
    /// So many bytes follow, behind some that are not counted.
    Bytes {
        /// How many bytes.
        len: Number,
        /// How many there are before them.
        skipped: u64,
    },
    /// Items follow.
    Items {
        /// How many items.
        count: Number,
        /// How many values each of them has.
        values: u64,
    },
    /// Values follow until there is an end.
    UntilEnd {
        /// How many of them make an item.
        values: u64,
    },
    /// What ends such a row of values.
    End,
    /// One value follows, and belongs to this one.
    Wrapper,
}

/// A value that has begun and goes on.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    /// The group of its items; none for a wrapper.
    group: Option<u32>,
    /// How many values are still to come, unless an end says so.
    left: Option<u64>,
    /// How many of them make an item, how many there have been, and where the item starts.
    values: u64,
    seen: u64,
    item: usize,
}

/// The values of a file; `None` unless it is one value or more, each of which has others in it.
pub fn container(text: &[u8], head: fn(&mut Reader<'_>) -> Option<Head>) -> Option<Container> {
    if !text.iter().any(|&byte| is_control(byte)) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut reader = Reader::new(text, 0, text.len());
    let whole = builder.group(0);
    while !reader.is_at_end() {
        let start = reader.at;
        let mut ahead = reader.clone();
        let first = head(&mut ahead)?;
        if !matches!(
            first,
            Head::Items { .. } | Head::UntilEnd { .. } | Head::Wrapper
        ) {
            return None;
        }
        value(&mut builder, &mut reader, head)?;
        builder.part(whole, start, reader.at);
    }
    Some(builder.finish())
}

/// Reads a value with all that is in it.
fn value(
    builder: &mut Builder<'_>,
    reader: &mut Reader<'_>,
    head: fn(&mut Reader<'_>) -> Option<Head>,
) -> Option<()> {
    let mut open: Vec<Open> = Vec::new();
    loop {
        let start = reader.at;
        let begun = match head(reader)? {
            Head::Plain => None,
            Head::Bytes { len, skipped } => {
                reader.take(skipped)?;
                let content = reader.part(len.value)?;
                builder.length(len, content.at, content.end);
                builder.payload(content.at, content.end);
                None
            }
            Head::Items { count, values } => {
                let group = builder.group(open.len() as u32 + 1);
                let left = count.value.checked_mul(values)?;
                builder.count(count, group);
                Some((Some(group), Some(left), values))
            }
            Head::UntilEnd { values } => {
                let group = builder.group(open.len() as u32 + 1);
                Some((Some(group), None, values))
            }
            Head::Wrapper => Some((None, Some(1), 1)),
            Head::End => {
                let last = open.last()?;
                if last.left.is_some() || !last.seen.is_multiple_of(last.values) {
                    return None;
                }
                open.last_mut()?.left = Some(0);
                if closed(builder, &mut open, reader.at) {
                    return Some(());
                }
                continue;
            }
        };
        if open.len() >= DEPTH_MAX {
            return None;
        }
        open.push(Open {
            start,
            group: begun.and_then(|(group, ..)| group),
            left: begun.map_or(Some(0), |(_, left, _)| left),
            values: begun.map_or(1, |(.., values)| values),
            seen: 0,
            item: reader.at,
        });
        if closed(builder, &mut open, reader.at) {
            return Some(());
        }
    }
}

/// Closes the values that end at a position; whether none is left open.
fn closed(builder: &mut Builder<'_>, open: &mut Vec<Open>, at: usize) -> bool {
    while let Some(last) = open.pop_if(|last| last.left == Some(0)) {
        builder.value(last.start, at);
        let Some(around) = open.last_mut() else {
            return true;
        };
        around.left = around.left.map(|left| left - 1);
        around.seen += 1;
        if around.seen.is_multiple_of(around.values) {
            if let Some(group) = around.group {
                builder.part(group, around.item, at);
            }
            around.item = at;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::formats::{cbor, msgpack};

    #[test]
    fn what_ends_too_early_or_goes_on_is_no_value() {
        assert!(msgpack::container(b"\x92\x01\xc0").is_some());
        assert!(msgpack::container(b"\x92\x01").is_none());
        assert!(msgpack::container(b"\x91\x01\xc0").is_none());
        assert!(msgpack::container(b"\xdf\xff\xff\xff\xff\xc0").is_none());
        assert!(cbor::container(b"\x9f\x01\xff").is_some());
        assert!(cbor::container(b"\xbf\x01\xff").is_none());
        assert!(cbor::container(b"\x81\xff").is_none());
        assert!(cbor::container(b"\xff").is_none());
    }

    #[test]
    fn deep_values_are_left_alone() {
        assert!(msgpack::container(&[0x91; 1 << 20]).is_none());
    }
}
