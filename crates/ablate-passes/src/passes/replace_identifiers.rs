//! Replaces a name by a simpler one that is there already: everywhere, or at one place.
//!
//! With fewer different names there is less to declare: in `int a, b; f(a, b)`, if `f(a, a)` will
//! do as well, `b` can go.
//!
//! Costs up to two tests for each different name and up to two for each place: the simplest name
//! there is, and the name that stands before. Texts above 1 MiB are left to other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ReplaceIdentifiers;
//!
//! assert_eq!(
//!     reductions(&ReplaceIdentifiers, "x + yy + yy"),
//!     ["x + yy + x", "x + x + x", "x + x + yy"],
//! );
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::rename_identifiers::replaced;
use crate::formats::characters::simpler;
use crate::formats::tokens::{Kind, Tokens};
use crate::formats::words::{Words, compare, is_keyword};
use crate::passes::choose_place;

/// Replaces a name by one that is there already; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceIdentifiers;

impl Pass<u8> for ReplaceIdentifiers {
    fn name(&self) -> &'static str {
        "replace_identifiers"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (tokens, words) = (Tokens::of(target), Words::of(target));
        let (all, text) = (tokens.all(), target.elements());
        if words.all().is_empty() {
            return Err(DeadBranch);
        }
        let place = choose_place::<Self>(target, chooser, all.len(), |&token| {
            all[token].kind == Kind::Word
        })?;
        let name = all[place].text(text);
        let mut names: Vec<&[u8]> = Vec::new();
        let simplest = words.simplest_first().map(|token| token.text(text));
        names.extend(simplest.into_iter().find(|other| !is_keyword(other)));
        let before = all[..place]
            .iter()
            .rev()
            .find(|token| token.kind == Kind::Word);
        names.extend(before.map(|token| token.text(text)));
        names.dedup();
        names.retain(|other| compare(other, name).is_lt());
        let occurrences = words.starting_at(all[place].start);
        // Everywhere, with the first place; this place alone, if there are others.
        let is_repeated = occurrences.is_none_or(|tokens| tokens.len() > 1);
        let everywhere = occurrences.map_or(0, |_| names.len());
        let alone = if is_repeated { names.len() } else { 0 };
        let variant = chooser.prefer(everywhere + alone)?;
        let patch = match occurrences {
            Some(tokens) if variant < everywhere => replaced(tokens, names[variant])?,
            _ => replaced(&all[place..=place], names[variant - everywhere])?,
        };
        simpler(target, patch)
    }

    fn rank(&self) -> u8 {
        3
    }
}
