//! Deletes nodes of a model of ONNX.
//!
//! What they made is given from outside then, if the model says of which type it is; or what they took
//! first is used instead. Constants and types that nobody needs any more go too, and so do nodes; where
//! nothing is wanted any more, it is what the nodes took. Constants can be given from outside, too.
//!
//! Costs two tests for each node and one for each constant, and as many for halves, quarters and so on of all
//! of them; the most come first.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::DeleteOnnxNodes;
//!
//! // `b` is `Relu(a)`, `c` is `Exp(b)`.
//! let model = b"\x08\x08\x3a\x2a\x0a\x0c\x0a\x01a\x12\x01b\x22\x04Relu\x0a\x0b\x0a\x01b\x12\x01c\x22\x03Exp\
//!               \x5a\x03\x0a\x01a\x62\x03\x0a\x01c\x6a\x03\x0a\x01b";
//! let seen = reductions(&DeleteOnnxNodes, model);
//! let without_relu = b"\x08\x08\x3a\x17\x0a\x0b\x0a\x01b\x12\x01c\x22\x03Exp\x62\x03\x0a\x01c\x5a\x03\x0a\x01b";
//! assert!(seen.contains(&without_relu.to_vec()));
//! let without_exp = b"\x08\x08\x3a\x18\x0a\x0c\x0a\x01a\x12\x01b\x22\x04Relu\x5a\x03\x0a\x01a\x62\x03\x0a\x01b";
//! assert!(seen.contains(&without_exp.to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::containers::container;
use crate::formats::onnx::{Instead, Model};
use crate::formats::runs::add_runs;

/// Deletes nodes; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteOnnxNodes;

/// What goes: nodes, with what is used instead, or constants.
type What = Option<Instead>;

/// The constants, and the runs of nodes and constants that are tried, the largest first.
#[derive(Default)]
struct Choices {
    constants: Vec<usize>,
    runs: Vec<(usize, usize, What)>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let model = Model::of(target);
        let mut choices = Choices {
            constants: model.constants(),
            runs: Vec::new(),
        };
        let (nodes, constants) = (model.len(), choices.constants.len());
        let groups = [
            (Some(Instead::Input), nodes),
            (Some(Instead::FirstInput), nodes),
            (None, constants),
        ];
        for (what, count) in groups {
            if nodes > 0 && count > 0 {
                add_runs(0, count - 1, &mut |first, last| {
                    choices.runs.push((first, last, what));
                    true
                });
            }
        }
        let key = |&(first, last, _): &(usize, usize, What)| {
            (
                (last + 1 - first).leading_zeros() as usize,
                usize::MAX - first,
            )
        };
        choices.runs.sort_by_cached_key(key);
        choices
    }
}

impl Pass<u8> for DeleteOnnxNodes {
    fn name(&self) -> &'static str {
        "delete_onnx_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (text, model) = (target.elements(), Model::of(target));
        let choices = target.analysis(Choices::of);
        let (first, last, what) = choices.runs[chooser.prefer(choices.runs.len())?];
        let wanted = match what {
            Some(instead) => model.without(text, first..last + 1, instead),
            None => model.given(text, &choices.constants[first..=last]),
        };
        let wanted = wanted.ok_or(DeadBranch)?;
        let patch = container(target).patch(text, &wanted).ok_or(DeadBranch)?;
        simpler(target, patch)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let combined = container(target).combined(target.elements(), one, other);
        combined.ok_or(Conflict)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_taken_at_once(&self) -> bool {
        true
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
