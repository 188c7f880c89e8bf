//! Deletes a datatype of an SMT-LIB script from the two lists in which it stands, or one of its
//! constructors.
//!
//! `(declare-datatypes ((T 0) (U 0)) (((t)) ((u) (v))))` becomes
//! `(declare-datatypes ((T 0)) (((t))))`, or has `U` without `u`.
//!
//! Costs one test for each datatype and for each constructor, where others remain.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteDatatypes;
//!
//! let text = "(declare-datatypes ((T 0) (U 0)) (((t)) ((u) (v))))";
//! assert_eq!(reductions(&DeleteDatatypes, text), [
//!     "(declare-datatypes ((T 0) (U 0)) (((t)) ((u))))",
//!     "(declare-datatypes ((T 0) (U 0)) (((t)) ((v))))",
//!     "(declare-datatypes ((T 0)) (((t))))",
//!     "(declare-datatypes ((U 0)) (((u) (v))))",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::formats::smt_sorts::datatypes;
use crate::passes::one_of;

/// Deletes datatypes and constructors; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteDatatypes;

/// What goes together: the nodes, in the order of the text.
struct Deletions(Vec<Vec<u32>>);

impl Deletions {
    fn of(smt: &Smt, text: &[u8]) -> Deletions {
        let sexprs = smt.sexprs();
        let mut found = Vec::new();
        for command in sexprs.top() {
            let head = sexprs.head(text, command);
            if !matches!(head, Some(b"declare-datatypes" | b"declare-datatype")) {
                continue;
            }
            let lists: Vec<u32> = sexprs.children(command).skip(1).collect();
            if let (Some(b"declare-datatypes"), &[names, bodies]) = (head, &lists[..]) {
                let pairs = sexprs.children(names).zip(sexprs.children(bodies));
                let pairs: Vec<Vec<u32>> = pairs.map(|(a, b)| alloc::vec![a, b]).collect();
                if pairs.len() > 1 {
                    found.extend(pairs);
                }
            }
            for (_, constructors) in datatypes(sexprs, text, command) {
                if constructors.len() > 1 {
                    found.extend(constructors.into_iter().map(|node| alloc::vec![node]));
                }
            }
        }
        Deletions(found)
    }
}

impl Pass<u8> for DeleteDatatypes {
    fn name(&self) -> &'static str {
        "delete_datatypes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let deletions = target.analysis(|target| Deletions::of(&smt, target.elements()));
        let nodes = one_of(chooser, &deletions.0)?.iter();
        let cuts = nodes.map(|&node| smt.cut(text, smt.sexprs().node(node).range()));
        simpler(target, Patch::cuts(cuts))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        6
    }
}
