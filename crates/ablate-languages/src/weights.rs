//! How much goes with each node of a syntax tree: its own bytes, and those of what is there only for
//! the names in it. What is used in several places goes with the innermost node around them.

use std::rc::Rc;

use ablate_engine::target::Target;

use crate::items::{NONE, Trigger};
use crate::members::Members;
use crate::names::Names;
use crate::needs::{Kept, Needs, Without};
use crate::retained::{Retained, retained};
use crate::tree::{Syntax, SyntaxTree};

/// What is kept of a text, and how much of that goes with each of its nodes.
#[derive(Debug)]
pub(crate) struct Weights {
    /// What is there for something.
    pub kept: Kept,
    /// What goes with what.
    pub retained: Retained,
    /// How much goes with the nodes before each one.
    sums: Vec<u64>,
    /// How many items that are wanted by their names begin before each node.
    wanted: Vec<u32>,
}

impl Weights {
    /// The weights in the syntax tree of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Weights> {
        let needs = Needs::of(target, syntax);
        let names = Names::of(target, syntax);
        let members = Members::of(target, syntax);
        target.analysis(|_| Weights::new(&needs, &names, members.tree()))
    }

    fn new(needs: &Needs, names: &Names, tree: &SyntaxTree) -> Weights {
        let kept = needs.left(&Without::default());
        let retained = retained(needs, &kept);
        let mut placing = Placing {
            needs,
            names,
            tree,
            retained: &retained,
            places: vec![NONE; retained.sizes.len()],
        };
        let mut sums = vec![0; tree.nodes().len() + 1];
        for &number in &kept.order {
            if let Some(place) = placing.place(number) {
                placing.places[number as usize] = place as u32;
                sums[place + 1] += retained.sizes[number as usize];
            }
        }
        for node in 1..sums.len() {
            sums[node] += sums[node - 1];
        }
        let mut wanted = vec![0; sums.len()];
        let items = needs.items.items.iter().zip(&kept.is_kept);
        for (item, _) in
            items.filter(|(item, is_kept)| **is_kept && item.trigger != Trigger::Always)
        {
            wanted[item.node as usize + 1] = 1;
        }
        for node in 1..wanted.len() {
            wanted[node] += wanted[node - 1];
        }
        Weights {
            kept,
            retained,
            sums,
            wanted,
        }
    }

    /// How many bytes go when the siblings `first..=last` go.
    pub fn weight(&self, tree: &SyntaxTree, first: usize, last: usize) -> u64 {
        let (first_node, last_node) = (&tree.nodes()[first], &tree.nodes()[last]);
        let own = u64::from(last_node.end - first_node.start);
        own + self.sums[last_node.next as usize] - self.sums[first]
    }

    /// Whether something wanted by its name is in a node, but not in these siblings in it, from the
    /// first to the last.
    pub fn has_wanted(&self, tree: &SyntaxTree, node: usize, but: Option<(usize, usize)>) -> bool {
        let count = |first: usize, last: usize| {
            self.wanted[tree.nodes()[last].next as usize] - self.wanted[first]
        };
        count(node, node) > but.map_or(0, |(first, last)| count(first, last))
    }
}

/// Finds the nodes that things go with.
struct Placing<'a> {
    needs: &'a Needs,
    names: &'a Names,
    tree: &'a SyntaxTree,
    retained: &'a Retained,
    /// For each item, and then each name, its node, if it was found.
    places: Vec<u32>,
}

impl Placing<'_> {
    /// The innermost node that something, an item or a name, goes with; none where it goes with more
    /// than one item, or with something that goes with a node itself.
    fn place(&self, number: u32) -> Option<usize> {
        let items = &self.needs.items.items;
        let around = self.retained.dominators[number as usize];
        let item = items.get(around as usize)?;
        let (start, end) = (item.node, self.tree.nodes()[item.node as usize].next);
        let is_inside = |node: u32| (start..end).contains(&node);
        if items
            .get(number as usize)
            .is_some_and(|item| is_inside(item.node))
        {
            return None;
        }
        let mut place: Option<usize> = None;
        for &cause in &self.retained.causes[number as usize] {
            let found = self.place_of_cause(number, cause, around);
            let found = found.filter(|&found| is_inside(found as u32));
            let found = found.unwrap_or(item.node as usize);
            place = Some(place.map_or(found, |place| common(self.tree, place, found)));
        }
        place
    }

    /// Where in the item `around` something is used by one of what it is there for.
    fn place_of_cause(&self, number: u32, mut cause: u32, around: u32) -> Option<usize> {
        while cause != around {
            let next = self.retained.dominators[cause as usize];
            if next == around {
                let item = self.needs.items.items.get(cause as usize);
                let place = item.map_or(self.places[cause as usize], |item| item.node);
                return (place != NONE).then_some(place as usize);
            }
            if next == NONE {
                return None;
            }
            cause = next;
        }
        let name = number.checked_sub(self.needs.items.items.len() as u32)?;
        let places = self.names.by_name[name as usize].iter();
        let places = places.filter(|&&at| self.needs.items.around[at as usize] == around);
        let nodes = places.map(|&at| self.names.occurrences[at as usize].node as usize);
        nodes.reduce(|a, b| common(self.tree, a, b))
    }
}

/// The innermost node around both.
fn common(tree: &SyntaxTree, a: usize, b: usize) -> usize {
    let (mut around, other) = (a.min(b), a.max(b));
    while tree.nodes()[around].next as usize <= other {
        around = tree.nodes()[around].parent as usize;
    }
    around
}
