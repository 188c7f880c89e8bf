//! What is gone with some parts of the text, and what is needless then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ablate_engine::chooser::DeadBranch;
use ablate_engine::patch::Patch;

use crate::items::Items;
use crate::members::Members;
use crate::names::Names;
use crate::needs::{Kept, Needs, Without};
use crate::tree::{Node, SyntaxTree};
use crate::weights::Weights;

/// What is gone without these parts, in the order of the text, none of which is in another.
pub(crate) fn without(
    items: &Items,
    names: &Names,
    tree: &SyntaxTree,
    gone: &[Range<usize>],
) -> Without {
    let nodes = tree.nodes();
    let is_gone = |node: &Node| {
        let after = gone.partition_point(|part| part.start <= node.start as usize);
        let part = after.checked_sub(1).map(|before| &gone[before]);
        part.is_some_and(|part| node.end as usize <= part.end)
    };
    let start = |node: u32| nodes[node as usize].start as usize;
    let mut without = Without {
        is_blocked: vec![false; items.items.len()],
        ..Without::default()
    };
    let mut lost: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for part in gone {
        let from = (items.items).partition_point(|item| start(item.node) < part.start);
        let inside = items.items[from..].iter();
        let inside = inside.take_while(|item| start(item.node) < part.end);
        for (number, item) in (from..).zip(inside) {
            without.is_blocked[number] = is_gone(&nodes[item.node as usize]);
        }
        let from = (names.occurrences).partition_point(|it| start(it.node) < part.start);
        let inside = names.occurrences[from..].iter();
        let inside = inside.take_while(|it| start(it.node) < part.end);
        for (index, occurrence) in (from..).zip(inside) {
            let around = lost.entry(occurrence.name).or_default();
            around.insert(items.around[index]);
        }
    }
    for (name, mut around) in lost {
        for &at in &names.by_name[name as usize] {
            if !is_gone(&nodes[names.occurrences[at as usize].node as usize]) {
                around.remove(&items.around[at as usize]);
            }
        }
        (without.lost_uses).extend(around.into_iter().map(|item| (item, name)));
    }
    without
}

/// An edit of parts that are gone, together with what is no longer kept without them.
///
/// # Errors
/// [`DeadBranch`] where both can't be done, or the text gets no shorter: what goes with it is an estimate, and all of
/// it may be needed elsewhere.
pub(crate) fn with_needless(
    patch: &Patch<u8>,
    without: &Without,
    kept: &Kept,
    members: &Members,
    needs: &Needs,
    weights: &Weights,
) -> Result<Patch<u8>, DeadBranch> {
    let was_kept =
        |item: u32| weights.kept.is_kept[item as usize] && !without.is_blocked[item as usize];
    let needless = needs.removal(members, was_kept, &kept.is_kept, &[]);
    let patch = patch.combined(&needless).map_err(|_| DeadBranch)?;
    if patch.growth() < 0 {
        Ok(patch)
    } else {
        Err(DeadBranch)
    }
}
