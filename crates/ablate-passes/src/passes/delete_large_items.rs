//! Deletes large statements, members and paragraphs, or runs of them, the largest first.
//!
//! What a test takes off is what counts: of `a;{b;c;d;e;f}g;`, the block goes before any of what is
//! in it is looked at. Where neither half of a long list can go at once, its quarters may, as in
//! delta debugging weighted by size (X. Zhou et al., "WDD: Weighted Delta Debugging", 2025), here
//! on all levels of nesting at the same time.
//!
//! Costs one test for each part that is at least a 256th of the text, from the end to the start
//! among parts of about the same size: no more than some hundred tests on each level of nesting.
//! After a success the largest parts of what is left come first again: one line is found among four
//! thousand in 25 tests. Paragraphs stand between empty lines; where there are none, the lines below one
//! that is indented less are taken for its members; where there are several, they go as a whole, with it or
//! without. Numbers in the first lines that say how many follow are set right.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLargeItems;
//!
//! let seen = reductions(&DeleteLargeItems, "a;{bbb;cc}d;");
//! assert_eq!(seen[..2], ["a;d;", "d;"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::couplings::{Coupling, Sections};
use crate::formats::items::Items;
use crate::formats::lines::{Indents, Lines};
use crate::formats::paragraphs::Paragraphs;
use crate::formats::runs::{add_runs, sort_largest_first};

/// Parts below this share of the text are left to other passes.
const SMALLEST_SHARE: usize = 256;
/// That numbers say how many lines follow is hardly chance where so many do.
const COUNTED_MIN: usize = 16;

/// Deletes large statements, members and paragraphs, or runs of them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLargeItems;

/// What to cut, the largest part first.
struct LargeParts(Vec<(u32, u32)>);

impl LargeParts {
    fn of(target: &Target<u8>) -> LargeParts {
        let (items, paragraphs) = (Items::of(target), Paragraphs::of(target));
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut parts = Vec::new();
        let mut is_large = |(start, end): (usize, usize)| {
            let is_large = end - start >= smallest;
            if is_large {
                parts.push((start as u32, end as u32));
            }
            is_large
        };
        for (first, last) in items.groups() {
            add_runs(first, last, &mut |first, last| {
                is_large(items.cut(first, last))
            });
        }
        if let Some(last) = paragraphs.len().checked_sub(1) {
            add_runs(0, last, &mut |first, last| {
                is_large((paragraphs.range(first).0, paragraphs.range(last).1))
            });
        }
        for members in indented_members(target, &paragraphs) {
            add_runs(0, members.len() - 1, &mut |first, last| {
                is_large((members[first].0, members[last].1))
            });
        }
        for (start, body, end) in indented_blocks(target, &paragraphs) {
            if is_large((body, end)) {
                is_large((start, end));
            }
        }
        sort_largest_first(&mut parts);
        LargeParts(parts)
    }
}

/// The lines that are indented less than several paragraphs below them: where each starts, where what is below
/// starts, and where that ends.
fn indented_blocks(target: &Target<u8>, paragraphs: &Paragraphs) -> Vec<(usize, usize, usize)> {
    let (lines, indents) = (Lines::of(target), Indents::of(target));
    let has_several = |head: &usize| has_several(paragraphs, *head, indents.body(*head));
    let heads = (0..indents.len()).filter(has_several);
    let block = |head: usize| {
        let end = lines.start(head + indents.body(head) + 1);
        (lines.start(head), lines.start(head + 1), end)
    };
    heads.map(block).collect()
}

/// Whether a paragraph begins in so many lines below a line.
fn has_several(paragraphs: &Paragraphs, head: usize, body: usize) -> bool {
    let starts = paragraphs.first_lines();
    let next = starts.partition_point(|start| *start <= head);
    starts.get(next).is_some_and(|start| *start <= head + body)
}

/// The lines right below each line that is indented less, each with what is below it; but where a bracket
/// holds them, or where they are several paragraphs.
fn indented_members(target: &Target<u8>, paragraphs: &Paragraphs) -> Vec<Vec<(usize, usize)>> {
    let (text, lines, indents) = (target.elements(), Lines::of(target), Indents::of(target));
    let opens = |line: usize| {
        let (start, end) = lines.range(line);
        let last = text[start..end].trim_ascii_end().last();
        last.is_some_and(|byte| b"([{".contains(byte))
    };
    let members = |head: usize| {
        let end = head + indents.body(head) + 1;
        let mut line = head + 1;
        let mut members = Vec::new();
        while line < end {
            let next = line + indents.body(line) + 1;
            members.push((lines.start(line), lines.start(next)));
            line = next;
        }
        members
    };
    let has_many = |head: &usize| {
        let body = indents.body(*head);
        body > 1 && !opens(*head) && !has_several(paragraphs, *head, body)
    };
    let heads = (0..indents.len()).filter(has_many);
    heads.map(members).collect()
}

/// How the lines are counted, if that is sure.
fn counted(sections: &Sections) -> Option<&[Coupling]> {
    let is_sure = |way: &&Vec<Coupling>| {
        let counted: usize = way.iter().map(|counted| counted.members.len()).sum();
        counted >= COUNTED_MIN
    };
    sections.ways().iter().find(is_sure).map(Vec::as_slice)
}

impl Pass<u8> for DeleteLargeItems {
    fn name(&self) -> &'static str {
        "delete_large_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let parts = target.analysis(LargeParts::of);
        let (start, end) = parts.0[chooser.prefer(parts.0.len())?];
        let cut = Patch::cut(start as usize, end as usize);
        match counted(&Sections::of(target)) {
            Some(way) => Sections::recounted(target.elements(), way, cut).ok_or(DeadBranch),
            None => Ok(cut),
        }
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        match counted(&Sections::of(target)) {
            Some(way) => Sections::combined(target.elements(), way, one, other),
            None => one.combined(other),
        }
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

    fn check(text: &str, expected: &str) {
        let seen = reductions(&DeleteLargeItems, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn paragraphs_go_in_runs_whatever_brackets_say() {
        let text = "a (\n\nb (\n\nc )\n\nd (\n\ne )\n\nf )\n\ng (\n\nh )\n";
        check(text, "a (\n\nb (\n\nc )\n\nd (\n\ng (\n\nh )\n");
    }

    #[test]
    fn what_is_indented_goes_with_the_line_above_where_it_is_several_paragraphs() {
        let behind = "d:\n e\n\nf\n\ng\n\nh\n\ni\n\nj\n";
        let text = ["x:\n y\n a:\n  b\n\n  c\n z\n", behind].concat();
        check(&text, &["x:\n y\n z\n", behind].concat());
        check(&text, &["x:\n y\n a:\n z\n", behind].concat());
    }

    #[test]
    fn how_many_lines_follow_is_set_right() {
        let lines = "+1 x1 >= 1 ;\n".repeat(16);
        let expected = "+1 x1 >= 1 ;\n".repeat(8);
        check(&format!("* 40 16\n{lines}"), &format!("* 40 8\n{expected}"));
        check(
            &format!("* 40 17\n{lines}"),
            &format!("* 40 17\n{expected}"),
        );
    }

    #[test]
    fn what_is_indented_goes_in_runs() {
        check("ROWS\n a\n b\n  b1\n c\n d\nEND\n", "ROWS\n c\n d\nEND\n");
        let seen = reductions(&DeleteLargeItems, "f(\n a,\n b,\n c,\n d)\n");
        assert!(seen.iter().all(|seen| !seen.ends_with(",\n")), "{seen:?}");
    }
}
