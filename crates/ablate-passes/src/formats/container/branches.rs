//! Trees whose nodes stand anywhere in a file and name each other by number, as the pages of databases do:
//! what becomes of a name, and of the node that it stands in, when what it names goes.

use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use super::repair::is_gone;
use super::{Container, Encoding, Range};

/// So many levels of nodes that are gone are followed.
const LEVELS_MAX: usize = 16;

/// A node that names others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The space that it and what it names are members of.
    pub space: u32,
    /// Its own number there.
    pub member: u32,
    /// Whether it is needed, even if it names nothing but one other.
    pub is_needed: bool,
    /// What it names, in order. The last one is always named; the other ones stand in entries that can go.
    pub entries: Vec<Entry>,
}

/// How large pages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    /// Where the file says it, the highest byte first.
    pub range: Range,
    /// What it says.
    pub now: u32,
    /// How small pages could be, were it not for what is in them: a power of two.
    pub least: u32,
}

/// A name in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of what is named.
    pub member: u32,
    /// What goes with it.
    pub range: Range,
}

impl Container {
    /// Who takes the place of what is gone: of a node, the last that it named; of others, the one that is
    /// named before them. `numbers` are the new numbers of the members of each space.
    pub(super) fn bequeath(&self, numbers: &mut [Vec<Option<u32>>]) {
        let mut branches: Vec<&Branch> = self.branches.iter().collect();
        branches.retain(|branch| !numbers[branch.space as usize].is_empty());
        for _ in 0..LEVELS_MAX {
            let mut has_changed = false;
            for branch in &branches {
                let numbers = &mut numbers[branch.space as usize];
                let number = |member: u32| numbers.get(member as usize).copied().flatten();
                if number(branch.member).is_some() {
                    continue;
                }
                let mut named = branch.entries.iter().rev();
                let heir = named.find_map(|entry| number(entry.member));
                if let Some(place) = numbers.get_mut(branch.member as usize) {
                    has_changed |= heir.is_some();
                    *place = heir;
                }
            }
            if !has_changed {
                break;
            }
        }
        for branch in &branches {
            let numbers = &mut numbers[branch.space as usize];
            let mut before = None;
            for entry in &branch.entries {
                if let Some(number) = numbers.get_mut(entry.member as usize) {
                    *number = number.or(before);
                    before = *number;
                }
            }
        }
    }

    /// Cuts the entries of nodes that name nothing more or what the next one names, and the nodes that
    /// name one other only; `None` if one of them is needed.
    pub(super) fn prune(
        &self,
        wanted: &Patch<u8>,
        numbers: &[Vec<Option<u32>>],
        cuts: &mut Vec<Range>,
    ) -> Option<()> {
        for branch in &self.branches {
            let members = &self.spaces[branch.space as usize];
            let is_cut = |member: u32| {
                let range = members.get(member as usize);
                range.is_none_or(|range| is_gone(wanted, *range))
            };
            let is_left = |entry: &&Entry| !is_gone(wanted, entry.range);
            let is_whole = |entry: &Entry| is_left(&entry) && !is_cut(entry.member);
            if is_cut(branch.member) || branch.entries.iter().all(is_whole) {
                continue;
            }
            let numbers = &numbers[branch.space as usize];
            let number = |entry: &Entry| match numbers.get(entry.member as usize) {
                Some(number) => *number,
                // Nothing in this space is gone.
                None => Some(entry.member),
            };
            let left: Vec<&Entry> = branch.entries.iter().filter(is_left).collect();
            let last = number(branch.entries.last()?);
            let mut named = left.iter().filter_map(|entry| number(entry));
            if !branch.is_needed && named.all(|number| Some(number) == last) {
                cuts.push(*members.get(branch.member as usize)?);
                continue;
            }
            last?;
            for two in left.windows(2) {
                let (this, next) = (number(two[0]), number(two[1]));
                if this.is_none() || this == next {
                    cuts.push(two[0].range);
                }
            }
        }
        Some(())
    }

    /// By how much an edit makes pages smaller.
    pub(super) fn page_loss(&self, wanted: &Patch<u8>) -> u64 {
        let after = |size: PageSize| {
            let range = (size.range.0 as usize, size.range.1 as usize);
            let mut edits = wanted.edits().iter();
            let edit = edits.find(|edit| (edit.start, edit.end) == range)?;
            let after = Encoding::Big.read(edit.insert.as_deref()?)?;
            u64::from(size.now).checked_sub(after)
        };
        self.page_size.and_then(after).unwrap_or(0)
    }
}

impl PageSize {
    /// The edit that makes pages so large, if they become smaller.
    pub fn edit(self, size: u32) -> Option<Patch<u8>> {
        let (start, end) = (self.range.0 as usize, self.range.1 as usize);
        let bytes = size.to_be_bytes();
        let width = end
            .checked_sub(start)
            .filter(|width| *width <= bytes.len())?;
        let insert = &bytes[bytes.len() - width..];
        (size < self.now).then(|| Patch::replace(start, end, insert))
    }
}
