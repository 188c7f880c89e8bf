//! Deletes a paragraph, or a run of them, with all that need what is named there.
//!
//! Where a tool stops at the first thing that it does not know, nothing can go while something else
//! needs it: `def a = 1`, `def b = a` and `def c = b` go at once or not at all. What names what is
//! guessed, as for `keep_named_paragraphs`, but what is wrong about one paragraph does no harm to the
//! others here.
//!
//! Costs a test for each paragraph, and for halves, quarters and so on of all of them; what takes most
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

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::identity::{Digest, Identity};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::named::Named;
use crate::formats::paragraphs::Paragraphs;
use crate::formats::runs::add_runs;

/// More paragraphs are left to other passes: it takes time to find what goes together.
const MOST_PARAGRAPHS: usize = 1 << 13;
/// Where there are more paragraphs than this, single ones are left to other passes, and so on.
const MANY: usize = 512;
/// What takes off more than this share of the text will take what matters with it.
const MOST: (usize, usize) = (3, 4);

/// Deletes paragraphs with what needs them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteNamedParagraphs;

/// What goes together: a number of bytes, and the run of paragraphs that it is for, the largest first.
struct Choices(Vec<(usize, usize, usize)>);

impl Choices {
    fn of(paragraphs: &Paragraphs, named: &Named) -> Choices {
        let mut choices: Vec<(usize, usize, usize)> = Vec::new();
        let mut known: BTreeSet<Identity> = BTreeSet::new();
        if paragraphs.is_empty() || paragraphs.len() > MOST_PARAGRAPHS {
            return Choices(choices);
        }
        let total = paragraphs.range(paragraphs.len() - 1).1;
        let shortest = paragraphs.len().div_ceil(MANY);
        add_runs(0, paragraphs.len() - 1, &mut |first, last| {
            let is_gone = named.gone(first..=last);
            let gone = (0..).zip(&is_gone).filter(|(_, is_gone)| **is_gone);
            let gone: Vec<u32> = gone.map(|(paragraph, _)| paragraph).collect();
            let lens = gone.iter().map(|&paragraph| {
                let (start, end) = paragraphs.range(paragraph as usize);
                end - start
            });
            let len: usize = lens.sum();
            let is_new = known.insert(Digest::of(&gone).identity());
            if is_new && len <= total / MOST.1 * MOST.0 {
                choices.push((len, first, last));
            }
            last - first >= shortest
        });
        choices.sort_unstable_by(|one, other| other.cmp(one));
        Choices(choices)
    }
}

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
        let choices = target.analysis(|_| Choices::of(&paragraphs, &named));
        let (_, first, last) = choices.0[chooser.prefer(choices.0.len())?];
        let is_gone = named.gone(first..=last);
        Ok(paragraphs.without(|paragraph| is_gone[paragraph]))
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
