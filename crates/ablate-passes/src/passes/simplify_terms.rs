//! Rewrites a term of an SMT-LIB script to a shorter one that means the same.
//!
//! `(not (< a b))` is `(>= a b)`, `(and a (and b c))` is `(and a b c)`, and what has fewer parts can be
//! reduced further.
//!
//! Costs one test for each term and each rule that applies to it. The rules are those of
//! `formats/smt_rules.rs` (negations, implications, relations, `ite`, the same function on both sides,
//! bit-vectors, strings, …), De Morgan's laws, and that nested calls of a function that is associative
//! are one call.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SimplifyTerms;
//!
//! let text = "(assert (not (<= a (+ (+ b c) 1))))";
//! assert_eq!(reductions(&SimplifyTerms, text), [
//!     "(assert (not (<= a (+ b c 1))))",
//!     "(assert (not (= a (+ (+ b c) 1))))",
//!     "(assert (not (< a (+ (+ b c) 1))))",
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
use crate::formats::smt_rules::{applied, applying};
use crate::passes::one_of;

/// Rewrites terms; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplifyTerms;

/// How a term is rewritten.
#[derive(Clone, Copy)]
enum Way {
    /// By the rule of this number.
    Rule(usize),
    /// By one of De Morgan's laws.
    Negation,
    /// Nested calls become one.
    Nesting,
}

/// The terms that can be rewritten, with how, in the order of the text.
struct Rewritings(Vec<(u32, Way)>);

impl Rewritings {
    fn of(smt: &Smt, text: &[u8]) -> Rewritings {
        let mut found = Vec::new();
        for term in 0..smt.sexprs().all().len() as u32 {
            if smt.sort(term).is_none() {
                continue;
            }
            found.extend(applying(smt, text, term).map(|rule| (term, Way::Rule(rule))));
            let ways = [
                (Way::Negation, moved_in(smt, text, term).is_some()),
                (Way::Nesting, !unnested(smt, text, term).is_empty()),
            ];
            let ways = ways.into_iter().filter(|(_, applies)| *applies);
            found.extend(ways.map(|(way, _)| (term, way)));
        }
        Rewritings(found)
    }
}

/// The edits that put the `not` around an `and` or an `or` around each of its parts.
fn moved_in(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<Edit<u8>>> {
    let sexprs = smt.sexprs();
    let inner = negated_by_not(smt, text, term)?;
    let dual: &[u8] = match sexprs.head(text, inner)? {
        b"and" => b"or",
        b"or" => b"and",
        _ => return None,
    };
    let (start, end) = sexprs.node(inner).range();
    let mut edits = smt.unwrapped(text, term, (start, end)).to_vec();
    edits.push(smt.replaced(text, sexprs.node(inner + 1).range(), dual));
    for part in sexprs.children(inner).skip(1) {
        edits.extend(negated(smt, text, part));
    }
    Some(edits)
}

/// The edits that make nested calls of a function that is associative one call.
fn unnested(smt: &Smt, text: &[u8], term: u32) -> Vec<Edit<u8>> {
    let sexprs = smt.sexprs();
    let head = sexprs.head(text, term).filter(|head| is_associative(head));
    let parts = sexprs.children(term).skip(1);
    let nested = parts.filter(|&part| head.is_some() && sexprs.head(text, part) == head);
    let edits = nested.flat_map(|part| {
        let mut words = sexprs.children(part).skip(1);
        let first = words.next().unwrap_or(part);
        let last = words.last().unwrap_or(first);
        let inside = (sexprs.node(first).range().0, sexprs.node(last).range().1);
        smt.unwrapped(text, part, inside)
    });
    edits.collect()
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
            | b"seq.++"
    )
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
        let rewritings = target.analysis(|target| Rewritings::of(&smt, target.elements()));
        let (term, way) = *one_of(chooser, &rewritings.0)?;
        let edits = match way {
            Way::Rule(rule) => applied(&smt, text, term, rule),
            Way::Negation => moved_in(&smt, text, term),
            Way::Nesting => Some(unnested(&smt, text, term)),
        };
        let edits = edits.ok_or(DeadBranch)?;
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        5
    }
}
