//! Deletes all clauses of a formula in DIMACS CNF in which a variable occurs.
//!
//! What contradicts itself is mostly about few of the variables: in `1 2`, `-1`, `-2`, `3 4 5`, `3 -4`,
//! all that is said of 3 can go, and then all that is said of 4 and 5.
//!
//! Costs one test for each variable. A success is grown over the variables with smaller and larger
//! numbers, and so over all that have nothing to do with the bug.
//!
//! ```
//! use ablate_engine::patch::Patch;
//! use ablate_passes::explain::{grown_patch, reductions};
//! use ablate_passes::passes::DeleteVariables;
//!
//! assert_eq!(reductions(&DeleteVariables, "1 2 0\n-2 0\n"), ["", "-2 0\n"]);
//! let third = Patch::cut(8, 12);
//! let seen = grown_patch(&DeleteVariables, "1 0\n2 0\n3 0\n", &third, 0);
//! assert_eq!(seen, ["1 0\n", ""]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::cnf::{Cnf, cut};

/// Deletes all clauses of a variable; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteVariables;

/// Cuts these clauses.
fn without(cnf: &Cnf, clauses: impl Iterator<Item = usize>) -> Option<Patch<u8>> {
    let cuts = clauses.map(|clause| cut(cnf.clauses()[clause].range()));
    cnf.stated(cuts).ok()
}

impl Pass<u8> for DeleteVariables {
    fn name(&self) -> &'static str {
        "delete_variables"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let variable = chooser.any(0..cnf.variables().len())?;
        without(&cnf, cnf.clauses_of(cnf.variables()[variable])).ok_or(DeadBranch)
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
        let clauses = cnf.clauses().iter();
        let mut gone: Vec<bool> = clauses
            .map(|clause| patch.covers(&Patch::cut(clause.range().0, clause.range().1)))
            .collect();
        let is_gone = |gone: &[bool], &variable: &u32| {
            let mut clauses = cnf.clauses_of(variable);
            clauses.all(|clause| gone[clause])
        };
        let last = cnf.variables().iter().rposition(|v| is_gone(&gone, v))?;
        let (below, above) = cnf.variables().split_at(last);
        let mut left: Vec<u32> = if direction == 0 {
            below.to_vec()
        } else {
            above.iter().rev().copied().collect()
        };
        let mut added = 0;
        while added < amount {
            let variable = left.pop()?;
            // Another variable's clauses may have been all of its own.
            if !is_gone(&gone, &variable) {
                cnf.clauses_of(variable)
                    .for_each(|clause| gone[clause] = true);
                added += 1;
            }
        }
        let clauses = (0..gone.len()).filter(|&clause| gone[clause]);
        without(&cnf, clauses)
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
        9
    }
}
