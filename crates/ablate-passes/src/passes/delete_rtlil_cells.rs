//! Deletes modules, and cells, processes and connections of Yosys's intermediate language (RTLIL).
//!
//! What a wire got from them comes from outside of the module then, and what nobody else uses any more goes
//! there, so that what is left is still of use. Wires that nothing is left of go too, and with a module all
//! instances of it.
//!
//! Costs a test for each of them, and as many for halves, quarters and so on of all; the largest come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteRtlilCells;
//!
//! let text = "module \\top\n  wire input 1 \\a\n  wire \\b\n  wire output 2 \\c\n  cell $not $1\n    \
//!             connect \\A \\a\n    connect \\Y \\b\n  end\n  cell $not $2\n    connect \\A \\b\n    connect \\Y \\c\n  \
//!             end\nend\n";
//! let seen = reductions(&DeleteRtlilCells, text);
//! let without_first = "module \\top\n  wire input 1 \\b\n  wire output 2 \\c\n  cell $not $2\n    \
//!                      connect \\A \\b\n    connect \\Y \\c\n  end\nend\n";
//! assert!(seen.contains(&without_first.to_owned()));
//! let without_second = "module \\top\n  wire input 1 \\a\n  wire output 1 \\b\n  cell $not $1\n    \
//!                       connect \\A \\a\n    connect \\Y \\b\n  end\nend\n";
//! assert!(seen.contains(&without_second.to_owned()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::rtlil::Rtlil;
use crate::formats::runs::runs_largest_first;

/// Deletes modules and cells; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteRtlilCells;

/// The runs of modules, and of their parts behind these, that are tried.
struct Runs {
    modules: usize,
    runs: Vec<(u32, u32)>,
}

impl Runs {
    fn of(target: &Target<u8>) -> Runs {
        let sizes = Rtlil::of(target).sizes();
        Runs {
            modules: sizes[0].len(),
            runs: runs_largest_first(&sizes),
        }
    }
}

impl Pass<u8> for DeleteRtlilCells {
    fn name(&self) -> &'static str {
        "delete_rtlil_cells"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (rtlil, runs) = (Rtlil::of(target), target.analysis(Runs::of));
        let (first, end) = runs.runs[chooser.prefer(runs.runs.len())?];
        let (first, end) = (first as usize, end as usize);
        let patch = match first.checked_sub(runs.modules) {
            None => rtlil.without_modules(first..end),
            Some(first) => rtlil.without_parts(first..end - runs.modules),
        };
        simpler(target, patch.ok_or(DeadBranch)?)
    }

    takes_largest_at_once!();

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
