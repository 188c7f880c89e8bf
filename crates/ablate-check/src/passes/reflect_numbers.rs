//! Moves a number to the other side of another, as far from it as before.
//!
//! `(10, 11)` becomes `(10, 9)` when only how far apart the two are counts.
//!
//! Costs a test for each number and each of the few before and behind it.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("reflect_numbers", (0..99u8, 0..99u8), "1.10.11");
//! assert_eq!(tried, ["(10, 9)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, number, with_number};
use crate::choice::Choice;

/// How many numbers further the other may stand.
const REACH: usize = 2;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ReflectNumbers;

impl Pass<Choice> for ReflectNumbers {
    fn name(&self) -> &'static str {
        "reflect_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let numbers = &Numbers::of(target).lowerable;
        let elements = target.elements();
        let moved = chooser.any(0..numbers.len())?;
        let (low, high) = (
            moved.saturating_sub(REACH),
            (moved + REACH + 1).min(numbers.len()),
        );
        let mirror = chooser.choose(low..high, |mirror| mirror != moved)?;
        let at = numbers[moved];
        let value = number(&elements[at]).ok_or(DeadBranch)?;
        let mirror = number(&elements[numbers[mirror]]).ok_or(DeadBranch)?;
        let reflected = mirror
            .checked_mul(2)
            .and_then(|twice| twice.checked_sub(value));
        let choice = with_number(&elements[at], reflected.ok_or(DeadBranch)?);
        if !choice.constraint.permits(&choice.value) {
            return Err(DeadBranch);
        }
        Ok(Patch::replace(at, at + 1, &[choice]))
    }
}
