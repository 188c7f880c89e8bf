//! Deletes levels of an SMT-LIB script, each from its `(push 1)` to its `(pop 1)`, and runs of them.
//!
//! A solver that is asked again and again gets a level for each question: it is put in whole or not at all.
//! What is left of half a level is asked on another one, and may fail there for other reasons.
//!
//! Costs a test for each level, and for all levels side by side, their halves, quarters and so on, what
//! takes most off first. What stands between two levels is not deleted.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLevels;
//!
//! let seen = reductions(&DeleteLevels, "(push 1)(check-sat)(pop 1)(assert p)(push 1)(exit)(pop 1)");
//! assert_eq!(seen, [
//!     "(assert p)",
//!     "(assert p)(push 1)(exit)(pop 1)",
//!     "(push 1)(check-sat)(pop 1)(assert p)",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::runs::add_runs;
use crate::formats::smt::Smt;

/// Deletes levels; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLevels;

/// The levels of a script, and which of them may go.
#[derive(Debug, Default)]
struct Choices {
    /// Where the levels stand that have a level, or none, around them in common.
    groups: Vec<Vec<(usize, usize)>>,
    /// The group, the first and the last level of each run, the longest text first.
    runs: Vec<(usize, usize, usize)>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let mut choices = Choices {
            groups: levels(&Smt::of(target), target.elements()),
            runs: Vec::new(),
        };
        for (number, group) in choices.groups.iter().enumerate() {
            if let Some(last) = group.len().checked_sub(1) {
                add_runs(0, last, &mut |first, last| {
                    choices.runs.push((number, first, last));
                    true
                });
            }
        }
        let groups = &choices.groups;
        let length = |run: &(usize, usize, usize)| -> usize {
            let levels = groups[run.0][run.1..=run.2].iter();
            levels.map(|(start, end)| end - start).sum()
        };
        choices
            .runs
            .sort_by_cached_key(|run| core::cmp::Reverse(length(run)));
        choices
    }
}

/// Where the levels stand, those side by side together; levels that nothing ends are none.
fn levels(smt: &Smt, text: &[u8]) -> Vec<Vec<(usize, usize)>> {
    let sexprs = smt.sexprs();
    let count = |command: u32| {
        let count = sexprs.children(command).nth(1);
        count.map_or(b"1".as_slice(), |count| sexprs.text(text, count))
    };
    let mut groups = Vec::new();
    // What is open: the command that opened it, and the levels in it so far.
    let mut open: Vec<(u32, Vec<(usize, usize)>)> = Vec::new();
    let mut here = Vec::new();
    for command in sexprs.top() {
        match sexprs.head(text, command) {
            Some(b"push") => open.push((command, core::mem::take(&mut here))),
            Some(b"pop") => {
                let Some((push, around)) = open.pop() else {
                    continue;
                };
                groups.push(core::mem::replace(&mut here, around));
                if count(push) == count(command) {
                    let (start, end) = (sexprs.node(push).start, sexprs.node(command).end);
                    here.push(smt.cut(text, (start as usize, end as usize)));
                }
            }
            _ => (),
        }
    }
    groups.extend(open.into_iter().map(|(_, around)| around));
    groups.push(here);
    groups.retain(|group| !group.is_empty());
    groups
}

impl Pass<u8> for DeleteLevels {
    fn name(&self) -> &'static str {
        "delete_levels"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let (group, first, last) = choices.runs[chooser.prefer(choices.runs.len())?];
        let levels = &choices.groups[group][first..=last];
        Ok(Patch::cuts(levels.iter().copied()))
    }

    fn is_largest_first(&self) -> bool {
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

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(reductions(&DeleteLevels, text), expected, "{text}");
    }

    #[test]
    fn levels_stand_in_levels() {
        check(
            "(push)\n(push 1)\n(exit)\n(pop)\n(push)\n(pop)\n(pop 1)\n",
            &[
                "",
                "(push)\n(pop 1)\n",
                "(push)\n(push)\n(pop)\n(pop 1)\n",
                "(push)\n(push 1)\n(exit)\n(pop)\n(pop 1)\n",
            ],
        );
    }

    #[test]
    fn what_nothing_ends_is_no_level() {
        check("(pop 1)(push 2)(pop 1)(push 1)(exit)", &[]);
        check("(push 1)(push 1)(pop 1)(exit)", &["(push 1)(exit)"]);
    }
}
