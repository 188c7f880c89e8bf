//! What object files have in common: contents with their headers, and tables of strings that end with a zero byte.

use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{Builder, Range};

/// What a header says is somewhere in the file.
pub struct Content {
    /// Where it is.
    pub range: Range,
    /// The header, if it goes with it.
    pub header: Option<Range>,
    /// Whether any bytes of it may go.
    pub is_payload: bool,
}

/// Adds contents to a group, by position. What belongs to two headers goes with neither.
pub fn add_contents(to: &mut Builder<'_>, group: u32, mut contents: Vec<Content>) {
    contents.sort_by_key(|content| content.range);
    let mut taken = 0;
    for content in contents {
        let (start, end) = content.range;
        if start < taken {
            continue;
        }
        taken = end;
        to.part(group, start as usize, end as usize);
        if content.is_payload {
            to.payload(start as usize, end as usize);
        }
        if let Some(header) = content.header {
            to.tie(vec![header, content.range]);
        }
    }
}

/// Adds the strings of a table to a group: one that is used in a single place goes with that, one that is used nowhere
/// by itself, and one that several use stays; each use is where a string, or the end of one, starts and what uses it.
pub fn add_strings(
    to: &mut Builder<'_>,
    (start, end): (usize, usize),
    level: u32,
    mut uses: Vec<(usize, Range)>,
) {
    uses.sort_unstable();
    let (group, text) = (to.group(level), to.text());
    let mut at = start;
    let len_at = |at: usize| {
        let rest = text.get(at..end)?;
        rest.iter().position(|&byte| byte == 0)
    };
    while let Some(len) = len_at(at) {
        let next = at + len + 1;
        let from = uses.partition_point(|it| it.0 < at);
        let of_string = uses[from..].iter().take_while(|it| it.0 < next);
        let of_string: Vec<&(usize, Range)> = of_string.take(2).collect();
        // An empty one is the name of what has none.
        if len > 0 && to.has_room() {
            match of_string[..] {
                [] => to.part(group, at, next),
                [(_, user)] => {
                    to.part(group, at, next);
                    to.tie(vec![*user, (at as u32, next as u32)]);
                }
                _ => {}
            }
        }
        at = next;
    }
    to.payload(start, end);
}
