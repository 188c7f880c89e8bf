//! Deletes a block between two tags of a template, or of TeX, a run of such blocks, what is in one, or what is
//! around one of its parts.
//!
//! `{% if a %}` and `{% endif %}` are no brackets, and no grammar of HTML or SQL knows them, but neither can
//! go without the other. Of `{% if a %}b{% else %}c{% endif %}` remains nothing, `b`, `c`, or what has no
//! `{% else %}`. Many kinds of tags are known; see `formats/tagged.rs`.
//!
//! Costs a test for each block, for halves, quarters and so on of blocks that stand side by side, and two or
//! three for what is in each and around it, what takes most off first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteTaggedBlocks;
//!
//! let seen = reductions(&DeleteTaggedBlocks, "x{% if a %}b{% else %}cd{% endif %}");
//! let left = ["x", "xb", "xcd", "x{% if a %}{% endif %}", "x{% if a %}b{% endif %}"];
//! assert!(left.iter().all(|left| seen.contains(&left.to_string())), "{seen:?}");
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::runs::add_runs;
use crate::formats::tagged::TaggedBlocks;

/// Deletes blocks between tags; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTaggedBlocks;

/// What may go: all from a start to an end, but for what is kept within.
struct Cuts {
    start: u32,
    end: u32,
    kept: (u32, u32),
}

/// What may go, what takes most off first.
struct Choices(Vec<Cuts>);

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let blocks = TaggedBlocks::of(target);
        let mut choices = Vec::new();
        for group in blocks.groups() {
            let Some(last) = group.len().checked_sub(1) else {
                continue;
            };
            add_runs(0, last, &mut |first, last| {
                let [first, last] = [first, last].map(|at| &blocks.all()[group[at] as usize]);
                choices.push(Cuts::all(first.start, last.end));
                true
            });
        }
        for block in blocks.all() {
            choices.push(Cuts::all(block.interior, block.close));
            for kept in block.parts() {
                let (start, end) = (block.start, block.end);
                choices.push(Cuts { start, end, kept });
            }
            let ends = block.middles.iter().skip(1).map(|middle| middle.0);
            for (middle, end) in block.middles.iter().zip(ends.chain([block.close])) {
                choices.push(Cuts::all(middle.0, end));
            }
        }
        choices.retain(|cuts| cuts.amount() > 0);
        choices.sort_by_key(|cuts| core::cmp::Reverse(cuts.amount()));
        Choices(choices)
    }
}

impl Cuts {
    fn all(start: u32, end: u32) -> Cuts {
        Cuts {
            start,
            end,
            kept: (end, end),
        }
    }

    fn amount(&self) -> u32 {
        self.end - self.start - (self.kept.1 - self.kept.0)
    }

    fn patch(&self) -> Patch<u8> {
        let [start, end] = [self.start, self.end].map(|at| at as usize);
        let (first, after) = (self.kept.0 as usize, self.kept.1 as usize);
        Patch::cuts([(start, first), (after, end)])
    }
}

impl Pass<u8> for DeleteTaggedBlocks {
    fn name(&self) -> &'static str {
        "delete_tagged_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        Ok(choices.0[chooser.prefer(choices.0.len())?].patch())
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
