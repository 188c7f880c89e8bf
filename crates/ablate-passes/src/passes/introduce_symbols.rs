//! Replaces a term of an SMT-LIB script by a new name of its sort, the largest terms first.
//!
//! Not every sort has values that can be written, and a value says more than that there is one: of
//! `(assert (= 0 (select (store m 0 x) y)))` an unknown number may be enough.
//!
//! Costs one test for each term of a known sort that is longer than the declaration.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::IntroduceSymbols;
//!
//! let text = "(assert (= 0 (str.len (str.++ \"some\" \"thing\" \"long\"))))";
//! assert_eq!(reductions(&IntroduceSymbols, text), [
//!     "(declare-const a Int)(assert (= 0 a))",
//!     "(declare-const a Bool)(assert a)",
//!     "(declare-const a String)(assert (= 0 (str.len a)))",
//! ]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::{Smt, TermsBySize};
use crate::formats::words::name;

/// Replaces terms by names; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct IntroduceSymbols;

impl Pass<u8> for IntroduceSymbols {
    fn name(&self) -> &'static str {
        "introduce_symbols"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let terms = TermsBySize::of(target);
        let term = terms.0[chooser.prefer(terms.0.len())?];
        let sort = smt.sort_name(smt.sort(term).ok_or(DeadBranch)?);
        let range = smt.sexprs().node(term).range();
        let mut free = (0..).map(name).filter(|name| smt.atoms(name).is_empty());
        let symbol = free.next().filter(|_| !sort.is_empty()).ok_or(DeadBranch)?;
        let declaration = [b"(declare-const ", &symbol[..], b" ", sort, b")"].concat();
        if declaration.len() + symbol.len() >= range.1 - range.0 {
            return Err(DeadBranch);
        }
        let at = smt.sexprs().node(smt.command_of(term)).range().0;
        let declared = Edit {
            start: at,
            end: at,
            insert: Some(declaration.into()),
        };
        let used = smt.replaced(text, range, &symbol);
        simpler(
            target,
            Patch::edits_of([declared, used]).map_err(|_| DeadBranch)?,
        )
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        5
    }
}
