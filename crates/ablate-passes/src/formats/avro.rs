//! Avro's object container files: a header with the schema in JSON, and blocks of records, which are read along
//! the schema. A field of a record goes with its values in all records.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Container, Encoding, Number, Orphan, Range, Reader};
use crate::formats::json::{self, Json};

/// What such a file begins with.
const MAGIC: &[u8] = b"Obj\x01";
/// How many bytes there are behind each block.
pub const SYNC: u64 = 16;
/// Values that are nested deeper are not looked into, and neither is the file.
const DEPTH_MAX: u32 = 128;
/// What a schema can't do without.
const NEEDED: [&[u8]; 7] = [
    b"type", b"name", b"fields", b"items", b"values", b"size", b"symbols",
];

/// Where the name and the value of a pair in the header stand.
pub type Pair = ((usize, usize), (usize, usize));

/// The parts of such a file; `None` for what is none, and for one whose blocks are compressed.
pub fn container(text: &[u8]) -> Option<Container> {
    let mut reader = Reader::new(text, 0, text.len());
    let pairs = header(&mut reader)?;
    let value = |name: &[u8]| {
        let mut pairs = pairs.iter();
        let found = pairs.find(|pair| &text[pair.0.0..pair.0.1] == name);
        found.map(|pair| pair.1)
    };
    let codec = value(b"avro.codec").map_or(&b"null"[..], |(start, end)| &text[start..end]);
    let schema = value(b"avro.schema").filter(|_| codec == b"null")?;
    let schema = Json::read(text, schema.0, schema.1)?;
    let mut file = File {
        builder: Builder::new(text)?,
        text,
        types: BTreeMap::new(),
        choices: BTreeMap::new(),
        values: BTreeMap::new(),
    };
    file.declare(&schema, 1)?;
    let whole = file.builder.group(0);
    let mut head = Reader::new(text, MAGIC.len(), reader.at);
    file.rows(&mut head, 1, |file, head| {
        file.bytes(head)?;
        file.bytes(head)
    })?;
    while !reader.is_at_end() {
        let start = reader.at;
        let (count, mut data) = block(&mut file.builder, &mut reader)?;
        let group = file.builder.group(1);
        let first = data.at;
        for _ in 0..count.value {
            let start = data.at;
            file.value(&mut data, &schema, 2)?;
            if start == data.at || !file.builder.has_room() {
                return None;
            }
            file.builder.part(group, start, data.at);
        }
        if !data.is_at_end() {
            return None;
        }
        file.builder.count(count, group);
        // An empty block goes as a whole.
        let follower = range((start, reader.at));
        file.builder
            .follow(range((first, data.at)), [follower].into());
        file.builder.part(whole, start, reader.at);
    }
    for (field, values) in core::mem::take(&mut file.values) {
        file.builder.follow(range(field), values);
    }
    Some(file.builder.finish())
}

/// Reads the header: the pairs of names and values in it.
pub fn header(reader: &mut Reader<'_>) -> Option<Vec<Pair>> {
    reader.expect(MAGIC)?;
    let mut pairs = Vec::new();
    loop {
        let count = reader.sized_number(Encoding::ZigZag)?;
        if count.value == 0 {
            break;
        }
        for _ in 0..count.value {
            let name = content(reader)?.1;
            let value = content(reader)?.1;
            pairs.push(((name.at, name.end), (value.at, value.end)));
        }
    }
    reader.take(SYNC)?;
    Some(pairs)
}

/// A schema as it is used: the name of a type that was declared stands for that.
struct File<'a> {
    builder: Builder<'a>,
    text: &'a [u8],
    /// The types that have names, by their names without namespaces.
    types: BTreeMap<&'a [u8], Rc<Json>>,
    /// The spaces of what unions and enumerations choose from, by where those start.
    choices: BTreeMap<usize, u32>,
    /// The values of each field.
    values: BTreeMap<(usize, usize), Vec<Range>>,
}

