//! Gives all bit-vectors of a width fewer bits, in an SMT-LIB script.
//!
//! A bug with 32 bits is mostly one with 8 bits as well, and `#b0` is shorter than `#x00000000`.
//!
//! Costs up to three tests for each width: to 1 bit, to half the width, and to one bit less. Sorts,
//! `(_ bv0 32)` and literals of the width change together. Where widths depend on each other, only all
//! of them together can change: one more test halves every one, and with them what `extract` and the
//! extensions say.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::NarrowBitVectors;
//!
//! let text = "(declare-fun x () (_ BitVec 4))(assert (= x #b0101 (_ bv9 4)))";
//! assert_eq!(
//!     reductions(&NarrowBitVectors, text)[0],
//!     "(declare-fun x () (_ BitVec 1))(assert (= x #b1 (_ bv1 1)))",
//! );
//! let text = "(declare-fun x () (_ BitVec 8))(assert (= x ((_ zero_extend 4) ((_ extract 7 4) x))))";
//! assert_eq!(
//!     reductions(&NarrowBitVectors, text).last().unwrap(),
//!     "(declare-fun x () (_ BitVec 4))(assert (= x ((_ zero_extend 2) ((_ extract 3 2) x))))",
//! );
//! ```

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::formats::smt_bits::{Bits, index};

/// Narrows bit-vectors; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct NarrowBitVectors;

/// The widths above one that the text names.
struct Widths(Vec<u32>);

impl Widths {
    fn of(target: &Target<u8>) -> Rc<Widths> {
        let smt = Smt::of(target);
        target.analysis(|target| {
            let text = target.elements();
            let numbers = 0..smt.sexprs().all().len() as u32;
            let widths = numbers.filter_map(|node| {
                let name = second(&smt, text, node)?;
                (name == b"BitVec").then(|| index(smt.sexprs(), text, node, 2))?
            });
            let mut widths: Vec<u32> = widths.filter(|&width| width > 1).collect();
            widths.sort_unstable();
            widths.dedup();
            Widths(widths)
        })
    }
}

/// The name in `(_ name …)`.
fn second<'a>(smt: &Smt, text: &'a [u8], list: u32) -> Option<&'a [u8]> {
    let name = smt.sexprs().children(list).nth(1)?;
    let is_indexed = smt.sexprs().head(text, list) == Some(b"_");
    is_indexed.then(|| smt.sexprs().text(text, name))
}

/// The edit that gives a sort or a literal the width that `to` makes of its own.
fn narrowed(smt: &Smt, text: &[u8], node: u32, to: &dyn Fn(u32) -> u32) -> Option<Edit<u8>> {
    let sexprs = smt.sexprs();
    let is_named = second(smt, text, node).is_some();
    let insert = if second(smt, text, node) == Some(b"BitVec") {
        let width = index(sexprs, text, node, 2)?;
        format!("(_ BitVec {})", to(width)).into_bytes()
    } else {
        let bits = Bits::read(sexprs.text(text, node))?;
        let narrow = bits.part(to(bits.width()).checked_sub(1)?, 0)?;
        if narrow == bits {
            return None;
        }
        // A literal stays one of its kind, to change as little as can be.
        if is_named {
            narrow.indexed()
        } else {
            narrow.plain()
        }
    };
    (insert != sexprs.text(text, node))
        .then(|| smt.replaced(text, sexprs.node(node).range(), &insert))
}

fn half(width: u32) -> u32 {
    (width / 2).max(1)
}

/// The edits that give what is said of positions in a bit-vector half the width.
fn halved(smt: &Smt, text: &[u8], node: u32) -> Vec<Edit<u8>> {
    let sexprs = smt.sexprs();
    let number = |place: usize| index(sexprs, text, node, place);
    let values = match second(smt, text, node) {
        Some(b"extract") => match (number(2), number(3)) {
            (Some(high), Some(low)) if high < u32::MAX => [Some(half(high + 1) - 1), Some(low / 2)],
            _ => [None, None],
        },
        Some(b"zero_extend" | b"sign_extend") => {
            let of = sexprs.children(sexprs.node(node).parent).nth(1);
            let width = of.and_then(|of| smt.width(of));
            let by = width
                .zip(number(2))
                .and_then(|(width, by)| half(width.checked_add(by)?).checked_sub(half(width)));
            [by, None]
        }
        _ => [None, None],
    };
    let edits = values.into_iter().zip(2..).filter_map(|(value, place)| {
        let part = sexprs.children(node).nth(place)?;
        let insert = format!("{}", value?);
        Some(smt.replaced(text, sexprs.node(part).range(), insert.as_bytes()))
    });
    edits.collect()
}

impl Pass<u8> for NarrowBitVectors {
    fn name(&self) -> &'static str {
        "narrow_bit_vectors"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let widths = Widths::of(target);
        if widths.0.is_empty() {
            return Err(DeadBranch);
        }
        let (smt, text) = (Smt::of(target), target.elements());
        let numbers = 0..smt.sexprs().all().len() as u32;
        // The number before the first, which sweeps try last, stands for all of them.
        let edits: Vec<Edit<u8>> = match chooser.any(0..widths.0.len() + 1)?.checked_sub(1) {
            None => {
                let all = numbers.flat_map(|node| {
                    let own = narrowed(&smt, text, node, &half);
                    own.into_iter().chain(halved(&smt, text, node))
                });
                all.collect()
            }
            Some(number) => {
                let width = widths.0[number];
                let mut narrower = alloc::vec![1, width / 2, width - 1];
                narrower.dedup();
                let to = narrower[chooser.prefer(narrower.len())?];
                let narrow = move |of: u32| if of == width { to } else { of };
                numbers
                    .filter_map(|node| narrowed(&smt, text, node, &narrow))
                    .collect()
            }
        };
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        5
    }
}
