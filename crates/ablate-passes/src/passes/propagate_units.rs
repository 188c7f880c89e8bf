//! Makes the literal of a unit clause true, in a formula in DIMACS CNF.
//!
//! `1`, `-1 2`, `1 3`, `-2 4` says as much as `-2 4` and `2`: other clauses with the literal go, and its
//! negation goes from where it stands.
//!
//! Costs one test for all unit clauses and those that follow from them, and two for each: with its
//! clause, and without.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::PropagateUnits;
//!
//! let seen = reductions(&PropagateUnits, "1 0\n-1 2 0\n-2 3 4 0\n");
//! assert_eq!(seen, ["3 4 0\n", "2 0\n-2 3 4 0\n", "1 0\n2 0\n-2 3 4 0\n"]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Cnf, Literal};
use crate::passes::choose_place;

/// Propagates unit clauses; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct PropagateUnits;

/// The edits that make all unit clauses true, and those that arise from it.
fn propagated(cnf: &Cnf) -> Vec<Edit<u8>> {
    let clauses = cnf.clauses();
    let mut left: Vec<usize> = clauses.iter().map(|c| cnf.literals(c).len()).collect();
    let mut units: Vec<usize> = (0..clauses.len()).filter(|&c| left[c] == 1).collect();
    let mut values: Vec<Option<bool>> = alloc::vec![None; cnf.variables().len()];
    let number = |variable: u32| cnf.variables().binary_search(&variable).unwrap_or(0);
    let mut edits = Vec::new();
    while let Some(unit) = units.pop() {
        if left[unit] != 1 {
            continue;
        }
        let literals = cnf.literals(&clauses[unit]);
        let is_open = |l: &&Literal| values[number(l.variable())].is_none();
        // Its literal may have become true, or false, in the meantime.
        let Some(literal) = literals.iter().find(is_open) else {
            continue;
        };
        values[number(literal.variable())] = Some(literal.value > 0);
        edits.extend(cnf.assigned(literal.value));
        for clause in cnf.clauses_of(literal.variable()) {
            let literals = cnf.literals(&clauses[clause]);
            if literals.iter().any(|other| other.value == literal.value) {
                // It is true now, and will never be a unit.
                left[clause] = 0;
            } else if left[clause] > 0 {
                left[clause] -= 1;
                if left[clause] == 1 {
                    units.push(clause);
                }
            }
        }
    }
    edits
}

impl Pass<u8> for PropagateUnits {
    fn name(&self) -> &'static str {
        "propagate_units"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let count = cnf.clauses().len();
        let is_unit = |&clause: &usize| cnf.literals(&cnf.clauses()[clause]).len() == 1;
        let has_units = (0..count).any(|clause| is_unit(&clause));
        // The number after the last clause, which sweeps try first, stands for all of them.
        let unit = choose_place::<Self>(target, chooser, count + 1, |place| {
            if *place == count {
                has_units
            } else {
                is_unit(place)
            }
        })?;
        let edits = if unit == count {
            propagated(&cnf)
        } else {
            let clause = &cnf.clauses()[unit];
            let mut edits = cnf.assigned(cnf.literals(clause)[0].value);
            if chooser.prefer(2)? == 1 {
                edits.retain(|edit| edit.start != clause.start as usize);
            }
            edits
        };
        simpler(target, cnf.stated(edits).map_err(|_| DeadBranch)?)
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
