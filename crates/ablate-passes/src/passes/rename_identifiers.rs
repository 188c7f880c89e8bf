//! Gives a name its shortest form, everywhere.
//!
//! Long names only seem to matter: `int counter = counter + 1` becomes `int a = a + 1`.
//!
//! Costs one test for each different name that is longer than it has to be. Several names in one
//! text are given different ones, so that their renamings can be made at the same time. Texts above
//! 1 MiB are left to other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::RenameIdentifiers;
//!
//! let seen = reductions(&RenameIdentifiers, "foo = foo + bar + c");
//! assert_eq!(seen, ["foo = foo + bar + a", "foo = foo + b + c", "a = a + bar + c"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::tokens::{Kind, Token};
use crate::formats::words::{Words, is_keyword, name, respelled};
use crate::passes::choose_place;

/// Gives names their shortest form; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenameIdentifiers;

/// `occurrences`, all of them replaced by `insert`.
pub(super) fn replaced(occurrences: &[Token], insert: &[u8]) -> Result<Patch<u8>, DeadBranch> {
    let ranges = occurrences.iter().map(Token::range);
    Patch::edits_of(respelled(ranges, insert)).map_err(|_| DeadBranch)
}

impl Pass<u8> for RenameIdentifiers {
    fn name(&self) -> &'static str {
        "rename_identifiers"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (words, text) = (Words::of(target), target.elements());
        let all = words.all();
        let is_name =
            |word: usize| all[word][0].kind == Kind::Word && !is_keyword(all[word][0].text(text));
        let word = choose_place::<Self>(target, chooser, all.len(), |&word| is_name(word))?;
        let is_long = |word: usize| all[word][0].text(text).len() > 1;
        // A name of one letter can only become the first that is free; others share the rest out
        // among each other.
        let nth = if is_long(word) {
            (0..word)
                .filter(|&word| is_name(word) && is_long(word))
                .count()
        } else {
            0
        };
        let names = (0..).map(name);
        let mut free = names.filter(|name| !words.contains(text, name) && !is_keyword(name));
        let name = free.nth(nth).ok_or(DeadBranch)?;
        simpler(target, replaced(&all[word], &name)?)
    }

    fn rank(&self) -> u8 {
        6
    }
}
