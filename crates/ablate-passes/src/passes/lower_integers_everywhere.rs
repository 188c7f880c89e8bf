//! Lowers an integer that occurs several times, everywhere at once.
//!
//! Numbers that have to agree are mostly the same number: of `x = 7; assert x == 7` neither seven can
//! be lowered alone.
//!
//! Costs up to three tests for each integer that occurs more than once: zero, one, and one less. The
//! last is grown to much less.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::LowerIntegersEverywhere;
//!
//! assert_eq!(reductions(&LowerIntegersEverywhere, "7 8 7"), ["0 8 0", "1 8 1", "6 8 6"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::integers::Integer;
use crate::formats::tokens::{Kind, Token};
use crate::formats::words::Words;
use crate::passes::choose_place;

/// Lowers an integer everywhere at once; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerIntegersEverywhere;

fn integer<'a>(text: &'a [u8], tokens: &[Token]) -> Option<Integer<'a>> {
    let token = tokens.first().filter(|token| token.kind == Kind::Number)?;
    Integer::read(token.text(text))
}

fn lowered(text: &[u8], tokens: &[Token], value: u128) -> Option<Patch<u8>> {
    let insert = integer(text, tokens)?.written(value);
    let edits: Vec<Edit<u8>> = tokens
        .iter()
        .map(|token| Edit {
            start: token.start as usize,
            end: token.end as usize,
            insert: Some(insert.as_slice().into()),
        })
        .collect();
    Patch::edits_of(edits).ok()
}

impl Pass<u8> for LowerIntegersEverywhere {
    fn name(&self) -> &'static str {
        "lower_integers_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let text = target.elements();
        let words = Words::of(target);
        let all = words.all();
        let word = choose_place::<Self>(target, chooser, all.len(), |&word| {
            let integer = integer(text, &all[word]);
            all[word].len() > 1 && integer.is_some_and(|integer| integer.value > 0)
        })?;
        let value = integer(text, &all[word]).ok_or(DeadBranch)?.value;
        let lower = match chooser.prefer(3)? {
            0 => 0,
            1 if value > 1 => 1,
            2 if value > 2 => value - 1,
            _ => return Err(DeadBranch),
        };
        lowered(text, &all[word], lower).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let _ = direction;
        let text = target.elements();
        let words = Words::of(target);
        let edit = patch.edits().first()?;
        let tokens = words.starting_at(edit.start as u32)?;
        let now = Integer::read(edit.insert.as_deref()?)?.value;
        // Zero and one are as they are meant.
        if now + 1 != integer(text, tokens)?.value {
            return None;
        }
        lowered(text, tokens, now.checked_sub(amount as u128)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        3
    }
}
