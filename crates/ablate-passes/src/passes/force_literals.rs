//! Makes a literal true, in a formula in DIMACS CNF: its clauses go, and so does its negation.
//!
//! To know the value of a variable makes a formula simpler in many places at once: with 1 true, `1 2`,
//! `-1 3` becomes `3`.
//!
//! Costs two tests for each variable, the one that leaves more clauses last.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ForceLiterals;
//!
//! let seen = reductions(&ForceLiterals, "1 2 0\n1 -3 0\n-1 3 0\n");
//! assert_eq!(seen[4..], ["3 0\n", "2 0\n-3 0\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::cnf::Cnf;

/// Gives variables a value; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForceLiterals;

impl Pass<u8> for ForceLiterals {
    fn name(&self) -> &'static str {
        "force_literals"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let variable = cnf.variables()[chooser.any(0..cnf.variables().len())?] as i32;
        let positive = cnf.occurrences(variable as u32).filter(|l| l.value > 0);
        let negative = cnf.occurrences(variable as u32).filter(|l| l.value < 0);
        let larger = if positive.count() >= negative.count() {
            variable
        } else {
            -variable
        };
        let literal = [larger, -larger][chooser.prefer(2)?];
        cnf.stated(cnf.assigned(literal)).map_err(|_| DeadBranch)
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
        6
    }
}
