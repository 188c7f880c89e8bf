//! Replaces one element by a simpler one.
//!
//! What remains when nothing can be deleted any more should not suggest a meaning that it has not:
//! if `"hello"` has to have five letters but may have any, it becomes `"00000"`.
//!
//! Costs a test for each element and each value it can be lowered to, and no more than two elements
//! of a run of equal ones; a success is grown over the elements that follow. Targets above 1 Mi
//! elements are left to other passes.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::order::Natural;
//! use ablate_engine::passes::LowerElements;
//! use ablate_engine::patch::Patch;
//!
//! let pass = LowerElements { name: "lower", order: Natural, values: |_, _| vec![0_u8] };
//! assert_eq!(reductions(&pass, &[7, 0, 9]), [[7, 0, 0], [0, 0, 9]]);
//! let larger = grown(&pass, &[7, 0, 9], &Patch::replace(0, 1, &[0]), 0);
//! assert_eq!(larger, [[0, 0, 0]]);
//! ```

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::order::ElementOrder;
use crate::pass::Pass;
use crate::patch::{Edit, Patch};
use crate::target::Target;

/// Longer targets are left alone: there must be quicker ways.
const LONGEST_TARGET: usize = 1 << 20;

/// Replaces one element by a simpler one; see the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerElements<E, O> {
    /// The name that people see.
    pub name: &'static str,
    /// Which of two elements is the simpler one.
    pub order: O,
    /// What the element at a position may become, the most wanted value first. Values that are not
    /// simpler than what is there are left out by the pass.
    pub values: fn(&[E], usize) -> Vec<E>,
}

/// Where an element differs from one of its neighbours.
struct EndsOfRuns(Vec<u32>);

impl EndsOfRuns {
    fn of<E: Element>(target: &Target<E>) -> EndsOfRuns {
        let elements = target.elements();
        let is_long = elements.len() > LONGEST_TARGET;
        let places = 0..if is_long { 0 } else { elements.len() };
        let is_end = |at: &usize| {
            let element = Some(&elements[*at]);
            let before = at.checked_sub(1).map(|before| &elements[before]);
            before != element || elements.get(at + 1) != element
        };
        EndsOfRuns(places.filter(is_end).map(|at| at as u32).collect())
    }
}

impl<E: Element, O: ElementOrder<E>> Pass<E> for LowerElements<E, O> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let elements = target.elements();
        let ends = target.analysis(EndsOfRuns::of);
        let at = ends.0[chooser.any(0..ends.0.len())?] as usize;
        let mut values = (self.values)(elements, at);
        values.retain(|value| self.order.compare(value, &elements[at]) == Ordering::Less);
        let value = &values[chooser.prefer(values.len())?];
        Ok(Patch::replace(at, at + 1, core::slice::from_ref(value)))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let last = patch.edits().last()?;
        let value = last.insert.as_ref()?.first()?;
        let further: Vec<Edit<E>> = (last.end..target.len())
            .filter(|&at| self.order.compare(value, &target.elements()[at]) == Ordering::Less)
            .take(amount)
            .map(|at| Edit {
                start: at,
                end: at + 1,
                insert: Some(core::slice::from_ref(value).into()),
            })
            .collect();
        if further.len() < amount {
            return None;
        }
        Patch::edits_of(patch.edits().iter().cloned().chain(further)).ok()
    }

    fn rank(&self) -> u8 {
        1
    }
}
