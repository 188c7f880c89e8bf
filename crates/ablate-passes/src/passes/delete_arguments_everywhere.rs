//! Deletes the same parameter of a function and argument of all its calls at once.
//!
//! Where the number of arguments has to be right, `def f(a, b)` and `f(1, 2)` can only change
//! together. What stands before a bracket is taken for the name of what is called.
//!
//! Costs one test for each place of an argument of each name that stands before more than one
//! bracket. A success is grown over the arguments before and after it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteArgumentsEverywhere;
//!
//! assert_eq!(
//!     reductions(&DeleteArgumentsEverywhere, "f(a, b) g(x) f(1, (2, 3))"),
//!     ["f(a) g(x) f(1)", "f(b) g(x) f((2, 3))"]
//! );
//! assert_eq!(reductions(&DeleteArgumentsEverywhere, "f(a) f(1)"), ["f() f()"]);
//! ```

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::is_word;
use crate::formats::items::Items;

/// Deletes a parameter and the arguments for it; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteArgumentsEverywhere;

/// Where the arguments of one place are.
type List = Vec<(usize, usize)>;

/// Names, each with the arguments of every place where it is called or defined.
struct Calls {
    /// For each name, for each place, where its arguments are.
    names: Vec<Vec<List>>,
    /// Name and argument, as numbers.
    steps: Vec<(u32, u32)>,
}

impl Calls {
    fn of(target: &Target<u8>) -> Calls {
        let text = target.elements();
        let (brackets, items) = (Brackets::of(target), Items::of(target));
        let mut lists: BTreeMap<usize, List> = BTreeMap::new();
        for (first, last) in items
            .groups()
            .filter(|&(first, _)| items.is_separated(first))
        {
            let list = (first..=last).map(|item| {
                let (start, end) = items.range(item);
                (start as usize, end as usize)
            });
            lists.insert(items.range(first).0 as usize, list.collect());
        }
        let mut calls: BTreeMap<&[u8], Vec<List>> = BTreeMap::new();
        for pair in brackets.all() {
            let (start, end) = pair.interior();
            let name = name_before(text, pair.open as usize);
            if text[pair.open as usize] != b'(' || name.is_empty() {
                continue;
            }
            let inside = text[start..end].trim_ascii_start();
            let first = end - inside.len();
            let only = (first, first + inside.trim_ascii_end().len());
            let list = lists
                .get(&first)
                .filter(|list| list.last().is_some_and(|l| l.1 <= end));
            let list = list.cloned().unwrap_or_else(|| [only].to_vec());
            calls.entry(name).or_default().push(list);
        }
        let mut names: Vec<_> = calls
            .into_values()
            .filter(|places| places.len() > 1)
            .collect();
        names.sort_unstable();
        let mut steps = Vec::new();
        for (number, places) in names.iter_mut().enumerate() {
            let count = places[0].len();
            if places
                .iter()
                .all(|list| list.len() == count && list[0].0 < list[0].1)
            {
                steps.extend((0..count).map(|at| (number as u32, at as u32)));
            }
        }
        Calls { names, steps }
    }

    /// Deletes the arguments `first..=last` of every place of a name.
    fn patch(&self, name: usize, first: usize, last: usize) -> Option<Patch<u8>> {
        let cut = |list: &List| {
            let (start, end) = (list.get(first)?.0, list.get(last)?.1);
            Some(
                match first.checked_sub(1).and_then(|before| list.get(before)) {
                    Some(before) => (before.1, end),
                    None => (start, list.get(last + 1).map_or(end, |after| after.0)),
                },
            )
        };
        let cuts: Option<Vec<(usize, usize)>> = self.names[name].iter().map(cut).collect();
        cuts.map(Patch::cuts)
    }
}

/// The name that stands right before `at`.
fn name_before(text: &[u8], at: usize) -> &[u8] {
    let len = text[..at]
        .iter()
        .rev()
        .take_while(|byte| is_word(**byte))
        .count();
    &text[at - len..at]
}

impl Pass<u8> for DeleteArgumentsEverywhere {
    fn name(&self) -> &'static str {
        "delete_arguments_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let calls = target.analysis(Calls::of);
        let (name, at) = calls.steps[chooser.any(0..calls.steps.len())?];
        let at = at as usize;
        calls.patch(name as usize, at, at).ok_or(DeadBranch)
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let calls = target.analysis(Calls::of);
        let cut = patch.edits().first()?;
        for (name, places) in calls.names.iter().enumerate() {
            let list = &places[0];
            let first = list.partition_point(|argument| argument.0 < cut.start);
            let after = list.partition_point(|argument| argument.1 <= cut.end);
            if first >= after || calls.patch(name, first, after - 1).as_ref() != Some(patch) {
                continue;
            }
            let (mut first, mut last) = (first, after - 1);
            if direction == 0 {
                first = first.checked_sub(amount)?;
            } else {
                last = last.checked_add(amount)?;
            }
            return calls.patch(name, first, last);
        }
        None
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        4
    }
}
