//! Replaces a sum, difference or product of two integers by its value.
//!
//! Other passes can do more with one number than with two: `12 + 30` becomes `42`, and then
//! perhaps `0`.
//!
//! Costs one test for each such expression.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::FoldConstants;
//!
//! assert_eq!(reductions(&FoldConstants, "x + 12 + 30"), ["x + 42"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::integers::Integer;
use crate::formats::tokens::{Kind, Tokens};
use crate::passes::choose_place;

/// Replaces a calculation by its result; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoldConstants;

impl Pass<u8> for FoldConstants {
    fn name(&self) -> &'static str {
        "fold_constants"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (tokens, text) = (Tokens::of(target), target.elements());
        let all = tokens.all();
        let first = choose_place::<Self>(target, chooser, all.len().saturating_sub(2), |&first| {
            let kinds = [all[first].kind, all[first + 1].kind, all[first + 2].kind];
            kinds == [Kind::Number, Kind::Operator, Kind::Number]
        })?;
        let integer = |token: usize| Integer::read(all[token].text(text)).ok_or(DeadBranch);
        let (a, b) = (integer(first)?, integer(first + 2)?);
        let folded = match all[first + 1].text(text) {
            b"+" => a.value.checked_add(b.value),
            b"-" => a.value.checked_sub(b.value),
            b"*" => a.value.checked_mul(b.value),
            _ => None,
        };
        let folded = a.written(folded.ok_or(DeadBranch)?);
        let (start, end) = (all[first].range().0, all[first + 2].range().1);
        simpler(target, Patch::replace(start, end, &folded))
    }

    fn rank(&self) -> u8 {
        3
    }
}
