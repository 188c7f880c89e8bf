//! Deletes a block that a word ends with all that names it, or all blocks but some and what they need.
//!
//! A block is named by what it ends with, as `f` is in `end subroutine f` or `end f;`. What else names it
//! are statements, and they go with it; a block goes as a whole where the statement does with which it
//! starts. Blocks that stand side by side are halved, quartered and so on: a part goes with what names it,
//! or the others do, but for what that part needs.
//!
//! Costs two tests for each block and for each such part, those first that take most off, up to three
//! quarters of the text. Languages with a grammar have `delete_declarations` and `keep_reachable` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteNamedBlocks;
//!
//! let text = "sub a\n x\nend sub a\nsub c\n call d\nend sub c\nsub b\n call a\n y\nend sub b\nsub d\n z\nend sub d\n";
//! let seen = reductions(&DeleteNamedBlocks, text);
//! let without_a = text.replace("sub a\n x\nend sub a\n", "").replace(" call a\n", "");
//! assert!(seen.contains(&without_a));
//! assert!(seen.contains(&"sub c\n call d\nend sub c\nsub d\n z\nend sub d\n".to_owned()));
//! ```

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::identity::{Digest, Identity};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::Lines;
use crate::formats::runs::add_runs;
use crate::formats::worded::WordedBlocks;

/// What takes off more than this share of the text will take what matters with it.
const MOST: (isize, isize) = (3, 4);
/// No more steps than this are kept in mind.
const MOST_STEPS: usize = 1 << 12;

/// Deletes blocks with what names them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteNamedBlocks;

/// A run of blocks of a group that goes with its users, or else stays alone there with what it needs: the
/// number of the group, the first and the last one in it.
#[derive(Clone, Copy, Debug)]
struct Run {
    group: usize,
    first: usize,
    last: usize,
    is_kept: bool,
}

/// What may go, what takes most off first.
struct Choices(Vec<Run>);

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let blocks = WordedBlocks::of(target);
        let most = target.len() as isize / MOST.1 * MOST.0;
        let mut known: BTreeSet<Identity> = BTreeSet::new();
        let mut runs: Vec<(isize, Run)> = Vec::new();
        let mut add = |run: Run| {
            let patch = without(target, &blocks, run);
            let places = patch.edits().iter().map(|edit| [edit.start, edit.end]);
            let places: Vec<u32> = places.flatten().map(|at| at as u32).collect();
            // What is one piece goes without this pass.
            let is_new = places.len() > 2 && -patch.growth() <= most;
            if is_new && known.insert(Digest::of(&places).identity()) {
                runs.push((patch.growth(), run));
            }
        };
        let mut steps = 0;
        for (number, group) in blocks.groups().iter().enumerate() {
            let Some(last) = group.len().checked_sub(1) else {
                continue;
            };
            add_runs(0, last, &mut |first, last| {
                steps += 1;
                for is_kept in [false, true] {
                    add(Run {
                        group: number,
                        first,
                        last,
                        is_kept,
                    });
                }
                steps < MOST_STEPS
            });
        }
        runs.sort_by_cached_key(|(growth, _)| *growth);
        Choices(runs.into_iter().map(|(_, run)| run).collect())
    }
}

fn without(target: &Target<u8>, blocks: &WordedBlocks, run: Run) -> Patch<u8> {
    let group = &blocks.groups()[run.group];
    let some = group[run.first..=run.last].iter().copied();
    let cuts = if run.is_kept {
        let is_kept = blocks.needed(some);
        let others = group.iter().copied();
        blocks.with_uses(others.filter(|other| !is_kept[*other as usize]))
    } else {
        blocks.with_uses(some)
    };
    let lines = Lines::of(target);
    let cuts = cuts.into_iter();
    Patch::cuts(cuts.map(|(first, after)| (lines.start(first), lines.start(after))))
}

impl Pass<u8> for DeleteNamedBlocks {
    fn name(&self) -> &'static str {
        "delete_named_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let run = choices.0[chooser.prefer(choices.0.len())?];
        Ok(without(target, &WordedBlocks::of(target), run))
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
    fn a_block_that_starts_with_a_name_goes_as_a_whole() {
        let text = "type a\n x\nend type a\ntype, extends(a) :: b\n y\nend type b\nsub c\n use b\n z\n\
                    end sub c\nsub d\n w\n v\n if\n u\n end if\nend sub d\n";
        let seen = reductions(&DeleteNamedBlocks, text);
        let expected = "sub c\n z\nend sub c\nsub d\n w\n v\n if\n u\n end if\nend sub d\n";
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }
}
