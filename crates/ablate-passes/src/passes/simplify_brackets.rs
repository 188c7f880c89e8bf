//! Replaces a pair of brackets by round ones, or all pairs of a kind.
//!
//! Where `[x]` has to be balanced but need not be square, `(x)` reads more simply; to lower its
//! bytes one by one would leave it unbalanced.
//!
//! Costs one test for each pair that is not round, and one for each kind of which there are more.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyBrackets;
//!
//! assert_eq!(reductions(&SimplifyBrackets, "[]{}"), ["[]()", "(){}"]);
//! assert_eq!(reductions(&SimplifyBrackets, "[][]"), ["()()", "[]()", "()[]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Edit;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::{Brackets, Pair};
use crate::passes::choose_place;

/// Makes brackets round; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyBrackets;

fn made_round<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Result<Patch<u8>, DeadBranch> {
    let edit = |at: u32, bracket: u8| Edit {
        start: at as usize,
        end: at as usize + 1,
        insert: Some([bracket].into()),
    };
    let edits = pairs.flat_map(|pair| [edit(pair.open, b'('), edit(pair.close, b')')]);
    Patch::edits_of(edits).map_err(|_| DeadBranch)
}

impl Pass<u8> for SimplifyBrackets {
    fn name(&self) -> &'static str {
        "simplify_brackets"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (brackets, text) = (Brackets::of(target), target.elements());
        let pairs = brackets.all();
        let count = pairs.len();
        let is_kind = |pair: &Pair, kind: u8| text[pair.open as usize] == kind;
        // The two numbers after the last pair, which sweeps try first, stand for whole kinds.
        let kinds = [b'[', b'{'];
        let chosen = choose_place::<Self>(target, chooser, count + 2, |&number| {
            match number.checked_sub(count) {
                None => {
                    !is_kind(&pairs[number], b'(')
                        && !brackets.is_within_chain(text, &pairs[number])
                }
                Some(kind) => pairs
                    .iter()
                    .filter(|pair| is_kind(pair, kinds[kind]))
                    .nth(1)
                    .is_some(),
            }
        })?;
        match chosen.checked_sub(count) {
            None => made_round(pairs[chosen..=chosen].iter()),
            Some(kind) => made_round(pairs.iter().filter(|pair| is_kind(pair, kinds[kind]))),
        }
    }

    fn rank(&self) -> u8 {
        1
    }
}
