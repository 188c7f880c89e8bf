//! The tree of all choice sequences seen: what is known of a candidate without running it.
//!
//! A radix tree: a node holds a run of choices that nothing ever departed from, shared with the
//! sequence that it was read in where most of that is new. After "Test-Case
//! Reduction via Test-Case Generation" (MacIver and Donaldson, 2020), where it is Hypothesis'
//! `DataTree`. Replaying a candidate in the tree repairs it as a run would; where the tree ends
//! first, nothing is known; where the candidate ends first, a run would overrun.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use crate::choice::{Choice, Constraint, Value};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion<C> {
    /// The property came to a result.
    Done(C),
    /// One more choice was wanted, of this kind.
    Overran(Constraint),
}

/// What is known of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction<C> {
    /// Nothing: it has to be run.
    Unknown,
    /// A run would read more than the candidate holds.
    Overrun,
    /// A run would read these choices and come to this result.
    Known(Vec<Choice>, C),
}

/// What is known of a candidate, without what a run would read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walked<'a, C> {
    /// Nothing: it has to be run.
    Unknown,
    /// A run would read more than the candidate holds.
    Overrun,
    /// A run would come to this result.
    Known(&'a C),
}

/// Two runs of the same choices read on differently, or came to different results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inconsistent;

/// The choice sequences seen, with how each ended.
#[derive(Clone, Debug)]
pub struct ChoiceDataTree<C> {
    nodes: Vec<Node<C>>,
    /// The nodes on the way of the sequence that is followed, each with how many choices stand
    /// before it.
    route: Vec<(usize, u32)>,
    /// How many choices of that sequence are on the route.
    followed: usize,
    stored: usize,
    limit: usize,
}

#[derive(Clone, Debug)]
struct Node<C> {
    run: Run,
    end: End<C>,
}

/// A part of a sequence that may be shared with others.
#[derive(Clone, Debug, Default)]
struct Run {
    sequence: Arc<Vec<Choice>>,
    start: usize,
    end: usize,
}

impl Run {
    /// The part from `start` on.
    fn of(sequence: &Arc<Vec<Choice>>, start: usize) -> Run {
        Run {
            sequence: Arc::clone(sequence),
            start,
            end: sequence.len(),
        }
    }

    /// Takes away what stands at `at` and behind it.
    fn split_off(&mut self, at: usize) -> Run {
        let start = self.start + at;
        let end = std::mem::replace(&mut self.end, start);
        Run {
            sequence: Arc::clone(&self.sequence),
            start,
            end,
        }
    }
}

impl Deref for Run {
    type Target = [Choice];

    fn deref(&self) -> &[Choice] {
        &self.sequence[self.start..self.end]
    }
}

#[derive(Clone, Debug)]
enum End<C> {
    Unknown,
    Wants(Constraint),
    Branch(Constraint, BTreeMap<Value, u32>),
    Done(C),
}

impl<C: Clone + PartialEq> ChoiceDataTree<C> {
    /// An empty tree that holds at most `limit` choices: with more it starts afresh, which costs
    /// runs but never a result.
    pub fn new(limit: usize) -> ChoiceDataTree<C> {
        let root = Node {
            run: Run::default(),
            end: End::Unknown,
        };
        ChoiceDataTree {
            nodes: vec![root],
            route: Vec::new(),
            followed: 0,
            stored: 0,
            limit,
        }
    }

    /// How many choices the tree holds.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Remembers a run.
    ///
    /// # Errors
    /// When it contradicts an earlier one; the tree keeps the earlier.
    pub fn insert(
        &mut self,
        choices: &[Choice],
        conclusion: Conclusion<C>,
    ) -> Result<(), Inconsistent> {
        self.insert_some(choices, conclusion, 0, usize::MAX)
    }

    /// Remembers a run whose first `same` choices are those of the sequence that is followed, but
    /// no more than `most` choices from where it parts from all others on.
    ///
    /// # Errors
    /// See [`ChoiceDataTree::insert`].
    pub fn insert_some(
        &mut self,
        choices: &[Choice],
        conclusion: Conclusion<C>,
        same: usize,
        most: usize,
    ) -> Result<(), Inconsistent> {
        self.insert_by(choices, conclusion, same, most, |rest| {
            Run::of(&Arc::new(rest.to_vec()), 0)
        })
    }

