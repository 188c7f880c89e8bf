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
use crate::formats::runs::runs_largest_first;

/// Deletes nodes; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteOnnxNodes;

/// The constants, and the runs of nodes that others are given for, of nodes that are bypassed, and of constants,
/// each behind those before it.
struct Choices {
    constants: Vec<usize>,
    runs: Vec<(u32, u32)>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let model = Model::of(target);
        let (nodes, constants) = (model.len(), model.constants());
        let given = if nodes > 0 { constants.len() } else { 0 };
        let sizes = [nodes, nodes, given].map(|count| alloc::vec![1; count]);
        Choices {
            constants,
            runs: runs_largest_first(&sizes),
        }
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
        let (first, end) = choices.runs[chooser.prefer(choices.runs.len())?];
        let (first, end, nodes) = (first as usize, end as usize, model.len());
        let wanted = match first.checked_div(nodes) {
            Some(0) => model.without(text, first..end, Instead::Input),
            Some(1) => model.without(text, first - nodes..end - nodes, Instead::FirstInput),
            _ => {
                let constants = &choices.constants[first - 2 * nodes..end - 2 * nodes];
                model.given(text, constants)
            }
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

    takes_largest_at_once!();

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
