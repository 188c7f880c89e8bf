//! Passes on text: one file, one pass, one idea. [`crate::registry`] lists them for people.

mod delete_between_ngrams;
mod delete_brackets;
mod delete_indented_blocks;
mod delete_items;
mod delete_lines;
mod delete_short_runs;
mod delete_tokens;
mod delete_tokens_everywhere;
mod hollow_brackets;
mod lift_brackets;
mod unwrap_brackets;

pub use delete_between_ngrams::delete_between_ngrams;
pub use delete_brackets::DeleteBrackets;
pub use delete_indented_blocks::DeleteIndentedBlocks;
pub use delete_items::DeleteItems;
pub use delete_lines::DeleteLines;
pub use delete_short_runs::delete_short_runs;
pub use delete_tokens::DeleteTokens;
pub use delete_tokens_everywhere::DeleteTokensEverywhere;
pub use hollow_brackets::HollowBrackets;
pub use lift_brackets::LiftBrackets;
pub use unwrap_brackets::UnwrapBrackets;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::patch::Patch;

/// One of `values`; sweeps try the last one first.
fn one_of<'a, T>(chooser: &mut Chooser<'_>, values: &'a [T]) -> Result<&'a T, DeadBranch> {
    Ok(&values[chooser.any(0..values.len())?])
}

/// The only edit of `patch`, if it is one cut.
fn single_cut(patch: &Patch<u8>) -> Option<(usize, usize)> {
    match patch.edits() {
        [edit] if edit.is_cut() => Some((edit.start, edit.end)),
        _ => None,
    }
}
