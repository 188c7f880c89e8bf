//! Lowers a number and gives one that was drawn together with it each of its few values.
//!
//! The first Friday that is a thirteenth is in October of the year 2000: from January 2012 the year can't be
//! lowered unless the month changes with it, and nothing says to which.
//!
//! Costs two tests for each value of a number with sixteen at most and each number of another range that
//! stands before it in a tuple, a struct or a date and is not the simplest; none where there are many. A last
//! resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_and_try_next", (0..5000u16, 0..4u8), "1.2012.1");
//! let expected = ["(0, 0)", "(0, 2)", "(0, 3)", "(2011, 0)", "(2011, 2)", "(2011, 3)"];
//! assert_eq!(tried, expected);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{bounds, delete_and_put, distance, is_record, number};
use super::slide::inward;
use crate::choice::Choice;

/// So many values a number may have for each of them to be tried.
const VALUES: u128 = 16;
/// And so many pairs of numbers there may be.
const PAIRS: usize = 4;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAndTryNext;

/// The places of two numbers each, one to be lowered and one behind it of few values.
struct Pairs(Vec<(usize, usize)>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        let elements = target.elements();
        let mut pairs = Vec::new();
        let spans = target.spans().iter().enumerate();
        for (_, span) in spans.filter(|(place, _)| is_record(target, *place)) {
            for first in span.start..span.end {
                let is_lowerable = distance(&elements[first]).is_some_and(|distance| distance > 0);
                pairs.extend((first + 1..span.end).filter_map(|second| {
                    let is_other = !elements[first].has_constraint_of(&elements[second]);
                    let range = bounds(&elements[second])?;
                    let is_small = (1..VALUES).contains(&range.width());
                    (is_lowerable && is_other && is_small).then_some((first, second))
                }));
            }
        }
        // A record may be all that another one holds.
        pairs.sort_unstable();
        pairs.dedup();
        match pairs.len() {
            0..=PAIRS => Pairs(pairs),
            _ => Pairs(Vec::new()),
        }
    }
}

impl Pass<Choice> for LowerAndTryNext {
    fn name(&self) -> &'static str {
        "lower_and_try_next"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (pairs, elements) = (target.analysis(Pairs::found), target.elements());
        let (first, second) = pairs.0[chooser.prefer(pairs.0.len())?];
        let range = bounds(&elements[first]).ok_or(DeadBranch)?;
        let lowered = match chooser.prefer(2)? {
            0 => Some(range.origin),
            _ => number(&elements[first]).map(|number| number + inward(&elements[first])),
        };
        let tried = bounds(&elements[second]).ok_or(DeadBranch)?;
        let index = chooser.prefer(tried.width() as usize + 1)?;
        let tried = tried.at_index(index as u128);
        if tried == number(&elements[second]) {
            return Err(DeadBranch);
        }
        let (lowered, tried) = lowered.zip(tried).ok_or(DeadBranch)?;
        delete_and_put(target, &[], [(first, lowered), (second, tried)]).ok_or(DeadBranch)
    }
}
