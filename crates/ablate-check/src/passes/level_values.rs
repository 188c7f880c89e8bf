//! Makes all values of one kind that are less simple than a certain one of them like that one.
//!
//! When each of many is held by the same bound, `[70, 61, 90, 65, 90]` becomes
//! `[61, 61, 61, 61, 61]` in one test,
//! and then all are lowered together: one search for the bound, where there would be one for each.
//!
//! The first that the others are to be like is the simplest of them, but for what is as simple as can
//! be; then, of many, the one in the middle of their order, and the one at three quarters: what succeeds
//! there is halved again, so that where a few have to be greater than the rest these are found in as
//! many tests as their number has binary digits.
//!
//! Spans that hold several values are one kind where the same is drawn in them, and all else are the
//! values of one constraint.
//!
//! Costs up to three tests for each kind; none where all of a kind are equal, or there are but few, or they
//! are hardly less simple than they have to be to differ.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let numbers = "1.t.70.t.61.t.90.t.65.t.90.f";
//! let tried = reductions("level_values", vec(any::<i32>()), numbers);
//! assert_eq!(tried, ["[61, 61, 61, 61, 61]"]);
//! let pairs = "1.t.7.1.t.8.1.t.6.3.t.7.2.f";
//! let tried = reductions("level_spans", vec((0..9u8, 0..9u8)), pairs);
//! assert_eq!(tried, ["[(6, 3), (6, 3), (6, 3), (6, 3)]"]);
//! ```

use std::cmp::Ordering;
use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::insert::Insert;
use ablate_engine::order::ElementOrder;
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Spans, compare, kinds};
use crate::choice::{Choice, Constraint, Simplicity, Value};

/// So many single values of a kind there have to be.
pub(super) const MANY: usize = 5;
/// So many spans of a kind there have to be: each has several values to be lowered.
const MANY_SPANS: usize = 4;
/// From so many different ones on those in between are tried.
const DIFFERENT: usize = 8;
/// What is longer is no part of a kind.
const LONG: usize = 32;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum LevelValues {
    /// What is drawn together: pairs, alternatives, texts with numbers.
    Spans,
    /// Single values.
    Choices,
}

/// An interval.
type Place = (usize, usize);

/// Values of one kind that could be simpler, the simplest first.
#[derive(Debug)]
struct Kind {
    places: Vec<Place>,
    /// Where in `places` the next value begins that is another one than that before it.
    steps: Vec<usize>,
}

impl Kind {
    /// The kind of these places, unless all are the same.
    fn of(mut places: Vec<Place>, order: impl Fn(Place, Place) -> Ordering) -> Option<Kind> {
        places.sort_by(|a, b| order(*a, *b));
        let is_step = |at: &usize| order(places[at - 1], places[*at]).is_ne();
        let steps: Vec<usize> = (1..places.len()).filter(is_step).collect();
        (!steps.is_empty()).then_some(Kind { places, steps })
    }
}

/// Whether so many different values, none of them the simplest, are hardly less simple than they have to
/// be to differ: that they do will be what counts.
pub(super) fn are_ranks(count: usize, last: u128) -> bool {
    last < 2 * count as u128
}

/// Which of so many different values the less simple ones may become like, the most wanted first.
pub(super) fn sources(count: usize) -> Vec<usize> {
    match count {
        0 | 1 => vec![],
        2..DIFFERENT => vec![0],
        _ => vec![0, count / 2, 3 * count / 4],
    }
}

/// The kinds of single values.
struct OfChoices(Vec<Kind>);

impl OfChoices {
    fn found(target: &Target<Choice>) -> OfChoices {
        let elements = target.elements();
        let can_be = |choice: &Choice| is_value(choice) && !choice.is_simplest();
        let kinds = kinds(elements, can_be).into_iter();
        let places = kinds.filter(|places| places.len() >= MANY);
        let places = places.map(|places| places.into_iter().map(|at| (at, at + 1)).collect());
        let order = |a: Place, b: Place| Simplicity.compare(&elements[a.0], &elements[b.0]);
        let kinds = places.filter_map(|places| Kind::of(places, order));
        let are_high = |kind: &Kind| {
            let last = kind
                .places
                .last()
                .map_or(0, |last| elements[last.0].index());
            !are_ranks(kind.steps.len() + 1, last)
        };
        OfChoices(kinds.filter(are_high).collect())
    }
}

/// The kinds of spans.
struct OfSpans(Vec<Kind>);

/// What a span draws: only the values differ in those of one kind.
type Drawn = Vec<(Constraint, Option<Value>)>;

fn drawn(content: &[Choice]) -> Drawn {
    let fixed = |choice: &Choice| (!is_value(choice)).then(|| choice.value());
    let drawn = content.iter();
    drawn
        .map(|choice| (choice.constraint(), fixed(choice)))
        .collect()
}

impl OfSpans {
    fn found(target: &Target<Choice>) -> OfSpans {
        let elements = target.elements();
        let mut places: BTreeMap<_, Vec<Place>> = BTreeMap::new();
        for (start, end, label) in Spans::of(target).iter() {
            let content = &elements[start..end];
            if content.len() > LONG || content.iter().filter(|c| is_value(c)).count() < 2 {
                continue;
            }
            let is_simple = |choice: &Choice| !is_value(choice) || choice.is_simplest();
            if !content.iter().all(is_simple) {
                let kind = (label, drawn(content));
                places.entry(kind).or_default().push((start, end));
            }
        }
        let order = |a: Place, b: Place| compare(&elements[a.0..a.1], &elements[b.0..b.1]);
        let kinds = places
            .into_values()
            .filter(|places| places.len() >= MANY_SPANS);
        OfSpans(kinds.filter_map(|places| Kind::of(places, order)).collect())
    }
}

/// Whether a choice is a value: nothing else depends on what was chosen.
fn is_value(choice: &Choice) -> bool {
    matches!(
        choice.constraint(),
        Constraint::Integer(_) | Constraint::Float(_) | Constraint::Bytes(_) | Constraint::Text(..)
    )
}

impl Pass<Choice> for LevelValues {
    fn name(&self) -> &'static str {
        match self {
            LevelValues::Spans => "level_spans",
            LevelValues::Choices => "level_values",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (of_spans, of_choices);
        let kinds = match self {
            LevelValues::Spans => {
                of_spans = target.analysis(OfSpans::found);
                &of_spans.0
            }
            LevelValues::Choices => {
                of_choices = target.analysis(OfChoices::found);
                &of_choices.0
            }
        };
        let kind = &kinds[chooser.prefer(kinds.len())?];
        let sources = sources(kind.steps.len() + 1);
        let source = sources[chooser.prefer(sources.len())?];
        let (start, end) = kind.places[kind.steps[source] - 1];
        let insert = Insert::from(&target.elements()[start..end]);
        let mut places = kind.places[kind.steps[source]..].to_vec();
        places.sort_unstable();
        places.dedup();
        let edits = places.into_iter().map(|(start, end)| Edit {
            start,
            end,
            insert: Some(insert.clone()),
        });
        Patch::edits_of(edits).map_err(|_| DeadBranch)
    }
}
