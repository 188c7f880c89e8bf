//! Replaces a value by a random one that is simpler.
//!
//! When a property fails for every hundredth number, and for none that a search comes by, this
//! finds one of those below.
//!
//! The numbers are made from the target, so that the step is a pure function all the same.
//!
//! Costs two tests for each value that has many simpler ones, unless it is in the midst of equal ones.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("lower_at_random", any::<u16>(), "1.50000");
//! assert_eq!(tried, ["27870", "35185"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::amid::Amid;
use super::letters::{letters, with_letters};
use crate::choice::{Choice, Constraint, Value, mix};

/// How many values are tried for each.
const TRIES: usize = 2;
/// From so many simpler values on.
const MANY: u128 = 64;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerAtRandom;

/// A simpler choice made from `seed`.
fn simpler(choice: &Choice, seed: u64) -> Option<Choice> {
    let wide = |turn| (u128::from(mix(seed, turn)) << 64) | u128::from(mix(seed, turn + 1));
    let value = match (choice.constraint(), choice.value()) {
        (Constraint::Integer(range), Value::Integer(value)) => {
            let index = range.index(value);
            Value::Integer(range.at_index(wide(0) % index.max(1))?)
        }
        (Constraint::Float(_), Value::Float(bits)) => {
            let value = f64::from_bits(bits);
            // The upper half of the digits, and what they stand for anywhere below.
            let part = (mix(seed, 0) >> 11) as f64 / (1u64 << 53) as f64;
            Value::Float((value * part).trunc().to_bits())
        }
        _ => {
            let mut letters = letters(choice)?;
            for (turn, letter) in letters.iter_mut().enumerate() {
                *letter = (wide(2 * turn as u64) % (u128::from(*letter) + 1)) as u32;
            }
            return with_letters(choice, &letters);
        }
    };
    choice.with(value)
}

impl Pass<Choice> for LowerAtRandom {
    fn name(&self) -> &'static str {
        "lower_at_random"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (elements, amid) = (target.elements(), Amid::of(target));
        let at = chooser.choose(0..elements.len(), |at| {
            let is_drawn = !matches!(
                elements[at].constraint(),
                Constraint::Boolean(_) | Constraint::Index(_) | Constraint::Branch(_)
            );
            is_drawn && !amid.is_amid(at) && elements[at].index() >= MANY
        })?;
        let turn = chooser.prefer(TRIES)? as u64;
        let seed = mix(mix(target.identity().0 as u64, at as u64), turn);
        let choice = simpler(&elements[at], seed).ok_or(DeadBranch)?;
        Ok(Patch::replace(at, at + 1, &[choice]))
    }
}
