//! Replaces a name, or brackets with what they belong to, by `0`.
//!
//! An expression that only has to have some value is best a value: `x = f(a) + b` becomes
//! `x = 0 + 0`, and then what declares `f`, `a` and `b` can go.
//!
//! Costs one test for each name, and one for each pair of round or square brackets.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ReplaceWithZero;
//!
//! assert_eq!(reductions(&ReplaceWithZero, "b + f(x)"), ["b + 0", "b + f(0)", "b + 0(x)", "0 + f(x)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::simpler;
use crate::formats::tokens::{Kind, Token, Tokens};
use crate::formats::words::is_keyword;
use crate::passes::choose_place;

/// Replaces an expression by zero; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceWithZero;

impl Pass<u8> for ReplaceWithZero {
    fn name(&self) -> &'static str {
        "replace_with_zero"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (tokens, brackets, text) =
            (Tokens::of(target), Brackets::of(target), target.elements());
        let all = tokens.all();
        let ends_expression = |token: &Token| match token.kind {
            Kind::Word => !is_keyword(token.text(text)),
            Kind::Mark => b")]".contains(&text[token.range().0]),
            _ => false,
        };
        let token = choose_place::<Self>(target, chooser, all.len(), |&token| {
            ends_expression(&all[token])
        })?;
        let (mut start, end) = all[token].range();
        if all[token].kind == Kind::Mark {
            let pair = brackets.closing_at(start).ok_or(DeadBranch)?;
            if brackets.is_within_chain(text, pair) {
                return Err(DeadBranch);
            }
            start = brackets.head(text, pair);
        }
        simpler(target, Patch::replace(start, end, b"0"))
    }

    fn rank(&self) -> u8 {
        4
    }
}