impl File<'_> {
    /// Says what can go in a schema, and takes down its names.
    fn declare(&mut self, schema: &Json, level: u32) -> Option<()> {
        if level > DEPTH_MAX {
            return None;
        }
        let text = self.text;
        let members = schema.members();
        let ranges: Vec<_> = members.iter().map(|it| (it.0.start, it.1.end)).collect();
        for (place, (name, _)) in members.iter().enumerate() {
            if !NEEDED.contains(&name.bytes(text)) {
                let group = self.builder.group(level);
                let (start, end) = json::with_comma(&ranges, place);
                self.builder.part(group, start, end);
            }
        }
        if let Some(name) = schema.get(text, "name") {
            let declared = Rc::new(schema.clone());
            self.types.insert(last_part(name.bytes(text)), declared);
        }
        let of_enum = schema.get(text, "symbols").map_or(&[][..], Json::items);
        let fields = schema.get(text, "fields").map_or(&[][..], Json::items);
        for list in [schema.items(), of_enum, fields] {
            let ranges: Vec<_> = list.iter().map(|item| (item.start, item.end)).collect();
            json::comma_parts(&mut self.builder, level, &ranges);
        }
        for list in [schema.items(), of_enum] {
            let Some(first) = list.first() else { continue };
            let space = self.builder.space();
            for item in list {
                self.builder.member(space, range((item.start, item.end)));
            }
            self.choices.insert(first.start, space);
        }
        for item in schema.items() {
            self.declare(item, level + 1)?;
        }
        let inner = ["type", "items", "values"].into_iter();
        for inner in inner.filter_map(|name| schema.get(text, name)) {
            self.declare(inner, level + 1)?;
        }
        for kind in fields.iter().filter_map(|field| field.get(text, "type")) {
            self.declare(kind, level + 1)?;
        }
        Some(())
    }

    /// Reads a value of a type.
    fn value(&mut self, reader: &mut Reader<'_>, schema: &Json, level: u32) -> Option<()> {
        if level > DEPTH_MAX {
            return None;
        }
        let text = self.text;
        if !schema.items().is_empty() {
            let number = self.choice(reader, schema.items())?;
            return self.value(reader, schema.items().get(number)?, level + 1);
        }
        let kind = schema.get(text, "type").unwrap_or(schema);
        if !matches!(kind.kind, json::Kind::Text) {
            return self.value(reader, kind, level + 1);
        }
        match kind.bytes(text) {
            b"null" => {}
            b"boolean" => drop(reader.take(1)?),
            b"int" | b"long" => reader.skip_leb128(10)?,
            b"float" => drop(reader.take(4)?),
            b"double" => drop(reader.take(8)?),
            b"bytes" | b"string" => self.bytes(reader)?,
            b"record" | b"error" => {
                for field in schema.get(text, "fields")?.items() {
                    let start = reader.at;
                    self.value(reader, field.get(text, "type")?, level + 1)?;
                    let values = self.values.entry((field.start, field.end)).or_default();
                    values.push(range((start, reader.at)));
                }
            }
            b"enum" => drop(self.choice(reader, schema.get(text, "symbols")?.items())?),
            b"array" => {
                let items = schema.get(text, "items")?;
                self.rows(reader, level, |file, reader| {
                    file.value(reader, items, level + 1)
                })?;
            }
            b"map" => {
                let values = schema.get(text, "values")?;
                self.rows(reader, level, |file, reader| {
                    file.bytes(reader)?;
                    file.value(reader, values, level + 1)
                })?;
            }
            b"fixed" => {
                let size = Encoding::Decimal.read(schema.get(text, "size")?.bytes(text))?;
                reader.take(size)?;
            }
            name => {
                let declared = Rc::clone(self.types.get(last_part(name))?);
                self.value(reader, &declared, level + 1)?;
            }
        }
        Some(())
    }

    /// Reads which of these it is.
    fn choice(&mut self, reader: &mut Reader<'_>, of: &[Json]) -> Option<usize> {
        let number = reader.sized_number(Encoding::ZigZag)?;
        let space = *self.choices.get(&of.first()?.start)?;
        self.builder.index(number, space, Orphan::Refuse);
        usize::try_from(number.value).ok()
    }

    /// Reads bytes with their length.
    fn bytes(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let (len, content) = content(reader)?;
        self.builder.length(len, content.at, content.end);
        self.builder.payload(content.at, content.end);
        Some(())
    }

    /// Reads blocks of items until one has none.
    fn rows<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        level: u32,
        mut item: impl FnMut(&mut Self, &mut Reader<'a>) -> Option<()>,
    ) -> Option<()> {
        let blocks = self.builder.group(level);
        loop {
            let start = reader.at;
            let mut ahead = reader.clone();
            let raw = ahead.leb128()?.value;
            let count = if raw % 2 == 1 {
                // It is negative, and says how many bytes there are, too.
                ahead.skip_leb128(10)?;
                *reader = ahead;
                raw / 2 + 1
            } else {
                reader.sized_number(Encoding::ZigZag)?.value
            };
            if count == 0 {
                return Some(());
            }
            let group = self.builder.group(level + 1);
            let first = reader.at;
            for _ in 0..count {
                let start = reader.at;
                item(self, reader)?;
                if start == reader.at || !self.builder.has_room() {
                    return None;
                }
                if raw % 2 == 0 {
                    self.builder.part(group, start, reader.at);
                }
            }
            if raw % 2 == 0 {
                let number = self
                    .builder
                    .number(start, first - start, Encoding::ZigZag)?;
                self.builder.count(number, group);
                let count = range((start, first));
                self.builder
                    .follow(range((first, reader.at)), [count].into());
            }
            self.builder.part(blocks, start, reader.at);
        }
    }
}

/// Reads a block: how many records it has, and a reader for them.
fn block<'a>(builder: &mut Builder<'_>, reader: &mut Reader<'a>) -> Option<(Number, Reader<'a>)> {
    let count = reader.sized_number(Encoding::ZigZag)?;
    let len = reader.sized_number(Encoding::ZigZag)?;
    let data = reader.part(len.value)?;
    reader.take(SYNC)?;
    builder.length(len, data.at, data.end);
    Some((count, data))
}

/// Reads bytes with their length.
fn content<'a>(reader: &mut Reader<'a>) -> Option<(Number, Reader<'a>)> {
    let len = reader.sized_number(Encoding::ZigZag)?;
    Some((len, reader.part(len.value)?))
}

/// A name without its namespace.
fn last_part(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b'.').next().unwrap_or(name)
}

fn range((start, end): (usize, usize)) -> Range {
    (start as u32, end as u32)
}
