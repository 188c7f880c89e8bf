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
//! let tried = reductions("reflect_near_numbers", (0..9999u32, 0..9999u32), "1.1003.1007");
//! assert_eq!(tried, ["(1003, 999)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::ElementOrder;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::move_amounts::are_near;
use super::shape::{Numbers, number, with_number};
use crate::choice::{Choice, Simplicity};

/// How many numbers further the other may stand.
const REACH: usize = 2;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum ReflectNumbers {
    /// Large numbers that are near each other, the one behind at the one before: before both are
    /// lowered, as it decides how far they can be.
    Near,
    /// Any pair.
    Any,
}

impl Pass<Choice> for ReflectNumbers {
    fn name(&self) -> &'static str {
        match self {
            ReflectNumbers::Near => "reflect_near_numbers",
            ReflectNumbers::Any => "reflect_numbers",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Numbers::of(target);
        let numbers = &shape.lowerable;
        let elements = target.elements();
        let place = |of: usize| &elements[numbers[of]];
        let near = |moved: usize| {
            let end = match self {
                ReflectNumbers::Near => moved,
                ReflectNumbers::Any => (moved + REACH + 1).min(numbers.len()),
            };
            moved.saturating_sub(REACH)..end
        };
        // The number moved, where it can be there and is simpler.
        let reflected = |moved: usize, mirror: usize| {
            let is_wanted = match self {
                ReflectNumbers::Near => are_near(&shape, place(mirror), place(moved)),
                ReflectNumbers::Any => mirror != moved,
            };
            let twice = number(place(mirror))
                .filter(|_| is_wanted)?
                .checked_mul(2)?;
            let reflected = twice.checked_sub(number(place(moved))?)?;
            let choice = with_number(place(moved), reflected);
            let is_simpler = || Simplicity.compare(&choice, place(moved)).is_lt();
            (choice.constraint().permits(&choice.value()) && is_simpler()).then_some(choice)
        };
        let moved = chooser.choose(0..numbers.len(), |moved| {
            near(moved).any(|mirror| reflected(moved, mirror).is_some())
        })?;
        let mirror = chooser.choose(near(moved), |mirror| reflected(moved, mirror).is_some())?;
        let choice = reflected(moved, mirror).ok_or(DeadBranch)?;
        let at = numbers[moved];
        Ok(Patch::replace(at, at + 1, &[choice]))
    }
}
