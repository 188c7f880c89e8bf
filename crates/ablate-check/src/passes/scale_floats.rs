//! Scales the large ones of several floating-point numbers, or all of them, by one power of two.
//!
//! When a property fails for numbers because they are large beside others, or because of how their sum
//! is rounded, how large they are does not matter, but none of them can be lowered by itself: `1.0`,
//! `1.8e308` and `-1.8e308` become `1.0`, `9007199254740992.0` and `-9007199254740992.0`.
//!
//! Costs up to four tests where there are several floating-point numbers and one of them is above 2⁵³,
//! and one where none is above 2⁻²⁰; none where there are many.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! // 1.0, 2¹⁰⁰ and −2¹⁰¹.
//! let start = "1.r3ff0000000000000.r4630000000000000.rc640000000000000";
//! let tried = reductions("scale_floats", (any::<f64>(), any::<f64>(), any::<f64>()), start);
//! let two = 9007199254740992.0;
//! assert_eq!(tried[0], format!("(1.0, {two:?}, -{two:?})"));
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Numbers, WHOLE, float};
use crate::choice::{Choice, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ScaleFloats;

/// There may be no more floating-point numbers.
const MANY: usize = 16;

/// Where none is above this, all are scaled up.
const TINY: f64 = 1.0 / (1u64 << 20) as f64;

/// What is tried, the most wanted first.
#[derive(Clone, Copy)]
enum Way {
    /// Each of the large ones becomes 2⁵³, with its sign.
    Level,
    /// The large ones are scaled until the greatest is below 2⁵⁴.
    Large,
    /// All are, until the greatest is below 2.
    AllToOne,
    /// All are, until the greatest is below 2⁵⁴.
    All,
}

const WAYS: [Way; 4] = [Way::Level, Way::Large, Way::AllToOne, Way::All];

impl Way {
    /// What a number becomes where the greatest has this exponent.
    fn scaled(self, value: f64, exponent: i32) -> f64 {
        let is_large = value.abs() >= WHOLE;
        match self {
            Way::Level if is_large => WHOLE.copysign(value),
            Way::Large if is_large => scaled_by(value, 53 - exponent),
            Way::AllToOne => scaled_by(value, -exponent),
            Way::All => scaled_by(value, 53 - exponent),
            Way::Level | Way::Large => value,
        }
    }
}

/// A number times a power of two that may be smaller than any number.
fn scaled_by(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// The finite number of a choice that is not zero.
fn sized(choice: &Choice) -> Option<f64> {
    float(choice).filter(|value| value.is_finite() && *value != 0.0)
}

impl Pass<Choice> for ScaleFloats {
    fn name(&self) -> &'static str {
        "scale_floats"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if !Numbers::of(target).kinds.has_floats {
            return Err(DeadBranch);
        }
        let elements = target.elements().iter().enumerate();
        let floats = elements.filter_map(|(at, choice)| Some((at, sized(choice)?)));
        let floats: Vec<(usize, f64)> = floats.take(MANY + 1).collect();
        let sizes = floats.iter().map(|(_, value)| value.abs());
        let greatest = sizes.fold(0.0, f64::max);
        if !(2..=MANY).contains(&floats.len()) || (TINY..=WHOLE).contains(&greatest) {
            return Err(DeadBranch);
        }
        let exponent = greatest.log2().floor() as i32;
        let ways = match greatest < TINY {
            true => &[Way::AllToOne][..],
            false => &WAYS,
        };
        let way = ways[chooser.prefer(ways.len())?];
        let edits = floats.iter().map(|&(at, value)| {
            let value = Value::Float(way.scaled(value, exponent).to_bits());
            Some(Edit {
                start: at,
                end: at + 1,
                insert: Some([target.elements()[at].with(value)?].into()),
            })
        });
        let edits = edits.collect::<Option<Vec<_>>>().ok_or(DeadBranch)?;
        Patch::edits_of(edits).map_err(|_| DeadBranch)
    }
}
