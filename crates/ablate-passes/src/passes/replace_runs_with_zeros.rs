//! Replaces runs of bytes of a binary file by zeros, the largest first.
//!
//! Where nothing can go, since a file is made of pages or of offsets that nothing tells, most of it
//! may still say nothing: of a database, the pages that no query reads. What is left is what matters.
//! A file without a single zero byte is taken for text, and left alone.
//!
//! Costs one test for each half of the file, quarter and so on down to a 256th or eight bytes, that
//! is not simple already; checksums are set right in the same edit.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::replace_runs_with_zeros_in_binary;
//!
//! let seen = reductions(&replace_runs_with_zeros_in_binary(), "sixteen\0letters!");
//! assert_eq!(seen[0], "\0".repeat(16));
//! assert_eq!(seen[1], "sixteen\0\0\0\0\0\0\0\0\0");
//! assert_eq!(seen[2], "\0\0\0\0\0\0\0\0letters!");
//! ```

use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::container::Container;
use crate::passes::{EditsContainer, InContainer, runs_by_halves};

/// The shortest runs that are tried are this share of the file.
const SMALLEST_SHARE: usize = 256;
/// Shorter runs are left to `lower_bytes`.
const SHORTEST: usize = 8;

/// Replaces runs of bytes by the simplest byte; see the module.
#[derive(Clone, Copy, Debug)]
pub struct ReplaceRunsWithZeros {
    /// The simplest byte.
    zero: u8,
}

/// The pass of this module, for text that is none: there, a space is the simplest byte.
pub fn replace_runs_with_zeros() -> InContainer<ReplaceRunsWithZeros> {
    InContainer(ReplaceRunsWithZeros { zero: b' ' })
}

/// The pass of this module.
pub fn replace_runs_with_zeros_in_binary() -> InContainer<ReplaceRunsWithZeros> {
    InContainer(ReplaceRunsWithZeros { zero: 0 })
}

/// What to replace, the largest run first, without the zeros at its ends.
struct Runs(Vec<(usize, usize)>);

impl Runs {
    fn of(bytes: &[u8], zero: u8) -> Runs {
        // What has no zero byte is text, also where it is not UTF-8.
        if !bytes.contains(&0) {
            return Runs(Vec::new());
        }
        let all = runs_by_halves(bytes.len(), SMALLEST_SHARE).into_iter();
        let mut runs: Vec<(usize, usize)> = all
            .filter(|(first, last)| last - first + 1 >= SHORTEST)
            .filter_map(|(first, last)| {
                let run = &bytes[first..=last];
                let start = run.iter().position(|&byte| byte != zero)?;
                let end = run.iter().rposition(|&byte| byte != zero)?;
                Some((first + start, first + end + 1))
            })
            .collect();
        // From the end to the start among runs of the same size, up to a factor of two.
        runs.sort_by_cached_key(|&(start, end)| {
            (usize::leading_zeros(end - start), usize::MAX - start)
        });
        runs.dedup();
        Runs(runs)
    }
}

impl EditsContainer for ReplaceRunsWithZeros {
    const NAME: &'static str = "replace_runs_with_zeros";
    const RANK: u8 = 1;

    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let runs = target.analysis(|target| Runs::of(target.elements(), self.zero));
        let (start, end) = runs.0[chooser.prefer(runs.0.len())?];
        let zeros = Patch::replace(start, end, &vec![self.zero; end - start]);
        let patch = container.patch(target.elements(), &zeros);
        // A checksum in front of what changes may get larger: what has it is no simpler then.
        let is_simpler = |patch: &Patch<u8>| {
            let first = patch.edits().first();
            patch.growth() == 0 && first.is_some_and(|edit| edit.start == start)
        };
        patch.filter(is_simpler).ok_or(DeadBranch)
    }
}
