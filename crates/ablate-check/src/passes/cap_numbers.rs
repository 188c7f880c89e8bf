//! Replaces every number above one of those that are there by that one.
//!
//! `[3, 90, 5, 70]` becomes `[3, 5, 5, 5]` when nothing needs to be above 5. After "Designing a
//! better simplifier" (D. R. MacIver, 2017), `replace_with_simpler`.
//!
//! Costs a test for each different number; by the least of many, four.
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

use super::rank_numbers::EARLY;
use super::shape::{ByValue, Numbers, number, set_number, with_number};
use crate::choice::{Choice, Simplicity};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum CapNumbers {
    /// By the least of many numbers, early: what is alike then can be deleted together.
    OfMany,
    /// By each of few numbers, or by the least of many.
    ByLeast,
    /// By any.
    ByAny,
}

/// So many numbers are many: most of them may go in fewer tests than there are caps.
const MANY: usize = 64;
/// By so many of the least, many numbers are capped first.
const LEAST: usize = 4;

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
        let mut records: Vec<(i128, usize)> = Vec::new();
        for &at in &Numbers::of(target).all {
            let Some(value) = number(&elements[at]) else {
                continue;
            };
            if records.last().is_none_or(|(most, _)| *most < value) {
                records.push((value, at));
            }
        }
        let mut values: Vec<i128> = ByValue::of(target)
            .iter()
            .map(|(value, _)| *value)
            .collect();
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
        match self {
            CapNumbers::OfMany => "cap_many_numbers",
            CapNumbers::ByLeast => "cap_by_least",
            CapNumbers::ByAny => "cap_numbers",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let numbers = Numbers::of(target);
        // Where all are the simplest there is nothing to be looked for.
        if numbers.lowerable.is_empty() {
            return Err(DeadBranch);
        }
        if matches!(self, CapNumbers::OfMany) && numbers.all.len() <= EARLY {
            return Err(DeadBranch);
        }
        let present = target.analysis(Present::found);
        let (elements, values) = (target.elements(), &present.values);
        let last = values.len().saturating_sub(1);
        let tried = match self {
            CapNumbers::OfMany if last <= EARLY => 0,
            CapNumbers::OfMany => LEAST,
            CapNumbers::ByLeast if last > MANY => LEAST,
            CapNumbers::ByLeast | CapNumbers::ByAny => last,
        };
        // The least cap first.
        let chosen = chooser.choose(last - tried..last, |chosen| {
            present.is_simpler(target, values[last - 1 - chosen])
        })?;
        let cap = values[last - 1 - chosen];
        let is_above = |at: &&usize| number(&elements[**at]).is_some_and(|n| n > cap);
        let above: Vec<usize> = numbers.all.iter().filter(is_above).copied().collect();
        let lower = |choice: &mut Choice| set_number(choice, cap);
        Ok(Patch::change(elements, &above, lower))
    }
}
