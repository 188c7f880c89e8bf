//! Lowers a number, or all that are equal, to each value that "Designing a better simplifier"
//! (D. R. MacIver, 2017) probes: upwards in powers of two, then towards the number by halves.
//!
//! What a condition is that does not hold for all numbers from one on, no search can know; these
//! are the values that are likely to do.
//!
//! Costs about as many tests for each number as twice its binary digits.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("probe_numbers", any::<u8>(), "1.10");
//! assert_eq!(tried, ["0", "1", "3", "7", "9"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{ByValue, Numbers, distance, number, set_number};
use super::slide::{inward, moved};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ProbeNumbers;

/// The probes for a distance, the least first: the document's `shrink_integer`.
struct Probes {
    distance: u128,
    /// How many powers of two lie below it.
    powers: u32,
    /// How far it is above the greatest of them.
    rest: u128,
}

impl Probes {
    fn of(distance: u128) -> Probes {
        let greatest = distance.checked_sub(1).and_then(u128::checked_ilog2);
        Probes {
            distance,
            powers: greatest.map_or(0, |power| power + 1),
            rest: distance - greatest.map_or(0, |power| 1 << power),
        }
    }

    fn len(&self) -> usize {
        let halves = match self.rest {
            0 => 0,
            1 => 1,
            rest => (rest - 1).ilog2() + 1,
        };
        (self.powers + halves) as usize
    }

    fn at(&self, at: usize) -> u128 {
        match at.checked_sub(self.powers as usize) {
            None => (1 << at) - 1,
            // Each stands half as far below the distance as the one before it, rounded up.
            Some(halves) => self.distance - (((self.rest - 1) >> (halves + 1)) + 1),
        }
    }
}

/// The places of numbers, those of equal ones behind each other.
#[derive(Default)]
struct Groups {
    places: Vec<usize>,
    /// Where in `places` those of numbers that stand at several places are.
    equal: Vec<(usize, usize)>,
}

impl Groups {
    fn found(target: &Target<Choice>) -> Groups {
        if Numbers::of(target).lowerable.is_empty() {
            return Groups::default();
        }
        let elements = target.elements();
        let is_lowerable = |at: usize| distance(&elements[at]).is_some_and(|distance| distance > 0);
        let by_value = ByValue::of(target);
        let placed = by_value.iter().filter(|(_, at)| is_lowerable(*at));
        let placed: Vec<(i128, usize)> = placed.copied().collect();
        let mut equal = Vec::new();
        let mut end = 0;
        for group in placed.chunk_by(|a, b| a.0 == b.0) {
            let start = end;
            end += group.len();
            if group.len() > 1 {
                equal.push((start, end));
            }
        }
        let places = placed.into_iter().map(|(_, at)| at).collect();
        Groups { places, equal }
    }
}

impl Pass<Choice> for ProbeNumbers {
    fn name(&self) -> &'static str {
        "probe_numbers"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let numbers = Numbers::of(target);
        // Equal ones all together first, then each alone.
        let groups = match chooser.prefer(2)? {
            0 => Some(target.analysis(Groups::found)),
            _ => None,
        };
        let group = match &groups {
            Some(groups) => {
                let (start, end) = groups.equal[chooser.prefer(groups.equal.len())?];
                &groups.places[start..end]
            }
            None => {
                let chosen = chooser.prefer(numbers.lowerable.len())?;
                std::slice::from_ref(&numbers.lowerable[chosen])
            }
        };
        let elements = target.elements();
        let first = &elements[*group.first().ok_or(DeadBranch)?];
        let distance = distance(first).ok_or(DeadBranch)?;
        let probes = Probes::of(distance);
        let probe = probes.at(chooser.prefer(probes.len())?);
        let lowered = number(first).and_then(|value| moved(value, inward(first), distance - probe));
        let lowered = lowered.ok_or(DeadBranch)?;
        let lower = |choice: &mut Choice| set_number(choice, lowered);
        Ok(Patch::change_each(elements, group, lower))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probes_are_the_documents() {
        let expected = [
            0, 1, 3, 7, 15, 31, 63, 127, 255, 378, 439, 469, 484, 492, 496, 498, 499,
        ];
        let check = |distance, expected: &[u128]| {
            let probes = Probes::of(distance);
            let all: Vec<u128> = (0..probes.len()).map(|at| probes.at(at)).collect();
            assert_eq!(all, expected);
        };
        check(500, &expected);
        check(0, &[]);
        check(1, &[0]);
        check(2, &[0, 1]);
        check(3, &[0, 1, 2]);
        let probes = Probes::of(u128::MAX);
        assert_eq!(probes.at(probes.len() - 1), u128::MAX - 1);
    }
}
