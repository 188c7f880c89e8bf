//! Deletes all lines that are equal to each other, or all of them but the first.
//!
//! A line that is there a thousand times matters a thousand times, once, or not at all: of
//! `a`, `b`, `a` remains `b`, or `a`, `b`.
//!
//! Costs two tests for each different line that is there more than once. Texts above 16 MiB are
//! left to other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteDuplicateLines;
//!
//! assert_eq!(reductions(&DeleteDuplicateLines, "a\nb\na\n"), ["b\n", "a\nb\n"]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::Lines;
use crate::passes::one_of;

/// Longer texts are left alone.
const LONGEST_TEXT: usize = 16 << 20;

/// Deletes lines that are equal to each other; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteDuplicateLines;

/// The numbers of lines that are equal to each other, by the first of them.
struct Duplicates(Vec<Vec<u32>>);

impl Duplicates {
    fn of(target: &Target<u8>) -> Rc<Duplicates> {
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT {
                return Duplicates(Vec::new());
            }
            let lines = Lines::of(target);
            let text = |line: u32| {
                let (start, end) = lines.range(line as usize);
                let line = &target.elements()[start..end];
                line.strip_suffix(b"\n").unwrap_or(line)
            };
            let mut order: Vec<u32> = (0..lines.len() as u32).collect();
            order.sort_by_cached_key(|&line| (text(line), line));
            let mut duplicates: Vec<Vec<u32>> = order
                .chunk_by(|a, b| text(*a) == text(*b))
                .filter(|same| same.len() > 1)
                .map(<[u32]>::to_vec)
                .collect();
            duplicates.sort_unstable();
            Duplicates(duplicates)
        })
    }
}

impl Pass<u8> for DeleteDuplicateLines {
    fn name(&self) -> &'static str {
        "delete_duplicate_lines"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (lines, duplicates) = (Lines::of(target), Duplicates::of(target));
        let same = one_of(chooser, &duplicates.0)?;
        let kept = chooser.prefer(2)?;
        let cuts = same[kept..].iter().map(|&line| lines.range(line as usize));
        Ok(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        8
    }
}
