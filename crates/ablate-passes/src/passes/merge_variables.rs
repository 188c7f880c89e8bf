//! Replaces a variable of a formula in DIMACS CNF by another, or by its negation, everywhere.
//!
//! With fewer variables there is less to say: where 1 and 2 may be the same, `1 2`, `-1 3`, `-2 3`
//! becomes `1`, `-1 3`. A literal that is in a clause already goes, and a clause with a literal and its
//! negation goes as a whole.
//!
//! Costs four tests for each variable: with the one that has the next smaller number, and with the
//! smallest in the same clause, in both signs.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::MergeVariables;
//!
//! let seen = reductions(&MergeVariables, "1 2 0\n-1 3 0\n-2 3 0\n");
//! assert_eq!(seen.last().unwrap(), "-1 3 0\n1 3 0\n");
//! assert_eq!(seen[seen.len() - 2], "1 0\n-1 3 0\n-1 3 0\n");
//! ```

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Cnf, cut};

/// Makes two variables one; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeVariables;

/// The edits that put the literal `other` in place of `variable`.
fn merged(cnf: &Cnf, variable: u32, other: i32) -> Vec<Edit<u8>> {
    let mut edits = Vec::new();
    for clause in cnf.clauses_of(variable) {
        let clause = &cnf.clauses()[clause];
        let literals = cnf.literals(clause);
        let replaced = |value: i32| {
            if value.unsigned_abs() == variable {
                value.signum() * other
            } else {
                value
            }
        };
        let mut seen = BTreeSet::new();
        let first_edit = edits.len();
        for literal in literals {
            let value = replaced(literal.value);
            if seen.contains(&-value) {
                edits.truncate(first_edit);
                edits.push(cut(clause.range()));
                break;
            }
            if seen.contains(&value) {
                edits.push(cut(literal.cut()));
                continue;
            }
            seen.insert(value);
            if value != literal.value {
                let (start, end) = literal.range();
                let insert = Some(value.to_string().into_bytes().into());
                edits.push(Edit { start, end, insert });
            }
        }
    }
    edits
}

impl Pass<u8> for MergeVariables {
    fn name(&self) -> &'static str {
        "merge_variables"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let variable = chooser.any(0..cnf.variables().len())?;
        let before = variable
            .checked_sub(1)
            .map(|before| cnf.variables()[before]);
        let variable = cnf.variables()[variable];
        let clauses = cnf.clauses_of(variable).map(|c| &cnf.clauses()[c]);
        let beside = clauses
            .flat_map(|clause| cnf.literals(clause))
            .map(|l| l.variable());
        let mut others: Vec<u32> = beside.min().into_iter().chain(before).collect();
        others.retain(|&other| other < variable);
        others.dedup();
        let choice = chooser.prefer(2 * others.len())?;
        let other = others[choice / 2] as i32;
        let other = if choice.is_multiple_of(2) {
            other
        } else {
            -other
        };
        let patch = cnf.stated(merged(&cnf, variable, other));
        simpler(target, patch.map_err(|_| DeadBranch)?)
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
        4
    }
}
