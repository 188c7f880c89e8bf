//! Replaces a span by one of the same label inside it.
//!
//! `1 + (2 / 0)` becomes `2 / 0`.
//!
//! What a generator makes can depend on where it stands, as the size that is left does. So it is
//! tried twice: choice by choice, and span by span, each taking what it needs.
//!
//! Costs two tests for each span and each one inside it of the same label.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let leaf = string().alphabet("abc").len(1..=1);
//! let pairs = recursive(leaf, |inner| (inner.clone(), inner).map(|(a, b)| format!("({a}{b})")));
//! let tried = reductions("replace_by_descendant", pairs, "1.t.t.f.s61.f.s62.f.s63");
//! assert_eq!(tried[..4], [r#""a""#, r#""b""#, r#""c""#, r#""(ab)""#]);
//! ```

use std::collections::BTreeSet;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::{Span, Target};

use super::shape::{Place, Spans, marked};
use crate::choice::Choice;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub enum ReplaceByDescendant {
    /// Choice by choice.
    AsItIs,
    /// Span by span.
    BySpans,
}

/// Which of the spans, the shortest first, hold another one of their label.
struct Nesting(Vec<bool>);

impl Nesting {
    fn found(target: &Target<Choice>) -> Nesting {
        let mut around: Vec<&Span> = Vec::new();
        let mut nesting = BTreeSet::new();
        for span in target.spans().iter() {
            around.truncate(span.depth as usize);
            let outer = around.iter().filter(|outer| outer.label == span.label);
            nesting.extend(outer.map(|outer| (outer.start, outer.end)));
            around.push(span);
        }
        let spans = Spans::of(target);
        let is_nesting = |(start, end, _): Place| nesting.contains(&(start, end));
        Nesting(spans.iter().map(is_nesting).collect())
    }
}

impl Pass<Choice> for ReplaceByDescendant {
    fn name(&self) -> &'static str {
        match self {
            ReplaceByDescendant::AsItIs => "replace_by_descendant",
            ReplaceByDescendant::BySpans => "replace_by_descendant_spans",
        }
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let spans = Spans::of(target);
        let nesting = target.analysis(Nesting::found);
        let (start, end, label) = spans.at(chooser.choose(0..spans.len(), |at| nesting.0[at])?);
        let count = spans.shorter_than(end - start);
        // The shortest first.
        let last = count.checked_sub(1).ok_or(DeadBranch)?;
        let chosen = chooser.choose(0..count, |chosen| {
            let inner = spans.at(last - chosen);
            inner.2 == label && start <= inner.0 && inner.1 <= end
        })?;
        let inner = spans.at(last - chosen);
        Ok(match self {
            ReplaceByDescendant::AsItIs => Patch::cuts([(start, inner.0), (inner.1, end)]),
            ReplaceByDescendant::BySpans => {
                Patch::replace(start, end, &marked(target, inner.0, inner.1, label))
            }
        })
    }

    fn pumps(&self) -> bool {
        matches!(self, ReplaceByDescendant::BySpans)
    }
}
