//! Deletes an element of XML or HTML with both of its tags, the largest first.
//!
//! Lines and brackets do not show where an element ends; its tags do: of `<p>a<b>c</b></p>` remains
//! `<p>a</p>`.
//!
//! Costs one test for each element. A success is grown over the elements before and after it.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteElements;
//!
//! assert_eq!(reductions(&DeleteElements, "<p>a<b>c</b></p>"), ["", "<p>a</p>"]);
//! assert_eq!(grown(&DeleteElements, "<a/> <b/> <c/>", "<c/>", 0), ["<a/> ", ""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::markup::{ElementsBySize, Markup};

/// Deletes elements; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteElements;

impl Pass<u8> for DeleteElements {
    fn name(&self) -> &'static str {
        "delete_elements"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (markup, order) = (Markup::of(target), ElementsBySize::of(target));
        let element = order.0[chooser.prefer(order.0.len())?] as usize;
        let (start, end) = markup.elements()[element].range();
        Ok(Patch::cut(start, end))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let (start, end) = patch.single_cut()?;
        let markup = Markup::of(target);
        let elements = markup.elements();
        let within = elements[markup.starting_at(start)?].parent;
        if direction == 0 {
            let first = elements.partition_point(|element| (element.start as usize) < start);
            let mut before = elements[..first].iter().rev();
            let mut before = before.by_ref().filter(|element| element.parent == within);
            return Some(Patch::cut(
                before.nth(amount.checked_sub(1)?)?.range().0,
                end,
            ));
        }
        let after = elements.partition_point(|element| (element.start as usize) < end);
        let mut after = elements[after..]
            .iter()
            .filter(|element| element.parent == within);
        Some(Patch::cut(
            start,
            after.nth(amount.checked_sub(1)?)?.range().1,
        ))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
