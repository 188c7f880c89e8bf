//! Deletes lines that define a name, and puts one of the things that each is made of in its place.
//!
//! In a netlist or a transition system the line `6 and 1 4 5` can't go alone, as others use `6`; they
//! take `4` or `5` as well, if these are of the same type, or another value of that type: in MLIR too, where
//! the type stands at the end of the line. Lines whose names nobody uses after that go
//! too, and so do, in steps of their own, those whose names nobody uses before; the numbers in the first
//! lines that count the lines of what follows are set right. No format is known here: what names what is
//! guessed.
//!
//! Costs two tests for each definition that is used, one for each other, and as many for halves, quarters
//! and so on of all of them; the largest come first. Languages with a grammar have `inline_definitions`
//! instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::BypassDefinitions;
//!
//! let text = "1 input\n2 input\n3 and 1 2\n4 not 3\n5 or 4 2\n6 bad 5\n";
//! let seen = reductions(&BypassDefinitions, text);
//! assert!(seen.contains(&"1 input\n2 input\n3 and 1 2\n5 or 3 2\n6 bad 5\n".to_owned()));
//! assert!(seen.contains(&"2 input\n6 bad 2\n".to_owned()));
//! ```

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::couplings::Sections;
use crate::formats::definitions::{Definitions, Value};
use crate::formats::lines::Lines;
use crate::formats::runs::add_runs;

/// Deletes lines that define something, and uses something else; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct BypassDefinitions;

/// Runs are tried down to this share of all lines.
const SMALLEST_SHARE: usize = 128;
/// What goes with each choice is only found out where that takes no more steps than this, for all of them.
const STEPS_MAX: usize = 1 << 23;

/// What takes the place of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Instead {
    /// Nothing: nobody uses what they define.
    Nothing,
    /// The last thing that each is made of.
    Last,
    /// The first thing that each is made of.
    First,
}

/// What goes together.
#[derive(Clone, Copy)]
struct Choice {
    instead: Instead,
    /// The first and the last of the lines that can go so.
    first: usize,
    last: usize,
    /// Which of the ways to count lines, if there is one.
    way: Option<usize>,
}

struct Choices {
    /// The lines that define something that is used and can be replaced, with the definition.
    used: Vec<(usize, usize)>,
    /// Other lines that use something.
    unused: Vec<usize>,
    all: Vec<Choice>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let (found, lines) = (Definitions::of(target), Lines::of(target));
        let mut is_needed = alloc::vec![false; found.all().len()];
        let mut is_other = alloc::vec![false; lines.len()];
        for one in found.uses() {
            is_needed[one.of as usize] = true;
            is_other[one.line as usize] = true;
        }
        let mut used = Vec::new();
        for (number, definition) in found.all().iter().enumerate() {
            let line = definition.line as usize;
            is_other[line] |= !is_needed[number];
            if is_needed[number] {
                is_other[line] = false;
                if found.replacement(number, true).is_some() {
                    used.push((line, number));
                }
            }
        }
        let unused = (0..lines.len()).filter(|&line| is_other[line]).collect();
        let mut choices = Choices {
            used,
            unused,
            all: Vec::new(),
        };
        if found.all().is_empty() {
            return choices;
        }
        for instead in [Instead::Nothing, Instead::Last, Instead::First] {
            choices.add(instead, &found);
        }
        let steps = found.uses().len() + found.all().len() + lines.len();
        let is_short = choices.all.len().saturating_mul(steps) <= STEPS_MAX;
        let size = |choice: &Choice| {
            let len = |line: usize| lines.range(line).1 - lines.start(line);
            let bypass = is_short.then(|| Bypass::new(target, &found, &choices, choice));
            match bypass.and_then(|bypass| bypass.lines(lines.len())) {
                Some((is_gone, _)) => {
                    let gone = (0..lines.len()).filter(|&line| is_gone[line]);
                    gone.map(len).sum()
                }
                None => choice.last - choice.first,
            }
        };
        let sized = choices.all.iter().map(|choice| (size(choice), *choice));
        let mut sized: Vec<(usize, Choice)> = sized.collect();
        sized
            .sort_by_cached_key(|(size, choice)| (size.leading_zeros(), usize::MAX - choice.first));
        let ways = ways(target, &found);
        let all = sized
            .into_iter()
            .flat_map(|(_, choice)| ways.iter().map(move |&way| Choice { way, ..choice }));
        choices.all = all.collect();
        choices
    }

    fn add(&mut self, instead: Instead, found: &Definitions) {
        let len = match instead {
            Instead::Nothing => self.unused.len(),
            Instead::Last | Instead::First => self.used.len(),
        };
        let shortest = len.div_ceil(SMALLEST_SHARE).max(1);
        let has_two = |&(_, number): &(usize, usize)| {
            found.replacement(number, true) != found.replacement(number, false)
        };
        if let Some(last) = len.checked_sub(1) {
            add_runs(0, last, &mut |first, last| {
                if instead != Instead::First || self.used[first..=last].iter().any(has_two) {
                    self.all.push(Choice {
                        instead,
                        first,
                        last,
                        way: None,
                    });
                }
                last - first >= shortest
            });
        }
    }
}

