//! Rewrites a term of an SMT-LIB script to a shorter one that means the same.
//!
//! `(not (< a b))` is `(>= a b)`, `(and a (and b c))` is `(and a b c)`, and what has fewer parts can be
//! reduced further.
//!
//! Costs one test for each term to which a rule applies: negated relations, De Morgan's laws,
//! implications from a negation or to `false`, nested calls of a function that is associative,
//! `distinct`, and `ite` with `false` and `true`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyTerms;
//!
//! let text = "(assert (not (<= a (+ (+ b c) 1))))";
//! assert_eq!(reductions(&SimplifyTerms, text), [
//!     "(assert (not (<= a (+ b c 1))))",
//!     "(assert (> a (+ (+ b c) 1)))",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::passes::choose_place;

/// Rewrites terms; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyTerms;

/// Relations with their negations.
const RELATIONS: [(&[u8], &[u8]); 8] = [
    (b"<", b">="),
    (b"<=", b">"),
    (b"bvult", b"bvuge"),
    (b"bvule", b"bvugt"),
    (b"bvslt", b"bvsge"),
    (b"bvsle", b"bvsgt"),
    (b"and", b"or"),
    (b"distinct", b"="),
];

fn negation(head: &[u8]) -> Option<&'static [u8]> {
    RELATIONS.iter().find_map(|&(one, other)| match head {
        _ if head == one => Some(other),
        _ if head == other => Some(one),
        _ => None,
    })
}

/// The edits that make a term one with a rule's meaning, if a rule applies.
fn rewritten(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<Edit<u8>>> {
    let sexprs = smt.sexprs();
    let head = sexprs.head(text, term)?;
    let mut parts = sexprs.children(term).skip(1);
    let parts: [Option<u32>; 4] = core::array::from_fn(|_| parts.next());
    let renamed = |list: u32, name: &[u8]| smt.replaced(text, sexprs.node(list + 1).range(), name);
    let only = |first: u32, last: u32| (sexprs.node(first).range().0, sexprs.node(last).range().1);
    match (head, parts) {
        (b"not", [Some(inner), None, ..]) => {
            let head = sexprs.head(text, inner)?;
            let mut edits = smt.unwrapped(text, term, only(inner, inner)).to_vec();
            edits.push(renamed(inner, negation(head)?));
            let count = sexprs.children(inner).take(4).count();
            if matches!(head, b"and" | b"or") {
                for part in sexprs.children(inner).skip(1) {
                    edits.extend(negated(smt, text, part));
                }
            } else if count != 3 {
                return None;
            }
            Some(edits)
        }
        (b"=>", [Some(one), Some(other), None, _]) => {
            if sexprs.text(text, other) == b"false" {
                let (start, end) = (sexprs.node(one).range().1, sexprs.node(other).range().1);
                return Some(alloc::vec![renamed(term, b"not"), cut(start, end)]);
            }
            let inner = negated_by_not(smt, text, one)?;
            let mut edits = smt.unwrapped(text, one, only(inner, inner)).to_vec();
            edits.push(renamed(term, b"or"));
            Some(edits)
        }
        (b"ite", [Some(test), Some(one), Some(other), None])
            if (sexprs.text(text, one), sexprs.text(text, other)) == (b"false", b"true") =>
        {
            let (start, end) = (sexprs.node(test).range().1, sexprs.node(other).range().1);
            Some(alloc::vec![renamed(term, b"not"), cut(start, end)])
        }
        (b"distinct", [Some(_), Some(_), None, _]) => {
            let (_, end) = sexprs.node(term).range();
            let close = inserted(end, b")");
            Some(alloc::vec![renamed(term, b"not(="), close])
        }
        _ if is_associative(head) => {
            let is_nested = |&part: &u32| sexprs.head(text, part) == Some(head);
            let nested = sexprs.children(term).skip(1).filter(is_nested);
            let edits = nested.flat_map(|part| {
                let mut words = sexprs.children(part).skip(1);
                let first = words.next().unwrap_or(part);
                smt.unwrapped(text, part, only(first, words.last().unwrap_or(first)))
            });
            let edits: Vec<Edit<u8>> = edits.collect();
            (!edits.is_empty()).then_some(edits)
        }
        _ => None,
    }
}

fn is_associative(head: &[u8]) -> bool {
    matches!(
        head,
        b"and"
            | b"or"
            | b"+"
            | b"*"
            | b"str.++"
            | b"re.++"
            | b"re.union"
            | b"re.inter"
            | b"bvadd"
            | b"bvmul"
            | b"bvand"
            | b"bvor"
            | b"bvxor"
            | b"concat"
    )
}

fn cut(start: usize, end: usize) -> Edit<u8> {
    Edit {
        start,
        end,
        insert: None,
    }
}

fn inserted(at: usize, insert: &[u8]) -> Edit<u8> {
    Edit {
        start: at,
        end: at,
        insert: Some(insert.into()),
    }
}

/// What a `not` negates.
fn negated_by_not(smt: &Smt, text: &[u8], term: u32) -> Option<u32> {
    let is_not = smt.sexprs().head(text, term) == Some(b"not");
    is_not.then(|| smt.sexprs().children(term).nth(1)).flatten()
}

/// The edits that negate a term: without its own `not`, or with one.
fn negated(smt: &Smt, text: &[u8], term: u32) -> [Edit<u8>; 2] {
    let (start, end) = smt.sexprs().node(term).range();
    match negated_by_not(smt, text, term) {
        Some(inner) => smt.unwrapped(text, term, smt.sexprs().node(inner).range()),
        None => [inserted(start, b"(not "), inserted(end, b")")],
    }
}

impl Pass<u8> for SimplifyTerms {
    fn name(&self) -> &'static str {
        "simplify_terms"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let count = smt.sexprs().all().len();
        let term = choose_place::<Self>(target, chooser, count, |&term| {
            let head = smt.sexprs().head(text, term as u32);
            smt.sort(term as u32).is_some()
                && head.is_some_and(|head| {
                    matches!(head, b"not" | b"=>" | b"ite" | b"distinct") || is_associative(head)
                })
        })? as u32;
        let edits = rewritten(&smt, text, term).ok_or(DeadBranch)?;
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        5
    }
}
