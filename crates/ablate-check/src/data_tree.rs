//! The tree of all choice sequences seen: what is known of a candidate without running it.
//!
//! A radix tree: a node holds a run of choices that nothing ever departed from. After "Test-Case
//! Reduction via Test-Case Generation" (MacIver and Donaldson, 2020), where it is Hypothesis'
//! `DataTree`. Replaying a candidate in the tree repairs it as a run would; where the tree ends
//! first, nothing is known; where the candidate ends first, a run would overrun.

use std::collections::BTreeMap;

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
    stored: usize,
    limit: usize,
}

#[derive(Clone, Debug)]
struct Node<C> {
    run: Vec<Choice>,
    end: End<C>,
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
            run: Vec::new(),
            end: End::Unknown,
        };
        ChoiceDataTree {
            nodes: vec![root],
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
        self.insert_some(choices, conclusion, usize::MAX)
    }

    /// Remembers a run, but no more than `most` choices from where it parts from all others on.
    ///
    /// # Errors
    /// See [`ChoiceDataTree::insert`].
    pub fn insert_some(
        &mut self,
        choices: &[Choice],
        conclusion: Conclusion<C>,
        most: usize,
    ) -> Result<(), Inconsistent> {
        if self.stored + choices.len() > self.limit {
            *self = ChoiceDataTree::new(self.limit);
        }
        let (mut node, mut at) = (0, 0);
        for (depth, choice) in choices.iter().enumerate() {
            if let Some(known) = self.nodes[node].run.get(at) {
                if known.constraint != choice.constraint {
                    return Err(Inconsistent);
                }
                if known.value == choice.value {
                    at += 1;
                    continue;
                }
                self.split(node, at);
            }
            match &mut self.nodes[node].end {
                End::Done(_) => return Err(Inconsistent),
                End::Wants(wanted) if *wanted != choice.constraint => return Err(Inconsistent),
                End::Unknown | End::Wants(_) => {
                    return self.append(node, &choices[depth..], conclusion, most);
                }
                End::Branch(constraint, _) if *constraint != choice.constraint => {
                    return Err(Inconsistent);
                }
                End::Branch(_, children) => {
                    if let Some(&child) = children.get(&choice.value) {
                        (node, at) = (child as usize, 0);
                        continue;
                    }
                    let child = self.nodes.len() as u32;
                    let End::Branch(_, children) = &mut self.nodes[node].end else {
                        return Err(Inconsistent);
                    };
                    children.insert(choice.value.clone(), child);
                    self.stored += 1;
                    self.nodes.push(Node {
                        run: Vec::new(),
                        end: End::Unknown,
                    });
                    let rest = &choices[depth + 1..];
                    return self.append(child as usize, rest, conclusion, most);
                }
            }
        }
        match (self.nodes[node].run.get(at), &conclusion) {
            (None, _) => self.conclude(node, conclusion),
            (Some(next), Conclusion::Overran(wanted)) if next.constraint == *wanted => Ok(()),
            (Some(_), _) => Err(Inconsistent),
        }
    }

    /// What a run of these values would come to.
    pub fn predict<'a>(&self, values: impl IntoIterator<Item = &'a Value>) -> Prediction<C> {
        let mut read = Vec::new();
        match self.walk(values, |value, constraint| {
            read.push(Choice::new(value.clone(), constraint.clone()));
        }) {
            Walked::Unknown => Prediction::Unknown,
            Walked::Overrun => Prediction::Overrun,
            Walked::Known(conclusion) => Prediction::Known(read, conclusion.clone()),
        }
    }

    /// What a run of these values would come to, without what it would read.
    pub fn conclusion<'a>(&self, values: impl IntoIterator<Item = &'a Value>) -> Walked<'_, C> {
        self.walk(values, |_, _| ())
    }

    fn walk<'a>(
        &self,
        values: impl IntoIterator<Item = &'a Value>,
        mut read: impl FnMut(&Value, &Constraint),
    ) -> Walked<'_, C> {
        let mut values = values.into_iter();
        let mut node = 0;
        loop {
            for known in &self.nodes[node].run {
                let Some(value) = values.next() else {
                    return Walked::Overrun;
                };
                let is_same = *value == known.value;
                if !is_same && known.constraint.repaired(value) != known.value {
                    return Walked::Unknown;
                }
                read(&known.value, &known.constraint);
            }
            match &self.nodes[node].end {
                End::Unknown => return Walked::Unknown,
                End::Done(conclusion) => return Walked::Known(conclusion),
                End::Wants(_) => {
                    return match values.next() {
                        Some(_) => Walked::Unknown,
                        None => Walked::Overrun,
                    };
                }
                End::Branch(constraint, children) => {
                    let Some(value) = values.next() else {
                        return Walked::Overrun;
                    };
                    let value = constraint.repaired(value);
                    let Some(&child) = children.get(&value) else {
                        return Walked::Unknown;
                    };
                    read(&value, constraint);
                    node = child as usize;
                }
            }
        }
    }

    /// Makes the choice at `at` of a node's run a branch.
    fn split(&mut self, node: usize, at: usize) {
        let child = self.nodes.len() as u32;
        let rest = self.nodes[node].run.split_off(at + 1);
        let Some(choice) = self.nodes[node].run.pop() else {
            return;
        };
        let children = BTreeMap::from([(choice.value, child)]);
        let branch = End::Branch(choice.constraint, children);
        let end = std::mem::replace(&mut self.nodes[node].end, branch);
        self.nodes.push(Node { run: rest, end });
    }

    /// Goes on from the end of a node with these choices, and what they come to if they are not
    /// too many.
    fn append(
        &mut self,
        node: usize,
        choices: &[Choice],
        conclusion: Conclusion<C>,
        most: usize,
    ) -> Result<(), Inconsistent> {
        let kept = &choices[..choices.len().min(most)];
        self.nodes[node].end = End::Unknown;
        self.nodes[node].run.extend_from_slice(kept);
        self.stored += kept.len();
        if kept.len() < choices.len() {
            return Ok(());
        }
        self.conclude(node, conclusion)
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
        tree.predict(choices.iter().map(|choice| &choice.value))
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
        let wanted = number(0).constraint;
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
        let beyond = [Value::Integer(99), Value::Boolean(true)];
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
