//! Deletes commands of an SMT-LIB script, or arguments that a function can do without, the largest
//! first.
//!
//! Of `(and p q r)` remains `(and p r)`; a comparison or a conjunction keeps two arguments, as with one
//! it would be no term any more. Only what is left for `replace_terms_by_parts` is one. With several
//! commands go those elsewhere that use what they declare, and what uses that: a script that declares each
//! thing where it is first used is cut in halves, too. What only asks, before and behind all that is said,
//! is no part of a half.
//!
//! Costs one test for each command and each such argument, and fewer where halves of them go at once. A
//! success is grown over the commands or arguments before and after it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteTerms;
//!
//! assert_eq!(reductions(&DeleteTerms, "(assert (or a b c))(check-sat)"), [
//!     "(check-sat)",
//!     "(assert (or a b c))",
//!     "(assert (or a b))(check-sat)",
//!     "(assert (or a c))(check-sat)",
//!     "(assert (or b c))(check-sat)",
//! ]);
//! ```

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::sexpr::Node;
use crate::formats::smt::{Smt, is_variadic};
use crate::passes::runs_by_halves;

/// Deletes commands and arguments; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteTerms;

/// How many siblings have to stay: of commands none, of arguments two.
fn kept(parent: u32) -> usize {
    if parent == Node::NONE { 0 } else { 2 }
}

/// The commands, or the arguments of a term that can have any number of them.
fn siblings(smt: &Smt, target: &Target<u8>, parent: u32) -> Option<Vec<u32>> {
    if parent == Node::NONE {
        return Some(smt.sexprs().top().collect());
    }
    smt.sort(parent)?;
    let head = smt.sexprs().head(target.elements(), parent)?;
    is_variadic(head).then(|| smt.sexprs().children(parent).skip(1).collect())
}

/// What is cut with the siblings `first..=last`.
fn cut(smt: &Smt, target: &Target<u8>, first: u32, last: u32) -> (usize, usize) {
    let (start, end) = (smt.sexprs().node(first).start, smt.sexprs().node(last).end);
    smt.cut(target.elements(), (start as usize, end as usize))
}

/// Cuts the siblings `first..=last`.
fn deleted(smt: &Smt, target: &Target<u8>, first: u32, last: u32) -> Patch<u8> {
    let (start, end) = cut(smt, target, first, last);
    Patch::cut(start, end)
}

/// The commands outside of `first..=last` that use what is declared there, and those that use what they
/// declare. What is declared anew is something else from there on.
fn users(smt: &Smt, text: &[u8], first: u32, last: u32) -> BTreeSet<u32> {
    let declarations = smt.declarations();
    let is_declaration = |atom: u32| {
        let place = declarations.binary_search_by_key(&atom, |declaration| declaration.name);
        place.is_ok()
    };
    let mut users = BTreeSet::new();
    let last = smt.sexprs().node(last).next - 1;
    let mut open: Vec<(u32, u32)> = alloc::vec![(first, last)];
    while let Some((from, to)) = open.pop() {
        let within = declarations.partition_point(|declaration| declaration.name < from)
            ..declarations.partition_point(|declaration| declaration.name <= to);
        for declaration in &declarations[within] {
            let atoms = smt.atoms(smt.sexprs().text(text, declaration.name));
            let behind = atoms.partition_point(|&atom| atom <= declaration.name);
            let uses = atoms[behind..].iter().copied();
            for atom in uses.take_while(|&atom| !is_declaration(atom)) {
                let user = smt.command_of(atom);
                if !(first..=last).contains(&user) && users.insert(user) {
                    open.push((user, smt.sexprs().node(user).next - 1));
                }
            }
        }
    }
    users
}

/// Which of the commands stand between the first and the last that say something.
fn said(smt: &Smt, text: &[u8], commands: &[u32]) -> Range<usize> {
    let says = |&command: &u32| {
        let head = smt.sexprs().head(text, command).unwrap_or_default();
        [b"assert".as_slice(), b"declare", b"define"]
            .iter()
            .any(|kind| head.starts_with(kind))
    };
    let first = commands.iter().position(says).unwrap_or(0);
    let last = commands.iter().rposition(says);
    first..last.map_or(commands.len(), |last| last + 1)
}

