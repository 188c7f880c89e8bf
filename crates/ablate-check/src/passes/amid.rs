//! What stands in the midst of many equal siblings.
//!
//! Where many have become equal, what can't be done to the first and the last of a run, by itself,
//! will hardly be possible in between: passes that would try it at each of them, and with each of its
//! neighbours, leave that out. Whether one of them can be simpler is tried at each all the same.

use std::rc::Rc;

use ablate_engine::target::Target;

use super::shape::Families;
use crate::choice::Choice;

/// So many siblings there have to be.
const MANY: usize = 8;

/// For each place whether it stands in a span that equals both the sibling before it and the one
/// behind it.
#[derive(Debug)]
pub(super) struct Amid(Vec<bool>);

impl Amid {
    /// What a target has of that; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Amid> {
        target.analysis(|target| {
            let elements = target.elements();
            let mut are_amid = vec![false; elements.len()];
            for family in Families::of(target).iter() {
                if family.members.len() < MANY {
                    continue;
                }
                let content = |member: (usize, usize)| &elements[member.0..member.1];
                let mut equals = 0;
                for pair in family.members.windows(2) {
                    if content(pair[0]) != content(pair[1]) {
                        equals = 0;
                        continue;
                    }
                    if equals > 0 {
                        are_amid[pair[0].0..pair[0].1].fill(true);
                    }
                    equals += 1;
                }
            }
            Amid(are_amid)
        })
    }

    /// Whether a place is in the midst of equal siblings.
    pub fn is_amid(&self, at: usize) -> bool {
        self.0[at]
    }
}
