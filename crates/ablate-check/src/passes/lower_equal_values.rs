//! Lowers all equal values together.
//!
//! When two elements have to be equal, neither can be lowered by itself.
//!
//! Where a few are equal by chance, as the years of two dates and the month of one of them, two of them
//! at a time are lowered at last.
//!
//! Costs two or three tests for each number that stands at several places, and as much for each two of
//! these where they are three to five among few.
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
pub enum LowerEqualValues {
    /// All that are equal.
    All,
    /// Two of a few.
    Pairs,
}

/// Of so many equal ones two are lowered.
const FEW: std::ops::RangeInclusive<usize> = 3..=5;
/// There may be no more numbers that are not the simplest: among many, many are equal by chance.
const MOST: usize = 16;

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

/// Each two of the members of small groups.
struct Pairs(Vec<Vec<usize>>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        if Numbers::of(target).lowerable.len() > MOST {
            return Pairs(Vec::new());
        }
        let groups = target.analysis(Groups::found);
        let small = groups.0.iter().filter(|group| FEW.contains(&group.len()));
        let mut pairs = Vec::new();
        for group in small {
            for (at, &first) in group.iter().enumerate() {
                let behind = group[at + 1..].iter();
                pairs.extend(behind.map(|&second| vec![first, second]));
            }
        }
        Pairs(pairs)
    }
}

impl Pass<Choice> for LowerEqualValues {
    fn name(&self) -> &'static str {
        match self {
            LowerEqualValues::All => "lower_equal_values",
            LowerEqualValues::Pairs => "lower_equal_pairs",
        }
    }

    fn is_last_resort(&self) -> bool {
        matches!(self, LowerEqualValues::Pairs)
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (groups, pairs);
        let together = match self {
            LowerEqualValues::All => {
                groups = target.analysis(Groups::found);
                &groups.0
            }
            LowerEqualValues::Pairs => {
                pairs = target.analysis(Pairs::found);
                &pairs.0
            }
        };
        let group = &together[chooser.prefer(together.len())?];
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
