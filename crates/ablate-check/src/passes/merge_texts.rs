//! Joins neighbouring texts, or bytes, of a collection.
//!
//! `["0", "00"]` becomes `["000"]` when only the letters count that there are in all. A text is one
//! choice, so that what joins lists does not see it.
//!
//! Costs a test for each pair of neighbours that are not empty; grown over those behind them.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let tried = reductions("merge_texts", vec(string()), "1.t.s61.t.s62.t.s6363.f");
//! assert_eq!(tried, [r#"["a", "bcc"]"#, r#"["ab", "cc"]"#]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::letters::{letters, with_letters};
use super::shape::{Families, Family, Numbers, is_more, with_number};
use crate::choice::{Choice, Value};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct MergeTexts;

/// Where the text stands that is all there is in a member.
fn text_at(elements: &[Choice], (start, end): (usize, usize)) -> Option<usize> {
    let at = start + usize::from(is_more(elements.get(start)?));
    let is_text = at + 1 == end && matches!(elements[at].value(), Value::Text(_) | Value::Bytes(_));
    is_text.then_some(at)
}

fn is_empty(choice: &Choice) -> bool {
    match choice.value() {
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        _ => true,
    }
}

/// The pairs of neighbours that can be joined: each a family, and the first one's place in it.
struct Pairs(Vec<(usize, usize)>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        let elements = target.elements();
        if !Numbers::of(target).kinds.has_letters {
            return Pairs(Vec::new());
        }
        let mut pairs = Vec::new();
        for (place, family) in Families::of(target).iter().enumerate() {
            let can_join = |member: &(usize, usize)| {
                text_at(elements, *member).is_some_and(|at| !is_empty(&elements[at]))
            };
            let neighbours = family.members.windows(2).enumerate();
            let joined = neighbours.filter(|(_, pair)| pair.iter().all(can_join));
            pairs.extend(joined.map(|(first, _)| (place, first)));
        }
        Pairs(pairs)
    }
}

/// These members in one, which stands in the place of the first.
fn merged(
    target: &Target<Choice>,
    family: &Family,
    (first, last): (usize, usize),
) -> Option<Patch<Choice>> {
    let elements = target.elements();
    let run = family.members.get(first..=last)?;
    let kept = text_at(elements, run[0])?;
    let mut joined = Vec::new();
    for member in run {
        joined.extend(letters(&elements[text_at(elements, *member)?])?);
    }
    let put = |at: usize, choice| Edit {
        start: at,
        end: at + 1,
        insert: Some([choice].into()),
    };
    let count = family.count_in(target).map(|at| {
        let count = family.members.len() + first - last;
        put(at, with_number(&elements[at], count as i128))
    });
    let longer = put(kept, with_letters(&elements[kept], &joined)?);
    let cuts = run[1..].iter().map(|&(start, end)| Edit {
        start,
        end,
        insert: None,
    });
    Patch::edits_of(cuts.chain(count).chain([longer])).ok()
}

impl Pass<Choice> for MergeTexts {
    fn name(&self) -> &'static str {
        "merge_texts"
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let pairs = target.analysis(Pairs::found);
        let (family, first) = pairs.0[chooser.any(0..pairs.0.len())?];
        let families = Families::of(target);
        merged(target, &families[family], (first, first + 1)).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        target: &Target<Choice>,
        patch: &Patch<Choice>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<Choice>> {
        let families = Families::of(target);
        // The last edit is the cut of the last one that was joined.
        let (start, end) = patch.edits().last().map(|edit| (edit.start, edit.end))?;
        let kept = patch.edits().iter().find(|edit| {
            let insert = edit.insert.as_deref().and_then(<[Choice]>::first);
            insert.is_some_and(|choice| letters(choice).is_some())
        })?;
        let (family, _, last) = families.run_of(start, end)?;
        let holds = |member: &(usize, usize)| member.1 <= kept.start;
        let first = family.members.partition_point(holds);
        merged(target, family, (first, last.checked_add(amount)?))
    }
}
