//! Setting fields right: from what is to go, the whole edit.

use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};

use super::defined::{Redefined, is_replaced};
use super::{About, Checksum, Container, Field, Group, Meaning, Orphan, Range};

/// How often what hangs together is followed, and how often widths may change with widths.
const ROUNDS: usize = 16;

/// So many that follow each other are passed over at most.
const HEIRS_MAX: usize = 1 << 10;

impl Container {
    /// The edit `wanted`, with everything that has to go with it, and with all fields set right.
    /// `None` if that can't be done.
    pub fn patch(&self, text: &[u8], wanted: &Patch<u8>) -> Option<Patch<u8>> {
        let wanted = self.closed(text, wanted.clone())?;
        let shift = Shift::of(&wanted);
        for &(pointer, (start, end), least) in &self.least {
            let left = shift.length(start, end)?;
            if 0 < left && left < u64::from(least) && !is_edited(&wanted, pointer) {
                return None;
            }
        }
        let indices = self.indices(&wanted, &self.redefined(&wanted));
        let contents: Vec<Option<Vec<u8>>> = self
            .packed
            .iter()
            .map(|packed| packed.content_after(&wanted))
            .collect();
        let mut derived: Vec<Edit<u8>> = Vec::new();
        // Most fields are about what stays as it is, and that is so as long as no field gets wider.
        let mut changing: Option<Vec<&Field>> = None;
        for _ in 0..ROUNDS {
            let whole = all_of(&wanted, &derived)?;
            let shift = Shift::of(&whole);
            let mut next = Vec::with_capacity(derived.len());
            if changing.is_none() || derived.iter().any(is_wider) {
                let fields = self.fields.iter();
                let fields = fields.filter(|field| field.may_change(&whole));
                changing = Some(fields.filter(|field| !is_in(&wanted, field)).collect());
            }
            for field in changing.iter().flatten().copied() {
                let Some(value) = self.value(field, &wanted, &shift, &indices, &contents) else {
                    continue;
                };
                next.extend(edit_of(field, value?, text)?);
            }
            // Where nothing gets wider, nothing moves any more.
            if next == derived || !derived.iter().chain(&next).any(is_wider) {
                return self.with_checksums(text, &wanted, next);
            }
            derived = next;
        }
        None
    }

    /// The edit `wanted`, with all that [`Container::patch`] does, and with smaller pages where what is left
    /// allows that; `None` where it does not.
    pub fn patch_with_smaller_pages(&self, text: &[u8], wanted: &Patch<u8>) -> Option<Patch<u8>> {
        let size = self.page_size.filter(|size| size.least < size.now)?;
        let wanted = self.closed(text, wanted.clone())?;
        let shift = Shift::of(&wanted);
        let mut least = size.least;
        for field in self.fields.iter().filter(|field| !is_in(&wanted, field)) {
            if let Meaning::Unused { page } = field.meaning {
                let unused = u64::from(field.end - field.start);
                let len = shift.length(page.0, page.1)? + u64::from(size.now - (page.1 - page.0));
                least = least.max(len.checked_sub(unused)? as u32);
            }
        }
        let edit = size.edit(least.checked_next_power_of_two()?)?;
        self.patch(text, &wanted.combined(&edit).ok()?)
    }

    /// What two edits that were made by [`Container::patch`] do together.
    pub fn combined(&self, text: &[u8], a: &Patch<u8>, b: &Patch<u8>) -> Option<Patch<u8>> {
        let wanted = self.wanted(a).combined(&self.wanted(b)).ok()?;
        self.patch(text, &wanted)
    }

    /// The edit without what was set right.
    pub fn wanted(&self, patch: &Patch<u8>) -> Patch<u8> {
        let is_derived = |edit: &&Edit<u8>| {
            let range = (edit.start as u32, edit.end as u32);
            let found = self
                .fields
                .binary_search_by_key(&range, |f| (f.start, f.end));
            found.is_ok() && !edit.is_cut()
        };
        let edits = patch.edits().iter().filter(|edit| !is_derived(edit));
        Patch::edits_of(edits.cloned()).unwrap_or_default()
    }

