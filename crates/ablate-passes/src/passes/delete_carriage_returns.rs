//! Deletes all carriage returns before line ends.
//!
//! Files of Windows have them in every line. Hardly anything needs them, but what looks for line ends, such as
//! comments, names behind blanks or what ends with a backslash, takes them for a part of the line.
//!
//! Costs one test.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteCarriageReturns;
//!
//! assert_eq!(reductions(&DeleteCarriageReturns, "a\r\nb\rc\n\r\n"), ["a\nb\rc\n\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

/// Deletes carriage returns; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteCarriageReturns;

impl Pass<u8> for DeleteCarriageReturns {
    fn name(&self) -> &'static str {
        "delete_carriage_returns"
    }

    fn step(&self, target: &Target<u8>, _: &mut Chooser<'_>) -> Result<Patch<u8>, DeadBranch> {
        let pairs = target.elements().windows(2).enumerate();
        let cuts = pairs.filter(|(_, pair)| pair == b"\r\n");
        let patch = Patch::cuts(cuts.map(|(at, _)| (at, at + 1)));
        if patch.edits().is_empty() {
            return Err(DeadBranch);
        }
        Ok(patch)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}
