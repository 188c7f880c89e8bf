//! Puts `unreachable` in the place of instructions of WebAssembly as text (WAT).
//!
//! All that a function does can be that, whatever it is called with and returns; and so can a run of
//! instructions in a block, mostly.
//!
//! Costs a test for each function and for each instruction, and as many for halves, quarters and so on of
//! all functions, and of what is in each block; the largest come first.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::StubWatCode;
//!
//! let text = "(module (func (result i32) block nop br 0 end call 0 i32.eqz))";
//! let seen = reductions(&StubWatCode, text);
//! assert!(seen.contains(&"(module (func (result i32) unreachable))".to_owned()));
//! assert!(seen.contains(&"(module (func (result i32) unreachable call 0 i32.eqz))".to_owned()));
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::runs::add_runs;
use crate::formats::wat::Wat;

/// Puts `unreachable` in the place of instructions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct StubWatCode;

/// What is put there.
pub(super) const STUB: &[u8] = b"unreachable";
pub(super) const STUB_LIST: &[u8] = b"(unreachable)";

/// What can be replaced.
#[derive(Default)]
struct Choices {
    /// The instructions of functions.
    code: Vec<Range<usize>>,
    /// Functions from one to another, or the text from one place to another.
    runs: Vec<(u32, u32, bool)>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let wat = Wat::of(target);
        let text = target.elements();
        let mut choices = Choices::default();
        let code = wat
            .functions()
            .iter()
            .filter_map(|function| function.code.clone());
        choices.code = code.filter(|code| code.len() > STUB_LIST.len()).collect();
        let runs = &mut choices.runs;
        if let Some(last) = choices.code.len().checked_sub(1) {
            add_runs(0, last, &mut |first, last| {
                runs.push((first as u32, last as u32, true));
                true
            });
        }
        for level in wat.functions().iter().flat_map(|function| &function.levels) {
            let Some(last) = level.len().checked_sub(1) else {
                continue;
            };
            add_runs(0, last, &mut |first, last| {
                let (start, end) = (level[first].start, level[last].end);
                let is_long = end - start > stub(text, start).len();
                if is_long {
                    runs.push((start as u32, end as u32, false));
                }
                is_long
            });
        }
        let code = &choices.code;
        let size = |&(first, last, is_function): &(u32, u32, bool)| {
            let functions = || code[first as usize..=last as usize].iter().map(Range::len);
            if is_function {
                functions().sum()
            } else {
                (last - first) as usize
            }
        };
        choices
            .runs
            .sort_by_cached_key(|run| (size(run).leading_zeros(), u32::MAX - run.0));
        choices
    }
}

/// What takes the place of what begins somewhere.
pub(super) fn stub(text: &[u8], start: usize) -> &'static [u8] {
    match text[start] {
        b'(' => STUB_LIST,
        _ => STUB,
    }
}

impl Pass<u8> for StubWatCode {
    fn name(&self) -> &'static str {
        "stub_wat_code"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let text = target.elements();
        let choices = target.analysis(Choices::of);
        let (first, last, is_function) = choices.runs[chooser.prefer(choices.runs.len())?];
        let (first, last) = (first as usize, last as usize);
        if !is_function {
            return simpler(target, Patch::replace(first, last, stub(text, first)));
        }
        let edits = choices.code[first..=last].iter().map(|code| Edit {
            start: code.start,
            end: code.end,
            insert: Some(STUB.into()),
        });
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
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
