//! Replaces an object or an array by the value of one of its members.
//!
//! What matters often sits deep in configuration and data: of `{"a": [1, "x"]}` remains `[1, "x"]`, and
//! then `"x"`.
//!
//! Costs one test for each of the first sixteen members of each pair of brackets, unless its value is in
//! brackets of the same kind, which `lift_brackets` lifts.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::HoistMembers;
//!
//! let seen = reductions(&HoistMembers, r#"{"a": [1], "b": "x"}"#);
//! assert_eq!(seen, [r#"{"a": 1, "b": "x"}"#, r#""x""#, "[1]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::is_word;
use crate::formats::members::Members;
use crate::passes::choose_place;

/// Hoists members; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct HoistMembers;

/// Later members of the same brackets are left alone.
const MOST_MEMBERS: usize = 16;

impl Pass<u8> for HoistMembers {
    fn name(&self) -> &'static str {
        "hoist_members"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (members, brackets) = (Members::of(target), Brackets::of(target));
        let (all, text) = (members.all(), target.elements());
        let member = choose_place::<Self>(target, chooser, all.len(), |&number| {
            let member = &all[number];
            let open = brackets.all()[member.pair as usize].open as usize;
            let is_early = number
                .checked_sub(MOST_MEMBERS)
                .is_none_or(|earlier| all[earlier].pair != member.pair);
            // `a[i]` is no array.
            let is_index = open > 0 && is_word(text[open - 1]);
            let value = text[member.value as usize];
            is_early && !is_index && matches!(text[open], b'[' | b'{') && value != text[open]
        })?;
        let member = &all[member];
        let (start, end) = brackets.all()[member.pair as usize].range();
        Ok(Patch::cuts([
            (start, member.value as usize),
            (member.end as usize, end),
        ]))
    }

    fn rank(&self) -> u8 {
        5
    }
}
