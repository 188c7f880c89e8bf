//! Tables of strings that end with a zero byte, in object files.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Range};

/// Adds the strings of a table to a group: one that is used in a single place goes with that, others by
/// themselves; each use is where the string starts and what uses it.
pub fn add(
    to: &mut Builder<'_>,
    (start, end): (usize, usize),
    level: u32,
    mut uses: Vec<(usize, Range)>,
) {
    uses.sort_unstable();
    let group = to.group(level);
    let mut at = start;
    // The first one is that of what has no name.
    let mut is_first = true;
    while let Some(len) = to
        .text()
        .get(at..end)
        .and_then(|rest| rest.iter().position(|&byte| byte == 0))
    {
        let next = at + len + 1;
        let from = uses.partition_point(|it| it.0 < at);
        let of_string = uses[from..].iter().take_while(|it| it.0 < next);
        let of_string: Vec<&(usize, Range)> = of_string.take(2).collect();
        if !is_first && to.has_room() {
            to.part(group, at, next);
            if let [(_, user)] = of_string[..] {
                to.tie(vec![*user, (at as u32, next as u32)]);
            }
        }
        is_first = false;
        at = next;
    }
    to.payload(start, end);
}
