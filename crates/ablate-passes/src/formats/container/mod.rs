//! Containers: binary data in parts that can go, with the fields that depend on them: lengths,
//! counts, checksums, offsets, and numbers of things that are counted from the front.
//!
//! A format says once where its parts and fields are (see [`Builder`]); from then on every pass can
//! take parts away, and [`Container::patch`] sets the fields right. Whatever a file says of itself
//! is believed only where it is true: a field that does not hold what it should is left as it is.
//!
//! Nothing here knows a format.

mod branches;
mod builder;
mod defined;
mod encoding;
mod packed;
mod pieces;
mod reader;
mod repair;

pub use branches::{Branch, Entry, PageSize};
pub use builder::Builder;
pub use defined::Defined;
pub use encoding::{Checksum, Encoding};
pub use packed::{CONTENT_MAX, Packed, Packing};
pub use pieces::Pieces;
pub use reader::{Number, Reader};

use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use crate::formats::runs::add_runs;

/// Longer files are not taken apart.
pub const LONGEST_FILE: usize = 1 << 28;
/// A file has at most so many parts, fields and other things each; what comes after is opaque.
pub const PARTS_MAX: usize = 1 << 18;

/// Positions `start..end`.
pub type Range = (u32, u32);

/// Something that can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its first byte.
    pub start: u32,
    /// The position after its last byte.
    pub end: u32,
    /// The number of the group that it belongs to.
    pub group: u32,
    /// Its place in the group.
    pub place: u32,
}

/// Parts that stand side by side, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The numbers of its parts.
    pub parts: Vec<u32>,
    /// How many groups are around it.
    pub level: u32,
    /// What can stand for any run of the parts; nothing if they can only go.
    pub stub: &'static [u8],
}

/// What a field says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// How many bytes a range has; with what is put in right behind it as padding, or without.
    Length { of: Range, is_padded: bool },
    /// How many parts are left in so many groups, from this one on.
    Count { group: u32, groups: u32 },
    /// How much what is left of the weighed things of this number weighs together.
    Sum(u32),
    /// How far it is from one position to another, and what becomes of it when the range that it
    /// points at goes.
    Offset {
        from: u32,
        to: u32,
        named: Option<(Range, Orphan)>,
    },
    /// How many members of a space stand before this one.
    Index {
        space: u32,
        member: u32,
        orphan: Orphan,
    },
    /// A checksum of a range.
    Checksum(Checksum, Range),
    /// Something about what is in a compressed part.
    Content { packed: u32, what: About },
    /// Bytes, all with the value of the field, that fill a range up to a multiple of a size.
    Padding { of: Range, multiple: u32 },
    /// Unused bytes amid a page, as many as it takes for the page to keep its size.
    Unused { page: Range },
}

/// What a field says about what is in a compressed part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// How many bytes it has.
    Length,
    /// How many units it has.
    Units,
    /// A checksum of it.
    Checksum(Checksum),
}

/// What becomes of a field that names something which is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orphan {
    /// The range around it goes as well.
    Cut(Range),
    /// The range around it is replaced.
    Stub(Range, &'static [u8]),
    /// Nothing that is named can go.
    Refuse,
    /// An offset says from then on what the one at this position says, which goes as well; zero if there is none.
    Heir(u32),
}

/// A number that depends on other parts of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    start: u32,
    end: u32,
    encoding: Encoding,
    meaning: Meaning,
    /// What it says now.
    value: u64,
}

