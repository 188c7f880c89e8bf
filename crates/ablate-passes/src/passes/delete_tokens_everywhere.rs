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

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::with_blanks;
use crate::formats::tokens::{Kind, Token, Tokens};
use crate::passes::one_of;

/// Longer texts are left alone.
const LONGEST_TEXT: usize = 1 << 20;

/// Deletes every occurrence of a token; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTokensEverywhere;

/// The occurrences of each token that occurs more than once, by their first ones' positions.
struct Repeated(Vec<Vec<Token>>);

impl Repeated {
    fn of(target: &Target<u8>) -> Rc<Repeated> {
        let tokens = Tokens::of(target);
        target.analysis(|target| {
            let text = target.elements();
            if text.len() > LONGEST_TEXT {
                return Repeated(Vec::new());
            }
            let is_paired =
                |token: &Token| token.kind == Kind::Mark && !b",;".contains(&token.text(text)[0]);
            let mut all: Vec<Token> = tokens.all().to_vec();
            all.retain(|token| !is_paired(token));
            all.sort_by_key(|token| (token.text(text), token.start));
            let mut repeated: Vec<Vec<Token>> = all
                .chunk_by(|a, b| a.text(text) == b.text(text))
                .filter(|occurrences| occurrences.len() > 1)
                .map(<[Token]>::to_vec)
                .collect();
            repeated.sort_by_key(|occurrences| occurrences[0].start);
            Repeated(repeated)
        })
    }
}

impl Pass<u8> for DeleteTokensEverywhere {
    fn name(&self) -> &'static str {
        "delete_tokens_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let repeated = Repeated::of(target);
        let cuts = one_of(chooser, &repeated.0)?.iter().map(|token| {
            let (start, end) = token.range();
            with_blanks(target.elements(), start, end)
        });
        Ok(Patch::cuts(cuts))
    }

    fn rank(&self) -> u8 {
        6
    }
}