/// The first and the last node of each run of siblings, the longest in bytes first.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of(target: &Target<u8>) -> Rc<Runs> {
        let smt = Smt::of(target);
        target.analysis(|target| {
            let mut runs = Vec::new();
            let lists = (0..smt.sexprs().all().len() as u32).filter(|&n| smt.sort(n).is_some());
            for parent in lists.chain([Node::NONE]) {
                let Some(siblings) = siblings(&smt, target, parent) else {
                    continue;
                };
                let halved = match parent {
                    Node::NONE => said(&smt, target.elements(), &siblings),
                    _ => 0..siblings.len(),
                };
                let of_many = runs_by_halves(halved.len(), usize::MAX).into_iter();
                let of_many =
                    of_many.map(|(first, last)| (halved.start + first, halved.start + last));
                let single = (0..siblings.len()).map(|number| (number, number));
                for (first, last) in of_many.chain(single) {
                    if last - first + kept(parent) < siblings.len() {
                        runs.push((siblings[first], siblings[last]));
                    }
                }
            }
            runs.sort_by_cached_key(|&(first, last)| {
                let nodes = smt.sexprs();
                let length = nodes.node(last).end - nodes.node(first).start;
                (length.leading_zeros(), core::cmp::Reverse((first, last)))
            });
            Runs(runs)
        })
    }
}

impl Pass<u8> for DeleteTerms {
    fn name(&self) -> &'static str {
        "delete_terms"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let smt = Smt::of(target);
        let runs = Runs::of(target);
        let (first, last) = runs.0[chooser.prefer(runs.0.len())?];
        if first == last || smt.sexprs().node(first).parent != Node::NONE {
            return Ok(deleted(&smt, target, first, last));
        }
        let users = users(&smt, target.elements(), first, last).into_iter();
        let cuts = users.map(|user| cut(&smt, target, user, user));
        Ok(Patch::cuts(cuts.chain([cut(&smt, target, first, last)])))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let smt = Smt::of(target);
        let (start, end) = patch.single_cut()?;
        let sexprs = smt.sexprs();
        // The blanks before or behind the run went with it.
        let first = sexprs
            .all()
            .partition_point(|node| (node.start as usize) < start);
        let parent = sexprs.all().get(first)?.parent;
        let siblings = siblings(&smt, target, parent)?;
        let from = siblings
            .iter()
            .position(|&sibling| sibling as usize == first)?;
        let is_within = |&&sibling: &&u32| sexprs.node(sibling).range().1 <= end;
        let count = siblings[from..].iter().take_while(is_within).count();
        let (mut from, mut to) = (from, from + count.checked_sub(1)?);
        if direction == 0 {
            from = from.checked_sub(amount)?;
        } else {
            to = to.checked_add(amount)?;
        }
        let is_enough = siblings.len() - kept(parent) > to - from;
        (to < siblings.len() && is_enough)
            .then(|| deleted(&smt, target, siblings[from], siblings[to]))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;

    #[test]
    fn half_of_the_commands_goes_with_those_that_use_it() {
        let text = "(set-logic ALL)\n(declare-fun x () Int)\n(assert (< x 3))\n(declare-fun y () Int)\n\
            (define-fun z () Int x)\n(assert (< y z))\n(assert (< 0 y))\n(check-sat)\n";
        let seen = reductions(&DeleteTerms, text);
        let expected = "(set-logic ALL)\n(declare-fun y () Int)\n(assert (< 0 y))\n(check-sat)\n";
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
        let nothing_said = "(set-logic ALL)\n(check-sat)\n";
        assert_eq!(seen[0], nothing_said);
    }

    #[test]
    fn what_is_declared_anew_stays_with_what_uses_it() {
        let level = "(push 1)\n(declare-fun x () Int)\n(assert (< x 3))\n(pop 1)\n";
        let seen = reductions(&DeleteTerms, &level.repeat(2));
        let half =
            "(push 1)\n(pop 1)\n(push 1)\n(declare-fun x () Int)\n(assert (< x 3))\n(pop 1)\n";
        assert!(seen.iter().any(|seen| seen == half), "{seen:?}");
    }
}
