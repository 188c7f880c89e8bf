//! Replaces a node by something in it that fits in its place.
//!
//! `if (a) b;` becomes `b;`, `f(a) + 1` becomes `f(a)`, a namespace becomes what is in it: the
//! grammar says what fits where, as in C. Sun et al., "Perses: Syntax-Guided Program Reduction"
//! (2018).
//!
//! Costs up to three tests for each node, as it fits in the place of the nodes around it; where it
//! takes most off first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("hoist_nodes", "c", "int f() { if (a) b(); }");
//! assert!(seen.contains(&"int f() { b(); }".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::passes::sort_largest_last;
use crate::tree::{Syntax, SyntaxTree};

/// How many of the nodes around it a node is tried in place of.
const PLACES_MAX: usize = 3;
/// How far out it is looked for such places.
const HEIGHT_MAX: usize = 24;
/// What takes off less than this share of the text is left for later.
const SMALLEST_SHARE: usize = 8192;

/// Replaces a node by something in it; see the module.
#[derive(Clone, Debug)]
pub struct HoistNodes(pub Rc<Syntax>);

/// What becomes what.
#[derive(Clone, Copy, Debug)]
struct Hoist {
    outer: (u32, u32),
    inner: (u32, u32),
}

impl Hoist {
    fn removed(&self) -> usize {
        let len = |(start, end): (u32, u32)| (end - start) as usize;
        len(self.outer) - len(self.inner)
    }
}

/// All that can be done, what takes most off last.
struct Hoists(Vec<Hoist>);

impl Hoists {
    fn of(target: &Target<u8>, members: &Members) -> Hoists {
        let tree = members.tree();
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut hoists = Vec::new();
        for number in 1..tree.nodes().len() {
            let node = &tree.nodes()[number];
            if node.is_named && !node.is_empty() {
                add(tree, (number, number), smallest, &mut hoists);
            }
        }
        for list in members.lists().iter().filter(|list| list.first < list.last) {
            let first = members.node_number(list.first as usize);
            let last = members.node_number(list.last as usize);
            add(tree, (first, last), smallest, &mut hoists);
        }
        sort_largest_last(&mut hoists, |hoist| {
            (hoist.removed(), hoist.inner.0 as usize)
        });
        Hoists(hoists)
    }
}

/// Adds the places around the siblings `first..=last` where all of them can stand.
fn add(tree: &SyntaxTree, (first, last): (usize, usize), smallest: usize, hoists: &mut Vec<Hoist>) {
    let nodes = tree.nodes();
    let inner = (nodes[first].start, nodes[last].end);
    let is_run = first != last;
    let mut places = 0;
    let mut outer = nodes[first].parent as usize;
    for _ in 0..HEIGHT_MAX {
        if outer == 0 || places == PLACES_MAX {
            return;
        }
        let place = &nodes[outer];
        let fits = tree.slot(place).is_some_and(|slot| {
            let mut members = tree.children(nodes[first].parent as usize);
            let members = members
                .by_ref()
                .filter(|member| (first..=last).contains(member));
            let mut members = members.map(|member| &nodes[member]).filter(|m| m.is_named);
            (slot.is_list || !is_run) && members.all(|m| m.is_extra || slot.kinds.has(m.kind))
        });
        let hoist = Hoist {
            outer: (place.start, place.end),
            inner,
        };
        if fits && hoist.removed() >= smallest {
            hoists.push(hoist);
            places += 1;
        }
        outer = place.parent as usize;
    }
}

impl Pass<u8> for HoistNodes {
    fn name(&self) -> &'static str {
        "hoist_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let hoists = target.analysis(|target| Hoists::of(target, &members));
        let hoist = hoists.0[chooser.any(0..hoists.0.len())?];
        let cuts = [
            (hoist.outer.0, hoist.inner.0),
            (hoist.inner.1, hoist.outer.1),
        ];
        Ok(Patch::cuts(
            cuts.map(|(start, end)| (start as usize, end as usize)),
        ))
    }

    fn rank(&self) -> u8 {
        8
    }
}
