//! Choosers and choice trees: a reduction step as a sequence of choices, in an order that the
//! engine owns.
//!
//! After "Representing steps in test-case reduction" (D. R. MacIver, 2021). A pass asks its
//! [`Chooser`] a few times; each answer leads one node deeper into a rose tree that is built as it
//! is walked. A finished step kills its leaf; a node without a live child is dead; a dead root
//! means that every step there is has been taken.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::index_set::IndexSet;

/// The step cannot go on from here: nothing (any more) fits. Made by a [`Chooser`], or by a pass
/// that finds that its choices name no edit; either way the branch is never walked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadBranch;

/// The order in which steps are taken.
#[derive(Clone, Debug)]
pub enum Walk {
    /// Reverse lexicographic order, from near `from` (the choices of an earlier step) to the very
    /// first step, and then from the last step on down to `from`.
    Sweep {
        /// The choices to start from; empty to start with the last step.
        from: Vec<u32>,
    },
    /// Uniformly at random among what is live.
    Random,
}

/// Hardly any step makes more choices.
const DEPTH: usize = 4;

/// The tree of all choices that a pass has made for one target.
#[derive(Debug, Default)]
pub struct ChoiceTree {
    nodes: Vec<Node>,
    /// Those that are dead and have no parent any more: new ones take their places.
    free: Vec<u32>,
    /// Room for the nodes on the way of one step.
    way: Vec<u32>,
}

#[derive(Debug, Default)]
struct Node {
    /// How many children there are, dead ones included.
    count: u32,
    children: Children,
    dead: IndexSet,
}

impl Node {
    /// A choice is not live any more.
    fn kill(&mut self, choice: u32) {
        self.dead.insert(choice..choice + 1);
        self.children.remove(choice);
    }

    /// Becomes a node of which nothing was chosen yet.
    fn begin_anew(&mut self, count: u32) {
        self.count = count;
        self.children.clear();
        self.dead.clear();
    }

    fn live(&self) -> u32 {
        self.count - self.dead.len()
    }
}

/// More children are looked up in a tree.
const MANY_CHILDREN: usize = 256;

/// The choices of a node below which something is live, each with its node.
#[derive(Debug, Default)]
struct Children {
    /// In order. In a sweep there is hardly ever more than one.
    few: Vec<(u32, u32)>,
    /// All of them, instead, once there were many: random steps can leave one for each choice.
    many: BTreeMap<u32, u32>,
}

impl Children {
    /// The node of a choice; `next` becomes that when it has none.
    fn node(&mut self, choice: u32, next: u32) -> u32 {
        if !self.many.is_empty() {
            return *self.many.entry(choice).or_insert(next);
        }
        match self.place(choice) {
            Ok(place) => return self.few[place].1,
            Err(place) => self.few.insert(place, (choice, next)),
        }
        if self.few.len() > MANY_CHILDREN {
            self.many.extend(self.few.drain(..));
        }
        next
    }

    fn remove(&mut self, choice: u32) {
        if !self.many.is_empty() {
            self.many.remove(&choice);
        } else if let Ok(place) = self.place(choice) {
            self.few.remove(place);
        }
    }

    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    fn place(&self, choice: u32) -> Result<usize, usize> {
        self.few.binary_search_by_key(&choice, |child| child.0)
    }
}

impl ChoiceTree {
    /// A tree in which nothing has been chosen yet.
    pub fn new() -> ChoiceTree {
        ChoiceTree::default()
    }

