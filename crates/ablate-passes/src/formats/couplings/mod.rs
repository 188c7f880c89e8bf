//! Couplings: integers that depend on other parts of a text, found by looking: the number of items
//! of a list, the sum of a column. No format is known here, and some of what is found is chance.

mod find;
mod sections;

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::integers::Integer;

pub use sections::Sections;

/// Positions `start..end`.
pub type Range = (u32, u32);

/// What a coupling adds up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Where it is, without what separates it from others.
    pub range: Range,
    /// What it adds to the number: the integer that stands there, or one.
    pub addend: Option<Range>,
}

/// An integer that is the sum of what its members add to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// Where the integer stands.
    pub number: Range,
    /// Side by side, from left to right.
    pub members: Vec<Member>,
    /// Whether there is something between the members, of which one goes with each.
    pub is_separated: bool,
}

impl Coupling {
    /// What to cut so that the members `first..=last` go.
    pub fn cut(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let range = |index: usize| self.members.get(index).map(|member| member.range);
        cut_of(range, self.is_separated, first, last)
    }

    /// The first and the last member that a cut removes, if it removes just these.
    pub fn removed_by(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let members = &self.members;
        let first = members.partition_point(|member| (member.range.0 as usize) < start);
        let after = members.partition_point(|member| member.range.1 as usize <= end);
        let last = after.checked_sub(1)?;
        (first <= last && self.cut(first, last) == Some((start, end))).then_some((first, last))
    }

    /// What the number has to be after an edit; `None` if that can't be said.
    fn value(&self, text: &[u8], patch: &Patch<u8>) -> Option<u128> {
        let edits = patch.edits();
        let covering = |range: Range| {
            let at = edits.partition_point(|edit| edit.end < range.1 as usize);
            edits.get(at).filter(|edit| edit.start <= range.0 as usize)
        };
        self.members.iter().try_fold(0_u128, |sum, member| {
            if covering(member.range).is_some_and(Edit::is_cut) {
                return Some(sum);
            }
            let value = match member.addend {
                None => 1,
                Some(range) => match covering(range) {
                    Some(edit) => value_of(edit.insert.as_deref()?)?,
                    None => value_of(&text[range.0 as usize..range.1 as usize])?,
                },
            };
            sum.checked_add(value)
        })
    }

    /// The edit with the number set right.
    fn set_right(&self, text: &[u8], edit: &Patch<u8>) -> Option<Patch<u8>> {
        let (start, end) = (self.number.0 as usize, self.number.1 as usize);
        let value = self.value(text, edit)?;
        let written = Integer::read(&text[start..end])?.written(value);
        edit.combined(&Patch::replace(start, end, &written)).ok()
    }
}

/// What to cut so that the parts `first..=last` of those at these ranges go, with as much as goes with them of
/// what separates them.
pub fn cut_of(
    range: impl Fn(usize) -> Option<Range>,
    is_separated: bool,
    first: usize,
    last: usize,
) -> Option<(usize, usize)> {
    let (mut start, mut end) = (range(first)?.0, range(last)?.1);
    if is_separated {
        match first.checked_sub(1).and_then(&range) {
            Some(before) => start = before.1,
            None => end = range(last + 1).map_or(end, |after| after.0),
        }
    }
    Some((start as usize, end as usize))
}

/// The value of an integer in plain digits.
fn value_of(digits: &[u8]) -> Option<u128> {
    let integer = Integer::read(digits)?;
    let is_plain = digits.iter().all(u8::is_ascii_digit);
    is_plain.then_some(integer.value)
}

/// The couplings of a text.
#[derive(Debug, Default)]
pub struct Couplings {
    /// By the position of the number.
    all: Vec<Coupling>,
    /// The places of all in there, those with most members last: what fits few may be chance.
    by_members: Vec<u32>,
    /// How many members there are in the couplings before each one of these, and then in all.
    before: Vec<u32>,
}

impl Couplings {
    /// The couplings of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Couplings> {
        target.analysis(|target| {
            let mut all = find::all(target);
            all.sort_by_cached_key(|coupling| (coupling.number, coupling.members.len()));
            all.dedup();
            let members = |at: &u32| all[*at as usize].members.len();
            let mut by_members: Vec<u32> = (0..all.len() as u32).collect();
            by_members.sort_by_cached_key(members);
            let mut before = alloc::vec![0_u32];
            for at in &by_members {
                let last = before.last().copied().unwrap_or(0);
                before.push(last + members(at) as u32);
            }
            Couplings {
                all,
                by_members,
                before,
            }
        })
    }

    /// Where an integer stands that is the number of just these parts.
    pub fn counting(&self, parts: &[Range]) -> Option<Range> {
        let counts = |coupling: &&Coupling| {
            let ranges = coupling.members.iter().map(|member| member.range);
            coupling.members.len() == parts.len()
                && coupling
                    .members
                    .iter()
                    .all(|member| member.addend.is_none())
                && ranges.eq(parts.iter().copied())
        };
        self.all.iter().find(counts).map(|coupling| coupling.number)
    }

    /// How many members there are, in all couplings.
    pub fn members(&self) -> usize {
        self.before.last().map_or(0, |&count| count as usize)
    }

    /// A member by its number among all: its coupling, and its place in there.
    pub fn member(&self, number: usize) -> (&Coupling, usize) {
        let after = self
            .before
            .partition_point(|&before| before as usize <= number);
        let coupling = &self.all[self.by_members[after - 1] as usize];
        (coupling, number - self.before[after - 1] as usize)
    }

    /// The edit `wanted` of members of `coupling`, with the number set right.
    pub fn edit(text: &[u8], coupling: &Coupling, wanted: &Patch<u8>) -> Option<Patch<u8>> {
        coupling.set_right(text, wanted)
    }

    /// The couplings that an edit is about, and the edit without what they add to it.
    pub fn split(&self, text: &[u8], patch: &Patch<u8>) -> (Vec<&Coupling>, Patch<u8>) {
        let mut about = Vec::new();
        let mut wanted = Vec::new();
        for edit in patch.edits() {
            let range = (edit.start as u32, edit.end as u32);
            let from = self.all.partition_point(|coupling| coupling.number < range);
            let own = self.all[from..]
                .iter()
                .take_while(|coupling| coupling.number == range);
            let new = edit.insert.as_deref().and_then(value_of);
            let mut own =
                own.filter(|coupling| new.is_some() && coupling.value(text, patch) == new);
            match own.next() {
                Some(coupling) => about.push(coupling),
                None => wanted.push(edit.clone()),
            }
        }
        (about, Patch::edits_of(wanted).unwrap_or_default())
    }

    /// What two edits do together.
    ///
    /// # Errors
    /// When they want different things of the same place.
    pub fn combined(
        &self,
        text: &[u8],
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let (mut about, wanted) = self.split(text, one);
        let (more, other) = self.split(text, other);
        let wanted = wanted.combined(&other)?;
        about.extend(more);
        about.sort_by_cached_key(|coupling| coupling.number);
        about.dedup();
        let mut whole = wanted.clone();
        for coupling in about {
            let right = coupling.set_right(text, &wanted).ok_or(Conflict)?;
            whole = whole.combined(&right)?;
        }
        Ok(whole)
    }
}
