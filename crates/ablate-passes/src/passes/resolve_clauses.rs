//! Eliminates a variable of a formula in DIMACS CNF: its clauses become their resolvents.
//!
//! `1 2`, `-1 3` says of 2 and 3 just what `2 3` says; 1 is needed no more.
//!
//! Costs one test for each variable that occurs once with one of its signs, and at most sixteen times
//! with the other.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ResolveClauses;
//!
//! assert_eq!(reductions(&ResolveClauses, "1 2 0\n-1 3 0\n"), ["2 3 0\n"]);
//! ```

use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Clause, Cnf, cut};
use crate::passes::choose_place;

/// Eliminates variables; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResolveClauses;

/// Variables that occur more often with the same sign are left alone.
const MOST_OCCURRENCES: usize = 16;

/// Variables of longer clauses are left alone.
const LONGEST_CLAUSE: usize = 1024;

/// The edits that put resolvents in place of the clauses of `variable`, of which one literal occurs
/// once: the clause of that literal goes, and the rest of it stands for the literal's negation.
fn resolved(cnf: &Cnf, variable: u32) -> Vec<Edit<u8>> {
    let values: Vec<i32> = cnf.occurrences(variable).map(|l| l.value).collect();
    let positive = values.iter().filter(|&&value| value > 0).count();
    let single = if positive == 1 {
        variable as i32
    } else {
        -(variable as i32)
    };
    let clauses: Vec<_> = cnf
        .clauses_of(variable)
        .map(|c| &cnf.clauses()[c])
        .collect();
    let has_single = |clause: &&&Clause| cnf.literals(clause).iter().any(|l| l.value == single);
    let Some(rest_clause) = clauses.iter().find(has_single) else {
        return Vec::new();
    };
    let is_long = |clause: &&&Clause| cnf.literals(clause).len() > LONGEST_CLAUSE;
    if clauses.iter().any(|clause| is_long(&clause)) {
        return Vec::new();
    }
    let rest: Vec<i32> = cnf
        .literals(rest_clause)
        .iter()
        .map(|l| l.value)
        .filter(|&value| value != single)
        .collect();
    let mut edits = alloc::vec![cut(rest_clause.range())];
    for clause in clauses
        .iter()
        .filter(|clause| clause.start != rest_clause.start)
    {
        let literals = cnf.literals(clause);
        let has = |value: i32| literals.iter().any(|l| l.value == value);
        if rest.iter().any(|&value| has(-value)) {
            edits.push(cut(clause.range()));
            continue;
        }
        let added: Vec<i32> = rest.iter().copied().filter(|&value| !has(value)).collect();
        for literal in literals.iter().filter(|l| l.value == -single) {
            let (start, end) = if added.is_empty() {
                literal.cut()
            } else {
                literal.range()
            };
            let words: Vec<_> = added.iter().map(ToString::to_string).collect();
            let insert = words.join(" ").into_bytes();
            let insert = (!insert.is_empty()).then(|| insert.into());
            edits.push(Edit { start, end, insert });
        }
    }
    edits
}

impl Pass<u8> for ResolveClauses {
    fn name(&self) -> &'static str {
        "resolve_clauses"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let all = cnf.variables();
        let variable = choose_place::<Self>(target, chooser, all.len(), |&variable| {
            let literals: Vec<i32> = cnf
                .occurrences(all[variable])
                .take(MOST_OCCURRENCES + 2)
                .map(|literal| literal.value)
                .collect();
            let positive = literals.iter().filter(|&&value| value > 0).count();
            let negative = literals.len() - positive;
            positive.min(negative) == 1 && positive.max(negative) <= MOST_OCCURRENCES
        })?;
        let patch = cnf.stated(resolved(&cnf, all[variable]));
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
