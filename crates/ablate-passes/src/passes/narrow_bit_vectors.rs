//! Gives all bit-vectors of a width fewer bits, in an SMT-LIB script.
//!
//! A bug with 32 bits is mostly one with 8 bits as well, and `#b0` is shorter than `#x00000000`.
//!
//! Costs up to three tests for each width: to 1 bit, to half the width, and to one bit less. Sorts,
//! `(_ bv0 32)` and literals of the width change together.
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
                let parts: Vec<&[u8]> = words(&smt, text, node);
                match parts[..] {
                    [b"_", b"BitVec", width] => number(width),
                    _ => None,
                }
            });
            let mut widths: Vec<u32> = widths.filter(|&width| width > 1).collect();
            widths.sort_unstable();
            widths.dedup();
            Widths(widths)
        })
    }
}

fn words<'a>(smt: &Smt, text: &'a [u8], list: u32) -> Vec<&'a [u8]> {
    let parts = smt.sexprs().children(list).take(4);
    parts.map(|part| smt.sexprs().text(text, part)).collect()
}

fn number(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// The edit that makes a node of `width` bits one of `to` bits.
fn narrowed(smt: &Smt, text: &[u8], node: u32, width: u32, to: u32) -> Option<Edit<u8>> {
    let range = smt.sexprs().node(node).range();
    let insert = match smt.sexprs().text(text, node) {
        [b'#', b'b', bits @ ..] if bits.len() == width as usize => {
            [b"#b", &bits[bits.len() - to as usize..]].concat()
        }
        [b'#', b'x', digits @ ..] if 4 * digits.len() == width as usize => {
            let bits = digits.iter().flat_map(|&digit| {
                let value = (digit as char).to_digit(16).unwrap_or(0);
                (0..4)
                    .rev()
                    .map(move |bit| b'0' + ((value >> bit) & 1) as u8)
            });
            let bits: Vec<u8> = bits.collect();
            if to.is_multiple_of(4) {
                [b"#x", &digits[digits.len() - to as usize / 4..]].concat()
            } else {
                [b"#b", &bits[bits.len() - to as usize..]].concat()
            }
        }
        _ => match words(smt, text, node)[..] {
            [b"_", b"BitVec", of] if number(of) == Some(width) => {
                format!("(_ BitVec {to})").into_bytes()
            }
            [b"_", value, of] if number(of) == Some(width) => {
                let value: u128 = core::str::from_utf8(value.strip_prefix(b"bv")?)
                    .ok()?
                    .parse()
                    .ok()?;
                let value = if to < 128 {
                    value & ((1 << to) - 1)
                } else {
                    value
                };
                format!("(_ bv{value} {to})").into_bytes()
            }
            _ => return None,
        },
    };
    Some(smt.replaced(text, range, &insert))
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
        let width = widths.0[chooser.any(0..widths.0.len())?];
        let mut narrower = alloc::vec![1, width / 2, width - 1];
        narrower.dedup();
        let to = narrower[chooser.prefer(narrower.len())?];
        let (smt, text) = (Smt::of(target), target.elements());
        let numbers = 0..smt.sexprs().all().len() as u32;
        let edits = numbers.filter_map(|node| narrowed(&smt, text, node, width, to));
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        5
    }
}
