//! Changes the sign of a variable of a formula in DIMACS CNF where that makes it shorter.
//!
//! Which of its two values a variable has does not matter mostly: `-1 2`, `-1 3` becomes `1 2`, `1 3`.
//!
//! Costs one test for each variable that is negated more often than not, and one for each negation.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::FlipSigns;
//!
//! assert_eq!(reductions(&FlipSigns, "-1 2 0\n"), ["1 2 0\n"]);
//! assert_eq!(
//!     reductions(&FlipSigns, "-1 0\n-1 1 0\n"),
//!     ["-1 0\n1 1 0\n", "1 0\n1 -1 0\n", "1 0\n-1 1 0\n"],
//! );
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::cnf::{Cnf, cut};
use crate::passes::choose_place;

/// Makes negated variables positive; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlipSigns;

impl Pass<u8> for FlipSigns {
    fn name(&self) -> &'static str {
        "flip_signs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cnf = Cnf::of(target);
        let all = cnf.all_literals();
        let literal = choose_place::<Self>(target, chooser, all.len(), |&literal| {
            all[literal].value < 0
        })?;
        let literal = &all[literal];
        let mut occurrences = cnf.occurrences(literal.variable());
        let is_first = occurrences.find(|other| other.value < 0) == Some(literal);
        let count = cnf.occurrences(literal.variable()).count();
        let stands_for_all = is_first && count > 1;
        let variant = chooser.prefer(1 + usize::from(stands_for_all))?;
        let sign = |start: u32| cut((start as usize, start as usize + 1));
        let edits = if stands_for_all && variant == 0 {
            let flipped = cnf.occurrences(literal.variable()).map(|other| {
                if other.value < 0 {
                    sign(other.start)
                } else {
                    let start = other.start as usize;
                    let insert = Some(b"-".as_slice().into());
                    Edit {
                        start,
                        end: start,
                        insert,
                    }
                }
            });
            Patch::edits_of(flipped)
        } else {
            Patch::edits_of([sign(literal.start)])
        };
        simpler(target, edits.map_err(|_| DeadBranch)?)
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
