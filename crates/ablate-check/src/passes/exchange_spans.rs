//! Exchanges the contents of two spans of the same label and length that are no siblings, when
//! the one behind is the simpler.
//!
//! `([3], 7), ([1], 2)` becomes `([1], 7), ([3], 2)`. Siblings are put in order by
//! `sort_siblings`; spans of different length, as in trees, are the business of `swap_spans`.
//!
//! Costs a test for each span that is less simple than the next one of its label elsewhere.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let values = vec((vec(0..9u8), 0..9u8));
//! let tried = reductions("exchange_spans", values, "1.t.t.3.f.7.t.t.1.f.2.f");
//! assert_eq!(tried, ["[([1], 2), ([3], 7)]", "[([1], 7), ([3], 2)]"]);
//! ```

use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, compare};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeSpans;

/// The pairs that can be exchanged: the last of each family, and the first of its label behind it.
struct Pairs(Vec<((usize, usize), (usize, usize))>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        let families = Families::of(target);
        let content = |place: (usize, usize)| &target.elements()[place.0..place.1];
        let mut firsts: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
        for family in families.iter() {
            let first = family.members.first().copied();
            firsts.entry(family.label).or_default().extend(first);
        }
        firsts
            .values_mut()
            .for_each(|places| places.sort_unstable());
        let mut pairs = Vec::new();
        for family in families.iter() {
            let (Some(&last), Some(places)) = (family.members.last(), firsts.get(&family.label))
            else {
                continue;
            };
            let next = places.get(places.partition_point(|place| place.0 < last.1));
            if let Some(&next) = next
                && last.1 - last.0 == next.1 - next.0
                && compare(content(next), content(last)).is_lt()
            {
                pairs.push((last, next));
            }
        }
        Pairs(pairs)
    }
}

impl Pass<Choice> for ExchangeSpans {
    fn name(&self) -> &'static str {
        "exchange_spans"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let pairs = target.analysis(Pairs::found);
        let ((start, end), (other_start, other_end)) = pairs.0[chooser.any(0..pairs.0.len())?];
        let elements = target.elements();
        let mut content = elements[other_start..other_end].to_vec();
        content.extend_from_slice(&elements[end..other_start]);
        content.extend_from_slice(&elements[start..end]);
        Ok(Patch::replace(start, other_end, &content))
    }
}