    /// Whether a field holds what it should in the file as it is.
    pub(super) fn holds(&self, field: &Field, text: &[u8]) -> bool {
        let bytes = &text[field.start as usize..field.end as usize];
        let in_text = |range: &Range| range.0 <= range.1 && range.1 as usize <= text.len();
        match &field.meaning {
            Meaning::Length { of, .. } => in_text(of) && field.value == u64::from(of.1 - of.0),
            Meaning::Count { group, groups } => self
                .groups_of(*group, *groups)
                .is_some_and(|groups| count(groups) as u64 == field.value),
            Meaning::Sum(place) => self.weight(*place, |_| true) == Some(field.value),
            Meaning::Offset { from, to, .. } => {
                in_text(&(*from, *to)) && field.value == u64::from(to - from)
            }
            Meaning::Index { space, member, .. } => self
                .spaces
                .get(*space as usize)
                .is_some_and(|space| (*member as usize) < space.len()),
            Meaning::Content { packed, what } => {
                let packed = self.packed.get(*packed as usize);
                packed.is_some_and(|packed| {
                    what.of(&packed.content, packed.unit) == Some(field.value)
                })
            }
            Meaning::Checksum(kind, range) => {
                in_text(range) && {
                    let part = &text[range.0 as usize..range.1 as usize];
                    kind.of(part, own(field, *range)) == field.value
                }
            }
            Meaning::Padding { of, multiple } => {
                in_text(of)
                    && bytes.iter().all(|&byte| u64::from(byte) == field.value)
                    && bytes.len() as u64 == padding(u64::from(of.1 - of.0), *multiple)
            }
            Meaning::Unused { page } => in_text(page) && !bytes.is_empty(),
        }
    }

    /// So many groups from this one on.
    fn groups_of(&self, group: u32, groups: u32) -> Option<&[Group]> {
        let end = group.checked_add(groups)?;
        self.groups.get(group as usize..end as usize)
    }

    /// How much some of the weighed things of a number weigh.
    fn weight(&self, place: u32, is_there: impl Fn(Range) -> bool) -> Option<u64> {
        let weighed = self.weighed.get(place as usize)?;
        let there = weighed.iter().filter(|(range, _)| is_there(*range));
        there
            .map(|(_, weight)| *weight)
            .try_fold(0, u64::checked_add)
    }

    /// `wanted` with all that goes with what goes.
    fn closed(&self, text: &[u8], mut wanted: Patch<u8>) -> Option<Patch<u8>> {
        for _ in 0..ROUNDS {
            let mut cuts: Vec<Range> = Vec::new();
            let mut stubs: Vec<(Range, &[u8])> = Vec::new();
            for tie in &self.ties {
                let gone = tie.iter().filter(|range| is_gone(&wanted, **range)).count();
                if 0 < gone && gone < tie.len() {
                    cuts.extend(tie);
                }
            }
            let of_gone = self.following.iter().filter(|it| is_gone(&wanted, it.0));
            let left = of_gone
                .flat_map(|it| &it.1)
                .filter(|range| !is_gone(&wanted, **range));
            cuts.extend(left);
            let redefined = self.redefined(&wanted);
            for it in redefined.iter().filter(|it| !is_replaced(&wanted, it.by)) {
                let (start, end) = it.definition;
                stubs.push((it.by, &text[start as usize..end as usize]));
            }
            let indices = self.indices(&wanted, &redefined);
            for field in &self.fields {
                let (is_orphan, orphan) = match &field.meaning {
                    Meaning::Index {
                        space,
                        member,
                        orphan,
                    } => (indices.is_gone(*space, *member), orphan),
                    Meaning::Offset {
                        named: Some((named, orphan)),
                        ..
                    } => (is_gone(&wanted, *named), orphan),
                    _ => continue,
                };
                if !is_orphan || is_in(&wanted, field) {
                    continue;
                }
                match orphan {
                    Orphan::Cut(range) => cuts.push(*range),
                    Orphan::Stub(range, stub) => stubs.push((*range, stub)),
                    Orphan::Refuse => return None,
                    Orphan::Heir(_) => {}
                }
            }
            self.prune(&wanted, &indices.0, &mut cuts)?;
            if cuts.is_empty() && stubs.is_empty() {
                return Some(wanted);
            }
            wanted = with_more(wanted, cuts, stubs)?;
        }
        None
    }

