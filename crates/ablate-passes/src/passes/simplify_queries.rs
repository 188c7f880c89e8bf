//! Asks a solver in the plainest way.
//!
//! What a solver is asked for matters less than the formula: `(check-sat-assuming (p))` and
//! `(check-sat-using qfbv)` become `(check-sat)`, and `(set-logic QF_UFLIA)` becomes
//! `(set-logic ALL)`.
//!
//! Costs one test for each such command. There are few of them, and which way the solver goes may
//! depend on the size of the formula: while it is large, the plain way may show the bug as well.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyQueries;
//!
//! let seen = reductions(&SimplifyQueries, "(set-logic QF_BV)(assert x)(check-sat-using qfbv)");
//! assert_eq!(seen, [
//!     "(set-logic QF_BV)(assert x)(check-sat)",
//!     "(set-logic ALL)(assert x)(check-sat-using qfbv)",
//! ]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::smt::Smt;
use crate::passes::edit_command;

/// Simplifies queries; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyQueries;

fn simplified(smt: &Smt, text: &[u8], command: u32) -> Option<Patch<u8>> {
    let sexprs = smt.sexprs();
    match sexprs.head(text, command)? {
        b"check-sat-assuming" | b"check-sat-using" => {
            let (start, end) = sexprs.node(command).range();
            Some(Patch::replace(start, end, b"(check-sat)"))
        }
        b"set-logic" => {
            let logic = sexprs.children(command).nth(1)?;
            let (start, end) = sexprs.node(logic).range();
            (sexprs.text(text, logic) != b"ALL").then(|| Patch::replace(start, end, b"ALL"))
        }
        _ => None,
    }
}

impl Pass<u8> for SimplifyQueries {
    fn name(&self) -> &'static str {
        "simplify_queries"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        edit_command::<Self>(target, chooser, simplified)
    }

    fn rank(&self) -> u8 {
        9
    }
}
