//! Deletes all blanks that keep no two words apart.
//!
//! Beside a bracket or an operator a blank is there for readers only: `f( a , int b )` becomes
//! `f(a,int b)`. Line ends and indentation stay, as the structure of the text may be in them.
//!
//! Costs two tests: all such blanks, and only those beside brackets. Texts above 4 MiB are left to
//! other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteBlanksEverywhere;
//!
//! let text = "f( a, int b )\n  + c";
//! let seen = reductions(&DeleteBlanksEverywhere, text);
//! assert_eq!(seen, ["f(a,int b)\n  +c", "f(a, int b)\n  + c"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::{is_blank, is_word, simpler};

/// Longer texts are left alone.
const LONGEST_TEXT: usize = 4 << 20;

/// Deletes blanks; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteBlanksEverywhere;

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

impl Pass<u8> for DeleteBlanksEverywhere {
    fn name(&self) -> &'static str {
        "delete_blanks_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let text = target.elements();
        if text.len() > LONGEST_TEXT {
            return Err(DeadBranch);
        }
        let only_brackets = chooser.prefer(2)? == 1;
        let mut cuts = alloc::vec::Vec::new();
        let mut at = 0;
        for run in text.chunk_by(|a, b| is_blank(*a) == is_blank(*b)) {
            let (start, end) = (at, at + run.len());
            at = end;
            let Some(&before) = start.checked_sub(1).and_then(|before| text.get(before)) else {
                continue;
            };
            let after = text.get(end).copied().unwrap_or(b'\n');
            let is_of_use = if only_brackets {
                !is_bracket(before) && !is_bracket(after)
            } else {
                is_word(before) && is_word(after)
            };
            if is_blank(run[0]) && !is_of_use && before != b'\n' {
                cuts.push((start, end));
            }
        }
        simpler(target, Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        6
    }
}
