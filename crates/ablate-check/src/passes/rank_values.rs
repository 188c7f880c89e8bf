//! Replaces the values of one kind by the simplest that there are: the simplest by the simplest of all,
//! the next by the next one, and so on.
//!
//! When only counts which are equal, `["x7", "q", "x7"]` becomes `["0", "", "0"]` in one test. Numbers
//! that can be negative come from both sides of zero; those that can't be are left to `rank_numbers`.
//!
//! Only where there are a few different ones; fewer are sooner lowered one by one.
//!
//! Costs a test for each kind of numbers, floating-point numbers, texts and bytes.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let numbers = "1.t.0.t.1.t.2.t.30.t.4.t.5.t.60.t.7.f";
//! let tried = reductions("rank_values", vec(any::<i16>()), numbers);
//! assert_eq!(tried, ["[0, 1, -1, -3, 2, -2, 4, 3]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::ElementOrder;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::kinds;
use crate::choice::{Choice, Constraint, Simplicity};

/// So many different values of a kind there have to be.
const FEW: usize = 8;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct RankValues;

/// For each kind of values the places of those that are not the simplest that there can be, in order,
/// each with what stands there then.
struct Ranked(Vec<Vec<(usize, Choice)>>);

impl Ranked {
    fn found(target: &Target<Choice>) -> Ranked {
        let elements = target.elements();
        let mut kinds = kinds(elements, |choice| is_ranked(&choice.constraint()));
        // The one that comes first.
        kinds.sort_unstable_by_key(|places| places[0]);
        let kinds = kinds.into_iter().filter(|places| places.len() >= FEW);
        let ranked = kinds.map(|places| ranked(elements, places));
        Ranked(ranked.filter(|ranked| !ranked.is_empty()).collect())
    }
}

fn is_ranked(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Integer(range) => range.has_both_sides(),
        Constraint::Float(_) | Constraint::Bytes(_) | Constraint::Text(..) => true,
        _ => false,
    }
}

/// The places that change, in order, each with its new choice; all are of one kind.
fn ranked(elements: &[Choice], mut places: Vec<usize>) -> Vec<(usize, Choice)> {
    if !are_many(places.iter().map(|&at| &elements[at])) {
        return Vec::new();
    }
    places.sort_by_cached_key(|&at| elements[at].index());
    // Long texts have no place of their own.
    let long = places.partition_point(|&at| elements[at].index() < u128::MAX);
    places[long..].sort_by(|&a, &b| Simplicity.compare(&elements[a], &elements[b]));
    let runs = || places.chunk_by(|&a, &b| elements[a].has_value_of(&elements[b]));
    let mut ranked = Vec::with_capacity(places.len());
    for (rank, run) in (0..).zip(runs()) {
        let choice = &elements[run[0]];
        let simplest = choice.constraint().at_index(rank);
        if let Some(with) = simplest.and_then(|value| choice.with(value))
            && with != *choice
        {
            ranked.extend(run.iter().map(|&at| (at, with.clone())));
        }
    }
    ranked.sort_unstable_by_key(|(at, _)| *at);
    ranked
}

/// Whether so many are different that they are worth a test.
fn are_many<'a>(choices: impl Iterator<Item = &'a Choice>) -> bool {
    let mut different: Vec<&Choice> = Vec::with_capacity(FEW);
    for choice in choices {
        if !different.iter().any(|known| known.has_value_of(choice)) {
            different.push(choice);
        }
        if different.len() == FEW {
            return true;
        }
    }
    false
}

impl Pass<Choice> for RankValues {
    fn name(&self) -> &'static str {
        "rank_values"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let kinds = target.analysis(Ranked::found);
        let ranked = &kinds.0[chooser.prefer(kinds.0.len())?];
        let places: Vec<usize> = ranked.iter().map(|(at, _)| *at).collect();
        let mut choices = ranked.iter().map(|(_, choice)| choice);
        Ok(Patch::change(target.elements(), &places, |choice| {
            if let Some(ranked) = choices.next() {
                choice.clone_from(ranked);
            }
        }))
    }
}
