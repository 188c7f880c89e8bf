//! Runs of neighbours, as delta debugging tries them: all, halves, their halves, and so on.

use alloc::vec::Vec;

/// Calls `add` with the run `first..=last`, its halves, their halves, and so on, as long as `add`
/// says that they are large enough.
pub fn add_runs(first: usize, last: usize, add: &mut impl FnMut(usize, usize) -> bool) {
    if add(first, last) && first < last {
        let middle = first + (last - first) / 2;
        add_runs(first, middle, add);
        add_runs(middle + 1, last, add);
    }
}

/// The runs of parts that are tried, each from its first part to the one behind its last: those of each group
/// of parts of these sizes, the largest of all first, and the last of those as large up to a factor of two.
pub fn runs_largest_first(groups: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, (u32, u32))> = Vec::new();
    let mut start = 0;
    for sizes in groups.iter().filter(|sizes| !sizes.is_empty()) {
        add_runs(0, sizes.len() - 1, &mut |first, last| {
            let size = sizes[first..=last].iter().sum();
            runs.push((size, ((start + first) as u32, (start + last) as u32 + 1)));
            true
        });
        start += sizes.len();
    }
    runs.sort_by_cached_key(|&(size, run)| (u32::leading_zeros(size), u32::MAX - run.0, run.1));
    runs.into_iter().map(|(_, run)| run).collect()
}

/// Puts the largest parts first, from the end to the start among those of the same size up to a factor
/// of two, each one once.
pub fn sort_largest_first(parts: &mut Vec<(u32, u32)>) {
    parts.sort_by_cached_key(|&(start, end)| {
        let size = u32::leading_zeros((end - start).max(1));
        (size, u32::MAX - start, end)
    });
    parts.dedup();
}
