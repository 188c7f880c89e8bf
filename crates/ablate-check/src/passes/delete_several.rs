//! Deletes several of the last elements of a long list, or letters of a text, of which nothing but the length
//! matters any more.
//!
//! What fails for every seventh length fails with 24 zeros and with 17, but with none between them.
//!
//! Costs nine tests for each list of twelve to 64 that holds only what is simplest, and each such text; a
//! last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let zeros = "1".to_string() + &".t.0".repeat(12) + ".f";
//! let tried = reductions("delete_several", vec(any::<u8>()), &zeros);
//! assert_eq!(tried[0], "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
//! assert_eq!((tried.len(), tried[7].as_str()), (8, "[0, 0]"));
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::letters::{Texts, rewritten};
use super::shape::{Families, is_more};
use crate::choice::Choice;

/// From so many elements on: fewer are hardly left by chance.
const LONG: usize = 12;
/// In a longer one so few are no matter.
const LONGEST: usize = 64;
/// So many are deleted; one alone is by other passes.
const COUNTS: [usize; 9] = [2, 3, 4, 5, 6, 7, 8, 10, 16];

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct DeleteSeveral;

/// The families, by their places, of which nothing but the length matters.
struct Lengths(Vec<usize>);

impl Lengths {
    fn found(target: &Target<Choice>) -> Lengths {
        let elements = target.elements();
        let says_nothing = |&(start, end): &(usize, usize)| match &elements[start..end] {
            [more, content @ ..] => is_more(more) && content.iter().all(Choice::is_simplest),
            [] => false,
        };
        let families = Families::of(target);
        let long = families.iter().enumerate().filter(|(_, family)| {
            (LONG..=LONGEST).contains(&family.members.len())
                && family.members.iter().all(says_nothing)
        });
        Lengths(long.map(|(place, _)| place).collect())
    }
}

impl Pass<Choice> for DeleteSeveral {
    fn name(&self) -> &'static str {
        "delete_several"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        if chooser.prefer(2)? == 0 {
            let lengths = target.analysis(Lengths::found);
            let place = lengths.0[chooser.prefer(lengths.0.len())?];
            let members = &Families::of(target)[place].members;
            let count = COUNTS[chooser.prefer(COUNTS.len())?];
            let left = members.len().checked_sub(count).ok_or(DeadBranch)?;
            return Ok(Patch::cuts(members[left..].iter().copied()));
        }
        let texts = Texts::of(target);
        let (text, places) = texts.chosen(chooser, |text| {
            (LONG..=LONGEST).contains(&text.letters.len())
                && text.letters.iter().all(|letter| *letter == 0)
        })?;
        let count = COUNTS[chooser.prefer(COUNTS.len())?];
        let left = text.letters.len().checked_sub(count);
        let left = left.filter(|left| *left >= text.min).ok_or(DeadBranch)?;
        rewritten(target, &places, &text.letters[..left]).ok_or(DeadBranch)
    }
}
