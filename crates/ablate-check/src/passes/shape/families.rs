//! Families of sibling spans: the elements of a list, the parts of a tuple that are made alike.

use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::{Span, Target};

use super::choices::{is_more, number};
use super::edits::delete_and_put;
use super::numbers::Numbers;
use crate::choice::Choice;

/// Spans of the same label in the same span, in order: the elements of a list, the parts of a
/// tuple that are made alike.
#[derive(Debug)]
pub(crate) struct Family {
    pub label: u64,
    pub members: Vec<(usize, usize)>,
    /// Whether each begins where the one before it ends.
    pub is_dense: bool,
}

/// All families, the ones that reach least far first.
#[derive(Debug)]
pub(crate) struct Families {
    families: Vec<Family>,
    /// For each span of the target the place of its family among them, and its own in the family.
    places: Vec<(u32, u32)>,
}

impl Families {
    /// The families of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Families> {
        target.analysis_of_spans(Families::found)
    }

    fn found(target: &Target<Choice>) -> Families {
        let (mut families, mut places) = families(target.spans());
        if families.is_sorted_by_key(Family::extent) {
            return Families { families, places };
        }
        let mut order: Vec<usize> = (0..families.len()).collect();
        order.sort_by_key(|&family| families[family].extent());
        let mut ranks = vec![0; order.len()];
        for (rank, &family) in order.iter().enumerate() {
            ranks[family] = rank as u32;
        }
        for place in &mut places {
            place.0 = ranks[place.0 as usize];
        }
        families.sort_by_key(Family::extent);
        Families { families, places }
    }

    /// The family of a span, given by its place among all, and its own place in the family.
    #[inline]
    pub fn of_span(&self, span: u32) -> (&Family, usize) {
        let (family, place) = self.places[span as usize];
        (&self.families[family as usize], place as usize)
    }

    /// The family whose members from one place to another are exactly this interval.
    pub fn run_of(&self, start: usize, end: usize) -> Option<(&Family, usize, usize)> {
        self.iter().find_map(|family| {
            let members = &family.members;
            let first = members.partition_point(|member| member.0 < start);
            let last = members.partition_point(|member| member.1 < end);
            let fits = first <= last
                && members.get(first).is_some_and(|member| member.0 == start)
                && members.get(last).is_some_and(|member| member.1 == end);
            fits.then_some((family, first, last))
        })
    }
}

impl Deref for Families {
    type Target = [Family];

    fn deref(&self) -> &[Family] {
        &self.families
    }
}

/// The families of spans, by where the first member of each stands; and for each span the place of
/// its family among them, and its own in the family.
fn families(spans: &[Span]) -> (Vec<Family>, Vec<(u32, u32)>) {
    // The spans around the one at hand, and by parent and label the family of its members.
    let mut around: Vec<usize> = Vec::new();
    let mut places: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut families: Vec<Family> = Vec::new();
    let mut places_of = Vec::with_capacity(spans.len());
    // Those that follow each other as deep as each other are in the same span.
    let mut at = 0;
    for run in spans.chunk_by(|one, next| (one.depth, one.label) == (next.depth, next.label)) {
        let Span { depth, label, .. } = run[0];
        around.truncate(depth as usize);
        // The target itself is the parent of those that nothing encloses.
        let parent = around.last().map_or(0, |parent| parent + 1);
        let place = *places.entry((parent, label)).or_insert_with(|| {
            families.push(Family {
                label,
                members: Vec::new(),
                is_dense: true,
            });
            families.len() - 1
        });
        let family = &mut families[place];
        let first = family.members.len();
        let members = first as u32..(first + run.len()) as u32;
        places_of.extend(members.map(|member| (place as u32, member)));
        let added = run.iter().map(|span| (span.start, span.end));
        family.members.extend(added);
        let mut pairs = family.members[first.saturating_sub(1)..].windows(2);
        family.is_dense &= pairs.all(|pair| pair[0].1 == pair[1].0);
        at += run.len();
        around.push(at - 1);
    }
    (families, places_of)
}

impl Family {
    /// How far it reaches.
    pub fn extent(&self) -> usize {
        let first = self.members.first().map_or(0, |member| member.0);
        self.members.last().map_or(0, |member| member.1) - first
    }

    /// Without the members from one to another, which may be none, and with other numbers in some
    /// places.
    pub fn without(
        &self,
        target: &Target<Choice>,
        members: Range<usize>,
        numbers: impl IntoIterator<Item = (usize, i128)>,
    ) -> Option<Patch<Choice>> {
        match &self.members[members] {
            [first, .., last] if self.is_dense => {
                delete_and_put(target, &[(first.0, last.1)], numbers)
            }
            members => delete_and_put(target, members, numbers),
        }
    }

    /// The number before the family that says how many members it has. There is none where nothing
    /// stands before it, or a boolean before each member says that there is one more.
    pub fn count_in(&self, target: &Target<Choice>) -> Option<usize> {
        let first = self.members.first()?.0;
        if first == 0 || is_more(target.elements().get(first)?) {
            return None;
        }
        let numbers = Numbers::of(target);
        let before = numbers.lowerable.partition_point(|&at| at < first);
        let count = self.members.len() as i128;
        let mut numbers = numbers.lowerable[..before].iter().rev().copied();
        numbers.find(|&at| number(&target.elements()[at]) == Some(count))
    }
}
