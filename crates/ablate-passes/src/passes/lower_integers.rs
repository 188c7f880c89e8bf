//! Replaces an integer by a smaller one.
//!
//! Small numbers say that nothing special is meant: `x[4711]` becomes `x[0]`, or whatever the
//! smallest index is that still fails; and `0x10` becomes `16`.
//!
//! Costs up to four tests for each integer literal: zero, one, the same in plain digits, one less.
//! The last is grown to much less, so the smallest number is found with some two tests for each of
//! its bits.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::LowerIntegers;
//!
//! assert_eq!(reductions(&LowerIntegers, "x[0x2A]"), ["x[0]", "x[1]", "x[42]", "x[41]"]);
//! let patch = Patch::replace(2, 3, b"2");
//! assert_eq!(grown_patch(&LowerIntegers, "x[3]", &patch, 0), ["x[1]", "x[0]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::integers::Integer;
use crate::formats::tokens::{Kind, Tokens};
use crate::passes::choose_place;

/// Replaces an integer by a smaller one; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerIntegers;

impl Pass<u8> for LowerIntegers {
    fn name(&self) -> &'static str {
        "lower_integers"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tokens = Tokens::of(target);
        let all = tokens.all();
        let number = choose_place::<Self>(target, chooser, all.len(), |&token| {
            all[token].kind == Kind::Number
        })?;
        let (start, end) = all[number].range();
        let integer = Integer::read(&target.elements()[start..end]).ok_or(DeadBranch)?;
        let value = integer.value;
        let lower = match chooser.prefer(4)? {
            0 => 0,
            1 if value > 0 => 1,
            2 if value > 1 => value,
            3 if value > 2 => value - 1,
            _ => return Err(DeadBranch),
        };
        simpler(target, Patch::replace(start, end, &integer.written(lower)))
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
        let [edit] = patch.edits() else {
            return None;
        };
        let before = Integer::read(target.elements().get(edit.start..edit.end)?)?;
        let now = Integer::read(edit.insert.as_deref()?)?.value;
        // Zero, one and the same in plain digits are as they are meant.
        if now + 1 != before.value {
            return None;
        }
        let lower = now.checked_sub(amount as u128)?;
        Some(Patch::replace(edit.start, edit.end, &before.written(lower)))
    }

    fn rank(&self) -> u8 {
        4
    }
}
