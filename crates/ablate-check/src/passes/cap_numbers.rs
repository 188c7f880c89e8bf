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

use std::collections::BTreeSet;
use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Shape, number, with_number};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct CapNumbers;

impl Pass<Choice> for CapNumbers {
    fn name(&self) -> &'static str {
        "cap_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let elements = target.elements();
        let places = &Shape::of(target).all_numbers;
        let values: BTreeSet<i128> = places
            .iter()
            .filter_map(|&at| number(&elements[at]))
            .collect();
        let values: Vec<i128> = values.into_iter().collect();
        let cap = values[chooser.prefer(values.len().saturating_sub(1))?];
        let above = places
            .iter()
            .filter(|&&at| number(&elements[at]).is_some_and(|n| n > cap));
        Patch::edits_of(above.map(|&at| Edit {
            start: at,
            end: at + 1,
            insert: Some(Arc::from([with_number(&elements[at], cap)])),
        }))
        .map_err(|_| DeadBranch)
    }
}
