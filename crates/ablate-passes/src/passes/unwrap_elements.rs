//! Deletes the tags of an element of XML or HTML, or what is between them.
//!
//! A tag without its partner is an error mostly, so the two go together: `<p>a<b>c</b></p>` becomes
//! `a<b>c</b>`, or `<p>ac</p>`. Or what is between them goes, and they become one: `<p/>`.
//!
//! Costs up to three tests for each element, the largest first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::UnwrapElements;
//!
//! assert_eq!(reductions(&UnwrapElements, "<p id=1>a</p>"), ["a", "<p id=1/>", "<p id=1></p>"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::markup::{ElementsBySize, Markup};

/// Unwraps elements; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnwrapElements;

impl Pass<u8> for UnwrapElements {
    fn name(&self) -> &'static str {
        "unwrap_elements"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (markup, order) = (Markup::of(target), ElementsBySize::of(target));
        let element = order.0[chooser.prefer(order.0.len())?] as usize;
        let element = &markup.elements()[element];
        let ((start, end), (from, to)) = (element.range(), element.content());
        match chooser.prefer(3)? {
            0 => Ok(Patch::cuts([(start, from), (to, end)])),
            1 if element.is_closed() => {
                let slash = Edit {
                    start: from - 1,
                    end,
                    insert: Some(b"/>".as_slice().into()),
                };
                Patch::edits_of([slash]).map_err(|_| DeadBranch)
            }
            2 if from < to => Ok(Patch::cut(from, to)),
            _ => Err(DeadBranch),
        }
    }

    fn rank(&self) -> u8 {
        7
    }
}
