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
use ablate_engine::order::ElementOrder;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, number, set_number, with_number};
use crate::choice::{Choice, Simplicity};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct CapNumbers;

/// The numbers that are there.
struct Present {
    /// The least first.
    values: Vec<i128>,
    /// Where a number stands that is above all before it, with the number.
    records: Vec<(i128, usize)>,
}

impl Present {
    fn found(target: &Target<Choice>) -> Present {
        let elements = target.elements();
        let numbers = Numbers::of(target);
        let mut values = Vec::with_capacity(numbers.all.len());
        let mut records: Vec<(i128, usize)> = Vec::new();
        for &at in &numbers.all {
            let Some(value) = number(&elements[at]) else {
                continue;
            };
            values.push(value);
            if records.last().is_none_or(|(most, _)| *most < value) {
                records.push((value, at));
            }
        }
        values.sort_unstable();
        values.dedup();
        Present { values, records }
    }

    /// Whether the first number above a cap becomes simpler: the rest does not count.
    fn is_simpler(&self, target: &Target<Choice>, cap: i128) -> bool {
        let first = self.records.partition_point(|(most, _)| *most <= cap);
        self.records.get(first).is_some_and(|&(_, at)| {
            let choice = &target.elements()[at];
            Simplicity
                .compare(&with_number(choice, cap), choice)
                .is_lt()
        })
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
        let (elements, values) = (target.elements(), &present.values);
        let last = values.len().saturating_sub(1);
        // The least cap first.
        let chosen = chooser.choose(0..last, |chosen| {
            present.is_simpler(target, values[last - 1 - chosen])
        })?;
        let cap = values[last - 1 - chosen];
        let numbers = &Numbers::of(target).all;
        let is_above = |at: &&usize| number(&elements[**at]).is_some_and(|n| n > cap);
        let above: Vec<usize> = numbers.iter().filter(is_above).copied().collect();
        let lower = |choice: &mut Choice| set_number(choice, cap);
        Ok(Patch::change(elements, &above, lower))
    }
}
