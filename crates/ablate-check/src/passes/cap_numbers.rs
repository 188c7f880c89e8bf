//! Replaces every number above one of those that are there by that one.
//!
//! `[3, 90, 5, 70]` becomes `[3, 5, 5, 5]` when nothing needs to be above 5. After "Designing a
//! better simplifier" (D. R. MacIver, 2017), `replace_with_simpler`.
//!
//! Costs a test for each different number.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("cap_numbers", vec(any::<u8>()), "1.t.5.t.9.t.7.f");
//! assert_eq!(tried, ["[5, 5, 5]", "[5, 7, 7]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Puts, Shape, number, with_number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct CapNumbers;

/// The numbers that are there, the least first.
struct Present(Vec<i128>);

impl Present {
    fn found(target: &Target<Choice>) -> Present {
        let elements = target.elements();
        let shape = Shape::of(target);
        let mut values: Vec<i128> = (shape.all_numbers.iter())
            .filter_map(|&at| number(&elements[at]))
            .collect();
        values.sort_unstable();
        values.dedup();
        Present(values)
    }
}

impl Pass<Choice> for CapNumbers {
    fn name(&self) -> &'static str {
        "cap_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let present = target.analysis(Present::found);
        let (elements, values) = (target.elements(), &present.0);
        let cap = values[chooser.prefer(values.len().saturating_sub(1))?];
        let mut puts = Puts::default();
        let places = &Shape::of(target).all_numbers;
        let above = places
            .iter()
            .filter(|&&at| number(&elements[at]).is_some_and(|n| n > cap));
        Patch::edits_of(above.map(|&at| puts.at(at, with_number(&elements[at], cap))))
            .map_err(|_| DeadBranch)
    }
}
