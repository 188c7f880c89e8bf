//! Numbers the variables of a formula in DIMACS CNF anew, without gaps.
//!
//! What is left of a large formula names its variables 17 and 391, where 1 and 2 would do; and the
//! header says how many there are.
//!
//! Costs three tests, and one for each variable that could have a smaller number that is free.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::RenumberVariables;
//!
//! let seen = reductions(&RenumberVariables, "p cnf 20 2\n17 -3 0\n3 0\n");
//! assert_eq!(seen[0], "p cnf 2 2\n1 -2 0\n2 0\n");
//! assert_eq!(seen[1], "p cnf 17 2\n17 -3 0\n3 0\n");
//! ```

use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::Cnf;

/// Gives variables small numbers; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenumberVariables;

/// The smallest number that is no variable's.
struct FirstFree(u32);

impl FirstFree {
    fn of(cnf: &Cnf) -> FirstFree {
        let numbers = (1..).zip(cnf.variables());
        let used = numbers.take_while(|(number, variable)| number == *variable);
        FirstFree(1 + used.count() as u32)
    }
}

/// The variables by their first occurrence, with their new numbers; sorted by their old ones.
fn in_order_of_use(cnf: &Cnf) -> Vec<(u32, u32)> {
    let variables = cnf.variables();
    let mut numbers = alloc::vec![0; variables.len()];
    let mut used = 0;
    for literal in cnf.all_literals() {
        if let Ok(variable) = variables.binary_search(&literal.variable())
            && numbers[variable] == 0
        {
            used += 1;
            numbers[variable] = used;
        }
    }
    variables.iter().copied().zip(numbers).collect()
}

/// The edits that give variables their new numbers, and the header the largest number there is.
fn renumbered(cnf: &Cnf, numbers: &[(u32, u32)]) -> Vec<Edit<u8>> {
    let new = |variable: u32| {
        let found = numbers.binary_search_by_key(&variable, |of| of.0);
        found.map_or(variable, |found| numbers[found].1)
    };
    let changed = |old: i64, value: i64, (start, end): (usize, usize)| {
        let insert = Some(value.to_string().into_bytes().into());
        (value != old).then_some(Edit { start, end, insert })
    };
    let mut edits: Vec<Edit<u8>> = Vec::new();
    for literal in cnf.all_literals() {
        let value = i64::from(literal.value.signum()) * i64::from(new(literal.variable()));
        edits.extend(changed(i64::from(literal.value), value, literal.range()));
    }
    let largest = cnf.variables().iter().map(|&variable| new(variable)).max();
    if let (Some((stated, range)), Some(largest)) = (cnf.stated_variables(), largest) {
        edits.extend(changed(i64::from(stated), i64::from(largest), range));
    }
    edits
}

impl Pass<u8> for RenumberVariables {
    fn name(&self) -> &'static str {
        "renumber_variables"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let count = cnf.variables().len();
        if count == 0 {
            return Err(DeadBranch);
        }
        let free = target.analysis(|_| FirstFree::of(&cnf)).0;
        let movable = cnf.variables().partition_point(|&variable| variable < free);
        let renumbering = match chooser.prefer(3 + count - movable)? {
            0 => in_order_of_use(&cnf),
            1 => Vec::new(),
            2 => (1..=count as u32)
                .map(|n| (cnf.variables()[n as usize - 1], n))
                .collect(),
            place => alloc::vec![(cnf.variables()[movable + place - 3], free)],
        };
        let patch = Patch::edits_of(renumbered(&cnf, &renumbering));
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
        3
    }
}
