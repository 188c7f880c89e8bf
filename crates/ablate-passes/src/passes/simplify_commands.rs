//! Gives a command of an SMT-LIB script its plainest form.
//!
//! `(declare-fun x () Int)` becomes `(declare-const x Int)`, a recursive definition an ordinary one,
//! and `(push 1)` goes with its `(pop 1)`.
//!
//! Costs one test for each such command.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyCommands;
//!
//! let seen = reductions(&SimplifyCommands, "(declare-fun x () Int)(push 1)(assert x)(pop 1)");
//! assert_eq!(seen, [
//!     "(declare-fun x () Int)(assert x)",
//!     "(declare-const x Int)(push 1)(assert x)(pop 1)",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::smt::Smt;
use crate::passes::edit_command;

/// Simplifies commands; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyCommands;

fn simplified(smt: &Smt, text: &[u8], command: u32) -> Option<Patch<u8>> {
    let sexprs = smt.sexprs();
    let parts: Vec<u32> = sexprs.children(command).take(5).collect();
    let word = |number: usize| sexprs.text(text, parts[number]);
    let (start, end) = sexprs.node(command).range();
    match (sexprs.head(text, command)?, parts.len()) {
        (b"declare-fun", 4) if sexprs.children(parts[2]).next().is_none() => {
            let words = [b"(declare-const", word(1), word(3)].join(&b' ');
            Some(Patch::replace(
                start,
                end,
                &[&words, b")".as_slice()].concat(),
            ))
        }
        (b"define-fun-rec", _) => {
            let (start, end) = sexprs.node(parts[0]).range();
            Some(Patch::replace(start, end, b"define-fun"))
        }
        (b"push", _) => {
            let pop = matching_pop(smt, text, command)?;
            let cuts = [command, pop].map(|node| smt.cut(text, sexprs.node(node).range()));
            Some(Patch::cuts(cuts))
        }
        _ => None,
    }
}

/// The `pop` that ends what a `push` begins, where each is for one level.
fn matching_pop(smt: &Smt, text: &[u8], push: u32) -> Option<u32> {
    let mut depth = 0_usize;
    for command in smt.sexprs().top().filter(|&command| command > push) {
        match smt.sexprs().head(text, command) {
            Some(b"push") => depth += 1,
            Some(b"pop") if depth == 0 => return Some(command),
            Some(b"pop") => depth -= 1,
            _ => (),
        }
    }
    None
}

impl Pass<u8> for SimplifyCommands {
    fn name(&self) -> &'static str {
        "simplify_commands"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        edit_command::<Self>(target, chooser, simplified)
    }

    fn rank(&self) -> u8 {
        4
    }
}