    /// Whether every step has been taken. Unknown, and so `false`, before the first.
    pub fn is_exhausted(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.live() == 0)
    }

    /// Runs one step: `step` makes its choices, and the leaf that it reaches is dead from then on.
    /// Gives the choices made with the step's result, or `None` when the tree is exhausted.
    pub fn step<T>(
        &mut self,
        walk: &Walk,
        random: &mut Xoshiro256PlusPlus,
        step: impl FnOnce(&mut Chooser<'_>) -> Result<T, DeadBranch>,
    ) -> Option<(Vec<u32>, Result<T, DeadBranch>)> {
        if self.is_exhausted() {
            return None;
        }
        let mut way = core::mem::take(&mut self.way);
        way.clear();
        let mut chooser = Chooser {
            tree: self,
            walk,
            random,
            path: Vec::with_capacity(DEPTH),
            nodes: way,
            is_on_course: true,
        };
        let result = step(&mut chooser);
        let (path, nodes) = (chooser.path, chooser.nodes);
        self.finish(&path, &nodes);
        self.way = nodes;
        Some((path, result))
    }

    /// Marks the leaf at the end of `path` as dead, and its ancestors where that was their last
    /// live child. `nodes` are the nodes on the way, the root first; there is one more of them
    /// than choices when the last node had nothing live to choose.
    fn finish(&mut self, path: &[u32], nodes: &[u32]) {
        if nodes.is_empty() {
            // The step asked nothing: it is the only one.
            self.nodes.clear();
            self.nodes.push(Node::default());
            return;
        }
        for depth in (0..path.len()).rev() {
            let child_is_dead = nodes
                .get(depth + 1)
                .is_none_or(|&n| self.nodes[n as usize].live() == 0);
            if !child_is_dead {
                break;
            }
            self.nodes[nodes[depth] as usize].kill(path[depth]);
            self.free.extend(nodes.get(depth + 1));
        }
    }
}

/// A source of choices for a step.
#[derive(Debug)]
pub struct Chooser<'a> {
    tree: &'a mut ChoiceTree,
    walk: &'a Walk,
    random: &'a mut Xoshiro256PlusPlus,
    path: Vec<u32>,
    nodes: Vec<u32>,
    /// Whether all choices so far are those that the sweep starts from.
    is_on_course: bool,
}

