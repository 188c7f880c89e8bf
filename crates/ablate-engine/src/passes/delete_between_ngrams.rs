//! Deletes from one occurrence of some n-gram to its next one.
//!
//! Whatever a format separates its parts with, it does so again and again: in
//! `<li>a</li><li>b</li>` the cut from the first `<li>` to the second takes away one whole member,
//! without any idea of what `<li>` means.
//!
//! Costs one test for each pair of neighbouring places where the same n-gram starts, pairs with the
//! same effect counted once: about one for each repetition, not one for each element of it. A cut
//! that succeeds is grown past more occurrences to both sides. Targets above 128 Ki elements are
//! left to other passes.
//!
//! ```
//! use ablate_engine::explain::{grown, reductions};
//! use ablate_engine::passes::DeleteBetweenNgrams;
//! use ablate_engine::patch::Patch;
//!
//! let pass = DeleteBetweenNgrams { sizes: &[2] };
//! assert_eq!(reductions(&pass, b"<a1<a2<a3"), [&b"<a1<a3"[..], b"<a2<a3"]);
//! assert_eq!(grown(&pass, b"<a1<a2<a3", &Patch::cut(0, 3), 1), [b"<a3"]);
//! assert_eq!(grown(&pass, b"<a1<a2<a3", &Patch::cut(3, 6), 0), [b"<a3"]);
//! ```

use alloc::vec::Vec;

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::pass::Pass;
use crate::patch::Patch;
use crate::target::Target;

/// Longer targets are left alone.
const LONGEST_TARGET: usize = 128 << 10;

/// Deletes from one occurrence of an n-gram to its next; see the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteBetweenNgrams {
    /// The lengths of the n-grams that are looked at, rising.
    pub sizes: &'static [usize],
}

/// The cuts between neighbouring occurrences, by position.
struct Cuts(Vec<(u32, u32)>);

/// Where the same n-gram of one of these sizes starts and where it starts again: `(i, j)`, by
/// position. With equal elements before both, the cut of `i..j` has the same effect as the one a
/// place to the left, which is given instead.
pub fn repetitions<E: Element>(elements: &[E], sizes: &[usize]) -> Vec<(u32, u32)> {
    let mut cuts = Vec::new();
    for &size in sizes {
        let mut grams: Vec<(u64, u32)> = elements.windows(size.max(1)).map(hash).zip(0..).collect();
        grams.sort_unstable();
        let neighbours = grams.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let pairs = neighbours.map(|pair| (pair[0].1, pair[1].1));
        cuts.extend(pairs.filter(|&(i, j)| {
            let (i, j) = (i as usize, j as usize);
            let is_leftmost = i == 0 || elements[i - 1] != elements[j - 1];
            is_leftmost && elements[i..i + size] == elements[j..j + size]
        }));
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn hash<E: Element>(gram: &[E]) -> u64 {
    gram.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, element| {
            let mixed = (hash ^ element.digest()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        })
}

impl DeleteBetweenNgrams {
    fn cuts<E: Element>(&self, target: &Target<E>) -> alloc::rc::Rc<Cuts> {
        target.analysis(|target| {
            let is_long = target.len() > LONGEST_TARGET;
            let elements = if is_long { &[] } else { target.elements() };
            Cuts(repetitions(elements, self.sizes))
        })
    }
}

/// The cut `start..end` between two occurrences of an n-gram, taken past `amount` more occurrences
/// of the largest n-gram of one of these sizes that starts at both: to the left in direction 0,
/// else to the right.
pub fn past_repetitions<E: Element>(
    elements: &[E],
    sizes: &[usize],
    (start, end): (usize, usize),
    direction: usize,
    amount: usize,
) -> Option<(usize, usize)> {
    let (a, b) = (elements.get(start..)?, elements.get(end..)?);
    let starts_both =
        |size: &&usize| a.get(..**size).is_some() && a.get(..**size) == b.get(..**size);
    let gram = &a[..*sizes.iter().rev().find(starts_both)?];
    let nth = amount.checked_sub(1)?;
    let is_there = |at: &usize| elements[*at..].starts_with(gram);
    if direction == 0 {
        Some(((0..start).rev().filter(is_there).nth(nth)?, end))
    } else {
        Some((start, (end + 1..elements.len()).filter(is_there).nth(nth)?))
    }
}

impl<E: Element> Pass<E> for DeleteBetweenNgrams {
    fn name(&self) -> &'static str {
        "delete_between_ngrams"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let cuts = self.cuts(target);
        let (start, end) = cuts.0[chooser.any(0..cuts.0.len())?];
        Ok(Patch::cut(start as usize, end as usize))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let cut = patch.single_cut()?;
        let (start, end) = past_repetitions(target.elements(), self.sizes, cut, direction, amount)?;
        Some(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        6
    }
}
