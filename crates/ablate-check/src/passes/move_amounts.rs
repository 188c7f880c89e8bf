//! Moves two numbers that stand near each other: both towards their simplest value, or the first
//! towards it and the other away from it.
//!
//! `(1007, 1003)` becomes `(10, 6)` when only the difference and a bound matter, `(300, 400)`
//! becomes `(0, 700)` when only the sum does.
//!
//! Costs up to two tests for each pair, and a number is in no more than six; in the midst of equal
//! ones none.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("move_near_numbers", (0..9999u32, 0..9999u32), "1.1007.1003");
//! assert_eq!(tried, ["(15, 11)", "(1006, 1002)"]);
//! let tried = reductions("move_amounts", (0..1000u32, 0..1000u32), "1.300.400");
//! assert_eq!(tried, ["(299, 401)", "(299, 399)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::amid::Amid;
use super::shape::{Numbers, number};
use super::slide::{CLOSE, DIRECTIONS, all_the_way, but_close, grown, inward, room, slide};
use crate::choice::Choice;

/// How many numbers further the second of a pair may stand.
const REACH: usize = 3;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum MoveAmounts {
    /// Large numbers that are near each other, both towards their simplest value: that they are
    /// near will hardly be chance, and to lower one of them is in vain then.
    Near,
    /// Two large numbers that are all there is: their sum will count, and to lower the first one
    /// by itself, down to what the second one allows, is in vain then.
    Two,
    /// Any pair.
    Any,
}

/// Numbers are near each other when they differ by less than one part in so many, and large from
/// there on.
const NEAR: u128 = 64;

/// Whether two numbers are large, and near each other; if they are all there is, they need be neither.
pub(super) fn are_near(shape: &Numbers, a: &Choice, b: &Choice) -> bool {
    let (Some(x), Some(y)) = (number(a), number(b)) else {
        return false;
    };
    let least = room(a, inward(a)).min(room(b, inward(b)));
    let close = if shape.all.len() == 2 { CLOSE } else { 0 };
    let near = (least / NEAR).max(close.min(least));
    inward(a) == inward(b) && x != y && x.abs_diff(y) < near
}

/// Whether two numbers are far from their simplest values.
fn are_large(a: &Choice, b: &Choice) -> bool {
    room(a, inward(a)).min(room(b, inward(b))) >= NEAR
}

impl Pass<Choice> for MoveAmounts {
    fn name(&self) -> &'static str {
        match self {
            MoveAmounts::Near => "move_near_numbers",
            MoveAmounts::Two => "move_between_two_numbers",
            MoveAmounts::Any => "move_amounts",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (shape, amid) = (Numbers::of(target), Amid::of(target));
        let elements = target.elements();
        let numbers = &shape.lowerable;
        let first = chooser.prefer(numbers.len())?;
        let second = first + 1 + chooser.prefer(REACH.min(numbers.len() - 1 - first))?;
        let (a, b) = (numbers[first], numbers[second]);
        let away = match self {
            MoveAmounts::Near if are_near(&shape, &elements[a], &elements[b]) => false,
            MoveAmounts::Two if shape.all.len() == 2 && are_large(&elements[a], &elements[b]) => {
                true
            }
            MoveAmounts::Any if amid.is_amid(a) && amid.is_amid(b) => return Err(DeadBranch),
            MoveAmounts::Any => chooser.prefer(2)? == 0,
            _ => return Err(DeadBranch),
        };
        let down = inward(&elements[a]);
        let signs = if away { (down, -down) } else { (down, down) };
        // Equal numbers are lowered together by another pass.
        if !away && number(&elements[a]) == number(&elements[b]) {
            return Err(DeadBranch);
        }
        let rooms = (room(&elements[a], signs.0), room(&elements[b], signs.1));
        let (room, lead) = (rooms.0.min(rooms.1), rooms.0.max(rooms.1));
        if room == 0 {
            return Err(DeadBranch);
        }
        let amount = match self {
            MoveAmounts::Near => {
                let close = but_close(room, lead);
                let amounts = [close, Some(1)];
                amounts[chooser.prefer(2)?].ok_or(DeadBranch)?
            }
            MoveAmounts::Two => room,
            MoveAmounts::Any => 1,
        };
        slide(target, &[(a, signs.0), (b, signs.1)], amount).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1 + DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        match direction {
            0 if !matches!(self, MoveAmounts::Any) => None,
            0 => all_the_way(target, patch, amount),
            _ => grown(target, patch, direction - 1, amount),
        }
    }
}
