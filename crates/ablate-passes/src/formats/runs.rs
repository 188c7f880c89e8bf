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

/// Puts the largest parts first, from the end to the start among those of the same size up to a factor
/// of two, each one once.
pub fn sort_largest_first(parts: &mut Vec<(u32, u32)>) {
    parts.sort_by_cached_key(|&(start, end)| {
        let size = u32::leading_zeros((end - start).max(1));
        (size, u32::MAX - start, end)
    });
    parts.dedup();
}
