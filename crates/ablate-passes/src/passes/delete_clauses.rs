//! Deletes a clause of a formula in DIMACS CNF.
//!
//! A solver's bug seldom needs more than a few clauses. The header `p cnf` keeps saying how many there
//! are: it would be wrong after `delete_lines`, and strict solvers refuse that.
//!
//! Costs one test for each clause. A success is grown over the clauses before and after it, so that a
//! run of any length goes in a number of tests that grows with its logarithm.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown, reductions};
//! use ablate_passes::passes::DeleteClauses;
//!
//! let text = "p cnf 2 2\n1 2 0\n-1 0\n";
//! assert_eq!(
//!     reductions(&DeleteClauses, text),
//!     ["p cnf 2 1\n1 2 0\n", "p cnf 2 1\n-1 0\n"],
//! );
//! assert_eq!(grown(&DeleteClauses, "1 0\n2 0\n3 0\n", "3 0\n", 0), ["1 0\n", ""]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::cnf::{Clause, Cnf, cut};

/// Deletes clauses; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteClauses;

/// Cuts the clauses `first..=last`, but for what is not a clause between them.
pub(super) fn stated_cut(cnf: &Cnf, first: usize, last: usize) -> Option<Patch<u8>> {
    let run = &cnf.clauses()[first..=last];
    cnf.stated(run.iter().map(Clause::range).map(cut)).ok()
}

impl Pass<u8> for DeleteClauses {
    fn name(&self) -> &'static str {
        "delete_clauses"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let clause = chooser.any(0..cnf.clauses().len())?;
        stated_cut(&cnf, clause, clause).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let cnf = Cnf::of(target);
        let mut cuts = patch.edits().iter().filter(|edit| edit.is_cut());
        let (Some(run), None) = (cuts.next(), cuts.next()) else {
            return None;
        };
        let (first, last) = (cnf.clause_at(run.start)?, cnf.clause_before(run.end)?);
        if direction == 0 {
            return stated_cut(&cnf, first.checked_sub(amount)?, last);
        }
        let last = last.checked_add(amount)?;
        (last < cnf.clauses().len()).then(|| stated_cut(&cnf, first, last))?
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        Cnf::of(target).combined(one, other)
    }

    fn rank(&self) -> u8 {
        9
    }
}
