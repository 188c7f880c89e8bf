//! Deletes everything but a few declarations and what they need, or a few declarations and what only
//! they need.
//!
//! Of a file with a thousand functions, three may matter: the one with the bug, and two that it
//! calls. What a declaration needs is told by the names in it, so one test takes all the rest away at
//! once, and nothing is missing: of `int a; int b; int f() { a; } int g() { b; }` remains
//! `int b; int g() { b; }`.
//!
//! Costs some dozen tests: the declarations that nothing else needs are the ones to begin with, the
//! last of them, the last two, four, and so on; then halves, quarters and smaller parts of all of
//! them, to be kept alone or to be deleted.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("keep_reachable", "c", "int a; int b; int f() { a; } int g() { b; }");
//! assert_eq!(seen[0], "int b; int g() { b; }");
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::passes::add_runs;
use crate::tree::Syntax;
use crate::units::Units;

/// Parts of the roots below this share are left to other passes.
const SMALLEST_SHARE: usize = 32;

/// Keeps a few declarations and what they need; see the module.
#[derive(Clone, Debug)]
pub struct KeepReachable(pub Rc<Syntax>);

/// What to begin with, in the order of the sweep, the last first: a run of roots, to be kept or to
/// be deleted.
struct Choices(Vec<(u32, u32, bool)>);

impl Choices {
    fn of(units: &Units) -> Choices {
        let roots = units.roots().len();
        let mut choices = Vec::new();
        if roots < 2 {
            return Choices(choices);
        }
        let smallest = (roots / SMALLEST_SHARE).max(1);
        add_runs(0, roots - 1, &mut |first, last| {
            let is_large = last + 1 - first >= smallest;
            if is_large && last + 1 - first < roots {
                choices.push((first as u32, last as u32, true));
                choices.push((first as u32, last as u32, false));
            }
            is_large
        });
        choices.sort_by_key(|&(first, last, _)| (last - first, first));
        let powers = std::iter::successors(Some(1), |count| Some(2 * count));
        let mut suffixes: Vec<usize> = powers.take_while(|&count| count < roots).collect();
        suffixes.reverse();
        let suffixes = suffixes.into_iter();
        choices.extend(suffixes.map(|count| ((roots - count) as u32, roots as u32 - 1, true)));
        // All that no root needs.
        choices.push((0, roots as u32 - 1, true));
        Choices(choices)
    }
}

impl Pass<u8> for KeepReachable {
    fn name(&self) -> &'static str {
        "keep_reachable"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let units = Units::of(target, &self.0);
        let choices = target.analysis(|_| Choices::of(&units));
        let (first, last, is_kept) = choices.0[chooser.any(0..choices.0.len())?];
        let is_root_kept =
            |root: usize| (first as usize..=last as usize).contains(&root) == is_kept;
        let kept = units.needed_by((0..units.roots().len()).filter(|&root| is_root_kept(root)));
        let cuts = units
            .runs_without(&kept)
            .map(|(first, last)| members.cut(first, last));
        let patch = Patch::cuts(cuts);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