    /// The numbers of the members of all spaces after `wanted`.
    fn indices(&self, wanted: &Patch<u8>, redefined: &[Redefined]) -> Indices {
        let number = |(place, space): (usize, &Vec<Range>)| {
            let gone = space
                .iter()
                .filter(|range| is_gone(wanted, **range))
                .count();
            if gone == 0 {
                return Vec::new();
            }
            let left = space.iter().enumerate();
            let left = left.filter(|(_, range)| !is_gone(wanted, **range));
            let mut left: Vec<(u32, usize)> =
                left.map(|(member, range)| (range.0, member)).collect();
            let elsewhere = redefined.iter().filter(|it| it.space as usize == place);
            let len = left.len();
            left.extend(elsewhere.map(|it| (it.by.0, it.member as usize)));
            if left.len() > len {
                left.sort_unstable();
            }
            let mut numbers = alloc::vec![None; space.len()];
            for (number, (_, member)) in left.into_iter().enumerate() {
                if let Some(place) = numbers.get_mut(member) {
                    *place = Some(number as u32);
                }
            }
            numbers
        };
        let spaces = self.spaces.iter().enumerate();
        let mut numbers: Vec<Vec<Option<u32>>> = spaces.map(number).collect();
        self.bequeath(&mut numbers);
        Indices(numbers)
    }

    /// What a field has to say: `None` if that does not change, `Some(None)` if it can't be said.
    fn value(
        &self,
        field: &Field,
        wanted: &Patch<u8>,
        shift: &Shift,
        indices: &Indices,
        contents: &[Option<Vec<u8>>],
    ) -> Option<Option<u64>> {
        let value = match &field.meaning {
            Meaning::Length { of, is_padded } => {
                let padding = if *is_padded {
                    shift.inserted_at(of.1)
                } else {
                    0
                };
                shift.length(of.0, of.1).map(|len| len + padding)
            }
            Meaning::Count { group, groups } => {
                let groups = self.groups_of(*group, *groups)?;
                let gone = groups.iter().map(|it| self.gone_of(&it.parts, wanted));
                Some(count(groups) as u64 - gone.sum::<u64>())
            }
            Meaning::Sum(place) => self.weight(*place, |range| !is_gone(wanted, range)),
            Meaning::Offset { .. } => match self.heir(field, wanted) {
                Some((from, to)) => shift.length(from, to),
                None => Some(0),
            },
            Meaning::Index { space, member, .. } => {
                match indices.0[*space as usize].get(*member as usize) {
                    None => return None,
                    Some(number) => number.map(u64::from),
                }
            }
            Meaning::Padding { of, multiple } => {
                shift.length(of.0, of.1).map(|len| padding(len, *multiple))
            }
            Meaning::Content { packed, what } => {
                let packed = *packed as usize;
                let content = contents[packed].as_ref()?;
                what.of(content, self.packed[packed].unit)
            }
            Meaning::Unused { page } => {
                let size = u64::from(page.1 - page.0).checked_sub(self.page_loss(wanted))?;
                let unused = shift.length(field.start, field.end)?;
                let used = shift.length(page.0, page.1)?.checked_sub(unused)?;
                size.checked_sub(used)
            }
            Meaning::Checksum(..) => return None,
        };
        Some(value)
    }

    /// From where to where an offset is, or the first one behind it whose place is not taken by another.
    fn heir<'a>(&'a self, mut field: &'a Field, wanted: &Patch<u8>) -> Option<Range> {
        for _ in 0..HEIRS_MAX {
            let Meaning::Offset { from, to, named } = field.meaning else {
                break;
            };
            match named {
                Some((named, Orphan::Heir(at))) if is_gone(wanted, named) => {
                    let next = self.fields.partition_point(|field| field.start < at);
                    field = self.fields.get(next).filter(|field| field.start == at)?;
                }
                _ => return Some((from, to)),
            }
        }
        None
    }

    /// How many of these parts are gone: they are sorted by position.
    fn gone_of(&self, parts: &[u32], wanted: &Patch<u8>) -> u64 {
        let part = |number: &u32| self.parts[*number as usize];
        let (Some(first), Some(last)) = (parts.first().map(part), parts.last().map(part)) else {
            return 0;
        };
        let edits = wanted.edits();
        let from = edits.partition_point(|edit| edit.end <= first.start as usize);
        let near = edits[from..]
            .iter()
            .take_while(|edit| edit.start < last.end as usize)
            .filter(|edit| edit.is_cut());
        near.map(|edit| {
            let from = parts.partition_point(|n| (part(n).start as usize) < edit.start);
            let to = parts.partition_point(|n| part(n).end as usize <= edit.end);
            to.saturating_sub(from) as u64
        })
        .sum()
    }

    /// The whole edit, with the checksums of what it makes.
    fn with_checksums(
        &self,
        text: &[u8],
        wanted: &Patch<u8>,
        mut derived: Vec<Edit<u8>>,
    ) -> Option<Patch<u8>> {
        let checksum = |field: &&Field| matches!(field.meaning, Meaning::Checksum(..));
        let mut fields: Vec<&Field> = self.fields.iter().filter(checksum).collect();
        // A checksum may be among what a larger one is about.
        fields.sort_by_cached_key(|field| match field.meaning {
            Meaning::Checksum(_, (start, end)) => end - start,
            _ => 0,
        });
        for field in fields.into_iter().filter(|field| !is_in(wanted, field)) {
            let Meaning::Checksum(kind, range) = field.meaning else {
                continue;
            };
            let whole = all_of(wanted, &derived)?;
            let is_near =
                |edit: &Edit<u8>| edit.start <= range.1 as usize && range.0 as usize <= edit.end;
            if whole.edits().iter().any(is_near) {
                let value = checksum_of(kind, text, &whole, field, range);
                derived.extend(edit_of(field, value, text)?);
            }
        }
        all_of(wanted, &derived)
    }
}

