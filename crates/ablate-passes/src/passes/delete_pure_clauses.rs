//! Deletes the clauses of a formula in DIMACS CNF that can be made true without a contradiction.
//!
//! A literal whose negation occurs nowhere can be true, and then its clauses say nothing: of `1 2`,
//! `-1`, `1`, the first goes, and what contradicts itself remains. So goes a clause with a literal and
//! its negation.
//!
//! Costs two tests: all such clauses, again and again until there are none, or once.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeletePureClauses;
//!
//! let seen = reductions(&DeletePureClauses, "1 2 0\n-1 4 0\n4 0\n-4 0\n");
//! assert_eq!(seen, ["4 0\n-4 0\n", "-1 4 0\n4 0\n-4 0\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Cnf, cut};

/// Deletes clauses with pure literals; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletePureClauses;

/// Which clauses have a pure literal, or a literal and its negation; in each of so many rounds,
/// those of the rounds before count as deleted.
fn satisfiable(cnf: &Cnf, rounds: usize) -> Vec<bool> {
    let clauses = cnf.clauses();
    let mut gone: Vec<bool> = clauses
        .iter()
        .map(|clause| {
            let literals = cnf.literals(clause);
            let mut values: Vec<i32> = literals.iter().map(|l| l.value).collect();
            values.sort_unstable();
            values
                .iter()
                .any(|value| values.binary_search(&-value).is_ok())
        })
        .collect();
    let mut worth_a_look: Vec<u32> = cnf.variables().to_vec();
    for _ in 0..rounds {
        let mut found = Vec::new();
        for variable in worth_a_look {
            let left = cnf.clauses_of(variable).filter(|&clause| !gone[clause]);
            let left: Vec<usize> = left.collect();
            let literals = left
                .iter()
                .flat_map(|&clause| cnf.literals(&clauses[clause]));
            let mut of_variable = literals.filter(|l| l.variable() == variable);
            let is_pure = of_variable
                .next()
                .is_some_and(|first| of_variable.all(|other| other.value == first.value));
            if is_pure {
                found.extend(left);
            }
        }
        found.sort_unstable();
        found.dedup();
        for &clause in &found {
            gone[clause] = true;
        }
        let touched = found
            .iter()
            .flat_map(|&clause| cnf.literals(&clauses[clause]));
        worth_a_look = touched.map(|literal| literal.variable()).collect();
        worth_a_look.sort_unstable();
        worth_a_look.dedup();
        if worth_a_look.is_empty() {
            break;
        }
    }
    gone
}

impl Pass<u8> for DeletePureClauses {
    fn name(&self) -> &'static str {
        "delete_pure_clauses"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        if cnf.clauses().is_empty() {
            return Err(DeadBranch);
        }
        let rounds = [usize::MAX, 1][chooser.prefer(2)?];
        let gone = satisfiable(&cnf, rounds);
        let clauses = cnf.clauses().iter().zip(gone);
        let cuts = clauses
            .filter(|(_, gone)| *gone)
            .map(|(c, _)| cut(c.range()));
        simpler(target, cnf.stated(cuts).map_err(|_| DeadBranch)?)
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
        8
    }
}
