//! Replaces a text, bytes or a floating-point number by the simplest one that stands nowhere else.
//!
//! When all have to be different, `["0", "1", "00"]` becomes `["0", "1", "2"]`: what is lowered in small
//! steps comes by values that others have.
//!
//! Costs a test for each that is not simpler already; none for what is the only one of its kind. Numbers
//! are lowered past each other anyway.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let texts = vec(string().alphabet("abc").len(1..));
//! let tried = reductions("lower_to_unused", texts, "1.t.s61.t.s62.t.s6161.f");
//! assert_eq!(tried, ["[\"a\", \"b\", \"c\"]"]);
//! ```

use std::collections::BTreeSet;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, kinds};
use crate::choice::{Choice, Constraint};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerToUnused;

/// Where a simpler value stands nowhere, each with that.
struct Unused(Vec<(usize, Choice)>);

impl Unused {
    fn found(target: &Target<Choice>) -> Unused {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        let mut found = Vec::new();
        if !numbers.kinds.has_letters && !numbers.kinds.has_floats {
            return Unused(found);
        }
        let is_one = |choice: &Choice| {
            matches!(
                choice.constraint(),
                Constraint::Float(_) | Constraint::Bytes(_) | Constraint::Text(..)
            )
        };
        for places in kinds(elements, is_one) {
            let places = places.into_iter().map(|at| (elements[at].index(), at));
            let places: Vec<(u128, usize)> = places.collect();
            let used: BTreeSet<u128> = places.iter().map(|(index, _)| *index).collect();
            let unused = (0..).zip(&used).find(|(next, used)| next != *used);
            let Some((unused, _)) = unused.filter(|_| used.len() > 1) else {
                continue;
            };
            let simpler = places.into_iter().filter(|(index, _)| *index > unused);
            found.extend(simpler.filter_map(|(_, at)| {
                let choice = &elements[at];
                Some((at, choice.with(choice.constraint().at_index(unused)?)?))
            }));
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        Unused(found)
    }
}

impl Pass<Choice> for LowerToUnused {
    fn name(&self) -> &'static str {
        "lower_to_unused"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let unused = target.analysis(Unused::found);
        let (at, choice) = &unused.0[chooser.any(0..unused.0.len())?];
        Ok(Patch::replace(*at, at + 1, std::slice::from_ref(choice)))
    }
}
