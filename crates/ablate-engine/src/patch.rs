//! Patches: sets of cuts and replacements that can be combined, can conflict, and can be applied.
//!
//! A patch never holds the sequence it edits. All its positions refer to one base; after a patch
//! has been committed, others for the same base are carried over with [`Patch::rebased`].

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::identity::{Digest, Element};
use crate::insert::Insert;
use crate::parts::PartDigests;

/// More elements than this may be changed by one edit.
const FEW: usize = 8;
/// That is done where at least one element of so many changes.
const DENSE: usize = 4;
/// Room is made at once for no more edits than this.
const LONG: usize = 1 << 12;

/// One edit: the elements `start..end` of the base become `insert` (nothing, for a cut).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<E> {
    /// The first position that is replaced.
    pub start: usize,
    /// The position after the last one that is replaced; equal to `start` for an insertion.
    pub end: usize,
    /// What stands there instead; `None` for a cut.
    pub insert: Option<Insert<E>>,
}

impl<E> Edit<E> {
    /// Whether this edit only removes.
    pub fn is_cut(&self) -> bool {
        self.insert.is_none()
    }

    /// The number of elements that this edit inserts.
    pub fn inserted(&self) -> usize {
        self.insert.as_ref().map_or(0, |insert| insert.len())
    }

    /// Whether as much is inserted as is removed.
    fn keeps_length(&self) -> bool {
        self.inserted() == self.end - self.start
    }
}

/// A set of edits of one base, sorted by position, no two overlapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch<E> {
    /// Shared, since a patch that works is handed from one hand to the next.
    edits: Arc<[Edit<E>]>,
    /// How many places it was made for, where one edit stands for many.
    places: usize,
}

/// Two patches want different things of the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

impl<E: Element> Default for Patch<E> {
    fn default() -> Self {
        Patch::of(Arc::default())
    }
}

impl<E> Patch<E> {
    /// Edits that are in order, and of which no two conflict or merge.
    fn of(edits: impl Into<Arc<[Edit<E>]>>) -> Patch<E> {
        Patch {
            edits: edits.into(),
            places: 0,
        }
    }
}

impl<E: Element> Patch<E> {
    /// The cut `t[..start] + t[end..]`.
    pub fn cut(start: usize, end: usize) -> Patch<E> {
        debug_assert!(start <= end);
        if start == end {
            return Patch::default();
        }
        Patch::of([Edit {
            start,
            end,
            insert: None,
        }])
    }

    /// Replaces `start..end` by `insert`.
    pub fn replace(start: usize, end: usize, insert: &[E]) -> Patch<E> {
        debug_assert!(start <= end);
        if insert.is_empty() {
            return Patch::cut(start, end);
        }
        Patch::of([Edit {
            start,
            end,
            insert: Some(insert.into()),
        }])
    }

    /// All of these cuts at once; they may come in any order and may overlap.
    pub fn cuts(ranges: impl IntoIterator<Item = (usize, usize)>) -> Patch<E> {
        let mut ranges = ranges.into_iter().filter(|(start, end)| start < end);
        let mut edits: Vec<Edit<E>> = Vec::new();
        // Mostly they come in order.
        while let Some(range) = ranges.next() {
            if edits.last().is_some_and(|last| range.0 < last.start) {
                let done = edits.drain(..).map(|edit| (edit.start, edit.end));
                let mut all: Vec<(usize, usize)> = done.chain([range]).chain(ranges).collect();
                all.sort_unstable();
                all.into_iter()
                    .for_each(|range| cut_also(&mut edits, range));
                break;
            }
            cut_also(&mut edits, range);
        }
        Patch::of(edits)
    }

    /// All of these edits at once, or the conflict between two of them.
    pub fn edits_of(edits: impl IntoIterator<Item = Edit<E>>) -> Result<Patch<E>, Conflict> {
        let edits = edits.into_iter();
        // Mostly there are as many as there can be: where not, memory is soon given back.
        let most = edits.size_hint().1.unwrap_or_default().min(LONG);
        let mut kept = Vec::with_capacity(most);
        edits.for_each(|edit| {
            if !is_void(&edit) {
                kept.push(edit);
            }
        });
        if kept.is_sorted_by(is_before) {
            return Ok(Patch::of(kept));
        }
        kept.sort_by_cached_key(|edit| (edit.start, edit.end));
        let mut edits = Vec::with_capacity(kept.len());
        for edit in kept {
            push(&mut edits, edit)?;
        }
        Ok(Patch::of(edits))
    }

