//! Exchanges two spans of the same label that are no siblings, when the one behind is the shorter.
//!
//! Where in a tree something stands may not matter: what is large goes to the back.
//!
//! Tried with the numbers of both, and with all these numbers in order.
//!
//! Costs two tests for each such pair; there is none where nothing is recursive.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let values = (vec(vec(0..9u8)), vec(0..9u8));
//! let tried = reductions("swap_spans", values, "1.t.t.1.t.2.f.f.t.3.f");
//! assert_eq!(tried, ["([[3]], [1, 2])", "([[1]], [2, 3])"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Shape, marked, order_numbers};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct SwapSpans;

impl Pass<Choice> for SwapSpans {
    fn name(&self) -> &'static str {
        "swap_spans"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let shape = Shape::of(target);
        let spans = &shape.spans;
        let family = |at: usize| {
            let (start, end, _) = spans[at];
            shape
                .run_of(start, end)
                .map(|(family, ..)| std::ptr::from_ref(family))
        };
        let first = chooser.any(0..spans.len())?;
        let (start, end, label) = spans[first];
        let second = chooser.choose(0..first, |second| {
            let other = spans[second];
            other.2 == label
                && other.0 >= end
                && other.1 - other.0 < end - start
                && family(second) != family(first)
        })?;
        let other = spans[second];
        let mut content = marked(target, other.0, other.1, label);
        content.extend_from_slice(&target.elements()[end..other.0]);
        content.extend(marked(target, start, end, label));
        if chooser.prefer(2)? == 1 {
            order_numbers(&mut content);
        }
        Ok(Patch::replace(start, other.1, &content))
    }

    fn pumps(&self) -> bool {
        true
    }
}
