//! Deletes a literal from a clause of a formula in DIMACS CNF, or from all clauses.
//!
//! A clause with fewer literals says more, and often that does not matter: `1 2 -3` becomes `1 2`.
//!
//! Costs one test for each literal, and one for each that occurs more than once.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteLiterals;
//!
//! let seen = reductions(&DeleteLiterals, "1 2 0\n1 0\n");
//! assert_eq!(seen, ["1 2 0\n0\n", "1 0\n1 0\n", "2 0\n0\n", "2 0\n1 0\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::cnf::{Cnf, cut};

/// Deletes literals; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteLiterals;

impl Pass<u8> for DeleteLiterals {
    fn name(&self) -> &'static str {
        "delete_literals"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let all = cnf.all_literals();
        let literal = &all[chooser.any(0..all.len())?];
        let mut same = cnf
            .occurrences(literal.variable())
            .filter(|other| other.value == literal.value);
        // With the first of several, all of them can go.
        let stands_for_all = same.next() == Some(literal) && same.next().is_some();
        if chooser.prefer(1 + usize::from(stands_for_all))? == 1 || !stands_for_all {
            return cnf.stated([cut(literal.cut())]).map_err(|_| DeadBranch);
        }
        let same = cnf.occurrences(literal.variable());
        let same = same.filter(|other| other.value == literal.value);
        cnf.stated(same.map(|other| cut(other.cut())))
            .map_err(|_| DeadBranch)
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
        5
    }
}
