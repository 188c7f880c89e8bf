//! Edits that several passes make.

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::choices::with_number;
use crate::choice::{Choice, Value};

/// Deletes intervals, and puts other numbers in the places of some.
pub(crate) fn delete_and_put(
    target: &Target<Choice>,
    deleted: &[(usize, usize)],
    numbers: impl IntoIterator<Item = (usize, i128)>,
) -> Option<Patch<Choice>> {
    let cut = |(start, end)| Edit {
        start,
        end,
        insert: None,
    };
    let put = |(at, value)| Edit {
        start: at,
        end: at + 1,
        insert: Some([with_number(&target.elements()[at], value)].into()),
    };
    // Mostly one begins where another ends.
    let runs = deleted.chunk_by(|one, next| one.1 == next.0);
    let cuts = runs.map(|run| cut((run[0].0, run[run.len() - 1].1)));
    Patch::edits_of(cuts.chain(numbers.into_iter().map(put))).ok()
}

/// A span's content, with marks around each span in it and around the whole: a replay takes it
/// apart by spans, wherever it stands.
pub(crate) fn marked(target: &Target<Choice>, start: usize, end: usize, label: u64) -> Vec<Choice> {
    let mut content = vec![Choice::mark(Value::Open(label))];
    let within = target
        .spans()
        .iter()
        .filter(|span| start <= span.start && span.end <= end && !span.is_empty());
    // The whole has its mark already.
    let mut inner = within
        .skip_while(|span| span.label != label)
        .skip(1)
        .peekable();
    let mut ends: Vec<usize> = Vec::new();
    for at in start..end {
        while let Some(span) = inner.next_if(|span| span.start <= at) {
            if span.start == at {
                content.push(Choice::mark(Value::Open(span.label)));
                ends.push(span.end);
            }
        }
        content.push(target.elements()[at].clone());
        while ends.pop_if(|end| *end == at + 1).is_some() {
            content.push(Choice::mark(Value::Close));
        }
    }
    content.push(Choice::mark(Value::Close));
    content
}

/// An edit that gives single choices their simplest values, and so many more: the next of these places
/// before the first of them.
pub(crate) fn with_more_before(
    target: &Target<Choice>,
    patch: &Patch<Choice>,
    places: &[usize],
    amount: usize,
) -> Option<Patch<Choice>> {
    let is_simplified = |edit: &Edit<Choice>| {
        let insert = edit.insert.as_deref();
        edit.end == edit.start + 1 && matches!(insert, Some([choice]) if choice.is_simplest())
    };
    if !patch.edits().iter().all(is_simplified) {
        return None;
    }
    let first = places.binary_search(&patch.extent()?.0).ok()?;
    let more = &places[first.checked_sub(amount)?..first];
    let more = Patch::change_each(target.elements(), more, Choice::simplify);
    more.combined(patch).ok()
}
