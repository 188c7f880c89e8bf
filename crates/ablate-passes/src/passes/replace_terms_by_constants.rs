//! Replaces a term of an SMT-LIB script by the simplest value of its sort, the largest terms first.
//!
//! What a term says mostly does not matter, but something of its sort has to be there: in
//! `(assert (and p (< x 3)))`, `(< x 3)` becomes `true` or `false`.
//!
//! Costs up to three tests for each term: two values, and the shortest name of that sort.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ReplaceTermsByConstants;
//!
//! let text = "(declare-fun x () Int)(assert (< x 3))";
//! assert_eq!(reductions(&ReplaceTermsByConstants, text), [
//!     "(declare-fun x () Int)(assert true)",
//!     "(declare-fun x () Int)(assert false)",
//!     "(declare-fun x () Int)(assert (< x 0))",
//!     "(declare-fun x () Int)(assert (< x 1))",
//!     "(declare-fun x () Int)(assert (< 0 3))",
//!     "(declare-fun x () Int)(assert (< 1 3))",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::{Smt, TermsBySize};

/// Replaces terms by values; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceTermsByConstants;

impl Pass<u8> for ReplaceTermsByConstants {
    fn name(&self) -> &'static str {
        "replace_terms_by_constants"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let terms = TermsBySize::of(target);
        let term = terms.0[chooser.prefer(terms.0.len())?];
        let sort = smt.sort(term).ok_or(DeadBranch)?;
        let mut values = smt.constants(sort);
        let names = smt.declarations().iter();
        let names = names.filter(|name| name.sort == sort && name.is_constant);
        let names = names.map(|name| smt.sexprs().text(text, name.name));
        values.extend(names.min_by_key(|name| name.len()).map(<[u8]>::to_vec));
        // What is one of the values already gets no worse one.
        let old = smt.sexprs().text(text, term);
        let better = values.iter().position(|value| value == old);
        values.truncate(better.unwrap_or(values.len()));
        let values: Vec<_> = values
            .iter()
            .filter(|value| value.len() <= old.len())
            .collect();
        let value = values[chooser.prefer(values.len())?];
        let range = smt.sexprs().node(term).range();
        let edit = smt.replaced(text, range, value);
        simpler(target, Patch::edits_of([edit]).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        7
    }
}
