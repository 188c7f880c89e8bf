//! Deletes all outermost statements but a run of them and what they need, or only what such a run needs.
//!
//! Where statements end with `;` or with a block, as in style sheets, a statement names something with the
//! first word of its head, behind words with which many begin; it needs those with the names that are in
//! it. A rule that calls one mixin, which reads two variables, remains with these three out of thousands.
//! Names may have hyphens, and what stands more than a few times defines nothing.
//!
//! Costs a test or two for each halving; some hundred where nothing can go. Languages with a grammar have
//! `keep_reachable` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::KeepNamedItems;
//!
//! let text = "$a-b: 1;\n$c: 2;\n$d: $a-b;\np { x: $c; }\nq { x: $d; }\nr { x: 3; }\n";
//! let seen = reductions(&KeepNamedItems, text);
//! assert_eq!(seen[0], "$a-b: 1;\n$c: 2;\n$d: $a-b;\n");
//! assert_eq!(seen[1], "$a-b: 1;\n$c: 2;\n$d: $a-b;\np { x: $c; }\nq { x: $d; }\n");
//! ```

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::is_word;
use crate::formats::items::Items;
use crate::formats::quotes::Quotes;
use crate::formats::runs::add_runs;

/// Fewer statements are left to other passes.
const HARDLY_ANY: usize = 6;
/// Runs below this share of all statements are left to other passes.
const SMALLEST_SHARE: usize = 32;
/// What names more statements is no name.
const COMMON: usize = 16;
/// A word behind which others stand in so many heads is a keyword.
const KEYWORD: usize = 3;

/// Keeps some statements and what they need; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepNamedItems;

/// The outermost statements, and for each those that it needs.
struct Needs {
    ranges: Vec<(usize, usize)>,
    needs: Vec<Vec<u32>>,
}

/// What remains, by the numbers of the statements that go: what is tried first first.
struct Choices(Vec<Vec<(usize, usize)>>);

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let items = Items::of(target);
        let mut choices = Vec::new();
        let quotes = Quotes::of(target);
        let Some(needs) = Needs::of(target.elements(), &items, &quotes) else {
            return Choices(choices);
        };
        let count = needs.ranges.len();
        let smallest = (count / SMALLEST_SHARE).max(1);
        let mut runs = Vec::new();
        add_runs(0, count - 1, &mut |first, last| {
            let length = last + 1 - first;
            if length < count && length >= smallest {
                runs.push((length, first, last));
            }
            length >= smallest
        });
        runs.sort_by_cached_key(|&(length, first, _)| {
            core::cmp::Reverse((length.next_power_of_two(), first))
        });
        let mut known = BTreeSet::new();
        for (_, first, last) in runs {
            let is_in = |item: &u32| (first..=last).contains(&(*item as usize));
            let all = 0..count as u32;
            for kept in [
                needs.kept(all.clone().filter(is_in)),
                needs.kept(all.clone().filter(|item| !is_in(item))),
            ] {
                let gone = needs.cuts(&kept);
                if !gone.is_empty() && known.insert(gone.clone()) {
                    choices.push(gone);
                }
            }
        }
        Choices(choices)
    }
}

impl Needs {
    /// What the outermost statements need, if there are some that end as such.
    fn of(text: &[u8], items: &Items, quotes: &Quotes) -> Option<Needs> {
        if items.levels() == 0 {
            return None;
        }
        let (first, last) = items.siblings(items.on_level(0).start);
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut is_ended = true;
        for (start, end) in (first..=last).map(|item| items.range(item)) {
            let (start, end) = (start as usize, end as usize);
            // A line that ends nothing is a comment, or a part of what begins a statement.
            match ranges.last_mut() {
                Some(open) if !is_ended => open.1 = end,
                _ => ranges.push((start, end)),
            }
            let code = quotes.without_comments(start, end);
            let code = code.iter().rev();
            let mut code = code.filter_map(|code| text[code.0..code.1].trim_ascii_end().last());
            is_ended = code.next().is_some_and(|last| b";}".contains(last));
        }
        if ranges.len() < HARDLY_ANY {
            return None;
        }
        let heads: Vec<Vec<&[u8]>> = ranges
            .iter()
            .map(|&(start, end)| {
                let code = quotes.without_comments(start, end);
                let mut code = code
                    .iter()
                    .map(|code| text[code.0..code.1].trim_ascii_start());
                let first = code.find(|code| !code.is_empty());
                words(head(first.unwrap_or_default())).collect()
            })
            .collect();
        let named = named(&heads);
        let needs = (0..).zip(&ranges).map(|(item, &(start, end))| {
            let code = quotes.without_comments(start, end).into_iter();
            let used = code.flat_map(|(start, end)| words(&text[start..end]));
            let used = used.flat_map(|word| {
                let parts = word.split(|&byte| byte == b'-');
                core::iter::once(word).chain(parts.filter(move |part| part.len() < word.len()))
            });
            let needed = used.filter_map(|word| named.get(word)).flatten();
            let others: BTreeSet<u32> = needed.copied().filter(|&other| other != item).collect();
            others.into_iter().collect()
        });
        let needs = needs.collect();
        Some(Needs { ranges, needs })
    }

