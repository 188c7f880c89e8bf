//! Deletes white space that stands together: all of it, or all but one character.
//!
//! `a  =  b` becomes `a = b`, then `a=b`, and empty lines go.
//!
//! Costs one test for each run of white space, and another for a run of two characters or more. A
//! success is grown over the runs before and after it.
//!
//! ```
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteWhitespace;
//!
//! let seen = reductions(&DeleteWhitespace, "a =\n\n  b");
//! assert_eq!(seen, ["a =b", "a =\nb", "a=\n\n  b"]);
//! assert_eq!(grown(&DeleteWhitespace, "a = b", " ", 1), ["a=b"]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::passes::one_of;

/// Longer texts are left alone.
const LONGEST_TEXT: usize = 4 << 20;

/// Deletes white space; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteWhitespace;

/// Runs of white space, by position.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of(target: &Target<u8>) -> Rc<Runs> {
        target.analysis(|target| {
            let mut runs: Vec<(u32, u32)> = Vec::new();
            if target.len() > LONGEST_TEXT {
                return Runs(runs);
            }
            let space = target.elements().iter().zip(0_u32..);
            for (_, at) in space.filter(|(byte, _)| byte.is_ascii_whitespace()) {
                match runs.last_mut() {
                    Some(run) if run.1 == at => run.1 += 1,
                    _ => runs.push((at, at + 1)),
                }
            }
            Runs(runs)
        })
    }
}

/// All of the run but the character that says most: its first line feed, or its first character.
fn all_but_one(text: &[u8], (start, end): (u32, u32)) -> [(usize, usize); 2] {
    let (start, end) = (start as usize, end as usize);
    let line_feed = text[start..end].iter().position(|&byte| byte == b'\n');
    let kept = start + line_feed.unwrap_or(0);
    [(start, kept), (kept + 1, end)]
}

impl Pass<u8> for DeleteWhitespace {
    fn name(&self) -> &'static str {
        "delete_whitespace"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let run = *one_of(chooser, &Runs::of(target).0)?;
        match chooser.prefer(2)? {
            0 => Ok(Patch::cut(run.0 as usize, run.1 as usize)),
            _ if run.1 - run.0 > 1 => Ok(Patch::cuts(all_but_one(target.elements(), run))),
            _ => Err(DeadBranch),
        }
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let runs = Runs::of(target);
        let (start, end) = patch.extent()?;
        let from = runs.0.partition_point(|run| run.1 as usize <= start);
        let to = runs.0.partition_point(|run| (run.0 as usize) < end);
        let covers = |run: &(u32, u32)| patch.covers(&Patch::cut(run.0 as usize, run.1 as usize));
        let is_all = runs.0.get(from..to)?.iter().any(covers);
        let mut cuts: Vec<(usize, usize)> = patch
            .edits()
            .iter()
            .map(|edit| (edit.start, edit.end))
            .collect();
        let is_wanted = |run: &&(u32, u32)| is_all || run.1 - run.0 > 1;
        let before = runs.0[..from].iter().rev().filter(is_wanted);
        let after = runs.0[to..].iter().filter(is_wanted);
        let further: Vec<&(u32, u32)> = if direction == 0 {
            before.take(amount).collect()
        } else {
            after.take(amount).collect()
        };
        if further.len() < amount {
            return None;
        }
        for &run in further {
            if is_all {
                cuts.push((run.0 as usize, run.1 as usize));
            } else {
                cuts.extend(all_but_one(target.elements(), run));
            }
        }
        Some(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        4
    }
}