    /// Remembers a run whose first `same` choices are those of the sequence that is followed. The
    /// tree may share its choices.
    ///
    /// # Errors
    /// See [`ChoiceDataTree::insert`].
    pub fn insert_shared(
        &mut self,
        choices: &Arc<Vec<Choice>>,
        conclusion: Conclusion<C>,
        same: usize,
    ) -> Result<(), Inconsistent> {
        self.insert_by(choices, conclusion, same, usize::MAX, |rest| {
            // No more is kept alive than twice what is wanted of it.
            match rest.len() >= choices.len() / 2 {
                true => Run::of(choices, choices.len() - rest.len()),
                false => Run::of(&Arc::new(rest.to_vec()), 0),
            }
        })
    }

    fn insert_by(
        &mut self,
        choices: &[Choice],
        conclusion: Conclusion<C>,
        same: usize,
        most: usize,
        run: impl FnOnce(&[Choice]) -> Run,
    ) -> Result<(), Inconsistent> {
        if choices.len() < same {
            return Err(Inconsistent);
        }
        if self.stored + choices.len() > self.limit {
            *self = ChoiceDataTree::new(self.limit);
        }
        let (start, mut node, mut at) = self.entered(same);
        for (depth, choice) in choices.iter().enumerate().skip(start + at) {
            if let Some(known) = self.nodes[node].run.get(at) {
                if !known.has_constraint_of(choice) {
                    return Err(Inconsistent);
                }
                if known.has_value_of(choice) {
                    at += 1;
                    continue;
                }
                self.split(node, at, depth);
            }
            match &mut self.nodes[node].end {
                End::Done(_) => return Err(Inconsistent),
                End::Wants(wanted) if *wanted != choice.constraint() => return Err(Inconsistent),
                End::Unknown | End::Wants(_) => {
                    let branch = End::Branch(choice.constraint(), BTreeMap::new());
                    self.nodes[node].end = branch;
                }
                End::Branch(constraint, _) if *constraint != choice.constraint() => {
                    return Err(Inconsistent);
                }
                End::Branch(..) => {}
            }
            let next = self.nodes.len() as u32;
            let End::Branch(_, children) = &mut self.nodes[node].end else {
                return Err(Inconsistent);
            };
            if let Some(&child) = children.get(&choice.value()) {
                (node, at) = (child as usize, 0);
                continue;
            }
            children.insert(choice.value(), next);
            let rest = &choices[depth + 1..];
            let kept = &rest[..rest.len().min(most)];
            self.stored += 1 + kept.len();
            self.nodes.push(Node {
                run: run(kept),
                end: End::Unknown,
            });
            if kept.len() < rest.len() {
                return Ok(());
            }
            return self.conclude(next as usize, conclusion);
        }
        match (self.nodes[node].run.get(at), &conclusion) {
            (None, _) => self.conclude(node, conclusion),
            (Some(next), Conclusion::Overran(wanted)) if next.constraint() == *wanted => Ok(()),
            (Some(_), _) => Err(Inconsistent),
        }
    }

