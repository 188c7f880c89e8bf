//! Deletes functions of WebAssembly as text (WAT), imports among them.
//!
//! Who called one does `unreachable` instead; exports of it go, and it stands in no table any more. Numbers
//! of functions behind it are lowered.
//!
//! Costs a test for each function, and as many for halves, quarters and so on of all of them.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteWatFunctions;
//!
//! let text = "(module (func call 1) (func nop) (export \"a\" (func 1)) (elem func 0 1))";
//! let seen = reductions(&DeleteWatFunctions, text);
//! assert!(seen.contains(&"(module (func unreachable)   (elem func 0))".to_owned()));
//! assert!(seen.contains(&"(module  (func nop) (export \"a\" (func 0)) (elem func 0))".to_owned()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::stub_wat_code::STUB;
use crate::formats::characters::simpler;
use crate::formats::runs::runs_largest_first;
use crate::formats::wat::{Wat, Without};

/// Deletes functions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteWatFunctions;

/// The runs of functions that are tried.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    fn of(target: &Target<u8>) -> Runs {
        let functions = Wat::of(target).functions().len();
        Runs(runs_largest_first(&[alloc::vec![1; functions]]))
    }
}

impl Pass<u8> for DeleteWatFunctions {
    fn name(&self) -> &'static str {
        "delete_wat_functions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let wat = Wat::of(target);
        let runs = target.analysis(Runs::of);
        let (first, end) = runs.0[chooser.prefer(runs.0.len())?];
        let (first, last) = (first as usize, end as usize - 1);
        let functions = wat.functions();
        let is_gone = |function: usize| (first..=last).contains(&function);
        let cut = |start: usize, end: usize| Edit {
            start,
            end,
            insert: None,
        };
        let mut edits: Vec<Edit<u8>> = functions[first..=last]
            .iter()
            .map(|function| cut(function.range.start, function.range.end))
            .collect();
        let mut inside = functions[first..=last]
            .iter()
            .map(|function| &function.range);
        let mut inner = inside.next();
        for reference in wat.references() {
            let start = reference.place.start;
            while inner.is_some_and(|range| range.end <= start) {
                inner = inside.next();
            }
            // What a function that goes names need not be changed.
            if inner.is_some_and(|range| range.contains(&start)) {
                continue;
            }
            let module = functions[reference.of].module;
            if is_gone(reference.of) {
                edits.push(match &reference.without {
                    Without::Stub(range) => Edit {
                        start: range.start,
                        end: range.end,
                        insert: Some(STUB.into()),
                    },
                    Without::Cut(range) => cut(range.start, range.end),
                });
            } else if reference.is_number && reference.of > last {
                let begin = functions.partition_point(|function| function.module < module);
                let gone = (last + 1).saturating_sub(first.max(begin));
                let number = reference.of - begin - gone;
                if gone > 0 {
                    let number = alloc::format!("{number}").into_bytes();
                    edits.push(Edit {
                        start,
                        end: reference.place.end,
                        insert: Some(number.into()),
                    });
                }
            }
        }
        edits.sort_by_key(|edit| (edit.start, edit.end));
        edits.dedup();
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    takes_largest_at_once!();

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        8
    }
}
