//! Things that are defined where they are used first: where that goes, the first use that is left defines them.

use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use super::repair::{is_edited, is_gone};
use super::{Container, Range};

/// A member of a space that a use can define anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The space that it is a member of.
    pub space: u32,
    /// Its number there.
    pub member: u32,
    /// What defines it, and may stand in the place of any use.
    pub definition: Range,
    /// Where it is used, from left to right.
    pub uses: Vec<Range>,
}

/// A use that defines what it used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Redefined {
    pub space: u32,
    pub member: u32,
    /// What defined it before.
    pub definition: Range,
    /// The use that does so now.
    pub by: Range,
}

impl Container {
    /// Which uses define things after `wanted`, because what defined these is gone.
    pub(super) fn redefined(&self, wanted: &Patch<u8>) -> Vec<Redefined> {
        let gone = self
            .defined
            .iter()
            .filter(|it| is_gone(wanted, it.definition));
        let redefined = gone.filter_map(|it| {
            let is_left =
                |range: &&Range| !is_edited(wanted, **range) || is_replaced(wanted, **range);
            Some(Redefined {
                space: it.space,
                member: it.member,
                definition: it.definition,
                by: *it.uses.iter().find(is_left)?,
            })
        });
        redefined.collect()
    }
}

/// Whether something stands in the place of exactly this range.
pub(super) fn is_replaced(wanted: &Patch<u8>, (start, end): Range) -> bool {
    let edits = wanted.edits();
    let at = edits.partition_point(|edit| edit.end < end as usize);
    let edit = edits.get(at).filter(|edit| !edit.is_cut());
    edit.is_some_and(|edit| (edit.start, edit.end) == (start as usize, end as usize))
}
