//! Makes one pair of brackets of two that stand side by side.
//!
//! Two lists can often be one: `[1], [2]` becomes `[1, 2]`, and then other passes can delete from it;
//! `{a;} {b;}` becomes `{a; b;}`.
//!
//! Costs one test for each pair of brackets behind another of the same kind, with nothing but a comma
//! and white space between them.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::MergeBrackets;
//!
//! assert_eq!(reductions(&MergeBrackets, "[1], [2]"), ["[1, 2]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::passes::choose_place;

/// Merges brackets; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeBrackets;

impl Pass<u8> for MergeBrackets {
    fn name(&self) -> &'static str {
        "merge_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (brackets, text) = (Brackets::of(target), target.elements());
        let pairs = brackets.all();
        let second = |number: usize| {
            let (_, end) = pairs[number].range();
            let next = pairs.get(pairs[number].next as usize)?;
            let between = &text[end..next.open as usize];
            let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == b',';
            if !between.iter().all(is_blank) {
                return None;
            }
            let commas = between.iter().filter(|&&byte| byte == b',').count();
            let is_empty = next.interior().0 == next.interior().1;
            let is_alike = text[next.open as usize] == text[pairs[number].open as usize];
            (is_alike && commas < 2 && !between.is_empty() && !is_empty).then_some(next)
        };
        let first = choose_place::<Self>(target, chooser, pairs.len(), |&number| {
            let (start, end) = pairs[number].interior();
            start < end && second(number).is_some()
        })?;
        let next = second(first).ok_or(DeadBranch)?;
        let close = pairs[first].close as usize;
        let open = next.open as usize;
        Ok(Patch::cuts([(close, close + 1), (open, open + 1)]))
    }

    fn rank(&self) -> u8 {
        4
    }
}