    /// What a run of the values of these choices would come to.
    pub fn predict<'a>(&self, choices: impl IntoIterator<Item = &'a Choice>) -> Prediction<C> {
        let mut read = Vec::new();
        match self.walk((0, 0), choices, |choice| read.push(choice.clone())) {
            Walked::Unknown => Prediction::Unknown,
            Walked::Overrun => Prediction::Overrun,
            Walked::Known(conclusion) => Prediction::Known(read, conclusion.clone()),
        }
    }

    /// What a run of the values of these choices would come to, without what it would read. The first
    /// `same` of them are those of the sequence that is followed.
    pub fn conclusion<'a>(
        &self,
        choices: impl IntoIterator<Item = &'a Choice>,
        same: usize,
    ) -> Walked<'_, C> {
        let (start, node, at) = self.entered(same);
        let rest = choices.into_iter().skip(start + at);
        self.walk((node, at), rest, |_| ())
    }

    /// Follows a sequence from now on: of others that begin as it does, so much need not be
    /// looked at any more. Its first `same` choices are those of the sequence that was followed.
    pub fn follow(&mut self, choices: &[Choice], same: usize) {
        let (start, mut node, mut at) = self.entered(same);
        let behind = (self.route).partition_point(|(before, _)| *before <= start);
        self.route.truncate(behind);
        if self.route.is_empty() {
            self.route.push((0, 0));
        }
        self.followed = start + at;
        loop {
            let Node { run, end } = &self.nodes[node];
            let rest = &choices[self.followed..];
            let pairs = run[at..].iter().zip(rest);
            let known = pairs.take_while(|(known, choice)| known.has_value_of(choice));
            let known = known.count();
            self.followed += known;
            let (End::Branch(_, children), Some(choice)) = (end, rest.get(known)) else {
                return;
            };
            let Some(&child) = (children.get(&choice.value())).filter(|_| at + known == run.len())
            else {
                return;
            };
            (node, at) = (child as usize, 0);
            self.followed += 1;
            self.route.push((self.followed, child));
        }
    }

    /// The last place on the route with no more than `same` choices before it: how many stand
    /// before its node, the node, and how many of that are before the place.
    fn entered(&self, same: usize) -> (usize, usize, usize) {
        let same = same.min(self.followed);
        let behind = self.route.partition_point(|(start, _)| *start <= same);
        match self.route[..behind].last() {
            Some(&(start, node)) => (start, node as usize, same - start),
            None => (0, 0, 0),
        }
    }

    fn walk<'a>(
        &self,
        (mut node, mut at): (usize, usize),
        choices: impl IntoIterator<Item = &'a Choice>,
        mut read: impl FnMut(&Choice),
    ) -> Walked<'_, C> {
        let mut choices = choices.into_iter();
        loop {
            for known in &self.nodes[node].run[std::mem::take(&mut at)..] {
                let Some(choice) = choices.next() else {
                    return Walked::Overrun;
                };
                let is_repaired = || known.constraint().repaired(&choice.value()) == known.value();
                if !known.has_value_of(choice) && !is_repaired() {
                    return Walked::Unknown;
                }
                read(known);
            }
            match &self.nodes[node].end {
                End::Unknown => return Walked::Unknown,
                End::Done(conclusion) => return Walked::Known(conclusion),
                End::Wants(_) => {
                    return match choices.next() {
                        Some(_) => Walked::Unknown,
                        None => Walked::Overrun,
                    };
                }
                End::Branch(constraint, children) => {
                    let Some(choice) = choices.next() else {
                        return Walked::Overrun;
                    };
                    let value = constraint.repaired(&choice.value());
                    let Some(&child) = children.get(&value) else {
                        return Walked::Unknown;
                    };
                    read(&Choice::new(value, constraint.clone()));
                    node = child as usize;
                }
            }
        }
    }

    /// Makes the choice at `at` of a node's run, which has `depth` choices before it, a branch.
    fn split(&mut self, node: usize, at: usize, depth: usize) {
        let child = self.nodes.len() as u32;
        let rest = self.nodes[node].run.split_off(at + 1);
        let Some(choice) = self.nodes[node].run.split_off(at).first().cloned() else {
            return;
        };
        let children = BTreeMap::from([(choice.value(), child)]);
        let branch = End::Branch(choice.constraint(), children);
        let end = std::mem::replace(&mut self.nodes[node].end, branch);
        self.nodes.push(Node { run: rest, end });
        let on_route = self.route.binary_search(&(depth - at, node as u32));
        if let Ok(place) = on_route
            && depth < self.followed
        {
            self.route.insert(place + 1, (depth + 1, child));
        }
    }

    fn conclude(&mut self, node: usize, conclusion: Conclusion<C>) -> Result<(), Inconsistent> {
        let end = &mut self.nodes[node].end;
        match (&*end, conclusion) {
            (End::Unknown, Conclusion::Done(done)) => *end = End::Done(done),
            (End::Unknown, Conclusion::Overran(wanted)) => *end = End::Wants(wanted),
            (End::Done(known), Conclusion::Done(done)) if *known == done => {}
            (End::Wants(known) | End::Branch(known, _), Conclusion::Overran(wanted))
                if *known == wanted => {}
            _ => return Err(Inconsistent),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{IntegerRange, Toss};

    fn number(value: i128) -> Choice {
        let range = IntegerRange::new(0, 9, 0);
        Choice::new(Value::Integer(value), Constraint::Integer(range))
    }

    fn yes(value: bool) -> Choice {
        Choice::new(Value::Boolean(value), Constraint::Boolean(Toss::Free))
    }

    fn predicted(tree: &ChoiceDataTree<u8>, choices: &[Choice]) -> Prediction<u8> {
        tree.predict(choices.iter())
    }

    #[test]
    fn what_was_seen_is_known() {
        let mut tree = ChoiceDataTree::new(100);
        let (a, b) = ([yes(true), number(5), yes(false)], [yes(true), number(7)]);
        tree.insert(&a, Conclusion::Done(1)).unwrap();
        assert_eq!(predicted(&tree, &a), Prediction::Known(a.to_vec(), 1));
        assert_eq!(predicted(&tree, &b), Prediction::Unknown);
        tree.insert(&b, Conclusion::Done(2)).unwrap();
        assert_eq!(predicted(&tree, &a), Prediction::Known(a.to_vec(), 1));
        assert_eq!(predicted(&tree, &b), Prediction::Known(b.to_vec(), 2));
        // What is not read does not matter.
        let longer = [yes(true), number(7), number(3)];
        assert_eq!(predicted(&tree, &longer), Prediction::Known(b.to_vec(), 2));
        assert_eq!(tree.stored(), 4);
    }

    #[test]
    fn an_overrun_is_known() {
        let mut tree = ChoiceDataTree::new(100);
        let seen = [yes(true), number(5), yes(false)];
        tree.insert(&seen, Conclusion::Done(1)).unwrap();
        for len in 0..3 {
            assert_eq!(predicted(&tree, &seen[..len]), Prediction::Overrun);
        }
        let wanted = number(0).constraint();
        let other = [yes(false)];
        tree.insert(&other, Conclusion::Overran(wanted.clone()))
            .unwrap();
        assert_eq!(predicted(&tree, &other), Prediction::Overrun);
        let longer = [yes(false), number(1)];
        assert_eq!(predicted(&tree, &longer), Prediction::Unknown);
        tree.insert(&longer, Conclusion::Done(3)).unwrap();
        assert_eq!(
            predicted(&tree, &longer),
            Prediction::Known(longer.to_vec(), 3)
        );
        tree.insert(&other, Conclusion::Overran(wanted)).unwrap();
    }

    #[test]
    fn a_candidate_is_repaired_as_a_run_would() {
        let mut tree = ChoiceDataTree::new(100);
        let seen = [number(9), number(0)];
        tree.insert(&seen, Conclusion::Done(1)).unwrap();
        let beyond = [number(99), yes(true)];
        assert_eq!(tree.predict(&beyond), Prediction::Known(seen.to_vec(), 1));
    }

    #[test]
    fn a_contradiction_is_noticed() {
        let mut tree = ChoiceDataTree::new(100);
        let seen = [number(1), number(2)];
        tree.insert(&seen, Conclusion::Done(1)).unwrap();
        let insert =
            |choices: &[Choice], done| tree.clone().insert(choices, Conclusion::Done(done));
        assert_eq!(insert(&seen, 1), Ok(()));
        assert_eq!(insert(&seen, 2), Err(Inconsistent));
        assert_eq!(insert(&seen[..1], 1), Err(Inconsistent));
        assert_eq!(insert(&[number(1), yes(true)], 1), Err(Inconsistent));
        assert_eq!(
            insert(&[number(1), number(2), number(3)], 1),
            Err(Inconsistent)
        );
    }

    #[test]
    fn what_is_followed_is_found_from_any_place_on() {
        let mut tree = ChoiceDataTree::new(100);
        let seen = [1, 2, 3, 4, 5].map(number);
        tree.insert(&seen, Conclusion::Done(0)).unwrap();
        tree.follow(&seen, 0);
        for (parts_at, value) in [(3, 9), (1, 9), (4, 9), (1, 8)] {
            let mut other = seen.clone();
            other[parts_at] = number(value);
            let done = Conclusion::Done(1);
            tree.insert_some(&other, done.clone(), parts_at, 9).unwrap();
            for same in 0..=parts_at {
                let values = || other.iter();
                assert_eq!(tree.conclusion(values(), same), Walked::Known(&1));
                assert_eq!(tree.insert_some(&other, done.clone(), same, 9), Ok(()));
            }
        }
        let values = seen.iter();
        assert_eq!(tree.conclusion(values, 5), Walked::Known(&0));
        let short = tree.insert_some(&seen[..2], Conclusion::Done(1), 3, 9);
        assert_eq!(short, Err(Inconsistent));
    }

    #[test]
    fn what_follows_is_the_same_whether_or_not_its_beginning_is_looked_at() {
        let mut tree = ChoiceDataTree::new(100);
        let seen = [1, 2, 3, 4, 5].map(number);
        tree.insert(&seen, Conclusion::Done(0)).unwrap();
        tree.follow(&seen, 0);
        for (parts_at, value) in [(3, 9), (1, 8), (4, 7), (0, 6)] {
            let mut other = seen.clone();
            other[parts_at] = number(value);
            tree.insert(&other, Conclusion::Done(1)).unwrap();
            let mut afresh = tree.clone();
            afresh.follow(&other, 0);
            for same in 0..=parts_at {
                let mut further = tree.clone();
                further.follow(&other, same);
                assert_eq!(further.route, afresh.route);
                assert_eq!(further.followed, afresh.followed);
            }
        }
    }

    #[test]
    fn a_full_tree_starts_afresh() {
        let mut tree = ChoiceDataTree::new(4);
        for value in 0..9 {
            let choices = [number(value), number(value)];
            tree.insert(&choices, Conclusion::Done(1)).unwrap();
            assert!(tree.stored() <= 4);
            assert_eq!(
                predicted(&tree, &choices),
                Prediction::Known(choices.to_vec(), 1)
            );
        }
    }
}
