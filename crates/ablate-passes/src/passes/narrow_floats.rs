//! Makes all floating-point numbers of a format numbers of 16 bits, in an SMT-LIB script.
//!
//! A bug in `Float64` is mostly one in `Float16` as well, whose numbers are shorter.
//!
//! Costs one test for each format. Sorts, conversions, special values and literals change together.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::NarrowFloats;
//!
//! let text = "(declare-const x Float32)(assert (= x (_ NaN 8 24) ((_ to_fp 8 24) RNE 1.0)))";
//! assert_eq!(
//!     reductions(&NarrowFloats, text),
//!     ["(declare-const x Float16)(assert (= x (_ NaN 5 11) ((_ to_fp 5 11) RNE 1.0)))"],
//! );
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::formats::smt_bits::{Bits, index};
use crate::formats::smt_sorts::FLOATS;
use crate::passes::one_of;

/// Narrows floating-point numbers; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct NarrowFloats;

/// The bits of the exponent and of the significand.
type Format = (u32, u32);

/// The narrowest format with a short name.
const NARROWEST: Format = (5, 11);

/// The formats that are named, but for the narrowest.
struct Formats(Vec<Format>);

impl Formats {
    fn of(target: &Target<u8>) -> Rc<Formats> {
        let smt = Smt::of(target);
        target.analysis(|target| {
            let numbers = 0..smt.sexprs().all().len() as u32;
            let text = target.elements();
            let formats = numbers.filter_map(|node| named(&smt, text, node));
            let mut formats: Vec<Format> = formats.filter(|&f| f != NARROWEST).collect();
            formats.sort_unstable();
            formats.dedup();
            Formats(formats)
        })
    }
}

/// The format that a node names.
fn named(smt: &Smt, text: &[u8], node: u32) -> Option<Format> {
    let sexprs = smt.sexprs();
    if !sexprs.node(node).is_list {
        let float = FLOATS.iter().find(|f| f.0 == sexprs.text(text, node))?;
        let mut numbers = float.1.split(|byte| !byte.is_ascii_digit());
        let mut number = || {
            let digits = numbers.find(|digits| !digits.is_empty())?;
            core::str::from_utf8(digits).ok()?.parse().ok()
        };
        return number().zip(number());
    }
    let name = sexprs.children(node).nth(1)?;
    let is_of_floats = matches!(
        sexprs.text(text, name),
        b"FloatingPoint"
            | b"to_fp"
            | b"to_fp_unsigned"
            | b"+oo"
            | b"-oo"
            | b"+zero"
            | b"-zero"
            | b"NaN"
    );
    let format = index(sexprs, text, node, 2).zip(index(sexprs, text, node, 3));
    format.filter(|_| is_of_floats && sexprs.head(text, node) == Some(b"_"))
}

/// The edits that give a node of a format the narrowest one.
fn narrowed(smt: &Smt, text: &[u8], node: u32, format: Format) -> Vec<Edit<u8>> {
    let sexprs = smt.sexprs();
    let place = |number: usize| sexprs.children(node).nth(number);
    let replaced = |part: u32, insert: &[u8]| smt.replaced(text, sexprs.node(part).range(), insert);
    if named(smt, text, node) == Some(format) {
        let name = place(1).map(|name| sexprs.text(text, name));
        return match (name, place(2), place(3)) {
            (None | Some(b"FloatingPoint"), ..) => alloc::vec![replaced(node, b"Float16")],
            (_, Some(one), Some(other)) => {
                alloc::vec![replaced(one, b"5"), replaced(other, b"11")]
            }
            _ => Vec::new(),
        };
    }
    let bits = |number: usize| {
        Some((
            place(number)?,
            Bits::read(sexprs.text(text, place(number)?))?,
        ))
    };
    let (Some(b"fp"), Some(exponent), Some(rest)) = (sexprs.head(text, node), bits(2), bits(3))
    else {
        return Vec::new();
    };
    if (exponent.1.width(), rest.1.width() + 1) != format {
        return Vec::new();
    }
    // The lowest bits of the exponent, and the highest of what comes after it.
    let (width, narrowest) = (rest.1.width(), NARROWEST.1 - 1);
    let parts = [
        (exponent.0, exponent.1.part(NARROWEST.0 - 1, 0)),
        (
            rest.0,
            rest.1.part(width - 1, width.saturating_sub(narrowest)),
        ),
    ];
    let edits = parts.map(|(part, bits)| Some(replaced(part, &bits?.written())));
    edits.into_iter().flatten().collect()
}

impl Pass<u8> for NarrowFloats {
    fn name(&self) -> &'static str {
        "narrow_floats"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let formats = Formats::of(target);
        let format = *one_of(chooser, &formats.0)?;
        let (smt, text) = (Smt::of(target), target.elements());
        let numbers = 0..smt.sexprs().all().len() as u32;
        let edits = numbers.flat_map(|node| narrowed(&smt, text, node, format));
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        5
    }
}