impl Field {
    /// Whether what it says may be another after an edit.
    fn may_change(&self, patch: &Patch<u8>) -> bool {
        let (start, end) = match self.meaning {
            Meaning::Length { of, .. } | Meaning::Padding { of, .. } => of,
            Meaning::Offset { from, to, .. } => (from, to),
            _ => return true,
        };
        let edits = patch.edits();
        let at = edits.partition_point(|edit| edit.end < start as usize);
        let edit = edits.get(at);
        edit.is_some_and(|edit| edit.start <= end as usize)
    }
}

impl About {
    fn of(self, content: &[u8], unit: u32) -> Option<u64> {
        let len = content.len() as u64;
        match self {
            About::Length => Some(len),
            About::Units => len
                .is_multiple_of(u64::from(unit.max(1)))
                .then(|| len / u64::from(unit.max(1))),
            About::Checksum(kind) => Some(kind.of(content, None)),
        }
    }
}

/// Whether what stands behind an edit is moved by it.
fn is_wider(edit: &Edit<u8>) -> bool {
    edit.inserted() != edit.end - edit.start
}

fn checksum_of(kind: Checksum, text: &[u8], patch: &Patch<u8>, field: &Field, range: Range) -> u64 {
    let mut bytes = Vec::new();
    let (mut at, end) = (range.0 as usize, range.1 as usize);
    for edit in patch.edits() {
        let is_inside = range.0 as usize <= edit.start && edit.end <= end;
        if is_inside && edit.start >= at {
            bytes.extend_from_slice(&text[at..edit.start]);
            bytes.extend_from_slice(edit.insert.as_deref().unwrap_or(&[]));
            at = edit.end;
        }
    }
    bytes.extend_from_slice(&text[at..end]);
    let own = own(field, range).map(|(start, end)| {
        let shift = Shift::of(patch);
        let before = shift.length(range.0, range.0 + start as u32).unwrap_or(0) as usize;
        (before, before + end - start)
    });
    kind.of(&bytes, own)
}

/// Where a checksum stands in what it is about, if it does.
fn own(field: &Field, range: Range) -> Option<(usize, usize)> {
    let is_inside = range.0 <= field.start && field.end <= range.1;
    is_inside.then(|| {
        (
            (field.start - range.0) as usize,
            (field.end - range.0) as usize,
        )
    })
}

/// How many parts groups have together.
fn count(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.parts.len()).sum()
}

fn padding(len: u64, multiple: u32) -> u64 {
    len.next_multiple_of(u64::from(multiple.max(1))) - len
}

/// The edit that makes a field say `value`, if it does not; `None` if it can't.
fn edit_of(field: &Field, value: u64, text: &[u8]) -> Option<Option<Edit<u8>>> {
    let (start, end) = (field.start as usize, field.end as usize);
    if let Meaning::Padding { .. } | Meaning::Unused { .. } = field.meaning {
        let has_changed = value != (end - start) as u64;
        return Some(has_changed.then(|| Edit {
            start,
            end,
            insert: (value > 0).then(|| alloc::vec![field.value as u8; value as usize].into()),
        }));
    }
    if value == field.value {
        return Some(None);
    }
    let insert = field.encoding.written(value, &text[start..end])?;
    Some(Some(Edit {
        start,
        end,
        insert: Some(insert.into()),
    }))
}

fn all_of(wanted: &Patch<u8>, derived: &[Edit<u8>]) -> Option<Patch<u8>> {
    Patch::edits_of(wanted.edits().iter().chain(derived).cloned()).ok()
}

