//! The spans of a target that hold something, by their lengths.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use ablate_engine::target::{Span, Target};

use super::families::Families;
use crate::choice::Choice;

/// The label of spans whose values were not used; it stands for that which they had.
pub(crate) const DISCARDED: u64 = crate::generator::label("discarded");

/// The start, the end and the label of a span.
pub(crate) type Place = (usize, usize, u64);

/// The spans that hold something, the shortest first.
#[derive(Debug)]
pub(crate) struct Spans {
    spans: Arc<Vec<Span>>,
    /// Their places among all spans.
    order: Vec<u32>,
    families: Rc<Families>,
}

/// The same spans, the shortest first; of equally long ones the last one first.
#[derive(Debug)]
pub(crate) struct SpansBackwards(Spans);

impl Spans {
    /// The spans of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Spans> {
        target.analysis_of_spans(Spans::found)
    }

    fn found(target: &Target<Choice>) -> Spans {
        let families = Families::of(target);
        let spans = target.spans();
        Spans {
            spans: Arc::clone(spans),
            order: by_len(spans),
            families,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// One of them.
    #[inline]
    pub fn at(&self, at: usize) -> Place {
        let span = &self.spans[self.order[at] as usize];
        (span.start, span.end, span.label)
    }

    /// How many are shorter than this.
    pub fn shorter_than(&self, len: usize) -> usize {
        (self.order).partition_point(|&at| self.spans[at as usize].len() < len)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Place> {
        (0..self.len()).map(|at| self.at(at))
    }

    /// How many members the family of a span has, which is given by its place among them.
    #[inline]
    pub fn siblings(&self, at: usize) -> usize {
        let (family, _) = self.families.of_span(self.order[at]);
        family.members.len()
    }

    /// Whether the next span of the family holds the same, and nothing stands between them: without
    /// either of them the target is the same.
    #[inline]
    pub fn is_repeated(&self, target: &Target<Choice>, at: usize) -> bool {
        let (family, place) = self.families.of_span(self.order[at]);
        let [(start, end), (next, next_end), ..] = family.members[place..] else {
            return false;
        };
        let elements = target.elements();
        // Mostly they are short: a call for each would take longer.
        let is_same = |(one, other): (&Choice, &Choice)| one == other;
        end == next
            && end - start == next_end - next
            && (elements[start..end].iter().zip(&elements[next..next_end])).all(is_same)
    }
}

impl SpansBackwards {
    /// The spans of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<SpansBackwards> {
        target.analysis_of_spans(|target| {
            let spans = Spans::of(target);
            let len = |at: &u32| spans.spans[*at as usize].len();
            let mut order = spans.order.clone();
            let equal = order.chunk_by_mut(|one, next| len(one) == len(next));
            equal.for_each(<[u32]>::reverse);
            SpansBackwards(Spans {
                spans: Arc::clone(&spans.spans),
                order,
                families: Rc::clone(&spans.families),
            })
        })
    }
}

impl Deref for SpansBackwards {
    type Target = Spans;

    fn deref(&self) -> &Spans {
        &self.0
    }
}

/// The places of the spans that hold something, the shortest first, of equally long ones the first. Of
/// those that hold the same one is enough.
fn by_len(spans: &[Span]) -> Vec<u32> {
    // Those that follow each other are mostly as long as each other.
    let mut runs: Vec<(usize, u32)> = Vec::new();
    // How many there are of each length, and where the next of them begins at the earliest if they are
    // in order, and each holds something else.
    let mut of_len: Vec<(u32, u32)> = Vec::new();
    let mut is_sorted = true;
    for run in spans.chunk_by(|one, next| one.len() == next.len()) {
        let (len, added) = (run[0].len(), run.len() as u32);
        if len >= of_len.len() {
            of_len.resize(len + 1, (0, 0));
        }
        let (count, next) = &mut of_len[len];
        *count += added;
        is_sorted &=
            *next as usize <= run[0].start && run.is_sorted_by(|one, next| one.start < next.start);
        *next = run[run.len() - 1].start as u32 + 1;
        runs.push((len, added));
    }
    // Those that hold nothing are left out.
    if let Some(empty) = of_len.first_mut() {
        empty.0 = 0;
    }
    // The place of the first of each length.
    let mut sum = 0;
    for (place, _) in &mut of_len {
        sum += std::mem::replace(place, sum);
    }
    let mut order = vec![0; sum as usize];
    let mut at = 0;
    for (len, count) in runs {
        let next = at + count;
        if len > 0 {
            let (place, _) = &mut of_len[len];
            let slots = order[*place as usize..].iter_mut().zip(at..next);
            slots.for_each(|(slot, at)| *slot = at);
            *place += count;
        }
        at = next;
    }
    if !is_sorted {
        let interval = |at: &u32| (spans[*at as usize].len(), spans[*at as usize].start);
        order.sort_by_key(interval);
        order.dedup_by(|next, kept| interval(next) == interval(kept));
    }
    order
}

/// A tuple, a struct or a date of so many numbers at most is a record.
const RECORD: usize = 8;

/// Whether one of the target's spans, by its place, holds several integers and nothing else, not even spans.
pub(crate) fn is_record(target: &Target<Choice>, place: usize) -> bool {
    let (spans, elements) = (target.spans(), target.elements());
    let Span { start, end, .. } = spans[place];
    (2..=RECORD).contains(&(end - start))
        && spans.get(place + 1).is_none_or(|next| next.start >= end)
        && elements[start..end].iter().all(Choice::is_integer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn spans_that_hold_different_things_are_put_in_order_of_their_lengths() {
        crate::check(|tc| {
            let mut places = tc.draw(vec((0usize..20, 0usize..4)));
            // Spans come in order of their starts, but for those that a caller has made.
            if tc.draw(any::<bool>()) {
                places.sort_unstable();
            }
            let spans: Vec<Span> = places
                .into_iter()
                .map(|(start, len)| Span {
                    start,
                    end: start + len,
                    label: 0,
                    depth: 0,
                })
                .collect();
            let filled = (0..spans.len() as u32).filter(|&at| !spans[at as usize].is_empty());
            let mut expected: Vec<u32> = filled.collect();
            let interval = |at: &mut u32| (spans[*at as usize].len(), spans[*at as usize].start);
            expected.sort_by_key(|at| interval(&mut at.clone()));
            expected.dedup_by_key(interval);
            assert_eq!(by_len(&spans), expected);
        });
    }
}
