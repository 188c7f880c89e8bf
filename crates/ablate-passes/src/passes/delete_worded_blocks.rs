//! Deletes a block that a word ends, a run of such blocks, what is in one, or what is around it.
//!
//! Where no bracket says what belongs together, words do, as in Fortran, Ada, VHDL or Pascal: a block
//! ends with `end if` or `endif`, `end subroutine f`, or `end f;`, and starts on the nearest line above,
//! as far indented, with what it ends with. Where a line of the text is one word that does nothing
//! (`null;`), it is what is left of a body that can't be empty.
//!
//! Costs a test for each block, for halves, quarters and so on of blocks that stand side by side, and two
//! or three for what is in each and around it, what takes most off first. Languages with a grammar have
//! `delete_large_nodes` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteWordedBlocks;
//!
//! let text = "program p\ndo i = 1, 9\nif (i) then\nx\nendif\nenddo\nif (y) then\nz\nendif\nend program\n";
//! let seen = reductions(&DeleteWordedBlocks, text);
//! let goes = |gone: &str| seen.contains(&text.replace(gone, ""));
//! assert!(goes("do i = 1, 9\nif (i) then\nx\nendif\nenddo\n") && goes("if (i) then\nx\nendif\n"));
//! assert!(goes("z\n") && seen.contains(&text.replace("if (y) then\nz\nendif\n", "z\n")));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::Lines;
use crate::formats::runs::add_runs;
use crate::formats::stubs::idle_line;
use crate::formats::worded::{Worded, WordedBlocks};

/// What may have to stand before it.
const KEPT: [&[u8]; 2] = [b"is", b"begin"];

/// Deletes blocks that words end; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteWordedBlocks;

/// What may go, what takes most off first.
struct Choices(Vec<Patch<u8>>);

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let (blocks, lines) = (WordedBlocks::of(target), Lines::of(target));
        let cut = |first: usize, after: usize| (lines.start(first), lines.start(after));
        let mut patches = Vec::new();
        for group in blocks.groups() {
            let Some(last) = group.len().checked_sub(1) else {
                continue;
            };
            add_runs(0, last, &mut |first, last| {
                let [first, last] = [first, last].map(|at| &blocks.all()[group[at] as usize]);
                let (start, end) = cut(first.first, last.last + 1);
                patches.push(Patch::cut(start, end));
                true
            });
        }
        let idle = idle_line(target.elements(), &lines);
        for block in blocks.all() {
            if block.body < block.last {
                let (start, end) = cut(block.body, block.last);
                patches.push(Patch::cut(start, end));
                let around = [(block.first, block.body), (block.last, block.last + 1)];
                patches.push(Patch::cuts(around.map(|(first, after)| cut(first, after))));
                patches.extend(idle.and_then(|idle| hollowed(target, block, idle)));
            }
        }
        patches.sort_by_cached_key(Patch::growth);
        Choices(patches)
    }
}

/// The patch that leaves a line of what is in a block, and the words behind which that stands.
fn hollowed(target: &Target<u8>, block: &Worded, idle: &[u8]) -> Option<Patch<u8>> {
    let (text, lines) = (target.elements(), Lines::of(target));
    let word = |line: usize| {
        let (start, end) = lines.range(line);
        text[start..end].trim_ascii()
    };
    let is_there =
        |kept: &&[u8]| (block.body..block.last).any(|line| word(line).eq_ignore_ascii_case(kept));
    let left = KEPT.into_iter().filter(is_there).chain([idle]);
    let insert: Vec<u8> = left.flat_map(|line| [line, b"\n"].concat()).collect();
    let (start, end) = (lines.start(block.body), lines.start(block.last));
    (insert.len() < end - start).then(|| Patch::replace(start, end, &insert))
}

impl Pass<u8> for DeleteWordedBlocks {
    fn name(&self) -> &'static str {
        "delete_worded_blocks"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        Ok(choices.0[chooser.prefer(choices.0.len())?].clone())
    }

    fn is_for_chaos(&self) -> bool {
        false
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

    #[test]
    fn a_body_that_can_not_be_empty_does_nothing() {
        let text = "procedure A is\n X : T;\nbegin\n loop\n  null;\n end loop;\nend A;\n\
                    procedure B is\nbegin\n loop\n  B;\n end loop;\n null;\nend B;\n";
        let seen = reductions(&DeleteWordedBlocks, text);
        let expected = text.replace(" loop\n  B;\n end loop;\n null;", "null;");
        assert!(seen.contains(&expected), "{seen:#?}");
        let expected = text.replace(" X : T;\nbegin\n loop\n  null;\n end loop;", "begin\nnull;");
        assert!(seen.contains(&expected), "{seen:#?}");
    }
}
