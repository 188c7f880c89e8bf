//! Makes numbers of one kind that are near each other equal, or moves all of them towards their simplest
//! value by the same amount.
//!
//! Points in time that have to lie within one window, `[949, 900, 949, 921]`, can't be lowered one by one
//! but so far as the window reaches, and then again. They become `[900, 900, 900, 900]`; where they have to
//! differ, `[149, 100, 149, 121]`, say.
//!
//! Costs two tests for each kind of which three or more numbers, all that are not the simplest, are near each
//! other, which is hardly chance; none for others, nor where there are many.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let times = "1.t.949.t.0.t.900.t.949.f";
//! let tried = reductions("lower_near_numbers", vec(any::<u32>()), times);
//! assert_eq!(tried, ["[900, 0, 900, 900]", "[948, 0, 899, 948]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Numbers, distance, kinds, number, set_number};
use super::slide::{DIRECTIONS, grown, inward, slide};
use crate::choice::Choice;

/// So many there have to be: of two the pairs are taken care of elsewhere.
const SEVERAL: usize = 3;
/// Among more than these some are near each other by chance.
const MANY: usize = 64;
/// What is nearer to the simplest value than this is soon lowered one by one.
const FAR: u128 = 64;
/// They are near each other when they differ by less than one part of the simplest one in so many.
const NEAR: u128 = 8;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerNearNumbers;

/// Numbers that are near each other: their places, and the one that is the simplest.
struct Near {
    places: Vec<usize>,
    simplest: i128,
}

struct Kinds(Vec<Near>);

impl Kinds {
    fn found(target: &Target<Choice>) -> Kinds {
        let (elements, numbers) = (target.elements(), Numbers::of(target));
        if !(SEVERAL..=MANY).contains(&numbers.lowerable.len()) {
            return Kinds(Vec::new());
        }
        let is_lowerable = |choice: &Choice| choice.is_integer() && !choice.is_simplest();
        let kinds = kinds(elements, is_lowerable).into_iter();
        Kinds(kinds.filter_map(|places| near(elements, places)).collect())
    }
}

/// These places, if there are several and their numbers are near each other, but not all the same.
fn near(elements: &[Choice], places: Vec<usize>) -> Option<Near> {
    let far = |at: &usize| distance(&elements[*at]);
    let nearest = places.iter().copied().min_by_key(|at| far(at))?;
    let least = far(&nearest)?;
    let spread = places.iter().filter_map(far).max()? - least;
    let side = inward(&elements[nearest]);
    let is_near = places.len() >= SEVERAL && least >= FAR && spread > 0 && spread < least / NEAR;
    let is_one_side = places.iter().all(|at| inward(&elements[*at]) == side);
    (is_near && is_one_side).then_some(Near {
        places,
        simplest: number(&elements[nearest])?,
    })
}

impl Pass<Choice> for LowerNearNumbers {
    fn name(&self) -> &'static str {
        "lower_near_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let (kinds, elements) = (target.analysis(Kinds::found), target.elements());
        let Near { places, simplest } = &kinds.0[chooser.prefer(kinds.0.len())?];
        if chooser.prefer(2)? == 0 {
            let level = |choice: &mut Choice| set_number(choice, *simplest);
            return Ok(Patch::change_each(elements, places, level));
        }
        let moving: Vec<(usize, i128)> = places
            .iter()
            .map(|&at| (at, inward(&elements[at])))
            .collect();
        slide(target, &moving, 1).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        // Those that were made equal are lowered elsewhere.
        let amounts = patch.edits().iter().map(|edit| {
            let moved = number(edit.insert.as_deref()?.first()?)?;
            Some(number(&target.elements()[edit.start])?.abs_diff(moved))
        });
        let amounts: Vec<u128> = amounts.collect::<Option<_>>()?;
        let is_slide =
            amounts.windows(2).all(|pair| pair[0] == pair[1]) && amounts.len() >= SEVERAL;
        is_slide.then(|| grown(target, patch, direction, amount))?
    }
}
