//! Lowers all equal values together.
//!
//! When two elements have to be equal, neither can be lowered by itself.
//!
//! Costs two or three tests for each number that stands at several places.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_equal_values", (0..99u8, 0..99u8), "1.7.7");
//! assert_eq!(tried, ["(0, 0)", "(6, 6)"]);
//! ```

use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, distance, number};
use super::slide::{DIRECTIONS, amounts, grown, inward, slide};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerEqualValues;

/// The places of each number that stands at several, none of them being the simplest.
struct Groups(Vec<Vec<usize>>);

impl Groups {
    fn found(target: &Target<Choice>) -> Groups {
        let mut groups: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for &at in &Numbers::of(target).lowerable {
            if let Some(value) = number(&target.elements()[at]) {
                groups.entry(value).or_default().push(at);
            }
        }
        let mut groups: Vec<_> = groups
            .into_values()
            .filter(|places| places.len() > 1)
            .collect();
        groups.sort();
        Groups(groups)
    }
}

impl Pass<Choice> for LowerEqualValues {
    fn name(&self) -> &'static str {
        "lower_equal_values"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let groups = target.analysis(Groups::found);
        let group = &groups.0[chooser.prefer(groups.0.len())?];
        let elements = target.elements();
        let rooms = group.iter().filter_map(|&at| distance(&elements[at]));
        let room = rooms.min().ok_or(DeadBranch)?;
        let amounts = amounts(&Numbers::of(target), room);
        let amount = amounts[chooser.prefer(amounts.len())?];
        let places: Vec<_> = group
            .iter()
            .map(|&at| (at, inward(&elements[at])))
            .collect();
        slide(target, &places, amount).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        grown(target, patch, direction, amount)
    }
}
