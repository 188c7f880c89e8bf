//! Lowers an integer, and with it the number that is the sum of it and others.
//!
//! Where an item can't go, it can still count for nothing: `a 3`, `b 4`, `sum 7` becomes `a 0`,
//! `b 4`, `sum 4`.
//!
//! Costs up to two tests for each integer in a column that some number is the sum of: zero, and one
//! less. The latter is grown to much less.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::LowerAddends;
//!
//! assert_eq!(
//!     reductions(&LowerAddends, "b 3\nb 0\nsum 3\n"),
//!     ["b 0\nb 0\nsum 0\n", "b 2\nb 0\nsum 2\n"]
//! );
//! ```

use alloc::string::ToString;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::couplings::{Couplings, Range};
use crate::formats::integers::Integer;

/// Lowers an integer and the sum that it is part of; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerAddends;

fn value(text: &[u8], (start, end): Range) -> Option<u128> {
    Some(Integer::read(text.get(start as usize..end as usize)?)?.value)
}

fn replaced((start, end): Range, value: u128) -> Patch<u8> {
    let written = value.to_string().into_bytes();
    Patch::replace(start as usize, end as usize, &written)
}

impl Pass<u8> for LowerAddends {
    fn name(&self) -> &'static str {
        "lower_addends"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let text = target.elements();
        let couplings = Couplings::of(target);
        let is_addend = |number: usize| {
            let (coupling, member) = couplings.member(number);
            let addend = coupling.members[member].addend;
            addend.is_some_and(|range| value(text, range) > Some(0))
        };
        let number = chooser.choose(0..couplings.members(), is_addend)?;
        let (coupling, member) = couplings.member(number);
        let range = coupling.members[member].addend.ok_or(DeadBranch)?;
        let before = value(text, range).ok_or(DeadBranch)?;
        let lower = match chooser.prefer(2)? {
            0 => 0,
            _ if before > 1 => before - 1,
            _ => return Err(DeadBranch),
        };
        Couplings::edit(text, coupling, &replaced(range, lower)).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let _ = direction;
        let text = target.elements();
        let couplings = Couplings::of(target);
        let (about, wanted) = couplings.split(text, patch);
        let ([coupling], [edit]) = (about.as_slice(), wanted.edits()) else {
            return None;
        };
        let range = (edit.start as u32, edit.end as u32);
        let now = Integer::read(edit.insert.as_deref()?)?.value;
        // Zero is as it is meant.
        if now + 1 != value(text, range)? {
            return None;
        }
        let lower = now.checked_sub(amount as u128)?;
        Couplings::edit(text, coupling, &replaced(range, lower))
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        Couplings::of(target).combined(target.elements(), one, other)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        3
    }
}
