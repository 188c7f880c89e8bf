//! Cuts of one kind in all places: all of them, half of them, a quarter, and so on.

use ablate_engine::patch::Patch;

use crate::passes::{add_runs, sort_largest_last};

/// Runs below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 2048;

/// Runs of cuts of one kind, the largest last.
#[derive(Debug, Default)]
pub(crate) struct CutRuns {
    /// The cuts, kind by kind.
    cuts: Vec<(u32, u32)>,
    /// The first and the last cut, how many bytes they remove.
    runs: Vec<(u32, u32, usize)>,
}

impl CutRuns {
    /// The runs of at least `fewest` cuts in a text of `len` bytes; the cuts of each kind are in the
    /// order of the text.
    pub fn of(len: usize, fewest: usize, kinds: Vec<Vec<(usize, usize)>>) -> CutRuns {
        let smallest = (len / SMALLEST_SHARE).max(1);
        let mut result = CutRuns::default();
        for of_kind in kinds.iter().filter(|of_kind| !of_kind.is_empty()) {
            let base = result.cuts.len();
            let narrow = of_kind
                .iter()
                .map(|&(start, end)| (start as u32, end as u32));
            result.cuts.extend(narrow);
            let CutRuns { cuts, runs } = &mut result;
            add_runs(base, cuts.len() - 1, &mut |first, last| {
                // Cuts within each other count twice, and more often where they nest more deeply.
                let lens = cuts[first..=last]
                    .iter()
                    .map(|cut| (cut.1 - cut.0) as usize);
                let removed: usize = lens.sum();
                let is_large = last + 1 - first >= fewest && removed >= smallest;
                if is_large {
                    runs.push((first as u32, last as u32, removed));
                }
                is_large
            });
        }
        let CutRuns { cuts, runs } = &mut result;
        sort_largest_last(runs, |&(first, _, removed)| {
            (removed, cuts[first as usize].0 as usize)
        });
        result
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// All cuts of a run.
    pub fn cut(&self, run: usize) -> Patch<u8> {
        let (first, last, _) = self.runs[run];
        let cuts = self.cuts[first as usize..=last as usize].iter();
        Patch::cuts(cuts.map(|&(start, end)| (start as usize, end as usize)))
    }
}
