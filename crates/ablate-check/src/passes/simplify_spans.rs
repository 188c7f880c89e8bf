//! Makes everything in a span as simple as it gets, but for what holds collections together.
//!
//! Most values don't matter: `[7, 31, 8]` becomes `[0, 0, 0]` in one test when only its length
//! counts, and in few when one of a hundred values does.
//!
//! Costs a test for each span that is not the simplest already; grown over its siblings.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("simplify_spans", vec(0..9u8), "1.t.7.t.8.f");
//! assert_eq!(tried, ["[0, 0]", "[0, 8]", "[7, 0]"]);
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Numbers, SpansBackwards};
use super::siblings;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum SimplifySpans {
    /// The one that holds everything.
    Whole,
    /// Each.
    Each,
}

/// Where something stands that can be made simple. Booleans keep their values: they say how many
/// elements there are.
enum Simplifiable {
    /// Only numbers can be.
    Numbers(Rc<Numbers>),
    /// All of these.
    All(Vec<usize>),
}

impl Simplifiable {
    fn of(target: &Target<Choice>) -> Rc<Simplifiable> {
        target.analysis(|target| {
            let numbers = Numbers::of(target);
            if !numbers.kinds.has_floats && !numbers.kinds.has_letters {
                return Simplifiable::Numbers(numbers);
            }
            let can_be = |choice: &Choice| choice.truth().is_none() && !choice.is_simplest();
            let elements = target.elements().iter().enumerate();
            let found = elements.filter(|(_, choice)| can_be(choice));
            Simplifiable::All(found.map(|(at, _)| at).collect())
        })
    }

    fn places(&self) -> &[usize] {
        match self {
            Simplifiable::Numbers(numbers) => &numbers.lowerable,
            Simplifiable::All(places) => places,
        }
    }

    fn within(&self, (start, end): (usize, usize)) -> &[usize] {
        let places = self.places();
        let place = |bound| places.partition_point(|&at| at < bound);
        &places[place(start)..place(end)]
    }
}

/// Makes what is in these places simple.
fn simplified(target: &Target<Choice>, places: &[usize]) -> Patch<Choice> {
    Patch::change(target.elements(), places, Choice::simplify)
}

impl Pass<Choice> for SimplifySpans {
    fn name(&self) -> &'static str {
        match self {
            SimplifySpans::Whole => "simplify_whole",
            SimplifySpans::Each => "simplify_spans",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if matches!(self, SimplifySpans::Whole) {
            return Ok(simplified(target, Simplifiable::of(target).places()));
        }
        // Of equally long ones the first: that it is simple counts more.
        let (spans, simplifiable) = (SpansBackwards::of(target), Simplifiable::of(target));
        let interval = |at: usize| {
            let (start, end, _) = spans.at(at);
            (start, end)
        };
        let chosen = chooser.choose(0..spans.len(), |at| {
            !simplifiable.within(interval(at)).is_empty()
        })?;
        Ok(simplified(target, simplifiable.within(interval(chosen))))
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
        let families = Families::of(target);
        let (start, end) = patch.extent()?;
        // The smallest run of siblings that holds all edits.
        let (family, first, last) = families
            .iter()
            .filter_map(|family| {
                let members = &family.members;
                let first = members.partition_point(|member| member.1 <= start);
                let last = members.partition_point(|member| member.1 < end);
                let holds = members.get(first)?.0 <= start && members.get(last)?.1 >= end;
                holds.then_some((family, first, last))
            })
            .min_by_key(|(family, first, last)| {
                family.members[*last].1 - family.members[*first].0
            })?;
        siblings::grown_in(family, (first, last), direction, amount, |family, run| {
            let simplifiable = Simplifiable::of(target);
            let members = &family.members[run.0..=run.1];
            let places = match members {
                // Nothing stands between them.
                [first, .., last] if family.is_dense => simplifiable.within((first.0, last.1)),
                _ => &members
                    .iter()
                    .flat_map(|member| simplifiable.within(*member))
                    .copied()
                    .collect::<Vec<_>>(),
            };
            Some(simplified(target, places))
        })
    }
}
