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

use std::collections::BTreeMap;
use std::sync::Arc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Shape, distance, number, with_number};
use super::slide::inward;
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ProbeNumbers;

/// The probes for a distance, the least first: the document's `shrink_integer`.
fn probes(distance: u128) -> Vec<u128> {
    if distance == 0 {
        return Vec::new();
    }
    let powers = (0..128).map(|k| 1u128 << k);
    let mut values: Vec<u128> = powers.take_while(|power| *power < distance).collect();
    let mut probe = values.last().copied().unwrap_or(0);
    values.iter_mut().for_each(|value| *value -= 1);
    loop {
        probe = u128::midpoint(probe, distance);
        values.push(probe);
        if probe + 1 >= distance {
            return values;
        }
    }
}

/// The places of each number, those that stand at several first all together, then each alone.
struct Groups(Vec<Vec<usize>>);

impl Groups {
    fn found(target: &Target<Choice>) -> Groups {
        let numbers = &Shape::of(target).numbers;
        let mut equal: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for &at in numbers {
            if let Some(value) = number(&target.elements()[at]) {
                equal.entry(value).or_default().push(at);
            }
        }
        let mut groups: Vec<_> = equal
            .into_values()
            .filter(|places| places.len() > 1)
            .collect();
        groups.extend(numbers.iter().map(|&at| vec![at]));
        Groups(groups)
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
        let groups = target.analysis(Groups::found);
        let group = &groups.0[chooser.prefer(groups.0.len())?];
        let elements = target.elements();
        let first = &elements[*group.first().ok_or(DeadBranch)?];
        let distance = distance(first).ok_or(DeadBranch)?;
        let probes = probes(distance);
        let probe = probes[chooser.prefer(probes.len())?];
        let lowered = number(first).and_then(|value| {
            let by = i128::try_from(distance - probe).ok()?;
            value.checked_add(by * inward(first))
        });
        let lowered = lowered.ok_or(DeadBranch)?;
        Patch::edits_of(group.iter().map(|&at| Edit {
            start: at,
            end: at + 1,
            insert: Some(Arc::from([with_number(&elements[at], lowered)])),
        }))
        .map_err(|_| DeadBranch)
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
        assert_eq!(probes(500), expected);
        assert_eq!(probes(0), []);
        assert_eq!(probes(1), [0]);
        assert_eq!(probes(2), [0, 1]);
        assert_eq!(probes(3), [0, 1, 2]);
    }
}