    /// Some statements, what they need, what that needs, and so on.
    fn kept(&self, some: impl Iterator<Item = u32>) -> Vec<bool> {
        let mut is_kept = alloc::vec![false; self.ranges.len()];
        let mut open: Vec<u32> = some.collect();
        while let Some(item) = open.pop() {
            if !core::mem::replace(&mut is_kept[item as usize], true) {
                open.extend(&self.needs[item as usize]);
            }
        }
        is_kept
    }

    /// What to cut so that only those remain that are kept.
    fn cuts(&self, is_kept: &[bool]) -> Vec<(usize, usize)> {
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for (range, _) in self.ranges.iter().zip(is_kept).filter(|one| !one.1) {
            match cuts.last_mut() {
                Some(cut) if cut.1 == range.0 => cut.1 = range.1,
                _ => cuts.push(*range),
            }
        }
        cuts
    }
}

/// The statements that each word names.
fn named<'a>(heads: &[Vec<&'a [u8]>]) -> BTreeMap<&'a [u8], Vec<u32>> {
    let mut before_others: BTreeMap<&[u8], usize> = BTreeMap::new();
    for head in heads {
        for word in head.iter().rev().skip(1) {
            *before_others.entry(word).or_default() += 1;
        }
    }
    let is_keyword = |word: &&&[u8]| before_others.get(**word).copied().unwrap_or(0) >= KEYWORD;
    let mut named: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
    for (item, head) in (0..).zip(heads) {
        let name = head.iter().find(|word| !is_keyword(word)).or(head.last());
        if let Some(name) = name {
            named.entry(name).or_default().push(item);
        }
    }
    named.retain(|_, items| items.len() <= COMMON);
    named
}

/// What stands before the body, the value or the parameters of a statement.
fn head(code: &[u8]) -> &[u8] {
    let end = code.iter().position(|byte| b"{(:=;".contains(byte));
    &code[..end.unwrap_or(code.len())]
}

/// The words of a text, with hyphens within them.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|&byte| !is_word(byte) && byte != b'-');
    let words = words.map(|word| {
        let start = word.iter().position(|&byte| byte != b'-');
        &word[start.unwrap_or(word.len())..]
    });
    words.filter(|word| word.first().is_some_and(|byte| !byte.is_ascii_digit()))
}

impl Pass<u8> for KeepNamedItems {
    fn name(&self) -> &'static str {
        "keep_named_items"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let cuts = &choices.0[chooser.prefer(choices.0.len())?];
        Ok(Patch::cuts(cuts.iter().copied()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;

    fn check(text: &str, expected: &str) {
        let seen = reductions(&KeepNamedItems, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn what_is_needed_is_needed_by_what_is_needed() {
        let text = "@gap: 1;\n@wide-gap: @gap;\n@large: 2;\n.space() { a: @wide-gap; }\n\
                    .p { .space(); }\n.q { b: c; }\n.r { d: e; }\n.s { f: @large; }\n";
        check(
            text,
            "@gap: 1;\n@wide-gap: @gap;\n.space() { a: @wide-gap; }\n.p { .space(); }\n",
        );
    }

    #[test]
    fn a_statement_has_its_comments_and_all_lines_of_its_head() {
        let text = "// Some.\n.a,\n.b {\n  x: y;\n}\n// More.\n@mixin c {\n}\n@mixin d {\n}\n\
                    @mixin e {\n}\n.f {\n  @include c;\n}\n.g {\n}\n";
        check(text, "// More.\n@mixin c {\n}\n.f {\n  @include c;\n}\n");
        check(text, "// Some.\n.a,\n.b {\n  x: y;\n}\n");
    }

    #[test]
    fn comments_end_nothing_and_need_nothing() {
        let text = "/// @param {a} $b; c\n/// $f }\n@mixin c {\n}\n@mixin d {\n}\n@mixin e {\n}\n\
                    $f: 1; // $g {\n$g: 2;\n.h {\n  @include c;\n}\n";
        check(
            text,
            "/// @param {a} $b; c\n/// $f }\n@mixin c {\n}\n.h {\n  @include c;\n}\n",
        );
        check(text, "$f: 1; // $g {\n");
    }

    #[test]
    fn lines_without_ends_are_no_statements() {
        check_none("a\nb\nc\nd\ne\nf\ng\nh\n");
        check_none("a: {}\nb: {}\n");
    }

    fn check_none(text: &str) {
        assert!(reductions(&KeepNamedItems, text).is_empty());
    }
}
