//! GGUF, the models of llama.cpp: pairs of names and values, what is said of each tensor, and behind some
//! padding the data of all tensors, each of them padded.

use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Reader};

/// Lists that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 16;
/// A tensor has no more dimensions.
const DIMENSIONS_MAX: u64 = 8;
/// What everything is padded to, unless the file says otherwise.
const ALIGNMENT: u64 = 32;

/// The parts of such a file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut reader = Reader::new(text, 0, text.len());
    reader.expect(b"GGUF")?;
    reader.take(4)?;
    let mut builder = Builder::new(text)?;
    let (tensors, pairs) = (word(&mut reader)?, word(&mut reader)?);
    let group = builder.group(0);
    let mut counted = Vec::new();
    let mut alignment = ALIGNMENT;
    for _ in 0..pairs.value {
        let start = reader.at;
        let name = sized(&mut builder, &mut reader)?;
        let value = reader.at;
        let kind = reader.number(4, Encoding::Little)?.value;
        any(&mut builder, &mut reader, kind, 1)?;
        counted.push(((start as u32, reader.at as u32), 1));
        if name.rest() == b"general.alignment" {
            // What is padded stays so, and this with it.
            let said = Reader::new(text, value + 4, reader.at).number(4, Encoding::Little)?;
            alignment = said.value;
        } else {
            builder.payload(name.at, name.end);
            builder.part(group, start, reader.at);
        }
        if !builder.has_room() {
            return None;
        }
    }
    builder.sum(pairs, counted);
    if !(1..=1 << 20).contains(&alignment) {
        return None;
    }
    let group = builder.group(0);
    builder.count(tensors, group);
    let mut found = Vec::new();
    for _ in 0..tensors.value {
        let tensor = Tensor::read(&mut builder, &mut reader)?;
        builder.part(group, tensor.info.0, tensor.info.1);
        found.push(tensor);
        if !builder.has_room() {
            return None;
        }
    }
    let end = reader.at;
    let data = end.next_multiple_of(alignment as usize);
    if data > text.len() {
        return Some(builder.finish());
    }
    builder.padding(0, end, data, alignment as u32);
    for tensor in &found {
        tensor.say(&mut builder, data, alignment);
    }
    Some(builder.finish())
}

/// What is said of a tensor.
struct Tensor {
    /// Where that is.
    info: (usize, usize),
    /// Its dimensions, that of its rows last.
    dimensions: Vec<Number>,
    kind: u64,
    /// How far from the start of all data its own begin.
    offset: Number,
}

impl Tensor {
    fn read(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<Tensor> {
        let start = reader.at;
        bytes(builder, reader)?;
        let count = reader.number(4, Encoding::Little)?.value;
        (count <= DIMENSIONS_MAX).then_some(())?;
        let dimensions: Option<Vec<Number>> = (0..count).map(|_| word(reader)).collect();
        let kind = reader.number(4, Encoding::Little)?.value;
        let offset = word(reader)?;
        Some(Tensor {
            info: (start, reader.at),
            dimensions: dimensions?,
            kind,
            offset,
        })
    }

    /// How many bytes its data have; `None` for types that are not known.
    fn len(&self) -> Option<usize> {
        let (values, bytes) = block(self.kind)?;
        let mut dimensions = self.dimensions.iter();
        let count = dimensions.try_fold(1_u64, |count, one| count.checked_mul(one.value))?;
        let is_whole = count.is_multiple_of(values);
        let len = (count / values).checked_mul(bytes).filter(|_| is_whole)?;
        usize::try_from(len).ok()
    }

    fn say(&self, builder: &mut Builder<'_>, data: usize, alignment: u64) {
        let Some(from) = usize::try_from(self.offset.value)
            .ok()
            .and_then(|offset| offset.checked_add(data))
        else {
            return;
        };
        let Some(len) = self.len() else {
            return;
        };
        let Some(to) = from
            .checked_add(len)
            .filter(|to| *to <= builder.text().len())
        else {
            return;
        };
        // What stands last need not be padded.
        let padded = to.next_multiple_of(alignment as usize);
        let padded = padded.min(builder.text().len());
        builder.offset(self.offset, data, from);
        builder.padding(data, to, padded, alignment as u32);
        let (start, end) = self.info;
        let info = (start as u32, end as u32);
        builder.follow(info, [(from as u32, padded as u32)].into());
        if let Some(rows) = self.dimensions.last() {
            builder.equal_parts(2, *rows, (from, to));
        }
    }
}

/// How many values there are in a block of a type, and how many bytes it has.
fn block(kind: u64) -> Option<(u64, u64)> {
    Some(match kind {
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        2 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        9 => (32, 36),
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        15 => (256, 292),
        24 => (1, 1),
        27 | 28 => (1, 8),
        _ => return None,
    })
}

fn word(reader: &mut Reader<'_>) -> Option<Number> {
    reader.number(8, Encoding::Little)
}

/// Reads bytes with their length before them.
fn sized<'a>(builder: &mut Builder<'_>, reader: &mut Reader<'a>) -> Option<Reader<'a>> {
    let len = word(reader)?;
    let content = reader.part(len.value)?;
    builder.length(len, content.at, content.end);
    Some(content)
}

/// The same, where any of the bytes may go.
fn bytes(builder: &mut Builder<'_>, reader: &mut Reader<'_>) -> Option<()> {
    let content = sized(builder, reader)?;
    builder.payload(content.at, content.end);
    Some(())
}

/// Reads a value of a type.
fn any(builder: &mut Builder<'_>, reader: &mut Reader<'_>, kind: u64, level: u32) -> Option<()> {
    match kind {
        0 | 1 | 7 => drop(reader.take(1)?),
        2 | 3 => drop(reader.take(2)?),
        4..=6 => drop(reader.take(4)?),
        10..=12 => drop(reader.take(8)?),
        8 => bytes(builder, reader)?,
        9 if level < DEPTH_MAX => {
            let kind = reader.number(4, Encoding::Little)?.value;
            let count = word(reader)?;
            let group = builder.group(level);
            builder.count(count, group);
            for _ in 0..count.value {
                let start = reader.at;
                any(builder, reader, kind, level + 1)?;
                builder.part(group, start, reader.at);
                if !builder.has_room() {
                    return None;
                }
            }
        }
        _ => return None,
    }
    Some(())
}
