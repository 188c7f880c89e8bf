//! Puts another name in the place of that of a member of data, and deletes the member.
//!
//! What leads from one member to another can often be left out: where `x` names `A`, and `A` only leads to
//! `B`, `x` can name `B`. And what is needed only so that something is named can be what names it:
//! `{"A":{"is":"B"},"B":{},"x":"A"}` becomes `{"B":{},"x":"B"}`, or `{"A":{"is":"A"},"x":"A"}`.
//!
//! Costs one test for each pair of such members of which one names the other, in both directions.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = r#"{"s":{"A":{"is":"B"},"B":{"is":"C"},"C":{}},"x":"A"}"#;
//! let seen = reductions("bypass_members", "json", text);
//! assert!(seen.contains(&r#"{"s":{"B":{"is":"C"},"C":{}},"x":"B"}"#.to_owned()));
//! assert!(seen.contains(&r#"{"s":{"A":{"is":"B"},"B":{"is":"B"}},"x":"A"}"#.to_owned()));
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::keyed::name_range;
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::Syntax;

/// More pairs than this are not looked at: most of such data can go in other ways.
const PAIRS_MAX: usize = 2000;

/// Bypasses members of data; see the module.
#[derive(Clone, Debug)]
pub struct BypassMembers(pub Rc<Syntax>);

/// The pairs of members, by their indices among the declarations, of which the first names the second.
fn pairs(members: &Members, names: &Names) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for (index, &(node, own)) in names.declarations.iter().enumerate() {
        let inside = names.range_within(members.tree(), node as usize);
        let named = names.occurrences[inside].iter().map(|it| it.name);
        let named: BTreeSet<u32> = named.filter(|&name| name != own).collect();
        for name in named {
            let mut declared = names.declarations.iter();
            pairs.extend(declared.position(|it| it.1 == name).map(|at| (index, at)));
        }
        if pairs.len() > PAIRS_MAX {
            return BTreeSet::new();
        }
    }
    pairs
}

/// Deletes the member `gone`, and names `instead` where that was named.
fn bypass(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    names: &Names,
    (gone, instead): (usize, usize),
) -> Option<Patch<u8>> {
    let nodes = members.tree().nodes();
    let name_at = |place: &u32| {
        let leaf = names.occurrences[*place as usize].node;
        name_range(text, nodes[leaf as usize].range())
    };
    let (node, name) = names.declarations[gone];
    let (_, other) = names.declarations[instead];
    let spelling = &text[name_at(names.by_name[other as usize].first()?)];
    let whole = nodes[node as usize].range();
    let places = names.by_name[name as usize].iter().map(name_at);
    let outside = places.filter(|place| !whole.contains(&place.start));
    let edits = outside.map(|place| Edit {
        start: place.start,
        end: place.end,
        insert: Some(spelling.into()),
    });
    let renamed = Patch::edits_of(edits).ok()?;
    let member = member_of[node as usize];
    let is_member = member != u32::MAX;
    let cut = is_member.then(|| members.cut(member as usize, member as usize))?;
    renamed.combined(&Patch::cuts([cut])).ok()
}

impl Finds for BypassMembers {
    const NAME: &'static str = "bypass_members";
    const RANK: u8 = 8;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let names = Names::of(target, &self.0);
        if names.collections.is_empty() {
            return Vec::new();
        }
        let members = Members::of(target, &self.0);
        let member_of = members.by_node();
        let pairs = pairs(&members, &names).into_iter();
        let both = pairs.flat_map(|(one, other)| [(one, other), (other, one)]);
        let text = target.elements();
        let patches = both.filter_map(|pair| bypass(text, &members, &member_of, &names, pair));
        patches.collect()
    }
}
