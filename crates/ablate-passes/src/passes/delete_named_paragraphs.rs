//! Deletes a paragraph, or a run of them, with all that need what is named there.
//!
//! Where a tool stops at the first thing that it does not know, nothing can go while something else
//! needs it: `def a = 1`, `def b = a` and `def c = b` go at once or not at all. What names what is
//! guessed, as for `keep_named_paragraphs`, but what is wrong about one paragraph does no harm to the
//! others here. What has brackets behind its name is needed where that is, or else only where it is
//! called. From lists of names, such as those of exports, only the names go.
//!
//! Costs up to two tests for each paragraph, and for halves, quarters and so on of all of them; what takes most
//! off comes first. Languages with a grammar have `delete_with_needs` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteNamedParagraphs;
//!
//! let text = "def a = 1\n\ndef b = a\n\ndef c = b\n\ndef d = 2\n\ndef e = d\n\ndef f = 3\n";
//! let seen = reductions(&DeleteNamedParagraphs, text);
//! assert!(seen.contains(&"def d = 2\n\ndef e = d\n\ndef f = 3\n".to_owned()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::named::{Named, Use};
use crate::formats::paragraphs::Paragraphs;

/// Deletes paragraphs with what needs them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteNamedParagraphs;

/// What goes together: a number of bytes, the run of paragraphs that it is for, and what it takes to need
/// one of them, the largest first.
struct Choices(Vec<(usize, usize, usize, Use)>);

impl Pass<u8> for DeleteNamedParagraphs {
    fn name(&self) -> &'static str {
        "delete_named_paragraphs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (paragraphs, named) = (Paragraphs::of(target), Named::of(target));
        let without = |first, last, by| {
            let is_gone = named.gone(by, first..=last);
            named.without(target, |paragraph| is_gone[paragraph])
        };
        let choices = target.analysis(|_| {
            let mut choices = Vec::new();
            for &by in named.uses() {
                let runs = paragraphs.largest_runs(|first, last| {
                    let gone = |by| named.gone(by, first..=last);
                    let is_new = by == Use::Name || gone(by) != gone(Use::Name);
                    is_new.then(|| without(first, last, by))
                });
                let runs = runs.into_iter();
                choices.extend(runs.map(|(removed, first, last)| (removed, first, last, by)));
            }
            choices.sort_unstable_by(|one, other| other.cmp(one));
            Choices(choices)
        });
        let (_, first, last, by) = choices.0[chooser.prefer(choices.0.len())?];
        Ok(without(first, last, by))
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
