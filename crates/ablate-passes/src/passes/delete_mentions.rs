//! Deletes a paragraph, or a run of them, with all lines elsewhere that use what is named there.
//!
//! Where a statement is a line, what needs a definition can do without it by a line less: of `f:`, `g:`
//! and `main:`, which calls both, `f:` goes together with `call f`. What names what is guessed, as for
//! `keep_named_paragraphs`; a paragraph whose first line goes, goes as a whole.
//!
//! Costs a test for each paragraph that is used elsewhere, and for halves, quarters and so on of all of
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
struct Choices(Vec<(usize, usize, usize)>);

/// The patch that deletes the paragraphs `first..=last` and all lines that use them.
fn without(target: &Target<u8>, first: usize, last: usize) -> Patch<u8> {
    let (paragraphs, named, lines) = (Paragraphs::of(target), Named::of(target), Lines::of(target));
    let mut is_gone = alloc::vec![false; paragraphs.len()];
    let mut open: Vec<usize> = (first..=last).collect();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    while let Some(paragraph) = open.pop() {
        if core::mem::replace(&mut is_gone[paragraph], true) {
            continue;
        }
        cuts.push(paragraphs.range(paragraph));
        for &(line, user) in named.mentions(paragraph) {
            if paragraphs.first_lines()[user as usize] == line as usize {
                open.push(user as usize);
            } else {
                cuts.push(lines.range(line as usize));
            }
        }
    }
    cuts.extend(named.unlisted(target, |paragraph| is_gone[paragraph]));
    Patch::cuts(cuts)
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
        let choices = target.analysis(|target| {
            // One run alone goes without this pass.
            let with_mentions = |first, last| {
                let patch = without(target, first, last);
                patch.single_cut().is_none().then_some(patch)
            };
            Choices(Paragraphs::of(target).largest_runs(with_mentions))
        });
        let (_, first, last) = choices.0[chooser.prefer(choices.0.len())?];
        Ok(without(target, first, last))
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
