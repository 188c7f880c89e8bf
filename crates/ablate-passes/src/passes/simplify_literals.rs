//! Replaces a string or a number with a fraction by the simplest literal.
//!
//! What a value is often does not matter, nor what type it has: `f("hello", 1.5e3)` becomes
//! `f(0, 1)`.
//!
//! Costs one test for each quoted string, and up to three for each number with a fraction or an
//! exponent: without it, zero, one. Integers are left to `lower_integers`, names such as `True` to
//! `replace_with_zero`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyLiterals;
//!
//! assert_eq!(reductions(&SimplifyLiterals, "x = 2.5;"), ["x = 0;", "x = 1;", "x = 2;"]);
//! assert_eq!(reductions(&SimplifyLiterals, "f('a')"), ["f(0)"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::integers::Integer;
use crate::formats::quotes::{Quotes, is_quote};
use crate::formats::tokens::{Kind, Tokens};
use crate::passes::choose_place;

/// Replaces a string or a number with a fraction; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyLiterals;

impl Pass<u8> for SimplifyLiterals {
    fn name(&self) -> &'static str {
        "simplify_literals"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (tokens, quotes, text) = (Tokens::of(target), Quotes::of(target), target.elements());
        let all = tokens.all();
        let token = choose_place::<Self>(target, chooser, all.len(), |&token| {
            let is_fraction =
                all[token].kind == Kind::Number && Integer::read(all[token].text(text)).is_none();
            is_fraction || is_quote(text[all[token].range().0])
        })?;
        let (start, end) = all[token].range();
        if is_quote(text[start]) {
            // A closing quote starts nothing.
            let quoted = quotes.starting_at(start).ok_or(DeadBranch)?;
            return simpler(target, Patch::replace(start, quoted.range().1, b"0"));
        }
        let digits = text[start..end]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let replacement = match chooser.prefer(3)? {
            0 => &b"0"[..],
            1 => b"1",
            _ => &text[start..start + digits.count()],
        };
        simpler(target, Patch::replace(start, end, replacement))
    }

    fn rank(&self) -> u8 {
        4
    }
}
