//! Replaces a span by a copy of a simpler one with the same label.
//!
//! What took many steps to become simple need not be made simple again elsewhere: when `(8, 3)` is
//! as simple as a pair can be here, `[(8, 3), (71, 52), (90, 13)]` becomes three of them in one
//! test.
//!
//! Costs up to three tests for each span with several values that is not the simplest of its
//! label; grown over its siblings. This is the "clone" of "Conjecture interval simplification"
//! (D. R. MacIver): like there, a copy is not longer than what it replaces, and not much shorter.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("copy_spans", vec((0..99u8, 0..99u8)), "1.t.8.3.t.71.52.f");
//! assert_eq!(tried, ["[(8, 3), (8, 3)]"]);
//! ```

use std::cmp::Ordering;
use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Spans, compare};
use super::siblings;
use crate::choice::{Choice, Value};

/// So many of the simplest spans of a label are copied.
const SOURCES: usize = 3;
/// Up to this length a span may be any amount longer than its copy.
const SHORT: usize = 16;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct CopySpans;

/// An interval.
type Place = (usize, usize);

/// The spans that can be replaced, each with what may be copied there, the simplest last.
struct Copies(Vec<(Place, Vec<Place>)>);

fn content(target: &Target<Choice>, place: Place) -> &[Choice] {
    &target.elements()[place.0..place.1]
}

/// Whether there is more in a span than other passes can lower at once.
fn holds_several(target: &Target<Choice>, place: Place) -> bool {
    let values = content(target, place).iter();
    let counted = values.filter(|choice| {
        !choice.constraint().is_forced() && !matches!(choice.value(), Value::Boolean(_))
    });
    counted.take(2).count() == 2
}

fn fits(target: &Target<Choice>, source: Place, place: Place) -> bool {
    let (short, long) = (source.1 - source.0, place.1 - place.0);
    let is_apart = source.1 <= place.0 || place.1 <= source.0;
    is_apart
        && long <= (2 * short).max(SHORT)
        && compare(content(target, source), content(target, place)) == Ordering::Less
}

impl Copies {
    fn found(target: &Target<Choice>) -> Copies {
        let mut by_label: BTreeMap<u64, Vec<Place>> = BTreeMap::new();
        for (start, end, label) in Spans::of(target).iter() {
            if holds_several(target, (start, end)) {
                by_label.entry(label).or_default().push((start, end));
            }
        }
        let mut copies = Vec::new();
        for mut places in by_label.into_values().filter(|places| places.len() > 1) {
            places.sort_by(|a, b| compare(content(target, *a), content(target, *b)));
            let mut sources = places.clone();
            sources.dedup_by(|a, b| content(target, *a) == content(target, *b));
            sources.truncate(SOURCES);
            for place in places {
                let fitting = sources.iter().rev().copied();
                let fitting: Vec<Place> = fitting.filter(|s| fits(target, *s, place)).collect();
                if !fitting.is_empty() {
                    copies.push((place, fitting));
                }
            }
        }
        copies.sort();
        Copies(copies)
    }
}

/// Puts copies of `source` in all these places that are not simpler already.
fn copied(
    target: &Target<Choice>,
    source: &[Choice],
    places: impl IntoIterator<Item = Place>,
) -> Option<Patch<Choice>> {
    let is_worse = |place: &Place| compare(source, content(target, *place)) == Ordering::Less;
    let edits = places
        .into_iter()
        .filter(is_worse)
        .map(|(start, end)| Edit {
            start,
            end,
            insert: Some(source.into()),
        });
    Patch::edits_of(edits).ok()
}

impl Pass<Choice> for CopySpans {
    fn name(&self) -> &'static str {
        "copy_spans"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let copies = target.analysis(Copies::found);
        let (place, sources) = &copies.0[chooser.any(0..copies.0.len())?];
        let source = sources[chooser.any(0..sources.len())?];
        copied(target, content(target, source), [*place]).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        siblings::DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let run = patch.extent()?;
        let source = patch.edits().first()?.insert.clone()?;
        siblings::grown(target, run, direction, amount, |family, (first, last)| {
            copied(
                target,
                &source,
                family.members[first..=last].iter().copied(),
            )
        })
    }
}
