//! Safetensors: the length of a header, the header, which is an object in JSON that says of each tensor its
//! shape and where its data stand, and the data.

use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number};
use crate::formats::json::{self, Json};

/// The parts of such a file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if text.get(8) != Some(&b'{') {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let len = builder.number(0, 8, Encoding::Little)?;
    let data = usize::try_from(len.value).ok()?.checked_add(8)?;
    let header = Json::read(text, 8, data)?;
    let tensors: Vec<Tensor> = (header.members().iter())
        .filter_map(|(name, value)| Tensor::read(text, data, name.start, value))
        .collect();
    if tensors.is_empty() {
        return None;
    }
    builder.length(len, 8, data);
    let members = header.members().iter();
    let members: Vec<_> = members
        .map(|(name, value)| (name.start, value.end))
        .collect();
    json::comma_parts(&mut builder, 0, &members);
    // Blanks fill up the header of some writers; no reader needs them.
    let blanks = builder.group(1);
    builder.part(blanks, header.end, data);
    for tensor in &tensors {
        tensor.say(&mut builder, data);
    }
    Some(builder.finish())
}

/// What the header says of a tensor.
struct Tensor {
    /// Its member in the header.
    member: (usize, usize),
    /// How many rows it has: the first number of its shape.
    rows: Option<Number>,
    /// How far from the start of all data its own begin and end.
    offsets: [Number; 2],
    /// Where they are.
    data: (usize, usize),
}

impl Tensor {
    fn read(text: &[u8], data: usize, start: usize, value: &Json) -> Option<Tensor> {
        let [from, to] = value.get(text, "data_offsets")?.items() else {
            return None;
        };
        let offsets = [number(text, from)?, number(text, to)?];
        let place = |number: &Number| usize::try_from(number.value).ok()?.checked_add(data);
        let (from, to) = (place(&offsets[0])?, place(&offsets[1])?);
        let shape = value.get(text, "shape")?.items();
        (from <= to && to <= text.len()).then_some(Tensor {
            member: (start, value.end),
            rows: shape.first().and_then(|rows| number(text, rows)),
            offsets,
            data: (from, to),
        })
    }

    fn say(&self, builder: &mut Builder<'_>, data: usize) {
        let range = |(start, end): (usize, usize)| (start as u32, end as u32);
        let (from, to) = self.data;
        builder.offset(self.offsets[0], data, from);
        builder.offset(self.offsets[1], data, to);
        builder.follow(range(self.member), [range(self.data)].into());
        if let Some(rows) = self.rows {
            builder.equal_parts(2, rows, self.data);
        }
    }
}

fn number(text: &[u8], json: &Json) -> Option<Number> {
    Some(Number {
        start: json.start,
        end: json.end,
        encoding: Encoding::Decimal,
        value: Encoding::Decimal.read(json.bytes(text))?,
    })
}