impl Chooser<'_> {
    /// A value of `values` that has not been exhausted here and for which `condition` holds.
    /// Sweeps try the last value first: to have simple things tried first, put them last, or use
    /// [`Chooser::prefer`].
    ///
    /// # Errors
    /// [`DeadBranch`], to be passed on, when there is none (any more).
    pub fn choose(
        &mut self,
        values: Range<usize>,
        mut condition: impl FnMut(usize) -> bool,
    ) -> Result<usize, DeadBranch> {
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let node = self.enter(count);
        loop {
            let (floor, first) = self.pick(node).ok_or(DeadBranch)?;
            let dead = &mut self.tree.nodes[node as usize].dead;
            // By hand, so that the condition becomes part of the loop: mostly it is all there is to do.
            let mut rest = first + 1;
            let mut fits = false;
            while rest > floor && !fits {
                rest -= 1;
                fits = condition(values.start + rest as usize);
            }
            dead.insert(rest + u32::from(fits)..first + 1);
            if !fits {
                continue;
            }
            let picked = rest;
            let on_course = self.is_on_course
                && matches!(self.walk, Walk::Sweep { from } if from.get(self.path.len()) == Some(&picked));
            self.is_on_course = on_course;
            self.path.push(picked);
            return Ok(values.start + picked as usize);
        }
    }

    /// Any value of `values`.
    ///
    /// # Errors
    /// [`DeadBranch`], to be passed on, when none is left.
    pub fn any(&mut self, values: Range<usize>) -> Result<usize, DeadBranch> {
        self.choose(values, |_| true)
    }

    /// One of the `count` first numbers; sweeps try 0 first, then 1, and so on.
    ///
    /// # Errors
    /// [`DeadBranch`], to be passed on, when none is left.
    pub fn prefer(&mut self, count: usize) -> Result<usize, DeadBranch> {
        let chosen = self.any(0..count)?;
        Ok(count - 1 - chosen)
    }

    /// The node that the choices so far lead to, made with `count` children when it is new.
    fn enter(&mut self, count: u32) -> u32 {
        let tree = &mut *self.tree;
        let free = tree.free.last().copied();
        let next = free.unwrap_or(tree.nodes.len() as u32);
        let id = match (self.nodes.last(), self.path.last()) {
            (Some(&parent), Some(&choice)) => {
                tree.nodes[parent as usize].children.node(choice, next)
            }
            _ => 0,
        };
        if id == next {
            match tree.free.pop() {
                Some(free) => tree.nodes[free as usize].begin_anew(count),
                None => tree.nodes.push(Node {
                    count,
                    ..Node::default()
                }),
            }
        }
        self.nodes.push(id);
        id
    }

    /// What is to be chosen, and the first of those below it that a sweep would choose next: where
    /// none of them fits they are marked dead all at once.
    fn pick(&mut self, node: u32) -> Option<(u32, u32)> {
        let node = &self.tree.nodes[node as usize];
        if node.live() == 0 {
            return None;
        }
        let last = node.count - 1;
        match self.walk {
            Walk::Sweep { from } => {
                let start = match from.get(self.path.len()) {
                    Some(&start) if self.is_on_course => start.min(last),
                    _ => last,
                };
                node.dead
                    .absent_at_or_below(start)
                    .or_else(|| node.dead.absent_at_or_below(last))
            }
            Walk::Random => {
                let nth = (self.random.next_u64() % u64::from(node.live())) as u32;
                node.dead.nth_absent(nth).map(|only| (only, only))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;
    use std::vec::Vec;

    fn random() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(0)
    }

    /// Pairs `(i, j)` with `i < j < 4`, as the document's `put_in_order` chooses them.
    fn pair(chooser: &mut Chooser<'_>) -> Result<(usize, usize), DeadBranch> {
        let i = chooser.any(0..4)?;
        let j = chooser.choose(0..4, |j| j > i)?;
        Ok((i, j))
    }

    fn walked(walk: &Walk) -> Vec<(usize, usize)> {
        let (mut tree, mut random, mut seen) = (ChoiceTree::new(), random(), Vec::new());
        while let Some((_, result)) = tree.step(walk, &mut random, pair) {
            seen.extend(result.ok());
        }
        assert!(tree.is_exhausted());
        seen
    }

    #[test]
    fn a_sweep_is_reverse_lexicographic() {
        let expected = vec![(2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1)];
        assert_eq!(walked(&Walk::Sweep { from: vec![] }), expected);
    }

    #[test]
    fn a_sweep_starts_near_where_it_is_told_and_wraps() {
        let expected = vec![(1, 2), (1, 3), (0, 3), (0, 2), (0, 1), (2, 3)];
        assert_eq!(walked(&Walk::Sweep { from: vec![1, 2] }), expected);
        // Beyond the end of what there is, it starts with the last step.
        assert_eq!(walked(&Walk::Sweep { from: vec![9] })[0], (2, 3));
    }

    #[test]
    fn a_random_walk_takes_every_step_once() {
        let mut seen = walked(&Walk::Random);
        assert_ne!(seen, walked(&Walk::Sweep { from: vec![] }));
        seen.sort_unstable();
        assert_eq!(seen, vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn a_random_walk_takes_every_one_of_many_steps_once() {
        let count = 4 * MANY_CHILDREN;
        let (mut tree, mut random, mut seen) = (ChoiceTree::new(), random(), Vec::new());
        while let Some((_, step)) = tree.step(&Walk::Random, &mut random, |chooser| {
            Ok((chooser.any(0..count)?, chooser.prefer(3)?))
        }) {
            seen.extend(step);
        }
        seen.sort_unstable();
        let all = (0..count).flat_map(|first| (0..3).map(move |second| (first, second)));
        assert!(seen.into_iter().eq(all));
    }

    #[test]
    fn a_dead_branch_is_walked_once() {
        let (mut tree, mut random, mut steps) = (ChoiceTree::new(), random(), 0);
        let walk = Walk::Sweep { from: vec![] };
        while let Some((_, result)) = tree.step(&walk, &mut random, |chooser| {
            let i = chooser.any(0..3)?;
            if i == 1 {
                Err(DeadBranch)
            } else {
                chooser.any(0..0)
            }
        }) {
            assert_eq!(result, Err(DeadBranch));
            steps += 1;
        }
        assert_eq!(steps, 3);
    }

    #[test]
    fn a_step_without_choices_is_taken_once() {
        let (mut tree, mut random) = (ChoiceTree::new(), random());
        assert_eq!(
            tree.step(&Walk::Random, &mut random, |_| Ok(())),
            Some((vec![], Ok(())))
        );
        assert_eq!(tree.step(&Walk::Random, &mut random, |_| Ok(())), None);
    }

    #[test]
    fn what_is_preferred_is_tried_first() {
        let (mut tree, mut random, mut seen) = (ChoiceTree::new(), random(), Vec::new());
        let walk = Walk::Sweep { from: vec![] };
        while let Some((_, result)) = tree.step(&walk, &mut random, |chooser| chooser.prefer(3)) {
            seen.extend(result);
        }
        assert_eq!(seen, vec![0, 1, 2]);
    }
}
