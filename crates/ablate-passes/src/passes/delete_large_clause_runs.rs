//! Deletes large runs of clauses of a formula in DIMACS CNF, the largest first.
//!
//! Half of a formula often goes at once, or a quarter of what is left, before single clauses are worth
//! a test.
//!
//! Costs at most 128 tests: the halves of the formula, their halves, and so on. What is smaller is left
//! to `delete_clauses`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLargeClauseRuns;
//!
//! let seen = reductions(&DeleteLargeClauseRuns, "1 0\n2 0\n3 0\n4 0\n");
//! assert_eq!(seen, ["", "3 0\n4 0\n", "1 0\n2 0\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use super::delete_clauses::stated_cut;
use crate::formats::cnf::Cnf;
use crate::passes::{DeleteClauses, runs_by_halves};

/// Deletes runs of clauses; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLargeClauseRuns;

/// The first and the last clause of each run, the longest runs first.
struct Runs(Vec<(usize, usize)>);

impl Pass<u8> for DeleteLargeClauseRuns {
    fn name(&self) -> &'static str {
        "delete_large_clause_runs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let runs = target.analysis(|_| Runs(runs_by_halves(cnf.clauses().len(), 64)));
        let (first, last) = runs.0[chooser.prefer(runs.0.len())?];
        stated_cut(&cnf, first, last).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        DeleteClauses.directions()
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        DeleteClauses.grow(target, patch, direction, amount)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        Cnf::of(target).combined(one, other)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        8
    }
}
