//! Messages in the wire format of Protocol Buffers: fields, and messages within them. They have
//! nothing by which they can be told; what can be read as one is taken for one.

use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Number, Reader};

/// Messages that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 32;
/// Numbers of fields that are larger are taken for chance.
const FIELD_MAX: u64 = 1 << 18;

/// The parts of a message; `None` for what can't be one.
pub fn container(text: &[u8]) -> Option<Container> {
    let is_text = text
        .iter()
        .all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    if is_text || !is_message(Reader::new(text, 0, text.len())) {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut open = Vec::new();
    open.push((Reader::new(text, 0, text.len()), 0));
    // Each message is looked at once; what is in it is put off.
    while let Some((mut reader, level)) = open.pop() {
        let group = builder.group(level);
        while builder.has_room() && !reader.is_at_end() {
            let start = reader.at;
            let Some(content) = field(&mut reader) else {
                break;
            };
            builder.part(group, start, reader.at);
            let Some((len, content)) = content else {
                continue;
            };
            builder.length(len, content.at, content.end);
            builder.payload(content.at, content.end);
            if level < DEPTH_MAX && !is_printed(content.rest()) && is_message(content.clone()) {
                open.push((content, level + 1));
            }
        }
    }
    Some(builder.finish())
}

/// Reads a field; what is in it, and how long that is, for one that says so. `None` for no field.
fn field<'a>(reader: &mut Reader<'a>) -> Option<Option<(Number, Reader<'a>)>> {
    let tag = reader.leb128()?.value;
    if tag >> 3 == 0 || tag >> 3 > FIELD_MAX {
        return None;
    }
    match tag & 7 {
        0 => reader.skip_leb128(10)?,
        1 => drop(reader.take(8)?),
        2 => {
            let len = reader.leb128()?;
            return Some(Some((len, reader.part(len.value)?)));
        }
        5 => drop(reader.take(4)?),
        _ => return None,
    }
    Some(None)
}

fn is_message(mut reader: Reader<'_>) -> bool {
    let is_empty = reader.is_at_end();
    while !reader.is_at_end() {
        if field(&mut reader).is_none() {
            return false;
        }
    }
    !is_empty
}

fn is_printed(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
}