/// The ways to count lines by numbers that are no names; or none at all.
fn ways(target: &Target<u8>, found: &Definitions) -> Vec<Option<usize>> {
    let names = found.all().iter().map(|definition| definition.name);
    let names = names.chain(found.uses().iter().map(|one| one.token));
    let names: BTreeSet<u32> = names.map(|name| name.start).collect();
    let sections = Sections::of(target);
    let sections = sections.ways().iter().enumerate();
    let counted = sections.filter(|(_, counts)| {
        let mut numbers = counts.iter().map(|count| count.number.0);
        numbers.all(|number| !names.contains(&number))
    });
    let ways: Vec<Option<usize>> = counted.map(|(way, _)| Some(way)).collect();
    if ways.is_empty() {
        alloc::vec![None]
    } else {
        ways
    }
}

/// The text without some lines.
struct Bypass<'a> {
    text: &'a [u8],
    found: &'a Definitions,
    /// Which lines go.
    gone: Vec<usize>,
    /// What takes the place of each definition, for those that are used and go.
    instead: Vec<Option<Value>>,
}

impl<'a> Bypass<'a> {
    fn new(
        target: &'a Target<u8>,
        found: &'a Definitions,
        choices: &Choices,
        choice: &Choice,
    ) -> Bypass<'a> {
        let mut instead = alloc::vec![None; found.all().len()];
        let run = choice.first..=choice.last;
        let gone = if choice.instead == Instead::Nothing {
            choices.unused[run].to_vec()
        } else {
            let replaced = choices.used[run].iter().map(|&(line, number)| {
                instead[number] = found.replacement(number, choice.instead == Instead::Last);
                line
            });
            replaced.collect()
        };
        Bypass {
            text: target.elements(),
            found,
            gone,
            instead,
        }
    }

    /// What stands in the end for each definition; `None` where that would be itself.
    fn finals(&self) -> Option<Vec<Value>> {
        let mut finals: Vec<Option<Value>> = alloc::vec![None; self.instead.len()];
        for start in 0..self.instead.len() {
            let mut path = Vec::new();
            let mut at = start;
            let mut value = loop {
                if let Some(known) = finals[at] {
                    break known;
                }
                let Some(next) = self.instead[at] else {
                    break Value {
                        of: at as u32,
                        is_negated: false,
                    };
                };
                if path.len() > self.instead.len() {
                    return None;
                }
                path.push((at, next.is_negated));
                at = next.of as usize;
            };
            finals[at] = Some(value);
            for (at, is_negated) in path.into_iter().rev() {
                value.is_negated ^= is_negated;
                finals[at] = Some(value);
            }
        }
        finals.into_iter().collect()
    }

    /// Which lines go, with those that nobody needs any more, and what stands where something is used.
    fn lines(&self, lines: usize) -> Option<(Vec<bool>, Vec<Value>)> {
        let uses = self.found.uses();
        let finals = self.finals()?;
        let values = uses.iter().map(|one| {
            let mut value = finals[one.of as usize];
            value.is_negated ^= one.is_negated;
            value
        });
        let values: Vec<Value> = values.collect();
        let definitions = self.found.all();
        let mut is_gone = alloc::vec![false; lines];
        for &line in &self.gone {
            is_gone[line] = true;
        }
        // How often each is used in what stays, and whether it was used at all.
        let mut counts = alloc::vec![(0_u32, false); definitions.len()];
        for (one, value) in uses.iter().zip(&values) {
            counts[value.of as usize].0 += u32::from(!is_gone[one.line as usize]);
            counts[one.of as usize].1 = true;
        }
        let mut goes = |of: u32, count: (u32, bool)| {
            let line = definitions[of as usize].line as usize;
            count == (0, true) && !core::mem::replace(&mut is_gone[line], true)
        };
        let unused = (0..).zip(&counts).filter(|&(of, count)| goes(of, *count));
        let mut open: Vec<u32> = unused.map(|(of, _)| of).collect();
        while let Some(number) = open.pop() {
            for at in definitions[number as usize].operands.clone() {
                let of = values[at].of;
                let count = &mut counts[of as usize];
                count.0 -= 1;
                if goes(of, *count) {
                    open.push(of);
                }
            }
        }
        Some((is_gone, values))
    }

    fn patch(&self, lines: &Lines) -> Option<Patch<u8>> {
        let (is_gone, values) = self.lines(lines.len())?;
        let gone = (0..lines.len()).filter(|&line| is_gone[line]);
        let cuts = Patch::cuts(gone.map(|line| lines.range(line)));
        let uses = self.found.uses().iter().zip(&values);
        let changed = uses.filter(|(one, value)| one.of != value.of && !is_gone[one.line as usize]);
        let edits = changed.map(|(one, &value)| Edit {
            start: one.token.start as usize,
            end: one.token.end as usize,
            insert: Some(self.found.spelling(self.text, value).into()),
        });
        cuts.combined(&Patch::edits_of(edits).ok()?).ok()
    }
}

impl Pass<u8> for BypassDefinitions {
    fn name(&self) -> &'static str {
        "bypass_definitions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let choice = choices.all[chooser.prefer(choices.all.len())?];
        let found = Definitions::of(target);
        let text = target.elements();
        let bypass = Bypass::new(target, &found, &choices, &choice);
        let patch = bypass.patch(&Lines::of(target)).ok_or(DeadBranch)?;
        let Some(way) = choice.way else {
            return Ok(patch);
        };
        let sections = Sections::of(target);
        Sections::recounted(text, &sections.ways()[way], patch).ok_or(DeadBranch)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}
