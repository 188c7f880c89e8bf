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
        let (elements, numbers) = (target.elements(), &shape.lowerable);
        if matches!(self, MoveAmounts::Two) && shape.all.len() != 2 {
            return Err(DeadBranch);
        }
        let pair = |first: usize, distance: usize| {
            let second = first + 1 + distance;
            (second < numbers.len()).then(|| (numbers[first], numbers[second]))
        };
        // How a pair can be moved, if it is one of those that are wanted.
        let way = |(a, b): (usize, usize), away: bool| {
            let (one, other) = (&elements[a], &elements[b]);
            let is_wanted = match self {
                MoveAmounts::Near => !away && are_near(&shape, one, other),
                MoveAmounts::Two => away && are_large(one, other),
                // Equal numbers are lowered together by another pass.
                MoveAmounts::Any if !away && number(one) == number(other) => false,
                MoveAmounts::Any => !(amid.is_amid(a) && amid.is_amid(b)),
            };
            let down = is_wanted.then(|| inward(one))?;
            let signs = if away { (down, -down) } else { (down, down) };
            let rooms = (room(one, signs.0), room(other, signs.1));
            let places = [(a, signs.0), (b, signs.1)];
            (rooms.0.min(rooms.1) > 0).then_some((places, rooms))
        };
        let can_move = |pair| [false, true].iter().any(|away| way(pair, *away).is_some());
        let last = numbers.len().checked_sub(1).ok_or(DeadBranch)?;
        let chosen = chooser.choose(0..numbers.len(), |chosen| {
            (0..REACH).any(|distance| pair(last - chosen, distance).is_some_and(can_move))
        })?;
        let first = last - chosen;
        // The nearest first.
        let reach = REACH.min(last - first);
        let chosen = chooser.choose(0..reach, |chosen| {
            pair(first, reach - 1 - chosen).is_some_and(can_move)
        })?;
        let pair = pair(first, reach - 1 - chosen).ok_or(DeadBranch)?;
        let away = match self {
            MoveAmounts::Near => false,
            MoveAmounts::Two => true,
            MoveAmounts::Any => chooser.choose(0..2, |away| way(pair, away == 1).is_some())? == 1,
        };
        let (places, rooms) = way(pair, away).ok_or(DeadBranch)?;
        let room = rooms.0.min(rooms.1);
        let amount = match self {
            MoveAmounts::Near => {
                let close = but_close(room, rooms.0.max(rooms.1));
                let amounts = [close, Some(1)];
                amounts[chooser.prefer(2)?].ok_or(DeadBranch)?
            }
            MoveAmounts::Two => room,
            MoveAmounts::Any => 1,
        };
        slide(target, &places, amount).ok_or(DeadBranch)
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