/// The parts of a file and the fields that depend on them.
#[derive(Clone, Debug, Default)]
pub struct Container {
    parts: Vec<Part>,
    /// The start, the level and the number of each part, sorted.
    by_start: Vec<(u32, u32, u32)>,
    groups: Vec<Group>,
    /// By position.
    fields: Vec<Field>,
    /// Ranges of which all go when one goes.
    ties: Vec<Vec<Range>>,
    /// Ranges with those that go when they go.
    following: Vec<(Range, Vec<Range>)>,
    /// Things with their weights, of which fields say the sums.
    weighed: Vec<Vec<(Range, u64)>>,
    /// Things that are counted from the front, wherever they stand.
    spaces: Vec<Vec<Range>>,
    /// Members of spaces that a use can define anew.
    defined: Vec<Defined>,
    /// Ranges that go as a whole, or keep so many bytes, unless the field that points at them is replaced.
    least: Vec<(Range, Range, u32)>,
    /// Members of spaces that lead to others.
    branches: Vec<Branch>,
    /// How large pages are.
    page_size: Option<PageSize>,
    /// Bytes of which any may go.
    payloads: Vec<Range>,
    /// Things that may take the place of those that they are in, the inner ones first.
    values: Vec<Range>,
    /// Compressed parts.
    packed: Vec<Packed>,
    /// Edits that make large parts as simple as the format allows.
    alternatives: Vec<Patch<u8>>,
    /// How many fields don't hold what they should.
    lies: usize,
}

impl Container {
    /// All parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Bytes of which any may go, from left to right, in the order of the file.
    pub fn payloads(&self) -> &[Range] {
        &self.payloads
    }

    /// Things that may take the place of those that they are in, the inner ones before the outer.
    pub fn values(&self) -> &[Range] {
        &self.values
    }

    /// Edits that make large parts of the file as simple as the format allows.
    pub fn alternatives(&self) -> &[Patch<u8>] {
        &self.alternatives
    }

    /// How many fields there were that did not hold what they should, and are left alone.
    pub fn lies(&self) -> usize {
        self.lies
    }

    /// Where the run of the `first` to the `last` part of a group starts and ends.
    pub fn run(&self, group: u32, first: usize, last: usize) -> Option<(usize, usize)> {
        let parts = &self.groups.get(group as usize)?.parts;
        let (first, last) = (*parts.get(first)?, *parts.get(last)?);
        let (first, last) = (self.parts[first as usize], self.parts[last as usize]);
        (first.start <= last.end).then_some((first.start as usize, last.end as usize))
    }

    /// Tells `found` of the run of the `first` to the `last` part of a group, of its halves, their
    /// halves, and so on, as long as they have at least `smallest` bytes.
    pub fn halves(
        &self,
        group: u32,
        first: usize,
        last: usize,
        smallest: usize,
        found: &mut dyn FnMut(usize, usize, usize),
    ) {
        add_runs(first, last, &mut |first, last| {
            let run = self.run(group, first, last);
            let large = run.filter(|(start, end)| end - start >= smallest.max(1));
            if let Some((start, end)) = large {
                found(start, end, last - first + 1);
            }
            large.is_some()
        });
    }

    /// The group, and in it the first and the last part, of the run that is at `start..end`; that of
    /// the outermost group, if there are several.
    pub fn find_run(&self, start: usize, end: usize) -> Option<(u32, usize, usize)> {
        let from = self
            .by_start
            .partition_point(|part| (part.0 as usize) < start);
        let same = self.by_start[from..].iter();
        let mut same = same.take_while(|part| part.0 as usize == start);
        same.find_map(|&(_, _, number)| {
            let part = self.parts[number as usize];
            let parts = &self.groups[part.group as usize].parts;
            let end_of = |number: &u32| self.parts[*number as usize].end as usize;
            let last = parts.partition_point(|number| end_of(number) < end);
            let is_run = parts.get(last).is_some_and(|number| end_of(number) == end);
            is_run.then_some((part.group, part.place as usize, last))
        })
    }

    /// Where a run is with `amount` parts more before it (`direction` 0) or behind it.
    pub fn larger_run(
        &self,
        group: u32,
        first: usize,
        last: usize,
        direction: usize,
        amount: usize,
    ) -> Option<(usize, usize)> {
        if direction == 0 {
            self.run(group, first.checked_sub(amount)?, last)
        } else {
            self.run(group, first, last.checked_add(amount)?)
        }
    }
}
