//! What a pass would do, without an oracle: for documentation, for tests, and for people who want
//! to see it. Nothing here takes part in a reduction.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::chooser::{ChoiceTree, Walk};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// Every edit that `pass` proposes for `target`, in the order of a sweep; the same edit may be
/// there more than once.
pub fn patches<E: Element>(pass: &(impl Pass<E> + ?Sized), target: &Target<E>) -> Vec<Patch<E>> {
    let mut tree = ChoiceTree::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let walk = Walk::Sweep { from: Vec::new() };
    let mut patches = Vec::new();
    while let Some((_, step)) = tree.step(&walk, &mut random, |chooser| pass.edit(target, chooser))
    {
        patches.extend(step);
    }
    patches
}

/// Every different candidate that `pass` proposes for a target that holds `elements`, in the order
/// of a sweep.
///
/// ```
/// use ablate_engine::explain::reductions;
/// use ablate_engine::passes::DeleteShortRuns;
///
/// assert_eq!(reductions(&DeleteShortRuns::up_to(1), b"abc"), [b"ab", b"ac", b"bc"]);
/// ```
pub fn reductions<E: Element>(pass: &(impl Pass<E> + ?Sized), elements: &[E]) -> Vec<Vec<E>> {
    let target = Target::new(elements.to_vec());
    let mut seen = BTreeSet::from([target.identity()]);
    patches(pass, &target)
        .into_iter()
        .map(|patch| target.candidate(patch))
        .filter(|candidate| seen.insert(candidate.identity()))
        .map(|candidate| candidate.build())
        .collect()
}

/// What becomes of `patch` when it is grown in `direction` by 1, 2, 3, … units: the candidates.
pub fn grown<E: Element>(
    pass: &(impl Pass<E> + ?Sized),
    elements: &[E],
    patch: &Patch<E>,
    direction: usize,
) -> Vec<Vec<E>> {
    let target = Target::new(elements.to_vec());
    (1..)
        .map_while(|amount| pass.grow(&target, patch, direction, amount))
        .map(|patch| patch.applied(elements))
        .collect()
}
