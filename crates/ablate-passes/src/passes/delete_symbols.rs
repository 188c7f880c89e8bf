//! Deletes a declaration of an SMT-LIB script, with what it is needed for.
//!
//! A name can go only when nothing uses it: its uses become the simplest value of its sort, or another
//! name of that sort, or the commands go that use it. `(declare-fun x () Int)(assert (< x 3))` becomes
//! `(assert (< 0 3))`.
//!
//! Costs one test for all declarations that are not used, and up to four for each name.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteSymbols;
//!
//! let text = "(declare-fun x () Int)(declare-fun y () Bool)(assert (< x 3))";
//! assert_eq!(reductions(&DeleteSymbols, text), [
//!     "(declare-fun x () Int)(assert (< x 3))",
//!     "(declare-fun y () Bool)",
//!     "(declare-fun y () Bool)(assert (< 0 3))",
//!     "(declare-fun y () Bool)(assert (< 1 3))",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::{Declaration, Smt};

/// Deletes declarations; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSymbols;

fn cut_of((start, end): (usize, usize)) -> Edit<u8> {
    Edit {
        start,
        end,
        insert: None,
    }
}

/// The terms in which a name is used, none within another.
fn uses(smt: &Smt, text: &[u8], declaration: &Declaration) -> Vec<u32> {
    let atoms = smt.atoms(smt.sexprs().text(text, declaration.name));
    let mut uses: Vec<u32> = Vec::new();
    for &atom in atoms.iter().filter(|&&atom| atom != declaration.name) {
        let node = smt.sexprs().node(atom);
        // As the head of a term it stands for all of it.
        let is_head = node.parent + 1 == atom && smt.sort(node.parent).is_some();
        let term = if is_head { node.parent } else { atom };
        if uses
            .last()
            .is_none_or(|&last| smt.sexprs().node(last).next <= term)
        {
            uses.push(term);
        }
    }
    uses
}

/// What can stand for a name: the values of its sort, and the name of that sort declared before it.
fn values(smt: &Smt, text: &[u8], declaration: &Declaration) -> Vec<Vec<u8>> {
    let mut values = smt.constants(declaration.sort);
    let others = smt.declarations().iter();
    let others = others.take_while(|other| other.name < declaration.name);
    let other = others
        .filter(|other| other.sort == declaration.sort && other.is_constant)
        .last();
    values.extend(other.map(|other| smt.sexprs().text(text, other.name).to_vec()));
    values
}

impl Pass<u8> for DeleteSymbols {
    fn name(&self) -> &'static str {
        "delete_symbols"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let count = smt.declarations().len();
        if count == 0 {
            return Err(DeadBranch);
        }
        // The number after the last, which sweeps try first, stands for all that are not used.
        let number = chooser.any(0..count + 1)?;
        let cut = |node: u32| cut_of(smt.cut(text, smt.sexprs().node(node).range()));
        if number == count {
            let declarations = smt.declarations().iter();
            let unused =
                declarations.filter(|d| smt.atoms(smt.sexprs().text(text, d.name)).len() == 1);
            let cuts = unused.map(|declaration| cut(declaration.command));
            return simpler(target, Patch::edits_of(cuts).map_err(|_| DeadBranch)?);
        }
        let declaration = &smt.declarations()[number];
        let values = values(&smt, text, declaration);
        let variant = chooser.prefer(1 + values.len())?;
        let uses = uses(&smt, text, declaration);
        let mut edits: Vec<Edit<u8>> = alloc::vec![cut(declaration.command)];
        match variant.checked_sub(1) {
            None => edits.extend(uses.iter().map(|&node| cut(smt.command_of(node)))),
            Some(_) if uses.is_empty() => return Err(DeadBranch),
            Some(value) => {
                edits.extend(uses.iter().map(|&node| {
                    smt.replaced(text, smt.sexprs().node(node).range(), &values[value])
                }))
            }
        }
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
