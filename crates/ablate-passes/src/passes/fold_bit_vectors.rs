//! Computes what an SMT-LIB script says of bits that are known, and moves `extract` to where its bits
//! come from.
//!
//! `(_ bv3 8)` is `#x03`, `((_ zero_extend 4) #xf)` is `#x0f`, `(concat #b1 #b0)` is `#b10`, and
//! `((_ extract 3 0) (concat x y))` is `y` if that has four bits.
//!
//! Costs one test for each such term.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::FoldBitVectors;
//!
//! let text = "(declare-const x (_ BitVec 8))(assert (= ((_ extract 3 0) (concat x x)) (_ bv3 4)))";
//! assert_eq!(reductions(&FoldBitVectors, text), [
//!     "(declare-const x (_ BitVec 8))(assert (= ((_ extract 3 0) (concat x x)) #x3))",
//!     "(declare-const x (_ BitVec 8))(assert (= ((_ extract 3 0) x) (_ bv3 4)))",
//! ]);
//! ```

use alloc::format;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::formats::smt_bits::{Bits, index};
use crate::passes::choose_place;

/// Folds bit-vectors; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoldBitVectors;

/// What can be said instead of a term.
fn folded(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<u8>> {
    let sexprs = smt.sexprs();
    let mut parts = sexprs.children(term);
    let (head, first) = (parts.next()?, parts.next()?);
    let second = parts.next();
    let bits = |node: u32| Bits::read(sexprs.text(text, node));
    if !sexprs.node(head).is_list {
        return match (sexprs.text(text, head), second) {
            (b"_", Some(_)) => Bits::read(sexprs.text(text, term)).map(|bits| bits.written()),
            (b"bvnot", None) => Some(bits(first)?.negated().written()),
            (b"concat", Some(second)) if parts.next().is_none() => {
                Some(bits(first)?.followed_by(&bits(second)?).written())
            }
            _ => None,
        };
    }
    let number = |place: usize| index(sexprs, text, head, place);
    match index_name(smt, text, head)? {
        b"extract" => extracted(smt, text, first, (number(2)?, number(3)?)),
        b"zero_extend" => match bits(first) {
            Some(bits) => Some(bits.extended(number(2)?, false)?.written()),
            None => extended_twice(smt, text, term),
        },
        b"sign_extend" => match bits(first) {
            Some(bits) => Some(bits.extended(number(2)?, true)?.written()),
            None => extended_twice(smt, text, term),
        },
        _ => None,
    }
}

/// The name in `(_ name 1 2)`.
fn index_name<'a>(smt: &Smt, text: &'a [u8], head: u32) -> Option<&'a [u8]> {
    let name = smt.sexprs().children(head).nth(1)?;
    Some(smt.sexprs().text(text, name))
}

/// The bits from `high` down to `low` of a term, said of what they come from.
fn extracted(smt: &Smt, text: &[u8], of: u32, (high, low): (u32, u32)) -> Option<Vec<u8>> {
    let sexprs = smt.sexprs();
    if let Some(bits) = Bits::read(sexprs.text(text, of)) {
        return Some(bits.part(high, low)?.written());
    }
    let from = |node: u32, high: u32, low: u32| {
        let inner = sexprs.text(text, node);
        if low == 0 && smt.width(node) == high.checked_add(1) {
            return inner.to_vec();
        }
        let head = format!("((_ extract {high} {low}) ");
        [head.as_bytes(), inner, b")"].concat()
    };
    if smt.width(of) == high.checked_add(1) && low == 0 {
        return Some(sexprs.text(text, of).to_vec());
    }
    let mut parts = sexprs.children(of);
    let (head, first) = (parts.next()?, parts.next()?);
    if sexprs.text(text, head) == b"concat" {
        let second = parts.next().filter(|_| parts.next().is_none())?;
        let split = smt.width(second)?;
        return match (high < split, low >= split) {
            (true, _) => Some(from(second, high, low)),
            (_, true) => Some(from(first, high - split, low - split)),
            _ => None,
        };
    }
    match index_name(smt, text, head)? {
        b"extract" => {
            let by = index(sexprs, text, head, 3)?;
            Some(from(first, high.checked_add(by)?, low.checked_add(by)?))
        }
        b"zero_extend" | b"sign_extend" if high < smt.width(first)? => Some(from(first, high, low)),
        b"zero_extend" if low >= smt.width(first)? => {
            Some(Bits::zeros(high.checked_sub(low)?.checked_add(1)?)?.written())
        }
        _ => None,
    }
}

/// Two extensions of the same kind as one.
fn extended_twice(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<u8>> {
    let sexprs = smt.sexprs();
    let parts = |term: u32| {
        let mut parts = sexprs.children(term);
        let head = parts.next()?;
        let by = index(sexprs, text, head, 2)?;
        Some((index_name(smt, text, head)?, by, parts.next()?))
    };
    let (outer, by, inner) = parts(term)?;
    let (name, more, innermost) = parts(inner)?;
    let name = core::str::from_utf8(name).ok()?;
    (outer == name.as_bytes()).then(|| {
        let head = format!("((_ {name} {}) ", u64::from(by) + u64::from(more));
        [head.as_bytes(), sexprs.text(text, innermost), b")"].concat()
    })
}

impl Pass<u8> for FoldBitVectors {
    fn name(&self) -> &'static str {
        "fold_bit_vectors"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let count = smt.sexprs().all().len();
        let term = choose_place::<Self>(target, chooser, count, |&term| {
            smt.sort(term as u32).is_some() && folded(&smt, text, term as u32).is_some()
        })? as u32;
        let insert = folded(&smt, text, term).ok_or(DeadBranch)?;
        let edit = smt.replaced(text, smt.sexprs().node(term).range(), &insert);
        simpler(target, Patch::edits_of([edit]).map_err(|_| DeadBranch)?)
    }

    fn rank(&self) -> u8 {
        5
    }
}
