//! Saying where the parts and fields of a file are.

use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use super::encoding::{Checksum, Encoding};
use super::packed::{CONTENT_MAX, Packed, Packing};
use super::reader::{Number, Reader};
use super::{
    About, Branch, Container, Defined, Field, Group, LONGEST_FILE, Meaning, Orphan, PARTS_MAX,
    PageSize, Part, Range,
};

/// Builds a [`Container`]. Whatever is said beyond a bound is forgotten, and so is what makes no
/// sense: parts beyond the end, fields that don't hold what they should.
#[derive(Debug)]
pub struct Builder<'a> {
    text: &'a [u8],
    container: Container,
}

impl<'a> Builder<'a> {
    /// A file without parts; `None` if it is too long.
    pub fn new(text: &'a [u8]) -> Option<Builder<'a>> {
        (text.len() <= LONGEST_FILE).then(|| Builder {
            text,
            container: Container::default(),
        })
    }

    /// The file.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The number of `width` bytes at a position.
    pub fn number(&self, at: usize, width: usize, encoding: Encoding) -> Option<Number> {
        Reader::new(self.text, at, self.text.len()).number(width, encoding)
    }

    /// Whether there is room for more parts and fields.
    pub fn has_room(&self) -> bool {
        self.container.parts.len() < PARTS_MAX && self.container.fields.len() < PARTS_MAX
    }

    /// A new group, `level` groups inside of others.
    pub fn group(&mut self, level: u32) -> u32 {
        self.stubbed_group(level, &[])
    }

    /// A new group; `stub` can stand for any run of its parts.
    pub fn stubbed_group(&mut self, level: u32, stub: &'static [u8]) -> u32 {
        let number = self.container.groups.len();
        if number < PARTS_MAX {
            self.container.groups.push(Group {
                parts: Vec::new(),
                level,
                stub,
            });
        }
        number as u32
    }

    /// The next part of a group: it stands behind those before.
    pub fn part(&mut self, group: u32, start: usize, end: usize) {
        let number = self.container.parts.len();
        let last = |group: &Group| group.parts.last().copied();
        let Some(parts) = self.container.groups.get_mut(group as usize) else {
            return;
        };
        let behind = last(parts).map_or(0, |last| self.container.parts[last as usize].end);
        if number < PARTS_MAX && start < end && end <= self.text.len() && behind as usize <= start {
            let place = parts.parts.len() as u32;
            parts.parts.push(number as u32);
            self.container.parts.push(Part {
                start: start as u32,
                end: end as u32,
                group,
                place,
            });
        }
    }

    /// A new group of parts of one size, which fill a range; `count` says how many they are.
    pub fn equal_parts(&mut self, level: u32, count: Number, (start, end): (usize, usize)) {
        let group = self.group(level);
        if let Ok(parts) = usize::try_from(count.value)
            && parts > 0
            && parts <= end - start
            && (end - start).is_multiple_of(parts)
        {
            let len = (end - start) / parts;
            for part in (start..end).step_by(len) {
                self.part(group, part, part + len);
            }
            self.count(count, group);
        }
    }

    /// How many parts a group has.
    pub fn parts_in(&self, group: u32) -> usize {
        let group = self.container.groups.get(group as usize);
        group.map_or(0, |group| group.parts.len())
    }

    /// Where the parts of a group are.
    pub fn parts_of(&self, group: u32) -> Vec<Range> {
        let group = self.container.groups.get(group as usize);
        let parts = group.map_or(&[][..], |group| &group.parts);
        let parts = parts
            .iter()
            .map(|part| self.container.parts[*part as usize]);
        parts.map(|part| (part.start, part.end)).collect()
    }

    /// Bytes of which any may go.
    pub fn payload(&mut self, start: usize, end: usize) {
        if start < end && end <= self.text.len() && self.container.payloads.len() < PARTS_MAX {
            self.container.payloads.push((start as u32, end as u32));
        }
    }

    /// A value that may take the place of one that it is in. Those that are in it come before it.
    pub fn value(&mut self, start: usize, end: usize) {
        if start < end && end <= self.text.len() && self.container.values.len() < PARTS_MAX {
            self.container.values.push((start as u32, end as u32));
        }
    }

    /// Ranges of which all go when one goes. What is empty is never gone, and says nothing.
    pub fn tie(&mut self, mut ranges: Vec<Range>) {
        ranges.retain(|range| range.0 < range.1);
        if self.container.ties.len() < PARTS_MAX {
            self.container.ties.push(ranges);
        }
    }

    /// Ranges that go when `leader` goes, but may go without it.
    pub fn follow(&mut self, leader: Range, mut ranges: Vec<Range>) {
        ranges.retain(|range| range.0 < range.1);
        if self.container.following.len() < PARTS_MAX {
            self.container.following.push((leader, ranges));
        }
    }

    /// Where `pointer` stays, the range that it points at goes as a whole or keeps `least` bytes.
    pub fn at_least(&mut self, pointer: Number, range: Range, least: usize) {
        if self.container.least.len() < PARTS_MAX {
            let pointer = (pointer.start as u32, pointer.end as u32);
            self.container.least.push((pointer, range, least as u32));
        }
    }

    /// A new space: things that are counted from the front.
    pub fn space(&mut self) -> u32 {
        self.container.spaces.push(Vec::new());
        (self.container.spaces.len() - 1) as u32
    }

    /// The next member of a space.
    pub fn member(&mut self, space: u32, range: Range) {
        if let Some(members) = self.container.spaces.get_mut(space as usize)
            && members.len() < PARTS_MAX
        {
            members.push(range);
        }
    }

    /// A member of a space can be defined by each of its uses.
    pub fn defined(&mut self, defined: Defined) {
        if self.container.defined.len() < PARTS_MAX && !defined.uses.is_empty() {
            self.container.defined.push(defined);
        }
    }

    /// A member of a space leads to others.
    pub fn branch(&mut self, branch: Branch) {
        if self.container.branches.len() < PARTS_MAX {
            self.container.branches.push(branch);
        }
    }

    /// How large pages are.
    pub fn page_size(&mut self, size: PageSize) {
        self.container.page_size = Some(size);
    }

    /// The bytes from `start` to `end`, at least one, are as many as it takes for the page around them to
    /// keep its size.
    pub fn unused(&mut self, start: usize, end: usize, page: Range) {
        let number = Number {
            start,
            end,
            encoding: Encoding::Little,
            value: 0,
        };
        self.field(number, Meaning::Unused { page });
    }

    /// `number` says how many bytes the range has.
    pub fn length(&mut self, number: Number, start: usize, end: usize) {
        let (of, is_padded) = ((start as u32, end as u32), false);
        self.field(number, Meaning::Length { of, is_padded });
    }

    /// `number` says how many bytes the range has, with the padding of what stands last in it.
    pub fn padded_length(&mut self, number: Number, start: usize, end: usize) {
        let (of, is_padded) = ((start as u32, end as u32), true);
        self.field(number, Meaning::Length { of, is_padded });
    }

    /// `number` says how many parts the group has.
    pub fn count(&mut self, number: Number, group: u32) {
        self.count_of(number, group, 1);
    }

    /// `number` says how many parts so many groups have together, of which this is the first.
    pub fn count_of(&mut self, number: Number, group: u32, groups: u32) {
        self.field(number, Meaning::Count { group, groups });
    }

    /// `number` says how much things weigh together.
    pub fn sum(&mut self, number: Number, weighed: Vec<(Range, u64)>) {
        let place = self.container.weighed.len() as u32;
        self.container.weighed.push(weighed);
        self.field(number, Meaning::Sum(place));
    }

    /// `number` says how far it is from one position to another.
    pub fn offset(&mut self, number: Number, from: usize, to: usize) {
        self.pointer(number, from, to, None);
    }

    /// `number` says how far it is from one position to another, where something stands that may go.
    pub fn pointer(
        &mut self,
        number: Number,
        from: usize,
        to: usize,
        named: Option<(Range, Orphan)>,
    ) {
        let (from, to) = (from as u32, to as u32);
        self.field(number, Meaning::Offset { from, to, named });
    }

    /// The range, or what is in these ranges together, is compressed, and may be packed anew in the
    /// first of them while all of `others` go. Gives its number and the length of what is in it, if
    /// it can be unpacked.
    pub fn packed(
        &mut self,
        ranges: &[Range],
        others: Vec<Range>,
        packing: Packing,
        unit: u32,
    ) -> Option<(u32, usize)> {
        let used: usize = self.container.packed.iter().map(|p| p.content.len()).sum();
        let mut bytes = Vec::new();
        for range in ranges {
            bytes.extend_from_slice(self.text.get(range.0 as usize..range.1 as usize)?);
        }
        let (content, read) = packing.unpack(&bytes, CONTENT_MAX.checked_sub(used)?)?;
        let len = content.len();
        if read != bytes.len() || self.container.packed.len() >= PARTS_MAX {
            return None;
        }
        self.container.packed.push(Packed {
            range: *ranges.first()?,
            others,
            packing,
            content,
            unit,
        });
        Some((self.container.packed.len() as u32 - 1, len))
    }

    /// What is in a compressed part.
    pub fn content_of(&self, packed: u32) -> Option<&[u8]> {
        let packed = self.container.packed.get(packed as usize)?;
        Some(&packed.content)
    }

    /// `number` says something about what is in a compressed part.
    pub fn content(&mut self, number: Number, packed: u32, what: About) {
        self.field(number, Meaning::Content { packed, what });
    }

    /// An edit that makes a large part of the file as simple as the format allows.
    pub fn alternative(&mut self, edit: Patch<u8>) {
        self.container.alternatives.push(edit);
    }

    /// `number` is the number of a member of a space.
    pub fn index(&mut self, number: Number, space: u32, orphan: Orphan) {
        let member = number.value.min(u64::from(u32::MAX)) as u32;
        let meaning = Meaning::Index {
            space,
            member,
            orphan,
        };
        self.field(number, meaning);
    }

    /// `number` is a checksum of the range.
    pub fn checksum(&mut self, number: Number, kind: Checksum, start: usize, end: usize) {
        self.field(number, Meaning::Checksum(kind, (start as u32, end as u32)));
    }

    /// The zeros from `end` to `padded` fill the range up to a multiple of `multiple`.
    pub fn padding(&mut self, start: usize, end: usize, padded: usize, multiple: u32) {
        self.filling(start, end, padded, (multiple, 0));
    }

    /// The bytes from `end` to `padded`, all of them the one that is given, fill the range up to a
    /// multiple of a size.
    pub fn filling(
        &mut self,
        start: usize,
        end: usize,
        padded: usize,
        (multiple, byte): (u32, u8),
    ) {
        let number = Number {
            start: end,
            end: padded,
            encoding: Encoding::Little,
            value: byte.into(),
        };
        let of = (start as u32, end as u32);
        self.field(number, Meaning::Padding { of, multiple });
    }

    fn field(&mut self, number: Number, meaning: Meaning) {
        if self.container.fields.len() < PARTS_MAX && number.end <= self.text.len() {
            self.container.fields.push(Field {
                start: number.start as u32,
                end: number.end as u32,
                encoding: number.encoding,
                value: number.value,
                meaning,
            });
        }
    }

    /// The container, without the fields that don't hold what they should.
    pub fn finish(self) -> Container {
        let Builder {
            text,
            mut container,
        } = self;
        let mut fields = core::mem::take(&mut container.fields);
        let said = fields.len();
        fields.sort_by_cached_key(|field| (field.start, field.end));
        fields.dedup_by_key(|field| (field.start, field.end));
        // Two fields in one place can't both be kept.
        let mut end = 0;
        fields.retain(|field| {
            let is_free = end <= field.start;
            if is_free {
                end = field.end;
            }
            is_free
        });
        fields.retain(|field| container.holds(field, text));
        container.lies = said - fields.len();
        container.fields = fields;
        let level = |part: &Part| container.groups[part.group as usize].level;
        let parts = container.parts.iter().zip(0..);
        container.by_start = parts
            .map(|(part, number)| (part.start, level(part), number))
            .collect();
        container.by_start.sort_unstable();
        container.payloads.sort_unstable();
        container.payloads.dedup();
        container
    }
}
