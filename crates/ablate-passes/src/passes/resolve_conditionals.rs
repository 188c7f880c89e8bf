//! Leaves of conditional parts of a text, such as those between `#ifdef A` and `#endif`, one alternative or none.
//!
//! Most of what stands between such directives is for other machines and options than those of the test, and
//! hides from other passes what belongs together. C's directives are known, and what is named like them:
//! `` `ifdef A ``, `%if A`, `-ifdef(A).`, `:- if(a).`, `ifdef A`, `{$IFDEF A}`, `{% if a %}`.
//!
//! Costs three tests for what a preprocessor would leave, which knows what the text has defined, and computes:
//! where nothing else is defined, where it may be that names with `_` in front are, and where anything may be. Then
//! three for all parts at once: none of them is left, or the first alternative, or the last; two for all names, that
//! they are defined or not, and for halves, quarters and so on of them, in the order of the alphabet, what takes
//! most off first; at last three for halves, quarters and so on of the parts, and one for each alternative.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::ResolveConditionals;
//!
//! let text = "#ifdef A\na\n#elif B\nb\n#endif\n#if !defined(A) && C\nc\n#else\nd\n#endif\n";
//! let seen = reductions(&ResolveConditionals, text);
//! assert_eq!(seen[..4], ["d\n", "", "a\nd\n", "a\nc\n"]);
//! assert!(seen.contains(&"b\nd\n".into()));
//! assert!(seen.contains(&text.replace("#ifdef A\na\n#el", "#")));
//!
//! let text = "#define A 1\n#if A\na\n#ifdef B\n#endif\n#endif\n";
//! assert_eq!(reductions(&ResolveConditionals, text)[0], "#define A 1\na\n");
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::conditionals::{Branch, Conditional, Conditionals};
use crate::formats::conditions::Fact;
use crate::formats::preprocessor::{self, Unmentioned};
use crate::formats::runs::add_runs;

/// Resolves conditional parts; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResolveConditionals;

/// What to leave of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Nothing,
    First,
    Last,
    Alternative(usize),
    /// What holds where the things that stand next to each other in the alphabet do, or don't.
    Known(bool),
    /// What a preprocessor would leave.
    Preprocessed(Unmentioned),
}

/// A rule, and the parts that it is for, from one to another; if it says what is known, the things that
/// conditions are about.
#[derive(Clone, Copy, Debug)]
struct Choice {
    rule: Rule,
    first: usize,
    last: usize,
}

struct Choices {
    /// In which parts each thing is that conditions are about, in the order of the alphabet: what begins alike
    /// mostly is alike.
    by_place: Vec<Vec<usize>>,
    all: Vec<Choice>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let conditionals = Conditionals::of(target);
        let (count, by_place) = (conditionals.all().len(), conditionals.by_place());
        let (mut named, mut runs) = (Vec::new(), Vec::new());
        if !by_place.is_empty() {
            add_runs(0, by_place.len() - 1, &mut |first, last| {
                let rules = [false, true].map(Rule::Known);
                named.extend(rules.map(|rule| Choice { rule, first, last }));
                true
            });
        }
        if count > 0 {
            add_runs(0, count - 1, &mut |first, last| {
                let rules = [Rule::Nothing, Rule::First, Rule::Last];
                runs.extend(rules.map(|rule| Choice { rule, first, last }));
                true
            });
        }
        // All at once are tried with the names.
        named.extend(runs.drain(..runs.len().min(3)));
        for (number, conditional) in conditionals.all().iter().enumerate() {
            let middle = 1..conditional.branches.len() - 1;
            let rules = middle.map(Rule::Alternative);
            let (first, last) = (number, number);
            runs.extend(rules.map(|rule| Choice { rule, first, last }));
        }
        let preprocessed = [
            Unmentioned::Undefined,
            Unmentioned::UndefinedButReserved,
            Unmentioned::Unknown,
        ];
        let preprocessed = preprocessed.map(|unmentioned| Choice {
            rule: Rule::Preprocessed(unmentioned),
            first: 0,
            last: count.saturating_sub(1),
        });
        let mut choices = Choices {
            by_place,
            all: Vec::new(),
        };
        let with_gains = |group: Vec<Choice>| {
            let gain = |choice: &Choice| choices.patch(choice, &conditionals).growth();
            let gains = group.into_iter().map(|choice| (gain(&choice), choice));
            gains.filter(|(gain, _)| *gain < 0).collect::<Vec<_>>()
        };
        let mut all = with_gains(preprocessed.into());
        for group in [named, runs] {
            let mut group = with_gains(group);
            group.sort_by_key(|&(gain, choice)| (gain, choice.first));
            all.append(&mut group);
        }
        choices.all = all.into_iter().map(|(_, choice)| choice).collect();
        choices
    }

    fn patch(&self, choice: &Choice, conditionals: &Conditionals) -> Patch<u8> {
        let all = conditionals.all();
        let numbers = choice.first..=choice.last;
        let keep = |which: &dyn Fn(&Conditional) -> Vec<(usize, usize)>| {
            Patch::cuts(all[numbers.clone()].iter().flat_map(which))
        };
        match choice.rule {
            Rule::Nothing => keep(&|part| part.keep(None)),
            Rule::First => keep(&|part| part.keep(Some(0))),
            Rule::Last => keep(&|part| part.keep_last()),
            Rule::Alternative(number) => keep(&|part| part.keep(Some(number))),
            Rule::Known(value) => {
                let parts = self.by_place[numbers.clone()].iter().flatten();
                let mut parts: Vec<usize> = parts.copied().collect();
                parts.sort_unstable();
                parts.dedup();
                let holds =
                    |fact: Fact| numbers.contains(&conditionals.place(fact)).then_some(value);
                let parts = parts.into_iter().map(|part| &all[part]);
                Patch::cuts(parts.flat_map(|part| {
                    part.resolved(|_: usize, branch: &Branch| branch.value(&holds))
                }))
            }
            Rule::Preprocessed(unmentioned) => preprocessor::resolved(conditionals, unmentioned),
        }
    }
}

impl Pass<u8> for ResolveConditionals {
    fn name(&self) -> &'static str {
        "resolve_conditionals"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let choice = choices.all[chooser.prefer(choices.all.len())?];
        Ok(choices.patch(&choice, &Conditionals::of(target)))
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
