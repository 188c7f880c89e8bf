//! Replaces brackets with what is in them, or a quoted string, by the simplest such part there is.
//!
//! What stands elsewhere in the same text fits where something simpler is wanted: in
//! `f([1]) + g([2, 3])`, `[2, 3]` becomes `[1]`.
//!
//! Costs one test for each pair of brackets and each quoted string that is not the simplest of its
//! kind; empty ones are left to `hollow_brackets` and `hollow_quoted`.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::SubstituteParts;
//!
//! let seen = reductions(&SubstituteParts, "f([1], [2, 3], 'x', 'y')");
//! assert_eq!(seen, ["f([1], [2, 3], 'x', 'x')", "f([1], [1], 'x', 'y')"]);
//! ```

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::simpler;
use crate::formats::quotes::Quotes;
use crate::formats::words::compare;
use crate::passes::one_of;

/// Replaces a part by the simplest of its kind; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubstituteParts;

struct Part {
    range: (u32, u32),
    simplest: (u32, u32),
}

/// The parts that can become simpler, by position.
struct Parts(Vec<Part>);

impl Parts {
    fn of(target: &Target<u8>) -> Rc<Parts> {
        let (brackets, quotes) = (Brackets::of(target), Quotes::of(target));
        target.analysis(|target| {
            let text = target.elements();
            let pairs = brackets.all().iter();
            let pairs = pairs.filter(|pair| !brackets.is_within_chain(text, pair));
            let mut ranges: Vec<(u32, u32)> =
                pairs.map(|pair| (pair.open, pair.close + 1)).collect();
            ranges.extend(quotes.all().iter().map(|quoted| (quoted.start, quoted.end)));
            ranges.retain(|(start, end)| end - start > 2);
            ranges.sort_unstable();
            let part = |(start, end): (u32, u32)| &text[start as usize..end as usize];
            let mut simplest = [None; 256];
            for &range in &ranges {
                let best = &mut simplest[usize::from(part(range)[0])];
                if best.is_none_or(|best| compare(part(range), part(best)).is_lt()) {
                    *best = Some(range);
                }
            }
            let with_simplest = ranges.into_iter().filter_map(|range| {
                let simplest = simplest[usize::from(part(range)[0])]?;
                (part(range) != part(simplest)).then_some(Part { range, simplest })
            });
            Parts(with_simplest.collect())
        })
    }
}

impl Pass<u8> for SubstituteParts {
    fn name(&self) -> &'static str {
        "substitute_parts"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let parts = Parts::of(target);
        let part = one_of(chooser, &parts.0)?;
        let replacement = &target.elements()[part.simplest.0 as usize..part.simplest.1 as usize];
        let patch = Patch::replace(part.range.0 as usize, part.range.1 as usize, replacement);
        simpler(target, patch)
    }

    fn rank(&self) -> u8 {
        3
    }
}
