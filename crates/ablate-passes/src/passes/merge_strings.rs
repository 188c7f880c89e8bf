//! Merges two quoted strings that stand side by side, or with a `+` between them.
//!
//! `"ab" "cd"` says what `"abcd"` says, with fewer quotes in the way of further reductions.
//!
//! Costs one test for each such pair of strings; a success is grown over the strings that follow.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::MergeStrings;
//!
//! assert_eq!(reductions(&MergeStrings, "'a' + 'b' \"c\""), ["'ab' \"c\""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::quotes::{Quoted, Quotes};
use crate::passes::choose_place;

/// Merges neighbouring strings; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeStrings;

/// What to cut between two strings so that they become one.
fn seam(text: &[u8], left: &Quoted, right: &Quoted) -> Option<(usize, usize)> {
    let between = text[left.range().1..right.range().0].trim_ascii();
    let is_same_quote = left.width == right.width && text[left.range().0] == text[right.range().0];
    let is_seam = is_same_quote && (between.is_empty() || between == b"+");
    is_seam.then(|| (left.interior().1, right.interior().0))
}

impl Pass<u8> for MergeStrings {
    fn name(&self) -> &'static str {
        "merge_strings"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (quotes, text) = (Quotes::of(target), target.elements());
        let all = quotes.all();
        let left = choose_place::<Self>(target, chooser, all.len().saturating_sub(1), |&left| {
            seam(text, &all[left], &all[left + 1]).is_some()
        })?;
        let (start, end) = seam(text, &all[left], &all[left + 1]).ok_or(DeadBranch)?;
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let _ = direction;
        let (quotes, text) = (Quotes::of(target), target.elements());
        let all = quotes.all();
        let end = patch.extent()?.1;
        let first = all.iter().position(|quoted| quoted.interior().0 == end)?;
        let further = all.get(first..)?.windows(2).take(amount);
        let mut cuts = further
            .map(|pair| seam(text, &pair[0], &pair[1]))
            .collect::<Option<alloc::vec::Vec<_>>>()?;
        if cuts.len() < amount {
            return None;
        }
        cuts.extend(patch.edits().iter().map(|edit| (edit.start, edit.end)));
        Some(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        4
    }
}
