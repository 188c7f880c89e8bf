//! Deletes every occurrence of a word, a number or an operator.
//!
//! What is said again and again is often of no use anywhere: the `static` of a hundred functions
//! goes in one test, and `f(f(f(x)))` becomes `(((x)))`.
//!
//! Costs one test for each token that occurs more than once. Texts above 1 MiB are left to other
//! passes, and so are brackets and quotes, which come in pairs.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteTokensEverywhere;
//!
//! let text = "static f; static g;";
//! assert_eq!(reductions(&DeleteTokensEverywhere, text), ["static f static g", "f; g;"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::with_blanks;
use crate::formats::words::Words;
use crate::passes::choose_place;

/// Deletes every occurrence of a token; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTokensEverywhere;

impl Pass<u8> for DeleteTokensEverywhere {
    fn name(&self) -> &'static str {
        "delete_tokens_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let words = Words::of(target);
        let all = words.all();
        let word = choose_place::<Self>(target, chooser, all.len(), |&word| all[word].len() > 1)?;
        let cuts = all[word].iter().map(|token| {
            let (start, end) = token.range();
            with_blanks(target.elements(), start, end)
        });
        Ok(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        6
    }
}
