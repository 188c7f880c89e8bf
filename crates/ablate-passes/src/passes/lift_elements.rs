//! Replaces an element of XML or HTML by an element within it.
//!
//! What matters often sits deep inside: `<html><body><p>a</p></body></html>` becomes `<p>a</p>`.
//!
//! Costs one test for each element that is within another. A success is grown to the elements further
//! around.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::LiftElements;
//!
//! let text = "<a><b>x<c/></b></a>";
//! assert_eq!(reductions(&LiftElements, text), ["<a><c/></a>", "<b>x<c/></b>"]);
//! let patch = Patch::cuts([(3, 7), (11, 15)]);
//! assert_eq!(grown_patch(&LiftElements, text, &patch, 0), ["<c/>"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::markup::Markup;
use crate::passes::choose_place;

/// Lifts elements; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiftElements;

/// The patch that leaves `inner` of `outer`.
fn lifted(markup: &Markup, outer: usize, inner: usize) -> Patch<u8> {
    let (start, end) = markup.elements()[outer].range();
    let (from, to) = markup.elements()[inner].range();
    Patch::cuts([(start, from), (to, end)])
}

impl Pass<u8> for LiftElements {
    fn name(&self) -> &'static str {
        "lift_elements"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let markup = Markup::of(target);
        let count = markup.elements().len();
        let around = |element: usize| markup.around(element).next();
        let inner = choose_place::<Self>(target, chooser, count, |&e| around(e).is_some())?;
        let outer = around(inner).ok_or(DeadBranch)?;
        Ok(lifted(&markup, outer, inner))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let markup = Markup::of(target);
        let first = patch.edits().first()?;
        let (outer, inner) = (
            markup.starting_at(first.start)?,
            markup.starting_at(first.end)?,
        );
        let further = markup.around(outer).nth(amount.checked_sub(1)?)?;
        Some(lifted(&markup, further, inner))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
