//! Moves a `false` to the front of an earlier `true`, past everything between the two, with the
//! numbers behind it in order.
//!
//! A tree that is drawn as "is there a node here?" has as many answers as its shape needs, and
//! shapes of the same size are the answers in another order: `(a (b (c) -) (d))` becomes
//! `(a - (b (c) (d)))`.
//!
//! Costs a test for each pair of such booleans; there is none in collections.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("move_ends", (any::<bool>(), 0..9u8, any::<bool>()), "1.t.4.f");
//! assert_eq!(tried, ["(false, 0, false)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::order_numbers;
use crate::choice::{Choice, Toss};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct MoveEnds;

impl Pass<Choice> for MoveEnds {
    fn name(&self) -> &'static str {
        "move_ends"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let elements = target.elements();
        let is = |at: usize, value| {
            elements[at].toss() == Some(Toss::Free) && elements[at].truth() == Some(value)
        };
        let start = chooser.choose(0..elements.len(), |at| is(at, true))?;
        let end = chooser.choose(start + 1..elements.len(), |at| is(at, false))?;
        let mut content = vec![elements[end].clone()];
        content.extend_from_slice(&elements[start..end]);
        content.extend_from_slice(&elements[end + 1..]);
        order_numbers(&mut content);
        Ok(Patch::replace(start, elements.len(), &content))
    }
}
