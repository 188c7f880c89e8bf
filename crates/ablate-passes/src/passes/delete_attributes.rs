//! Deletes an attribute of XML or HTML, or all attributes with the same name.
//!
//! `<p id="a" class="b">` becomes `<p id="a">`; and what a hundred elements have for a class is mostly
//! of no use for any of them.
//!
//! Costs one test for each attribute, and one for each name that is there more than once. A success is
//! grown over the attributes before and after it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteAttributes;
//!
//! let seen = reductions(&DeleteAttributes, "<a x=1/><b x=2 y/>");
//! assert_eq!(seen, [
//!     "<a/><b y/>",
//!     "<a x=1/><b x=2/>",
//!     "<a x=1/><b y/>",
//!     "<a/><b x=2 y/>",
//! ]);
//! ```

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::markup::Markup;

/// Deletes attributes; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteAttributes;

/// The numbers of attributes with the same name, where there are several.
struct SameNames(Vec<Vec<usize>>);

impl SameNames {
    fn of(target: &Target<u8>) -> Rc<SameNames> {
        let markup = Markup::of(target);
        target.analysis(|target| {
            let mut by_name: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
            for (number, attribute) in markup.attributes().iter().enumerate() {
                let (start, end) = attribute.name;
                let name = &target.elements()[start as usize..end as usize];
                by_name.entry(name).or_default().push(number);
            }
            SameNames(
                by_name
                    .into_values()
                    .filter(|same| same.len() > 1)
                    .collect(),
            )
        })
    }
}

impl Pass<u8> for DeleteAttributes {
    fn name(&self) -> &'static str {
        "delete_attributes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let markup = Markup::of(target);
        let attributes = markup.attributes();
        let same = SameNames::of(target);
        // The numbers after the last attribute, which sweeps try first, stand for names.
        let chosen = chooser.any(0..attributes.len() + same.0.len())?;
        let cut = |&number: &usize| {
            (
                attributes[number].start as usize,
                attributes[number].end as usize,
            )
        };
        match chosen.checked_sub(attributes.len()) {
            None => Ok(Patch::cuts([cut(&chosen)])),
            Some(name) => Ok(Patch::cuts(same.0[name].iter().map(cut))),
        }
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
        let markup = Markup::of(target);
        let attributes = markup.attributes();
        let (start, end) = patch.extent()?;
        let cuts = patch.edits().iter().map(|edit| (edit.start, edit.end));
        let further = if direction == 0 {
            let first = attributes.partition_point(|a| (a.start as usize) < start);
            &attributes[first.checked_sub(amount)?..first]
        } else {
            let after = attributes.partition_point(|a| (a.start as usize) < end);
            attributes.get(after..after.checked_add(amount)?)?
        };
        let further = further.iter().map(|a| (a.start as usize, a.end as usize));
        Some(Patch::cuts(cuts.chain(further)))
    }

    fn rank(&self) -> u8 {
        7
    }
}
