//! The algorithms of "Designing a better simplifier" (D. R. MacIver, 2017), one function for each
//! of the document's, with its names.
//!
//! They are here to be compared with, not to be used: `ablate_check` reduces with the engine.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow::{self, Break, Continue};

/// The document's `MAX_SHRINKS_PER_RUN`: its text says five, its code two.
const MAX_SHRINKS_PER_RUN: usize = 2;

/// Why an algorithm's walk over its candidates ends early.
pub enum Halt {
    /// This candidate still satisfies the condition.
    Shrunk(Vec<u64>),
    /// The condition must not be asked any more.
    TooMany,
}

/// Takes one candidate after the other.
pub type Visit<'a> = &'a mut dyn FnMut(Vec<u64>) -> ControlFlow<Halt>;

/// Proposes variants of a list, the document's generator functions.
pub type Shrink = fn(&[u64], Visit<'_>) -> ControlFlow<Halt>;

/// Whether a list still satisfies the condition; `None` when it must not be asked any more.
pub type Constraint<'a> = &'a mut dyn FnMut(&[u64]) -> Option<bool>;

/// A simplifier: the simplified list, or `None` when the condition was asked too often.
pub type Simplifier = fn(&[u64], Constraint<'_>) -> Option<Vec<u64>>;

fn without(ls: &[u64], i: usize) -> Vec<u64> {
    let mut s = ls.to_vec();
    s.remove(i);
    s
}

fn with(ls: &[u64], i: usize, value: u64) -> Vec<u64> {
    let mut s = ls.to_vec();
    s[i] = value;
    s
}

/// Decrements each element, then deletes it: only very small changes.
pub fn shrink1(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    for i in 0..ls.len() {
        let mut s = ls.to_vec();
        if s[i] > 0 {
            s[i] -= 1;
            visit(s.clone())?;
        }
        s.remove(i);
        visit(s)?;
    }
    Continue(())
}

/// Deletes each element, then tries every smaller value from 0 up.
pub fn shrink2(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    delete_individual_elements(ls, visit)?;
    for i in 0..ls.len() {
        for x in 0..ls[i] {
            visit(with(ls, i, x))?;
        }
    }
    Continue(())
}

/// Probes upwards in powers of two, then chops towards the value.
pub fn shrink_integer(n: u64) -> Vec<u64> {
    let mut values = Vec::new();
    if n == 0 {
        return values;
    }
    let wide = u128::from(n);
    let mut probe = 1u128;
    for k in 0..64 {
        probe = 1 << k;
        if probe >= wide {
            break;
        }
        values.push((probe - 1) as u64);
    }
    probe /= 2;
    loop {
        probe = u128::midpoint(probe, wide);
        values.push(probe as u64);
        if probe == wide - 1 {
            return values;
        }
    }
}

/// For each element: deletes it, then shrinks it by `shrink_integer`.
pub fn shrink3(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    for i in 0..ls.len() {
        visit(without(ls, i))?;
        for x in shrink_integer(ls[i]) {
            visit(with(ls, i, x))?;
        }
    }
    Continue(())
}

/// Prefixes of length 1, 2, 4, …
pub fn shrink_to_prefix(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    let mut i = 1;
    while i < ls.len() {
        visit(ls[..i].to_vec())?;
        i *= 2;
    }
    Continue(())
}

/// Deletes each element.
pub fn delete_individual_elements(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    (0..ls.len()).try_for_each(|i| visit(without(ls, i)))
}

/// Shrinks each element by `shrink_integer`.
pub fn shrink_individual_elements(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    for i in 0..ls.len() {
        for x in shrink_integer(ls[i]) {
            visit(with(ls, i, x))?;
        }
    }
    Continue(())
}

/// Prefixes, deletions, elements.
pub fn shrink4(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    shrink_to_prefix(ls, visit)?;
    delete_individual_elements(ls, visit)?;
    shrink_individual_elements(ls, visit)
}

/// Shrinks all occurrences of a value at once.
pub fn shrink_shared(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for x in ls {
        *counts.entry(*x).or_default() += 1;
    }
    let mut done = HashSet::new();
    // In the order of the first occurrences, as Python's dictionaries keep it.
    for &shared in ls {
        if counts.get(&shared).is_some_and(|count| *count > 1) && done.insert(shared) {
            for v in shrink_integer(shared) {
                visit(
                    ls.iter()
                        .map(|&x| if x == shared { v } else { x })
                        .collect(),
                )?;
            }
        }
    }
    Continue(())
}

/// As `shrink4`, with `shrink_shared` before the elements.
pub fn shrink5(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    shrink_to_prefix(ls, visit)?;
    delete_individual_elements(ls, visit)?;
    shrink_shared(ls, visit)?;
    shrink_individual_elements(ls, visit)
}

/// Caps the list at each of its values, from the smallest.
pub fn replace_with_simpler(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    let mut values: BTreeSet<u64> = ls.iter().copied().collect();
    values.pop_last();
    for v in values {
        visit(ls.iter().map(|&x| x.min(v)).collect())?;
    }
    Continue(())
}

/// As `shrink5`, with `replace_with_simpler` before `shrink_shared`.
pub fn shrink6(ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
    shrink_to_prefix(ls, visit)?;
    delete_individual_elements(ls, visit)?;
    replace_with_simpler(ls, visit)?;
    shrink_shared(ls, visit)?;
    shrink_individual_elements(ls, visit)
}

/// The classic QuickCheck algorithm: the first candidate that works, again and again.
pub fn greedy_shrink(ls: &[u64], constraint: Constraint<'_>, shrink: Shrink) -> Option<Vec<u64>> {
    let mut ls = ls.to_vec();
    while let Some(s) = first(&ls, constraint, shrink, None)? {
        ls = s;
    }
    Some(ls)
}

/// The same without testing anything twice.
pub fn greedy_shrink_with_dedupe(
    ls: &[u64],
    constraint: Constraint<'_>,
    shrink: Shrink,
) -> Option<Vec<u64>> {
    let (mut ls, mut seen) = (ls.to_vec(), HashSet::new());
    while let Some(s) = first(&ls, constraint, shrink, Some(&mut seen))? {
        ls = s;
    }
    Some(ls)
}

/// The first candidate that works; `Some(None)` when none does.
fn first(
    ls: &[u64],
    constraint: Constraint<'_>,
    shrink: impl Fn(&[u64], Visit<'_>) -> ControlFlow<Halt>,
    mut seen: Option<&mut HashSet<Vec<u64>>>,
) -> Option<Option<Vec<u64>>> {
    let walk = shrink(ls, &mut |s| {
        if seen.as_mut().is_some_and(|seen| !seen.insert(s.clone())) {
            return Continue(());
        }
        match constraint(&s) {
            Some(true) => Break(Halt::Shrunk(s)),
            Some(false) => Continue(()),
            None => Break(Halt::TooMany),
        }
    });
    match walk {
        Continue(()) => Some(None),
        Break(Halt::Shrunk(s)) => Some(Some(s)),
        Break(Halt::TooMany) => None,
    }
}

/// One course of a multi-course algorithm: what is tried until it stops working.
#[derive(Clone, Copy)]
enum Course {
    All(Shrink),
    /// The document's `simplify_index(i)`.
    Index(usize),
}

impl Course {
    fn walk(self, ls: &[u64], visit: Visit<'_>) -> ControlFlow<Halt> {
        match self {
            Course::All(shrink) => shrink(ls, visit),
            Course::Index(i) => match ls.get(i) {
                Some(&value) => shrink_integer(value)
                    .into_iter()
                    .try_for_each(|v| visit(with(ls, i, v))),
                None => Continue(()),
            },
        }
    }
}

fn shrinkers_for(ls: &[u64]) -> Vec<Course> {
    let mut courses = vec![
        Course::All(shrink_to_prefix),
        Course::All(delete_individual_elements),
        Course::All(replace_with_simpler),
        Course::All(shrink_shared),
    ];
    courses.extend((0..ls.len()).map(Course::Index));
    courses
}

/// A multi-course algorithm at work.
struct Courses<'a, 'b> {
    ls: Vec<u64>,
    constraint: &'a mut (dyn FnMut(&[u64]) -> Option<bool> + 'b),
    seen: HashSet<Vec<u64>>,
}

impl<'a, 'b> Courses<'a, 'b> {
    fn new(ls: &[u64], constraint: &'a mut (dyn FnMut(&[u64]) -> Option<bool> + 'b)) -> Self {
        Courses {
            ls: ls.to_vec(),
            constraint,
            seen: HashSet::new(),
        }
    }

    /// Each course until it stops working or `budget` shrinks were made; how many were made.
    fn run(&mut self, courses: Vec<Course>, budget: usize) -> Option<usize> {
        let mut shrinks = 0;
        for course in courses {
            while shrinks < budget {
                let walk = |ls: &[u64], visit: Visit<'_>| course.walk(ls, visit);
                match first(&self.ls, self.constraint, walk, Some(&mut self.seen))? {
                    Some(s) => {
                        self.ls = s;
                        shrinks += 1;
                    }
                    None => break,
                }
            }
        }
        Some(shrinks)
    }
}

/// Each kind of shrink until it stops working, once. Incomplete: what a later one makes possible
/// for an earlier one is missed, and nothing deletes single elements.
pub fn multicourse_shrink1(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    let mut courses = Courses::new(ls, constraint);
    let kinds = [
        shrink_to_prefix,
        replace_with_simpler,
        shrink_shared,
        shrink_individual_elements,
    ];
    courses.run(kinds.map(|kind| Course::All(kind)).to_vec(), usize::MAX)?;
    Some(courses.ls)
}

/// A course of its own for each index. Incomplete too.
pub fn multicourse_shrink2(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    let mut courses = Courses::new(ls, constraint);
    courses.run(shrinkers_for(ls), usize::MAX)?;
    Some(courses.ls)
}

/// As 2, iterated to a fixed point.
pub fn multicourse_shrink3(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    let mut courses = Courses::new(ls, constraint);
    while courses.run(shrinkers_for(&courses.ls), usize::MAX)? > 0 {}
    Some(courses.ls)
}

/// As 3, starting over after every two shrinks.
pub fn multicourse_shrink4(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    let mut courses = Courses::new(ls, constraint);
    while courses.run(shrinkers_for(&courses.ls), MAX_SHRINKS_PER_RUN)? > 0 {}
    Some(courses.ls)
}

/// As 4, with ten shrinks first, then eight, six, …
///
/// As in the document, whose budget falls to 0: then no shrink can be made any more, and it stops
/// whether or not there is something left to shrink. It makes 30 shrinks at most; many of its
/// results are not minimal. [`multicourse_shrink5_floored`] does not have this fault.
pub fn multicourse_shrink5(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    variable_restart(ls, constraint, 0)
}

/// As 5, with a budget that never falls below one shrink; not in the document.
pub fn multicourse_shrink5_floored(ls: &[u64], constraint: Constraint<'_>) -> Option<Vec<u64>> {
    variable_restart(ls, constraint, 1)
}

fn variable_restart(ls: &[u64], constraint: Constraint<'_>, floor: usize) -> Option<Vec<u64>> {
    let mut courses = Courses::new(ls, constraint);
    let mut budget = 10;
    while courses.run(shrinkers_for(&courses.ls), budget)? > 0 {
        if budget > 1 {
            budget = (budget - 2).max(floor);
        }
    }
    Some(courses.ls)
}
