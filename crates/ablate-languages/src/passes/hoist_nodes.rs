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

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::Members;
use crate::passes::sort_largest_last;
use crate::tree::{Node, Syntax, SyntaxTree};

/// How many of the nodes around it a node is tried in place of.
const PLACES_MAX: usize = 3;
/// How far out it is looked for such places.
const HEIGHT_MAX: usize = 24;
/// What takes off less than this share of the text is left for later.
const SMALLEST_SHARE: usize = 8192;
/// Languages in which it counts how far a line is indented.
const INDENTED: &[&str] = &["haskell", "python", "yaml"];

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
        let nodes = members.tree().nodes();
        let smallest = (target.len() / SMALLEST_SHARE).max(1);
        let mut hoists = Vec::new();
        add_hoists(members, &mut |outer, (first, last)| {
            let hoist = Hoist {
                outer: (nodes[outer].start, nodes[outer].end),
                inner: (nodes[first].start, nodes[last].end),
            };
            let is_large = hoist.removed() >= smallest;
            if is_large {
                hoists.push(hoist);
            }
            is_large
        });
        sort_largest_last(&mut hoists, |hoist| {
            (hoist.removed(), hoist.inner.0 as usize)
        });
        Hoists(hoists)
    }
}

/// Calls `add` with nodes, and the first and the last of siblings in each of them that can stand in
/// its place, up to some places for which `add` says that they are large enough.
pub(crate) fn add_hoists(members: &Members, add: &mut impl FnMut(usize, (usize, usize)) -> bool) {
    let tree = members.tree();
    for number in 1..tree.nodes().len() {
        let node = &tree.nodes()[number];
        if node.is_named && !node.is_empty() {
            add_places(tree, (number, number), add);
        }
    }
    for list in members.lists().iter().filter(|list| list.first < list.last) {
        let first = members.node_number(list.first as usize);
        let last = members.node_number(list.last as usize);
        add_places(tree, (first, last), add);
    }
}

/// Calls `add` with the places around the siblings `first..=last` where all of them can stand.
fn add_places(
    tree: &SyntaxTree,
    (first, last): (usize, usize),
    add: &mut impl FnMut(usize, (usize, usize)) -> bool,
) {
    let nodes = tree.nodes();
    let is_run = first != last;
    let siblings = is_run.then(|| tree.children(nodes[first].parent as usize));
    let run = siblings.into_iter().flatten();
    let mut members: Vec<usize> = run.filter(|at| (first..=last).contains(at)).collect();
    members.extend((!is_run).then_some(first));
    let mut places = 0;
    let mut outer = nodes[first].parent as usize;
    for _ in 0..HEIGHT_MAX {
        if outer == 0 || places == PLACES_MAX {
            return;
        }
        let place = &nodes[outer];
        // The name of a type is spelled as any name is, and needs no brackets before `::`.
        let takes_name = tree.kind(outer) == "bracketed_type";
        let is_name = |member: usize| takes_name && tree.kind(member) == "type_identifier";
        let fits = tree.slot(place).is_some_and(|slot| {
            let fits = |m: &Node| !m.is_named || m.is_extra || slot.kinds.has(m.kind);
            let mut members = members.iter();
            (slot.is_list || !is_run) && members.all(|&m| fits(&nodes[m]) || is_name(m))
        });
        if fits && add(outer, (first, last)) {
            places += 1;
        }
        outer = place.parent as usize;
    }
}

/// Adds what to cut so that the lines of `inner` are indented as the line at `outer` is.
fn add_dedents(text: &[u8], outer: usize, inner: Range<usize>, cuts: &mut Vec<(usize, usize)>) {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = |line: usize| text[line..].iter().take_while(is_blank).count();
    let line_of = |at: usize| {
        let before = text[..at].iter().rposition(|&byte| byte == b'\n');
        before.map_or(0, |before| before + 1)
    };
    let by = blanks(line_of(inner.start)).saturating_sub(blanks(line_of(outer)));
    let lines = inner.clone().filter(|&at| text[at] == b'\n');
    let lines = lines.map(|at| at + 1).filter(|&line| line < inner.end);
    cuts.extend(lines.map(|line| (line, (line + by.min(blanks(line))).min(inner.end))));
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
        let range = |(start, end): (u32, u32)| start as usize..end as usize;
        let (outer, inner) = (range(hoist.outer), range(hoist.inner));
        let mut cuts = vec![(outer.start, inner.start), (inner.end, outer.end)];
        if INDENTED.contains(&self.0.language().name) {
            add_dedents(target.elements(), outer.start, inner, &mut cuts);
        }
        Ok(Patch::cuts(cuts))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        8
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn the_name_of_a_type_comes_out_of_its_brackets() {
        let seen = reductions("hoist_nodes", "rust", "type A<T>=<T as B>::C;");
        assert!(seen.contains(&"type A<T>=T::C;".to_owned()), "{seen:?}");
    }

    #[test]
    fn what_comes_out_of_a_block_is_indented_less() {
        let seen = reductions(
            "hoist_nodes",
            "python",
            "if a:\n    b\n    if c:\n        d\n",
        );
        assert!(seen.contains(&"b\nif c:\n    d\n".to_owned()), "{seen:?}");
        assert!(seen.contains(&"d\n".to_owned()), "{seen:?}");
    }
}
