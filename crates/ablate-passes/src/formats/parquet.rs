//! Parquet: columns in groups of rows, and behind them what is said of them, in Thrift's compact protocol. A
//! column of the schema goes with its chunks in all groups of rows.

use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Range, Reader};

/// What such a file begins and ends with.
const MAGIC: &[u8] = b"PAR1";
/// Values that are nested deeper are not looked into, and neither is the file.
const DEPTH_MAX: u32 = 64;
/// So many values are read at most.
const VALUES_MAX: usize = 1 << 20;

/// The parts of such a file; `None` for what is none.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MAGIC) || !text.ends_with(MAGIC) || text.len() < 12 {
        return None;
    }
    let end = text.len() - 8;
    let mut builder = Builder::new(text)?;
    let len = builder.number(end, 4, Encoding::Little)?;
    let start = end.checked_sub(usize::try_from(len.value).ok()?)?;
    let mut thrift = Thrift {
        reader: Reader::new(text, start, end),
        values: 0,
    };
    let file = thrift.value(STRUCT, 0)?;
    builder.length(len, start, end);
    let schema = file.field(2)?;
    let leaves = columns(&mut builder, schema)?;
    let groups = file.field(4)?;
    say_list(&mut builder, groups, 0);
    let mut chunks: Vec<Vec<Range>> = alloc::vec![Vec::new(); leaves.len()];
    for group in groups.items() {
        say_rows(&mut builder, group, &mut chunks)?;
    }
    let weight = |group: &Value| Some((group.range(), group.number(3)?.value));
    let weighed: Option<Vec<_>> = groups.items().iter().map(weight).collect();
    if let (Some(number), Some(weighed)) = (file.number(3), weighed) {
        builder.sum(number, weighed);
    }
    let orders = file.field(7);
    if let Some(orders) = orders {
        say_count(&mut builder, orders);
    }
    let orders = orders.map_or(&[][..], Value::items);
    for (place, (leaf, mut followers)) in leaves.into_iter().zip(chunks).enumerate() {
        followers.extend(orders.get(place).map(Value::range));
        builder.follow(leaf, followers);
    }
    if let Some(pairs) = file.field(5) {
        say_list(&mut builder, pairs, 0);
    }
    say_tails(&mut builder, &file, 5);
    Some(builder.finish())
}

/// Says what is known of a group of rows, and adds where its chunks are to those of the columns.
fn say_rows(builder: &mut Builder<'_>, rows: &Value, chunks: &mut [Vec<Range>]) -> Option<()> {
    let of_columns = rows.field(1)?;
    let (mut data, mut own): (Vec<Range>, Vec<Range>) = (Vec::new(), Vec::new());
    for (chunk, of_column) in of_columns.items().iter().zip(chunks) {
        let (of_chunk, about_it) = say_chunk(builder, chunk);
        own.extend(of_chunk.iter().chain(&about_it));
        data.extend(of_chunk);
        let followers = of_chunk.into_iter().chain(about_it).collect();
        builder.follow(chunk.range(), followers);
        of_column.push(chunk.range());
    }
    say_count(builder, of_columns);
    let (from, to) = (
        data.iter().map(|it| it.0).min(),
        data.iter().map(|it| it.1).max(),
    );
    if let (Some(from), Some(to)) = (from, to) {
        for total in [2, 6].into_iter().filter_map(|field| rows.number(field)) {
            builder.length(total, from as usize, to as usize);
        }
    }
    say_offset(builder, rows.number(5));
    builder.follow(rows.range(), own);
    say_tails(builder, rows, 5);
    Some(())
}