    /// Changes the elements in these places of `base`, which are given in order: few, or those that
    /// stand far apart, by an edit for each, else by one over all of them.
    pub fn change(base: &[E], places: &[usize], mut change: impl FnMut(&mut E)) -> Patch<E> {
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return Patch::default();
        };
        let end = last + 1;
        if places.len() <= FEW || places.len() * DENSE < end - first {
            return Patch::change_each(base, places, change);
        }
        let mut changed = base[first..end].to_vec();
        for &place in places {
            change(&mut changed[place - first]);
        }
        let edit = Edit {
            start: first,
            end,
            insert: Some(changed.into()),
        };
        Patch {
            edits: [edit].into(),
            places: places.len(),
        }
    }

    /// Changes the elements in these places of `base`, which are given in order, by an edit for each.
    pub fn change_each(base: &[E], places: &[usize], mut change: impl FnMut(&mut E)) -> Patch<E> {
        let edits = places.iter().map(|&start| {
            let mut element = base[start].clone();
            change(&mut element);
            Edit {
                start,
                end: start + 1,
                insert: Some([element].into()),
            }
        });
        Patch::of(edits.collect::<Arc<[_]>>())
    }

    /// How many places the patch is made for: as many as it has edits, unless one of them was made
    /// for many.
    pub fn places(&self) -> usize {
        self.places.max(self.edits.len())
    }

    /// The edits, sorted by position.
    pub fn edits(&self) -> &[Edit<E>] {
        &self.edits
    }

    /// The only edit, if it is one cut.
    pub fn single_cut(&self) -> Option<(usize, usize)> {
        match self.edits() {
            [edit] if edit.is_cut() => Some((edit.start, edit.end)),
            _ => None,
        }
    }

    /// Whether the patch changes nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The first position that the patch touches, and the position after the last.
    pub fn extent(&self) -> Option<(usize, usize)> {
        Some((self.edits.first()?.start, self.edits.last()?.end))
    }

    /// By how many elements the patch makes the base longer (negative: shorter).
    pub fn growth(&self) -> isize {
        self.edits
            .iter()
            .map(|e| e.inserted() as isize - (e.end - e.start) as isize)
            .sum()
    }

    /// Does what both patches do. Overlapping cuts become their union, and a cut swallows edits
    /// that lie within it.
    ///
    /// # Errors
    /// When a replacement overlaps something else that is not the very same edit.
    pub fn combined(&self, other: &Patch<E>) -> Result<Patch<E>, Conflict> {
        if self.is_empty() || other.is_empty() {
            return Ok(if self.is_empty() { other } else { self }.clone());
        }
        let mut edits = Vec::with_capacity(self.edits.len() + other.edits.len());
        let (mut left, mut right) = (self.edits.iter().peekable(), other.edits.iter().peekable());
        loop {
            let from_left = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => (a.start, a.end) <= (b.start, b.end),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let edit = if from_left { left.next() } else { right.next() };
            if let Some(edit) = edit {
                push(&mut edits, edit.clone())?;
            }
        }
        Ok(Patch::of(edits))
    }

    /// Whether `other` does nothing that this patch does not do already.
    pub fn covers(&self, other: &Patch<E>) -> bool {
        other.edits.iter().all(|edit| {
            let index = self.edits.partition_point(|mine| mine.end < edit.end);
            // An insertion can stand right behind an edit with the same end.
            self.edits[index..].iter().take(2).any(|mine| {
                mine == edit || (mine.is_cut() && mine.start <= edit.start && edit.end <= mine.end)
            })
        })
    }

    /// This patch in the positions of the sequence that results from `committed`, a patch of the
    /// same base. What `committed` has already done is left out.
    ///
    /// # Errors
    /// When `committed` has replaced something that this patch edits, or only a part of it is left.
    pub fn rebased(&self, committed: &Patch<E>) -> Result<Patch<E>, Conflict> {
        let mut edits = Vec::with_capacity(self.edits.len());
        let after = committed.moves();
        for edit in self.edits() {
            let first = committed
                .edits
                .partition_point(|done| done.start < edit.start);
            let at_start = committed.edits[first..].iter();
            let mut at_start = at_start.take_while(|done| done.start == edit.start);
            if at_start.clone().any(|done| done == edit) {
                continue;
            }
            let first = committed
                .edits
                .partition_point(|done| done.end <= edit.start);
            let touched = committed.edits[first..].iter();
            let mut touched = touched.take_while(|done| done.start < edit.end).peekable();
            if touched.peek().is_some() && (!edit.is_cut() || !touched.all(Edit::is_cut)) {
                return Err(Conflict);
            }
            let (mut start, end) = (after(edit.start), after(edit.end));
            if edit.start < edit.end {
                // What was inserted right before is not what this edit replaces.
                let before = at_start.find(|done| done.end == edit.start);
                start += before.map_or(0, Edit::inserted);
            }
            let moved = Edit {
                start,
                end,
                insert: edit.insert.clone(),
            };
            if is_void(&moved) {
                continue;
            }
            // Two insertions that a cut has brought together are still two.
            if edits.last() == Some(&moved) {
                return Err(Conflict);
            }
            push(&mut edits, moved)?;
        }
        Ok(Patch::of(edits))
    }

    /// Where the position `at` of the base is after the patch; what was cut is at its left end.
    pub fn moved(&self, at: usize) -> usize {
        self.moves()(at)
    }

    /// What [`Patch::moved`] says, for many positions.
    pub fn moves(&self) -> impl Fn(usize) -> usize + '_ {
        let mut shift = 0;
        let mut shifts = Vec::with_capacity(self.edits.len() + 1);
        shifts.push(shift);
        for edit in self.edits() {
            shift += edit.inserted() as isize - (edit.end - edit.start) as isize;
            shifts.push(shift);
        }
        move |at| {
            let is_before = |edit: &Edit<E>| edit.end <= at && edit.start < at;
            let before = self.edits.partition_point(is_before);
            let inside = self.edits.get(before);
            let inside = inside.map_or(0, |edit| at.saturating_sub(edit.start));
            (at - inside).saturating_add_signed(shifts[before])
        }
    }

    /// The parts of the patched sequence, in order.
    pub fn pieces<'a>(&'a self, base: &'a [E]) -> impl Iterator<Item = &'a [E]> + 'a {
        let mut edits = self.edits.iter();
        // What is inserted next, and where what is kept of the base goes on; nowhere at its end.
        let (mut inserted, mut at): (&[E], _) = (&[], Some(0));
        core::iter::from_fn(move || {
            loop {
                let piece = match core::mem::take(&mut inserted) {
                    [] => {
                        let edit = edits.next();
                        inserted = edit.and_then(|edit| edit.insert.as_deref()).unwrap_or(&[]);
                        let end = edit.map_or(base.len(), |edit| edit.start);
                        let from = core::mem::replace(&mut at, edit.map(|edit| edit.end))?;
                        &base[from..end]
                    }
                    inserted => inserted,
                };
                if !piece.is_empty() {
                    return Some(piece);
                }
            }
        })
    }

    /// The patched sequence.
    pub fn applied(&self, base: &[E]) -> Vec<E> {
        let mut result = Vec::with_capacity(base.len().saturating_add_signed(self.growth()));
        for piece in self.pieces(base) {
            result.extend_from_slice(piece);
        }
        result
    }

    /// Makes the patched sequence of `base`: in place where that is done in one go.
    pub fn apply_to(mut self, base: &mut Vec<E>) {
        match self.edits() {
            [cut] if cut.is_cut() && cut.end - cut.start < base.len() / 2 => {
                base.drain(cut.start..cut.end);
            }
            edits if edits.iter().all(Edit::keeps_length) => {
                for edit in Arc::make_mut(&mut self.edits) {
                    let Some(mut insert) = edit.insert.take() else {
                        continue;
                    };
                    if insert.len() == base.len() {
                        *base = insert.into_vec();
                        return;
                    }
                    let place = &mut base[edit.start..edit.end];
                    match insert.get_mut() {
                        // What nobody else has need not be copied.
                        Some(insert) => place.swap_with_slice(insert),
                        None => place.clone_from_slice(&insert),
                    }
                }
            }
            _ => *base = self.applied(base),
        }
    }

    /// The digest of the patched sequence, without building it: the time depends on the number of
    /// edits and on what they insert, not on the length of the base.
    pub(crate) fn digest(&self, base: &[E], parts: &PartDigests) -> Digest {
        let is_exchange =
            |edit: &Edit<E>| edit.keeps_length() && parts.is_short(edit.end - edit.start);
        if self.edits.iter().all(is_exchange) {
            return self.edits.iter().fold(parts.whole(base), |digest, edit| {
                let new = edit.insert.as_deref().unwrap_or_default();
                digest.exchanged(&base[edit.start..edit.end], new, base.len() - edit.end)
            });
        }
        let mut digest = Digest::EMPTY;
        let mut at = 0;
        for edit in self.edits() {
            digest = parts.continued(digest, base, (at, edit.start));
            digest = digest.extended(edit.insert.as_deref().unwrap_or_default());
            at = edit.end;
        }
        parts.completed(digest, base, at)
    }
}

