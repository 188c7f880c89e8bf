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

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::tokens::{Kind, Token};
use crate::formats::words::{Words, is_keyword, name, respelled};
use crate::passes::one_of;

/// Gives names their shortest form; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenameIdentifiers;

/// The words that are names, by their numbers, each with its shortest form.
struct Shortest(Vec<(u32, Vec<u8>)>);

impl Shortest {
    fn found(target: &Target<u8>) -> Shortest {
        let (words, text) = (Words::of(target), target.elements());
        let free = (0..).map(name);
        let mut free = free.filter(|name| !words.contains(text, name) && !is_keyword(name));
        let (mut names, mut long): (Vec<Vec<u8>>, usize) = (Vec::new(), 0);
        let mut shortest = Vec::new();
        for (number, occurrences) in (0..).zip(words.all()) {
            let word = occurrences[0].text(text);
            if occurrences[0].kind != Kind::Word || is_keyword(word) {
                continue;
            }
            // A name of one letter can only become the first that is free; others share the rest out
            // among each other.
            let nth = if word.len() > 1 { long } else { 0 };
            long += usize::from(word.len() > 1);
            if nth == names.len() {
                names.extend(free.next());
            }
            shortest.extend(names.get(nth).map(|name| (number, name.clone())));
        }
        Shortest(shortest)
    }
}

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
        let (words, shortest) = (Words::of(target), target.analysis(Shortest::found));
        let (word, name) = one_of(chooser, &shortest.0)?;
        simpler(target, replaced(&words.all()[*word as usize], name)?)
    }

    fn rank(&self) -> u8 {
        6
    }
}