/// Says what can go of the columns; gives where each of those is that have values.
fn columns(builder: &mut Builder<'_>, schema: &Value) -> Option<Vec<Range>> {
    let elements = schema.items();
    let mut leaves = Vec::new();
    // The nodes that are open: which element each is, how many children it still lacks, and those it has.
    let mut open: Vec<(usize, u64, Vec<usize>)> = Vec::new();
    // The position after the last one in each.
    let mut ends: Vec<usize> = elements.iter().map(|element| element.end).collect();
    for (place, element) in elements.iter().enumerate() {
        let children = element.number(5).map_or(0, |number| number.value);
        if let Some((_, left, children)) = open.last_mut() {
            *left = left.checked_sub(1)?;
            children.push(place);
        } else if place > 0 {
            return None;
        }
        say_tails(builder, element, 6);
        open.push((place, children, Vec::new()));
        if children == 0 {
            leaves.push(element.range());
        }
        while let Some((node, _, children)) = open.pop_if(|(_, left, _)| *left == 0) {
            let level = open.len() as u32 + 1;
            let Some((&first, &last)) = children.first().zip(children.last()) else {
                continue;
            };
            ends[node] = ends[last];
            let group = builder.group(level);
            let mut counted = Vec::new();
            for &child in &children {
                builder.part(group, elements[child].start, ends[child]);
                counted.push(((elements[child].start as u32, ends[child] as u32), 1));
            }
            if let Some(number) = elements[node].number(5) {
                builder.sum(number, counted);
            }
            if node > 0 {
                let of_children = (elements[first].start as u32, ends[last] as u32);
                builder.follow(of_children, [elements[node].range()].into());
            }
        }
    }
    say_count(builder, schema);
    open.is_empty().then_some(leaves)
}

/// Says what is known of a chunk of a column; gives where its data are, and what else is its own elsewhere.
fn say_chunk(builder: &mut Builder<'_>, chunk: &Value) -> (Option<Range>, Vec<Range>) {
    let (mut data, mut own) = (None, Vec::new());
    say_offset(builder, chunk.number(2));
    if let Some(about) = chunk.field(3) {
        let offsets = [9, 10, 11]
            .into_iter()
            .filter_map(|field| about.number(field));
        let offsets: Vec<Number> = offsets.filter(|number| number.value > 0).collect();
        let first = offsets.iter().map(|number| number.value).min();
        data = say_range(builder, first, about.number(7));
        for offset in offsets {
            say_offset(builder, Some(offset));
        }
        let bloom = about.number(14);
        say_offset(builder, bloom);
        own.extend(say_range(
            builder,
            bloom.map(|it| it.value),
            about.number(15),
        ));
        say_tails(builder, about, 12);
    }
    for (offset, len) in [(4, 5), (6, 7)] {
        let offset = chunk.number(offset);
        say_offset(builder, offset);
        own.extend(say_range(
            builder,
            offset.map(|it| it.value),
            chunk.number(len),
        ));
    }
    say_tails(builder, chunk, 4);
    (data, own)
}

/// A range of so many bytes, if there are so many.
fn say_range(builder: &mut Builder<'_>, start: Option<u64>, len: Option<Number>) -> Option<Range> {
    let (start, len) = (start?, len?);
    let end = usize::try_from(start.checked_add(len.value)?).ok()?;
    if end > builder.text().len() {
        return None;
    }
    builder.length(len, start as usize, end);
    Some((start as u32, end as u32))
}

/// A position in the file; zero stands for none.
fn say_offset(builder: &mut Builder<'_>, number: Option<Number>) {
    if let Some(number) = number
        && let Ok(to) = usize::try_from(number.value)
        && (1..=builder.text().len()).contains(&to)
    {
        builder.offset(number, 0, to);
    }
}

/// Says how many items a list has, which only go with others.
fn say_count(builder: &mut Builder<'_>, list: &Value) {
    if let Some(count) = list.count {
        let items = list.items().iter();
        builder.sum(count, items.map(|item| (item.range(), 1)).collect());
    }
}

/// Says that each item of a list can go.
fn say_list(builder: &mut Builder<'_>, list: &Value, level: u32) {
    let group = builder.group(level);
    for item in list.items() {
        builder.part(group, item.start, item.end);
    }
    if let Some(count) = list.count {
        builder.count(count, group);
    }
}

