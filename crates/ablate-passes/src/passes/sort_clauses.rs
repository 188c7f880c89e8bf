//! Sorts the literals of each clause of a formula in DIMACS CNF, and the clauses.
//!
//! Their order does not matter mostly, and a sorted formula is easier to read: `3 -1`, `2` becomes `2`,
//! `-1 3`.
//!
//! Costs one test for all, one for the literals of all clauses, and one for each clause whose literals
//! are not sorted.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SortClauses;
//!
//! let seen = reductions(&SortClauses, "3 1 0\n2 0\n");
//! assert_eq!(seen, ["2 0\n1 3 0\n", "1 3 0\n2 0\n"]);
//! ```

use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Clause, Cnf};

/// Sorts clauses; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SortClauses;

/// The literals of a clause by their variables.
fn literals(cnf: &Cnf, clause: &Clause) -> Vec<i32> {
    let mut literals: Vec<i32> = cnf.literals(clause).iter().map(|l| l.value).collect();
    literals.sort_by_cached_key(|value| (value.unsigned_abs(), *value < 0));
    literals
}

/// The edit that puts these literals in the place of a clause's.
fn written(clause: &Clause, literals: &[i32]) -> Option<Edit<u8>> {
    let mut words: Vec<_> = literals.iter().map(ToString::to_string).collect();
    words.push("0".to_string());
    Some(Edit {
        start: clause.start as usize,
        end: clause.zero as usize,
        insert: Some(words.join(" ").into_bytes().into()),
    })
}

/// All clauses, in the order of their lengths and variables.
fn sorted(cnf: &Cnf) -> Vec<Edit<u8>> {
    let mut all: Vec<Vec<i32>> = cnf.clauses().iter().map(|c| literals(cnf, c)).collect();
    all.sort_by_cached_key(|values| {
        let variables = values.iter().map(|v| (v.unsigned_abs(), *v < 0));
        (values.len(), variables.collect::<Vec<_>>())
    });
    let pairs = cnf.clauses().iter().zip(&all);
    pairs
        .filter_map(|(clause, literals)| written(clause, literals))
        .collect()
}

impl Pass<u8> for SortClauses {
    fn name(&self) -> &'static str {
        "sort_clauses"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let count = cnf.clauses().len();
        if count == 0 {
            return Err(DeadBranch);
        }
        let edits = match chooser.prefer(count + 2)? {
            0 => sorted(&cnf),
            1 => cnf
                .clauses()
                .iter()
                .flat_map(|c| written(c, &literals(&cnf, c)))
                .collect(),
            place => {
                let clause = &cnf.clauses()[place - 2];
                written(clause, &literals(&cnf, clause))
                    .into_iter()
                    .collect()
            }
        };
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
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
        2
    }
}
