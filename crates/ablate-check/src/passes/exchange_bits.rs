//! Takes bits off a number, and flips them in another one behind it.
//!
//! What counts may be which bits differ: of `[56, 109]`, of which the exclusive or is 85, neither can be
//! lowered alone, nor does their sum stay the same in `[0, 85]`.
//!
//! All bits of the first number are taken, or the highest one, where both have it.
//!
//! Costs up to two tests for each two different numbers of the same range from zero on, where there are few
//! numbers that are not the simplest; a last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("exchange_bits", vec(any::<u8>()), "1.t.56.t.109.f");
//! assert_eq!(tried, ["[0, 85]", "[24, 77]"]);
//! let tried = reductions("exchange_bits", vec(any::<u8>()), "1.t.1.t.6.t.7.f");
//! assert_eq!(tried, ["[1, 2, 3]", "[0, 6, 6]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, delete_and_put, number};
use crate::choice::Choice;

/// There may be no more numbers that are not the simplest.
const FEW: usize = 4;

/// Up to here nothing is gained by all bits in one number.
const LARGE: i128 = 16;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeBits;

/// A number that is made of bits: of a range that begins with zero, the simplest.
fn bits(choice: &Choice) -> Option<i128> {
    let range = bounds(choice).filter(|range| (range.min, range.origin) == (0, 0))?;
    let is_integer = choice.is_integer();
    // Of a range up to three or so, names and places are more likely.
    (is_integer && range.max > 3).then(|| number(choice))?
}

impl Pass<Choice> for ExchangeBits {
    fn name(&self) -> &'static str {
        "exchange_bits"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        let places = &numbers.lowerable;
        if places.len() > FEW {
            return Err(DeadBranch);
        }
        let first = chooser.choose(0..places.len(), |first| {
            bits(&elements[places[first]]).is_some()
        })?;
        let second = first + 1 + chooser.prefer(places.len() - 1 - first)?;
        let (one, other) = (&elements[places[first]], &elements[places[second]]);
        let range = bounds(other).ok_or(DeadBranch)?;
        if !one.has_constraint_of(other) {
            return Err(DeadBranch);
        }
        let (a, b) = bits(one).zip(bits(other)).ok_or(DeadBranch)?;
        let highest = 1 << a.ilog2();
        let taken = match chooser.prefer(2)? {
            0 if a.max(b) >= LARGE => a,
            // One that both have makes both simpler.
            1 if b & highest != 0 => highest,
            _ => return Err(DeadBranch),
        };
        // Equal ones are lowered together elsewhere.
        if a == b || !range.contains(b ^ taken) {
            return Err(DeadBranch);
        }
        let put = [(places[first], a ^ taken), (places[second], b ^ taken)];
        delete_and_put(target, &[], put).ok_or(DeadBranch)
    }
}
