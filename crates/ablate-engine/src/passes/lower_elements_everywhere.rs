//! Replaces every occurrence of one element by the same simpler one.
//!
//! Occurrences often have to agree: in `x+x` neither `x` can become `a` without the other, but both
//! together can.
//!
//! Costs a test for each different element and each value it can be lowered to, however long the
//! target is.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_engine::order::Natural;
//! use ablate_engine::passes::LowerElementsEverywhere;
//!
//! let pass = LowerElementsEverywhere { name: "lower", order: Natural, values: |_| vec![b'a'] };
//! assert_eq!(reductions(&pass, b"y=y*x"), [&b"a=a*x"[..], b"y=y*a"]);
//! ```

use crate::insert::Insert;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::order::ElementOrder;
use crate::pass::Pass;
use crate::patch::{Edit, Patch};
use crate::target::Target;

/// Longer targets are left alone: an edit for each occurrence would take too much memory.
const LONGEST_TARGET: usize = 1 << 20;

/// Replaces every occurrence of one element; see the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerElementsEverywhere<E, O> {
    /// The name that people see.
    pub name: &'static str,
    /// Which of two elements is the simpler one.
    pub order: O,
    /// What an element may become, the most wanted value first. Values that are not simpler are
    /// left out by the pass.
    pub values: fn(&E) -> Vec<E>,
}

/// Where each different element stands first, in the order of the elements' digests.
struct FirstOccurrences(Vec<u32>);

impl FirstOccurrences {
    fn of<E: Element>(target: &Target<E>) -> FirstOccurrences {
        let elements = target.elements();
        if elements.len() > LONGEST_TARGET {
            return FirstOccurrences(Vec::new());
        }
        let digests = elements.iter().map(Element::digest);
        let mut first: Vec<(u64, u32)> = digests.zip(0..).collect();
        first.sort_unstable();
        first.dedup_by_key(|(digest, _)| *digest);
        FirstOccurrences(first.into_iter().map(|(_, at)| at).collect())
    }
}

impl<E: Element, O: ElementOrder<E>> Pass<E> for LowerElementsEverywhere<E, O> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let first = target.analysis(FirstOccurrences::of);
        let elements = target.elements();
        let lowered = &elements[first.0[chooser.any(0..first.0.len())?] as usize];
        let mut values = (self.values)(lowered);
        values.retain(|value| self.order.compare(value, lowered) == Ordering::Less);
        let value = &values[chooser.prefer(values.len())?];
        let insert = Insert::from(core::slice::from_ref(value));
        let places = (0..elements.len()).filter(|&at| elements[at] == *lowered);
        Patch::edits_of(places.map(|at| Edit {
            start: at,
            end: at + 1,
            insert: Some(insert.clone()),
        }))
        .map_err(|_| DeadBranch)
    }

    fn rank(&self) -> u8 {
        2
    }
}
