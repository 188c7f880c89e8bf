//! Deletes a paragraph, or a run of them, with all lines elsewhere that use what is named there.
//!
//! Where a statement is a line, what needs a definition can do without it by a line less: of `f:`, `g:`
//! and `main:`, which calls both, `f:` goes together with `call f`. What names what is guessed, as for
//! `keep_named_paragraphs`; a paragraph whose first line goes, goes as a whole. Where several have the name,
//! the nearest is meant, or all are: `proc A.f` and `proc B.f` go with the lines that say that `A` and `B`
//! have an `f`.
//!
//! Costs a test or two for each paragraph that is used elsewhere, and for halves, quarters and so on of all of
//! them; what takes most off comes first. Languages with a grammar have `delete_declarations` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteMentions;
//!
//! let text = "a\n  1\nb\n  2\nc\n  3\nd\n  4\ne\n  5\nmain\n  call a\n  call b\n  6\n";
//! let seen = reductions(&DeleteMentions, text);
//! let expected = "b\n  2\nc\n  3\nd\n  4\ne\n  5\nmain\n  call b\n  6\n";
//! assert!(seen.contains(&expected.to_owned()));
//! ```

use alloc::vec::Vec;
use core::cell::Cell;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::Lines;
use crate::formats::named::Named;
use crate::formats::paragraphs::Paragraphs;

/// Deletes paragraphs with the lines that use them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteMentions;

/// What goes together: a number of bytes, and the run of paragraphs that it is for, the largest first.
struct Choices(Vec<(usize, usize, usize, Mentions)>);

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let paragraphs = Paragraphs::of(target);
        let mut choices = Vec::new();
        for mentions in [Mentions::Nearest, Mentions::All] {
            let looks = Cell::new(LOOKS_MAX);
            // One run alone goes without this pass.
            let with_mentions = |first, last| {
                let patch = without(target, first, last, mentions, &looks)?;
                patch.single_cut().is_none().then_some(patch)
            };
            let runs = paragraphs.largest_runs(with_mentions).into_iter();
            choices.extend(runs.map(|(size, first, last)| (size, first, last, mentions)));
        }
        choices.sort_unstable_by(|one, other| other.cmp(one));
        // What all mentions take with them holds what the nearest do: of the same size it is the same.
        choices.dedup_by_key(|&mut (size, first, last, _)| (size, first, last));
        Choices(choices)
    }
}

/// What is taken for a use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mentions {
    /// What means the nearest with the name.
    Nearest,
    /// All that has the name, and what has none and stands behind what goes.
    All,
}

/// So many paragraphs and lines are looked at to find out what goes together in each way.
const LOOKS_MAX: usize = 4_000_000;

/// The patch that deletes the paragraphs `first..=last` and all lines that use them; `None` if that takes more than
/// so many `looks`, which those that it took are counted off from.
fn without(
    target: &Target<u8>,
    first: usize,
    last: usize,
    mentions: Mentions,
    looks: &Cell<usize>,
) -> Option<Patch<u8>> {
    let (paragraphs, named, lines) = (Paragraphs::of(target), Named::of(target), Lines::of(target));
    let mut is_gone = alloc::vec![false; paragraphs.len()];
    let mut open: Vec<usize> = (first..=last).collect();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    while let Some(paragraph) = open.pop() {
        if core::mem::replace(&mut is_gone[paragraph], true) {
            continue;
        }
        cuts.push(paragraphs.range(paragraph));
        looks.set(looks.get().checked_sub(1)?);
        let mut mention = |(line, user): (u32, u32)| {
            looks.set(looks.get().saturating_sub(1));
            if paragraphs.first_lines()[user as usize] == line as usize {
                open.push(user as usize);
            } else {
                cuts.push(lines.range(line as usize));
            }
        };
        match mentions {
            Mentions::Nearest => named.mentions(paragraph).iter().copied().for_each(mention),
            Mentions::All => {
                named.namesakes(paragraph).for_each(&mut mention);
                let next = paragraph + 1;
                if next < paragraphs.len() && !named.has_name(next) {
                    open.push(next);
                }
            }
        }
    }
    cuts.extend(named.unlisted(target, |paragraph| is_gone[paragraph]));
    Some(Patch::cuts(cuts))
}

impl Pass<u8> for DeleteMentions {
    fn name(&self) -> &'static str {
        "delete_mentions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let (_, first, last, mentions) = choices.0[chooser.prefer(choices.0.len())?];
        without(target, first, last, mentions, &Cell::new(usize::MAX)).ok_or(DeadBranch)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;

    #[test]
    fn what_has_the_same_name_goes_together() {
        let text = "A\n proc f\n proc g\nB\n proc f\n\nproc A.f\n 1\n\nvar\n x\n\nproc A.g\n 2\n\nvar\n z\n\nproc B.f\n 3\n\n\
                    var\n y\n\nproc h\n 4\n\nproc i\n 5\n";
        let seen = reductions(&DeleteMentions, text);
        let expected = "A\n proc g\nB\n\nproc A.g\n 2\n\nvar\n z\n\nproc h\n 4\n\nproc i\n 5\n";
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn what_hangs_together_is_not_looked_for_without_end() {
        let paragraph = |number: usize| alloc::format!("a{number}\n a{}\n\n", number + 1);
        let text: alloc::string::String = (0..100).map(paragraph).collect();
        let target = Target::new(text.into_bytes());
        let gone = |looks| {
            let looks = Cell::new(looks);
            let patch = without(&target, 0, 49, Mentions::All, &looks)?;
            Some((patch.growth() < 0, looks.get()))
        };
        assert_eq!(gone(1000).map(|(is_any, _)| is_any), Some(true));
        assert!(gone(1000).is_some_and(|(_, left)| left < 950));
        assert_eq!(gone(40), None);
    }
}
