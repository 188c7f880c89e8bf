//! Exchanges two spans of the same label that are no siblings, when the one behind is the shorter.
//!
//! Where in a tree something stands may not matter: what is large goes to the back.
//!
//! Tried with the numbers of both, and with all these numbers in order.
//!
//! Costs two tests for each such pair; there is none where nothing is recursive.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let values = (vec(vec(0..9u8)), vec(0..9u8));
//! let tried = reductions("swap_spans", values, "1.t.t.1.t.2.f.f.t.3.f");
//! assert_eq!(tried, ["([[3]], [1, 2])", "([[1]], [2, 3])"]);
//! ```

use std::collections::BTreeMap;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::{Families, Place, Spans, marked, order_numbers};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct SwapSpans;

/// How many spans one is exchanged with at most.
const MOST: usize = 100;

/// The spans that have shorter ones of their label behind them in other families, each with these.
struct Pairs(Vec<(Place, Vec<Place>)>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        let (spans, families) = (Spans::of(target), Families::of(target));
        let mut labels: Vec<u64> = families.iter().map(|family| family.label).collect();
        labels.sort_unstable();
        if labels.windows(2).all(|pair| pair[0] != pair[1]) {
            return Pairs(Vec::new());
        }
        let mut by_label: BTreeMap<u64, Vec<Place>> = BTreeMap::new();
        for span in spans.iter() {
            by_label.entry(span.2).or_default().push(span);
        }
        let family = |span: Place| {
            let run = families.run_of(span.0, span.1);
            run.map(|(family, ..)| std::ptr::from_ref(family))
        };
        let found = spans.iter().filter_map(|span| {
            let (start, end, label) = span;
            let alike = by_label.get(&label)?;
            // Shorter ones stand before it in their order.
            let shorter = alike.partition_point(|other| other.1 - other.0 < end - start);
            let behind = alike[..shorter].iter().filter(|other| other.0 >= end);
            let others: Vec<Place> = behind
                .filter(|other| family(**other) != family(span))
                .take(MOST)
                .copied()
                .collect();
            (!others.is_empty()).then_some((span, others))
        });
        Pairs(found.collect())
    }
}

impl Pass<Choice> for SwapSpans {
    fn name(&self) -> &'static str {
        "swap_spans"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let pairs = target.analysis(Pairs::found);
        let (span, others) = &pairs.0[chooser.any(0..pairs.0.len())?];
        let other = others[chooser.any(0..others.len())?];
        let (start, end, label) = *span;
        let mut content = marked(target, other.0, other.1, label);
        content.extend_from_slice(&target.elements()[end..other.0]);
        content.extend(marked(target, start, end, label));
        if chooser.prefer(2)? == 1 {
            order_numbers(&mut content);
        }
        Ok(Patch::replace(start, other.1, &content))
    }

    fn pumps(&self) -> bool {
        true
    }
}