/// Says that the last fields of a structure can go, from any of these numbers on: what a field begins with
/// depends on the one before it, so those in the middle can't.
fn say_tails(builder: &mut Builder<'_>, structure: &Value, from: u64) {
    let Kind::Struct(fields) = &structure.kind else {
        return;
    };
    for (_, start, _) in fields.iter().filter(|(number, ..)| *number >= from) {
        let group = builder.group(DEPTH_MAX);
        builder.part(group, *start, structure.end - 1);
    }
}

/// A value in Thrift's compact protocol.
struct Value {
    start: usize,
    end: usize,
    /// How many items a list has.
    count: Option<Number>,
    kind: Kind,
}

enum Kind {
    Plain,
    /// What is not negative.
    Number(Number),
    List(Vec<Value>),
    /// Of each field its number, where it begins, and its value.
    Struct(Vec<(u64, usize, Value)>),
}

impl Value {
    fn field(&self, wanted: u64) -> Option<&Value> {
        let Kind::Struct(fields) = &self.kind else {
            return None;
        };
        let mut fields = fields.iter();
        let found = fields.find(|(number, ..)| *number == wanted);
        found.map(|(.., value)| value)
    }

    fn number(&self, wanted: u64) -> Option<Number> {
        match self.field(wanted)?.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    fn items(&self) -> &[Value] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    fn range(&self) -> Range {
        (self.start as u32, self.end as u32)
    }
}

/// Thrift's number for structures.
const STRUCT: u8 = 12;

/// Reads values in Thrift's compact protocol.
struct Thrift<'a> {
    reader: Reader<'a>,
    /// How many have been read.
    values: usize,
}

impl Thrift<'_> {
    fn value(&mut self, kind: u8, depth: u32) -> Option<Value> {
        self.values += 1;
        if depth > DEPTH_MAX || self.values > VALUES_MAX {
            return None;
        }
        let start = self.reader.at;
        let mut count = None;
        let kind = match kind {
            // What is true or false, in a list; or a byte.
            1..=3 => {
                self.reader.byte()?;
                Kind::Plain
            }
            4..=6 => match self.reader.sized_number(Encoding::ZigZag) {
                Some(number) => Kind::Number(number),
                None => {
                    self.reader.skip_leb128(10)?;
                    Kind::Plain
                }
            },
            7 => {
                self.reader.take(8)?;
                Kind::Plain
            }
            8 => {
                let len = self.reader.leb128()?;
                self.reader.take(len.value)?;
                Kind::Plain
            }
            9 | 10 => {
                let of = self.reader.rest().first()? & 15;
                let head = self.reader.number(1, Encoding::HighBits)?;
                let number = match head.value {
                    15 => self.reader.leb128()?,
                    _ => head,
                };
                count = Some(number);
                let items: Option<Vec<Value>> = (0..number.value)
                    .map(|_| self.value(of, depth + 1))
                    .collect();
                Kind::List(items?)
            }
            STRUCT => Kind::Struct(self.fields(depth)?),
            _ => return None,
        };
        Some(Value {
            start,
            end: self.reader.at,
            count,
            kind,
        })
    }

    fn fields(&mut self, depth: u32) -> Option<Vec<(u64, usize, Value)>> {
        let mut fields = Vec::new();
        let mut number = 0;
        loop {
            let start = self.reader.at;
            let head = self.reader.byte()?;
            if head == 0 {
                return Some(fields);
            }
            number = match head >> 4 {
                0 => self.reader.sized_number(Encoding::ZigZag)?.value,
                more => number + u64::from(more),
            };
            let value = match head & 15 {
                1 | 2 => Value {
                    start: self.reader.at,
                    end: self.reader.at,
                    count: None,
                    kind: Kind::Plain,
                },
                kind => self.value(kind, depth + 1)?,
            };
            fields.push((number, start, value));
        }
    }
}
