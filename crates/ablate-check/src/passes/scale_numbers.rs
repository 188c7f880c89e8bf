//! Lowers one number, and raises one behind it so that their product is at least what it was.
//!
//! When a product has to be large, and the second of two numbers is as low as the first one allows,
//! neither can be lowered by itself: `(250, 4000)` becomes `(101, 9901)` where numbers end at 9,999, and
//! `(1, 1000000)` where they do not.
//!
//! Costs up to two tests for each number and each of the next two behind it where their product is large;
//! none where more than a few are not the simplest: those are hardly the factors of one product.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("scale_numbers", (1..9_999u64, 1..9_999u64), "1.250.4000");
//! assert_eq!(tried, ["(101, 9901)", "(249, 4017)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, number, with_number};
use crate::choice::Choice;

/// How many numbers further the one that is raised may stand.
const REACH: usize = 2;
/// There may be no more numbers that are not the simplest.
const FEW: usize = 4;
/// From here on a product is large.
const LARGE: u128 = 1 << 12;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ScaleNumbers;

/// Two numbers, by how far each is from zero.
struct Factors {
    places: [usize; 2],
    values: [i128; 2],
    product: u128,
    /// How far the first one has to be from zero so that the second one can be as far as that takes.
    least: u128,
}

impl Factors {
    fn of(target: &Target<Choice>, places: [usize; 2]) -> Option<Factors> {
        let [first, second] = places.map(|at| &target.elements()[at]);
        let values = [number(first)?, number(second)?];
        let [a, b] = values.map(i128::unsigned_abs);
        let product = a.checked_mul(b).filter(|product| *product >= LARGE)?;
        let [nearest, _] = ends(first, values[0])?;
        let [_, furthest] = ends(second, values[1])?;
        let least = product.div_ceil(furthest).max(nearest).max(1);
        (b > 1 && least < a).then_some(Factors {
            places,
            values,
            product,
            least,
        })
    }

    /// Both numbers when the first one is so far from zero.
    fn patch(&self, target: &Target<Choice>, first: u128) -> Option<Patch<Choice>> {
        let [a, b] = self.values;
        let first = first.max(self.least).min(a.unsigned_abs() - 1);
        let second = self.product.div_ceil(first);
        let put = |at: usize, sign: i128, magnitude: u128| {
            let value = i128::try_from(magnitude).ok()? * sign;
            Some(Edit {
                start: at,
                end: at + 1,
                insert: Some([with_number(&target.elements()[at], value)].into()),
            })
        };
        let [at, other] = self.places;
        let edits = [put(at, a.signum(), first)?, put(other, b.signum(), second)?];
        Patch::edits_of(edits).ok()
    }
}

/// How near to zero a number can be on its side of it, and how far.
fn ends(choice: &Choice, value: i128) -> Option<[u128; 2]> {
    let range = bounds(choice)?;
    let (least, greatest) = match value < 0 {
        true => (range.max.min(0), range.min),
        false => (range.min.max(0), range.max),
    };
    // The first one is to become simpler, not just nearer to zero.
    (range.origin == 0 || least == range.origin)
        .then_some([least.unsigned_abs(), greatest.unsigned_abs()])
}

impl Pass<Choice> for ScaleNumbers {
    fn name(&self) -> &'static str {
        "scale_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let numbers = Numbers::of(target);
        let numbers = &numbers.lowerable;
        if numbers.len() > FEW {
            return Err(DeadBranch);
        }
        let first = chooser.prefer(numbers.len())?;
        let second = first + 1 + chooser.prefer(REACH.min(numbers.len() - 1 - first))?;
        let factors = Factors::of(target, [numbers[first], numbers[second]]);
        let factors = factors.ok_or(DeadBranch)?;
        let most = factors.values[0].unsigned_abs() - 1;
        let ways = if factors.least < most { 2 } else { 1 };
        let first = [factors.least, most][chooser.prefer(ways)?];
        factors.patch(target, first).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        _direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let [first, second] = patch.edits() else {
            return None;
        };
        let factors = Factors::of(target, [first.start, second.start])?;
        let lowered = number(first.insert.as_deref()?.first()?)?.unsigned_abs();
        // Half the way to the least, half of the rest, and so on.
        let room = lowered.checked_sub(factors.least)?;
        let halves = u32::try_from(amount).ok()?;
        let left = room.checked_shr(halves).filter(|left| {
            let before = room.checked_shr(halves.saturating_sub(1));
            before.is_some_and(|before| before > *left)
        })?;
        factors.patch(target, factors.least + left)
    }
}
