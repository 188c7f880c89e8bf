//! Joins neighbouring collections.
//!
//! A list ends with a `false`, the next element of the list around it begins with a `true`:
//! without the two, the two lists are one. `[[0], [1]]` becomes `[[0, 1]]`.
//!
//! Costs a test for each place where a collection ends and another begins; grown over the places
//! before it.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("merge_siblings", vec(vec(0..9u8)), "1.t.t.1.f.t.t.2.f.f");
//! assert_eq!(tried, ["[[1, 2]]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct MergeSiblings;

/// The places where a collection ends and another begins.
struct Seams(Vec<usize>);

impl Seams {
    fn found(target: &Target<Choice>) -> Seams {
        let is = |at: usize, value| target.elements()[at].truth() == Some(value);
        let places = 1..target.len();
        let seams = places.filter(|&at| is(at - 1, false) && is(at, true));
        Seams(seams.collect())
    }
}

impl Pass<Choice> for MergeSiblings {
    fn name(&self) -> &'static str {
        "merge_siblings"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let seams = target.analysis(Seams::found);
        let at = seams.0[chooser.any(0..seams.0.len())?];
        // Lists of lists end and begin with several.
        let is = |at: usize, value| target.elements()[at].truth() == Some(value);
        let ends = (0..at).rev().take_while(|&at| is(at, false)).count();
        let begins = (at..target.len()).take_while(|&at| is(at, true)).count();
        let depth = 1 + chooser.prefer(ends.min(begins).min(3))?;
        Ok(Patch::cut(at - depth, at + depth))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let seams = target.analysis(Seams::found);
        let (start, end) = patch.extent()?;
        let last = seams.0.partition_point(|&at| at < end);
        let depth = (end - start) / 2;
        let at = seams.0.iter().position(|&at| at == end - depth)?.min(last);
        let first = at.checked_sub(amount)?;
        let more = seams.0[first..=at].iter();
        Some(Patch::cuts(
            more.map(|&at| (at - depth.min(at), at + depth)),
        ))
    }
}