/// `wanted` with more cuts and stubs; a stub takes the place of whatever was wanted within it.
fn with_more(
    wanted: Patch<u8>,
    cuts: Vec<Range>,
    mut stubs: Vec<(Range, &[u8])>,
) -> Option<Patch<u8>> {
    stubs.sort_unstable();
    stubs.dedup();
    let is_stubbed = |start: usize, end: usize| {
        let at = stubs.partition_point(|((_, stub_end), _)| (*stub_end as usize) < end);
        stubs
            .get(at)
            .is_some_and(|((from, to), _)| *from as usize <= start && end <= *to as usize)
    };
    let edits = wanted.edits().iter();
    let kept = edits.filter(|edit| !is_stubbed(edit.start, edit.end));
    let mut more: Vec<Edit<u8>> = kept.cloned().collect();
    more.extend(stubs.iter().map(|((start, end), stub)| Edit {
        start: *start as usize,
        end: *end as usize,
        insert: Some((*stub).into()),
    }));
    let cuts = Patch::cuts(cuts.iter().map(|&(s, e)| (s as usize, e as usize)));
    Patch::edits_of(more).ok()?.combined(&cuts).ok()
}

/// Whether a field is within what is edited anyway.
fn is_in(wanted: &Patch<u8>, field: &Field) -> bool {
    let (start, end) = (field.start as usize, field.end as usize);
    if start == end {
        let edits = wanted.edits();
        // What is empty stands beside what begins or ends there.
        let at = edits.partition_point(|edit| edit.end <= end);
        return edits.get(at).is_some_and(|edit| edit.start < start);
    }
    is_edited(wanted, (field.start, field.end))
}

/// Whether all of a range is edited by one edit.
pub(super) fn is_edited(wanted: &Patch<u8>, (start, end): Range) -> bool {
    let edits = wanted.edits();
    let at = edits.partition_point(|edit| edit.end < end as usize);
    edits
        .get(at)
        .is_some_and(|edit| edit.start <= start as usize)
}

/// Whether all of a range is cut.
pub(super) fn is_gone(wanted: &Patch<u8>, (start, end): Range) -> bool {
    let edits = wanted.edits();
    let at = edits.partition_point(|edit| edit.end < end as usize);
    let edit = edits.get(at);
    start < end && edit.is_some_and(|edit| edit.is_cut() && edit.start <= start as usize)
}

/// The new numbers of the members of each space, `None` for those that are gone; no numbers for a
/// space in which nothing changes.
struct Indices(Vec<Vec<Option<u32>>>);

impl Indices {
    fn is_gone(&self, space: u32, member: u32) -> bool {
        self.0[space as usize].get(member as usize) == Some(&None)
    }
}

/// How far an edit moves what.
struct Shift<'a> {
    edits: &'a [Edit<u8>],
    /// By how much everything before each edit has grown.
    growth: Vec<i64>,
}

impl Shift<'_> {
    fn of(patch: &Patch<u8>) -> Shift<'_> {
        let mut sum = 0;
        let mut growth = Vec::with_capacity(patch.edits().len() + 1);
        growth.push(0);
        for edit in patch.edits() {
            sum += edit.inserted() as i64 - (edit.end - edit.start) as i64;
            growth.push(sum);
        }
        Shift {
            edits: patch.edits(),
            growth,
        }
    }

    /// How many bytes are there in a range afterwards.
    fn length(&self, start: u32, end: u32) -> Option<u64> {
        let (from, to) = (self.moved(start as usize), self.moved(end as usize));
        u64::try_from(to - from).ok()
    }

    /// How many bytes are put in at a position.
    fn inserted_at(&self, at: u32) -> u64 {
        let from = self.edits.partition_point(|edit| edit.start < at as usize);
        let edit = self.edits.get(from);
        edit.filter(|edit| edit.end == at as usize)
            .map_or(0, |edit| edit.inserted() as u64)
    }

    /// Where a position is afterwards: before what is inserted there, unless bytes stood there that
    /// were replaced by it.
    fn moved(&self, at: usize) -> i64 {
        let before = self
            .edits
            .partition_point(|edit| edit.end <= at && edit.start < at);
        let mut moved = at as i64 + self.growth[before];
        if let Some(edit) = self.edits.get(before)
            && edit.start < at
        {
            moved -= (at - edit.start) as i64;
        }
        moved
    }
}
