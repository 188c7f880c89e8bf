//! Puts the simplest member of a list in the place of all others, or of half of them, or a quarter.
//!
//! Where it only matters how many there are, `f(aa, b + c, d, e(1))` becomes `f(d, d, d, d)` in one
//! test. That is for what can't be deleted, so it comes after the deletions. A whole declaration is
//! put in no other place, as two of a name are an error nearly everywhere.
//!
//! Costs one test for each list of four members and more, and some for the halves of long ones; what
//! takes most off first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("substitute_members", "c", "enum e { aa, bb, c, dd };");
//! assert_eq!(seen, ["enum e { c, c, c, c };"]);
//! ```

use std::rc::Rc;

use ablate_engine::insert::Insert;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::passes::{Finds, add_runs};
use crate::tree::Syntax;

/// The smallest number of members that are replaced together.
const FEWEST: usize = 3;
/// Longer members replace no others.
const LONGEST: usize = 256;
/// Runs that save less than this share of the text are left to `substitute_nodes`.
const SMALLEST_SHARE: usize = 1024;

/// Replaces members of a list by the simplest one; see the module.
#[derive(Clone, Debug)]
pub struct SubstituteMembers(pub Rc<Syntax>);

impl Finds for SubstituteMembers {
    const NAME: &'static str = "substitute_members";
    const RANK: u8 = 6;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut found = Vec::new();
        for list in members.lists() {
            let (first, last) = (list.first as usize, list.last as usize);
            if last - first < FEWEST {
                continue;
            }
            let text = |member| &target.elements()[members.node(member).range()];
            let simplest = (first..=last).min_by_key(|&member| (text(member).len(), text(member)));
            // A declaration that stands there twice is an error nearly everywhere.
            let is_declaration = |&member: &usize| {
                let number = members.node_number(member);
                let has_parts = members.node(member).next as usize > number + 2;
                has_parts && !names.declared_by(members.tree(), number).is_empty()
            };
            let simplest = simplest.filter(|it| !is_declaration(it)).map(text);
            let Some(simplest) = simplest.filter(|text| text.len() <= LONGEST) else {
                continue;
            };
            let insert = Insert::from(simplest);
            add_runs(first, last, &mut |first, last| {
                let longer = (first..=last).filter(|&member| text(member).len() > simplest.len());
                let edits: Vec<Edit<u8>> = longer
                    .map(|member| Edit {
                        start: members.node(member).start as usize,
                        end: members.node(member).end as usize,
                        insert: Some(insert.clone()),
                    })
                    .collect();
                let saved: usize = edits
                    .iter()
                    .map(|edit| edit.end - edit.start - simplest.len())
                    .sum();
                let is_large = edits.len() >= FEWEST && saved >= smallest;
                if is_large {
                    found.extend(Patch::edits_of(edits));
                }
                is_large
            });
        }
        found
    }
}
