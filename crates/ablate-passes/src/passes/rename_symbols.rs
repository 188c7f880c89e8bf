//! Gives a name of an SMT-LIB script that is no plain word a short one, everywhere.
//!
//! Names that tools make up, such as `x!12`, `|a b|` or `f.3`, are words for no other format; here
//! `x!12` becomes `a`.
//!
//! Costs one test for each such name.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::RenameSymbols;
//!
//! let text = "(declare-fun |a b| () Int)(assert (= |a b| a))";
//! assert_eq!(reductions(&RenameSymbols, text), ["(declare-fun b () Int)(assert (= b a))"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::{is_word, simpler};
use crate::formats::smt::Smt;
use crate::formats::words::name;
use crate::passes::choose_place;

/// Renames symbols; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenameSymbols;

impl Pass<u8> for RenameSymbols {
    fn name(&self) -> &'static str {
        "rename_symbols"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let names = smt.bound_names();
        let is_odd = |name: &[u8]| name.iter().any(|&byte| !is_word(byte));
        let chosen = choose_place::<Self>(target, chooser, names.len(), |&number| {
            is_odd(&names[number])
        })?;
        let before = names[..chosen].iter().filter(|name| is_odd(name)).count();
        let mut free = (0..).map(name).filter(|name| smt.atoms(name).is_empty());
        let short = free.nth(before).ok_or(DeadBranch)?;
        let atoms = smt.atoms(&names[chosen]).iter();
        let edits = atoms.map(|&atom| smt.replaced(text, smt.sexprs().node(atom).range(), &short));
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        3
    }
}
