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
use ablate_engine::patch::Patch;
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

/// `(head part part …)`.
fn call(head: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut words = alloc::vec![head];
    words.extend(parts);
    [b"(".as_slice(), &words.join(&b' '), b")"].concat()
}

/// What a term with these parts is equal to, if a rule applies.
fn rewritten(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<u8>> {
    let sexprs = smt.sexprs();
    let head = sexprs.head(text, term)?;
    let parts: Vec<u32> = sexprs.children(term).skip(1).collect();
    let words: Vec<&[u8]> = parts.iter().map(|&part| sexprs.text(text, part)).collect();
    let inner = |number: usize| {
        let part = parts[number];
        let words = sexprs
            .children(part)
            .skip(1)
            .map(|word| sexprs.text(text, word));
        Some((sexprs.head(text, part)?, words.collect::<Vec<_>>()))
    };
    match (head, parts.len()) {
        (b"not", 1) => {
            let (head, words) = inner(0)?;
            let negated = negation(head)?;
            if !matches!(head, b"and" | b"or") {
                return (words.len() == 2).then(|| call(negated, &words));
            }
            let of_parts: Vec<Vec<u8>> = sexprs
                .children(parts[0])
                .skip(1)
                .map(|part| negated_text(smt, text, part))
                .collect();
            let words: Vec<&[u8]> = of_parts.iter().map(Vec::as_slice).collect();
            Some(call(negated, &words))
        }
        (b"=>", 2) if words[1] == b"false" => Some(call(b"not", &words[..1])),
        (b"=>", 2) => match inner(0)? {
            (b"not", of_not) if of_not.len() == 1 => Some(call(b"or", &[of_not[0], words[1]])),
            _ => None,
        },
        (b"ite", 3) if words[1..] == [b"false".as_slice(), b"true"] => {
            Some(call(b"not", &words[..1]))
        }
        (b"distinct", 2) => Some([b"(not", call(b"=", &words).as_slice(), b")"].concat()),
        (
            b"and" | b"or" | b"+" | b"*" | b"str.++" | b"re.++" | b"re.union" | b"re.inter"
            | b"bvadd" | b"bvmul" | b"bvand" | b"bvor" | b"bvxor" | b"concat",
            _,
        ) => {
            let nested = |&part: &u32| sexprs.head(text, part) == Some(head);
            if !parts
                .iter()
                .any(|part| sexprs.node(*part).is_list && nested(part))
            {
                return None;
            }
            let mut flat: Vec<&[u8]> = Vec::new();
            for &part in &parts {
                if sexprs.node(part).is_list && nested(&part) {
                    let words = sexprs.children(part).skip(1);
                    flat.extend(words.map(|word| sexprs.text(text, word)));
                } else {
                    flat.push(sexprs.text(text, part));
                }
            }
            Some(call(head, &flat))
        }
        _ => None,
    }
}

/// The negation of a term: without its own `not`, or with one.
fn negated_text(smt: &Smt, text: &[u8], term: u32) -> Vec<u8> {
    let of_not = (smt.sexprs().head(text, term) == Some(b"not"))
        .then(|| smt.sexprs().children(term).nth(1))
        .flatten();
    match of_not {
        Some(inner) => smt.sexprs().text(text, inner).to_vec(),
        None => [b"(not ", smt.sexprs().text(text, term), b")"].concat(),
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
            smt.sort(term as u32).is_some() && rewritten(&smt, text, term as u32).is_some()
        })? as u32;
        let shorter = rewritten(&smt, text, term).ok_or(DeadBranch)?;
        let edit = smt.replaced(text, smt.sexprs().node(term).range(), &shorter);
        simpler(target, Patch::edits_of([edit]).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        5
    }
}