/// Adds a cut that starts no earlier than the last one.
fn cut_also<E>(edits: &mut Vec<Edit<E>>, (start, end): (usize, usize)) {
    match edits.last_mut() {
        Some(last) if start <= last.end => last.end = last.end.max(end),
        _ => edits.push(Edit {
            start,
            end,
            insert: None,
        }),
    }
}

/// Whether two edits stand one behind the other and neither conflict nor merge.
fn is_before<E>(a: &Edit<E>, b: &Edit<E>) -> bool {
    let has_gap = a.end < b.start;
    has_gap || (a.end == b.start && a.start < b.end && !(a.is_cut() && b.is_cut()))
}

fn is_void<E>(edit: &Edit<E>) -> bool {
    edit.start == edit.end && edit.is_cut()
}

/// Adds an edit that starts no earlier than the last one.
fn push<E: Element>(edits: &mut Vec<Edit<E>>, edit: Edit<E>) -> Result<(), Conflict> {
    while let Some(last) = edits.last_mut() {
        if *last == edit {
            return Ok(());
        }
        if last.is_cut() && edit.is_cut() && edit.start <= last.end {
            last.end = last.end.max(edit.end);
            return Ok(());
        }
        if edit.start >= last.end {
            let both_insert_here = last.start == edit.end && !last.is_cut() && !edit.is_cut();
            if both_insert_here {
                return Err(Conflict);
            }
            break;
        }
        if last.is_cut() && edit.end <= last.end {
            return Ok(());
        }
        if edit.is_cut() && edit.start == last.start && last.end <= edit.end {
            edits.pop();
            continue;
        }
        return Err(Conflict);
    }
    edits.push(edit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn check_applied(patch: &Patch<u8>, expected: &str) {
        let base = b"0123456789";
        let applied = patch.applied(base);
        assert_eq!(std::str::from_utf8(&applied).unwrap(), expected);
        let mut in_place = base.to_vec();
        patch.clone().apply_to(&mut in_place);
        assert_eq!(in_place, applied);
        let parts = PartDigests::new(base.len());
        assert_eq!(patch.digest(base, &parts), Digest::of(&applied));
        assert_eq!(
            base.len().saturating_add_signed(patch.growth()),
            applied.len()
        );
    }

    #[test]
    fn what_is_inserted_before_a_cut_is_not_cut() {
        let insertion = Patch::replace(1, 1, b"x");
        let cut = Patch::cut(1, 2);
        let both = insertion.combined(&cut).unwrap();
        assert_eq!(both.applied(b"abc"), b"axc");
        let rest = cut.rebased(&insertion).unwrap();
        assert_eq!(rest.applied(&insertion.applied(b"abc")), b"axc");
        assert!(insertion.rebased(&insertion).unwrap().is_empty());
        assert!(
            Patch::cuts([(0, 1)])
                .combined(&insertion)
                .unwrap()
                .covers(&insertion)
        );
    }

    #[test]
    fn overlapping_and_abutting_cuts_are_merged_before_they_are_applied() {
        // The document's `cut_all` computes the merged cuts and then iterates over the others.
        let patch = Patch::cuts([(4, 6), (1, 3), (2, 5), (8, 9)]);
        assert_eq!(patch.edits().len(), 2);
        check_applied(&patch, "0679");
    }

    #[test]
    fn a_cut_swallows_a_replacement_inside_it() {
        let cut = Patch::cut(2, 7);
        for inside in [
            Patch::replace(3, 4, b"xy"),
            Patch::replace(2, 3, b"x"),
            Patch::replace(2, 7, b"x"),
        ] {
            check_applied(&cut.combined(&inside).unwrap(), "01789");
            check_applied(&inside.combined(&cut).unwrap(), "01789");
        }
    }

    #[test]
    fn a_replacement_that_only_partly_overlaps_conflicts() {
        let replacement = Patch::replace(3, 6, b"x");
        for other in [
            Patch::cut(5, 8),
            Patch::cut(1, 4),
            Patch::replace(3, 6, b"y"),
            Patch::replace(5, 6, b"z"),
        ] {
            assert_eq!(replacement.combined(&other), Err(Conflict));
            assert_eq!(other.combined(&replacement), Err(Conflict));
        }
    }

    #[test]
    fn many_places_are_changed_by_one_edit() {
        let check = |places: &[usize], edits: usize, expected: &str| {
            let patch = Patch::change(b"0123456789", places, |byte| *byte = b'a' + *byte % 2);
            assert_eq!((patch.edits().len(), patch.places()), (edits, places.len()));
            check_applied(&patch, expected);
            // Nobody else has what is inserted.
            let mut taken_over = b"0123456789".to_vec();
            patch.apply_to(&mut taken_over);
            assert_eq!(std::str::from_utf8(&taken_over).unwrap(), expected);
        };
        check(&[], 0, "0123456789");
        check(&[1, 9], 2, "0b2345678b");
        check(&[0, 1, 2, 3, 5, 6, 7, 8, 9], 1, "abab4babab");
    }

    #[test]
    fn neighbouring_edits_stay_apart() {
        let replacement = Patch::replace(3, 6, b"x");
        check_applied(&replacement.combined(&Patch::cut(6, 8)).unwrap(), "012x89");
        check_applied(&replacement.combined(&Patch::cut(1, 3)).unwrap(), "0x6789");
        check_applied(
            &replacement.combined(&Patch::replace(6, 7, b"y")).unwrap(),
            "012xy789",
        );
    }

    #[test]
    fn a_rebased_patch_does_the_rest_of_what_it_did() {
        let committed: Patch<u8> = Patch::cuts([(1, 3), (5, 6)]);
        let base = b"0123456789";
        let after: Vec<u8> = committed.applied(base);
        let other = Patch::cut(2, 8);
        let rebased = other.rebased(&committed).unwrap();
        assert_eq!(
            rebased.applied(&after),
            committed.combined(&other).unwrap().applied(base)
        );
        let replacement = Patch::replace(7, 8, b"xyz");
        let rebased = replacement.rebased(&committed).unwrap();
        assert_eq!(
            rebased.applied(&after),
            committed.combined(&replacement).unwrap().applied(base)
        );
        assert_eq!(
            Patch::replace(2, 4, b"x").rebased(&committed),
            Err(Conflict)
        );
    }

    #[test]
    fn positions_move_with_what_stands_before_them() {
        let insertion = Patch::replace(4, 4, b"xy");
        let others = Patch::replace(7, 9, b"xyz").combined(&Patch::cut(1, 3));
        let patch = insertion.combined(&others.unwrap()).unwrap();
        let all = |patch: &Patch<u8>| (0..=10).map(patch.moves()).collect::<Vec<usize>>();
        assert_eq!(all(&patch), [0, 1, 1, 1, 2, 5, 6, 7, 7, 10, 11]);
        assert_eq!(all(&insertion), [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12]);
        assert_eq!(all(&Patch::default()), Vec::from_iter(0..=10));
        assert_eq!(patch.moved(9), 10);
    }

    #[test]
    fn a_patch_covers_what_it_already_does() {
        let patch = Patch::<u8>::cuts([(1, 4), (6, 9)]);
        assert!(patch.covers(&Patch::cut(2, 4)));
        assert!(patch.covers(&Patch::cuts([(1, 2), (8, 9)])));
        assert!(!patch.covers(&Patch::cut(3, 5)));
        assert!(!patch.covers(&Patch::replace(0, 1, b"x")));
    }
}
